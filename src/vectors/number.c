#include "vectors/number.h"

#include "base/header_row.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LONGEST = 400,     /* characters: more digits than any double has in decimal notation with a small exponent */
    EXACT_DIGITS = 19, /* decimal digits that 64 bits can hold */
    EXACT_POWER = 22   /* the largest power of ten that a double holds exactly */
};

static const double power_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static seg_number_kind classify_word(const char *text, size_t length) {
    if (seg_is_missing_value(text, length))
        return SEG_NUMBER_MISSING;
    const size_t sign = length > 0 && (*text == '+' || *text == '-'), letters = length - sign;
    const int infinite = (letters == 3 || letters == 8) && strncasecmp(text + sign, "infinity", letters) == 0;
    return infinite ? SEG_NUMBER_LARGE : SEG_NUMBER_WORD;
}

static seg_number_kind bounded(double value, double *out) {
    *out = value;
    return fabs(value) <= SEG_LARGEST_NUMBER ? SEG_NUMBER_GOOD : SEG_NUMBER_LARGE;
}

/* The caller has checked the grammar: strtod would also accept hexadecimal, "inf" and leading blanks. */
static seg_number_kind parse_slowly(const char *text, size_t length, locale_t locale, double *value) {
    char copy[LONGEST + 1], *end;
    if (length > LONGEST)
        return SEG_NUMBER_WORD;
    memcpy(copy, text, length);
    copy[length] = 0;
    double read = strtod_l(copy, &end, locale);
    return *end ? SEG_NUMBER_WORD : bounded(read, value);
}

seg_number_kind seg_number_parse(const char *text, size_t length, locale_t locale, double *value) {
    const char *at = text, *end = text + length;
    uint64_t digits = 0; /* the digits as one whole number */
    int seen = 0, significant = 0, power = 0, negative = 0;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    for (int behind_point = 0; at < end; at++) {
        unsigned digit = (unsigned char)*at - (unsigned)'0';
        if (digit < 10) {
            seen = 1;
            power -= behind_point;
            if (significant < EXACT_DIGITS)
                digits = 10 * digits + digit;
            significant += significant > 0 || digit > 0;
        } else if (*at == '.' && !behind_point) {
            behind_point = 1;
        } else {
            break;
        }
    }
    if (!seen)
        return classify_word(text, length);
    if (at < end) { /* an exponent, and nothing else */
        int exponent = 0, lower = 0;
        if (*at != 'e' && *at != 'E')
            return SEG_NUMBER_WORD;
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            lower = *at++ == '-';
        if (at == end)
            return SEG_NUMBER_WORD;
        for (; at < end; at++) {
            unsigned digit = (unsigned char)*at - (unsigned)'0';
            if (digit > 9)
                return SEG_NUMBER_WORD;
            exponent = exponent < 100000 ? 10 * exponent + (int)digit : exponent;
        }
        power += lower ? -exponent : exponent;
    }
    /* Digits and power of ten are exact, so their product or quotient is rounded once, and correctly. */
    if (significant <= EXACT_DIGITS && digits <= (uint64_t)1 << 53 && power >= -EXACT_POWER && power <= EXACT_POWER) {
        double read = (double)digits;
        read = power < 0 ? read / power_of_ten[-power] : read * power_of_ten[power];
        return bounded(negative ? -read : read, value);
    }
    return parse_slowly(text, length, locale, value);
}

const char *seg_number_fault(seg_number_kind kind) {
    static const char *const faults[] = {
        [SEG_NUMBER_GOOD] = "is a number",
        [SEG_NUMBER_MISSING] = "is a missing value; fill it in or leave the row out",
        [SEG_NUMBER_LARGE] = "is infinite or above 1e200; leave the row out or scale the column down",
        [SEG_NUMBER_WORD] = "is not a number; write numbers with a decimal point, # before a line of names, and say "
                            "which column holds labels, if one does"};
    return faults[kind];
}
