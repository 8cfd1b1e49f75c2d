#include "base/decimal.h"

#include <locale.h>
#include <stdlib.h>

double seg_decimal(const char *text, char **end) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) /* glibc's "C" is always there */
        return strtod(text, end);
    const double value = strtod_l(text, end, plain);
    freelocale(plain);
    return value;
}
