/* What the unit tests share: cmocka, and assertions it lacks. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "base/context.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* |a - b| <= tolerance, and neither is NaN. */
#define assert_near(a, b, tolerance) check_near((a), (b), (tolerance), __FILE__, __LINE__)
static inline void check_near(double a, double b, double tolerance, const char *file, int line) {
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s:%d: %.17g is not within %g of %.17g\n", file, line, a, tolerance, b);
        _fail(file, line);
    }
}

/* A call of the library succeeds; its message is printed where it does not. */
#define assert_ok(ctx, call)                                                                                           \
    do {                                                                                                               \
        seg_status check_status = (call);                                                                              \
        if (check_status != SEG_OK) {                                                                                  \
            print_error("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, (ctx)->message);                                 \
            _fail(__FILE__, __LINE__);                                                                                 \
        }                                                                                                              \
    } while (0)

#endif
