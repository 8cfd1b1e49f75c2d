#include "numbers.h"
#include "exit_codes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int cli_read_whole(const char *option, const char *text, int64_t low, int64_t high, int64_t *out) {
    char *end = NULL;
    errno = 0;
    /* The character set keeps out what strtoll would take besides digits: leading blanks. */
    long long value = strtoll(text, &end, 10);
    if (!*text || strspn(text, "+-0123456789") != strlen(text) || *end || errno || value < low || value > high) {
        cli_say("%s takes a whole number from %" PRId64 " to %" PRId64 ", not '%s'", option, low, high, text);
        return 0;
    }
    *out = value;
    return 1;
}

int cli_read_int(const char *option, const char *text, int low, int high, int *out) {
    int64_t value;
    if (!cli_read_whole(option, text, low, high, &value)) {
        return 0;
    }
    *out = (int)value;
    return 1;
}

int cli_read_real(const char *option, const char *text, double low, double high, double *out) {
    char *end = NULL;
    /* Decimal notation only: no "inf", "nan", hexadecimal digits or leading blanks. */
    double value = strtod(text, &end);
    if (*text && strspn(text, "+-.0123456789eE") == strlen(text) && !*end && isfinite(value) && value >= low &&
        value <= high) {
        *out = value;
        return 1;
    }
    if (isinf(high)) {
        cli_say("%s takes a number of at least %g, not '%s'", option, low, text);
    } else {
        cli_say("%s takes a number from %g to %g, not '%s'", option, low, high, text);
    }
    return 0;
}

int cli_read_choice(const char *option, const char *text, const char *const *names, int *out) {
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        if (strcasecmp(names[i], text) == 0) {
            *out = i;
            return 1;
        }
        const char *between = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        int more = snprintf(list + used, sizeof list - used, "%s%s", between, names[i]);
        used = more > 0 && used + (size_t)more < sizeof list ? used + (size_t)more : used;
    }
    cli_say("%s takes %s, not '%s'", option, list, text);
    return 0;
}
