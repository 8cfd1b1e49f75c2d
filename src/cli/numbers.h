/* Strict reading of option values. Each prints a sentence with the legal range and returns 0 where the text is anything
 * but one legal value. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdint.h>

int cli_read_whole(const char *option, const char *text, int64_t low, int64_t high, int64_t *out);
int cli_read_int(const char *option, const char *text, int low, int high, int *out);
/* high may be INFINITY: "at least LOW". */
int cli_read_real(const char *option, const char *text, double low, double high, double *out);
/* One of the NULL-ended names; *out is its position. */
int cli_read_choice(const char *option, const char *text, const char *const *names, int *out);

#endif
