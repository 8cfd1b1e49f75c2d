/* Numbers in options, with a point whatever the locale that the caller's program has set. */
#ifndef SEG_BASE_DECIMAL_H
#define SEG_BASE_DECIMAL_H

/* strtod in the locale "C". */
double seg_decimal(const char *text, char **end);

#endif
