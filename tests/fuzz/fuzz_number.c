/* Any text as a number: what is taken is what strtod makes of it, and printed again it reads the same. */
#include "fuzz.h"

#include "vectors/table.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static locale_t locale;
    char *text = fuzz_text(bytes, size), printed[32], *end;
    double value = 0, again = 0;
    locale = locale ? locale : newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const seg_number_kind kind = seg_number_parse(text, size, locale, &value);
    CHECK(kind == SEG_NUMBER_GOOD || seg_number_fault(kind)[0]);
    if (kind == SEG_NUMBER_GOOD) {
        CHECK(value == strtod_l(text, &end, locale) && end == text + size);
        CHECK(fabs(value) <= SEG_LARGEST_NUMBER);
        const int length = snprintf(printed, sizeof printed, "%.17g", value);
        CHECK(seg_number_parse(printed, (size_t)length, locale, &again) == SEG_NUMBER_GOOD && again == value);
    }
    free(text);
    return 0;
}
