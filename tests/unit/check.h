/* What the unit tests share: cmocka, the registration of tests, and assertions that cmocka lacks. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "base/context.h"
#include "base/random.h"
#include "image/mask.h"
#include "linalg/sparse.h"
#include "pipeline/option_fields.h"
#include "scoped.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <segment/segment.h>

typedef void (*check_function)(void **state);
typedef struct check_hooks {
    check_function before_each, after_each, before_all, after_all;
} check_hooks;

/* The context of the running test: set to its defaults before it, ended after it. */
extern seg_context ctx;
extern check_hooks check_hook;

void check_register(const char *name, check_function function);

/* TEST(name) { ... } defines a test. The program runs all tests of its file, in the order in which they stand there. */
#define TEST(name) CHECK_FUNCTION(name, check_register(#name, name))

/* BEFORE_EACH { ... } defines what is called before each test of the file, with the context that the test gets. */
#define BEFORE_EACH CHECK_FUNCTION(before_each, check_hook.before_each = before_each)
#define AFTER_EACH  CHECK_FUNCTION(after_each, check_hook.after_each = after_each)
#define BEFORE_ALL  CHECK_FUNCTION(before_all, check_hook.before_all = before_all)
#define AFTER_ALL   CHECK_FUNCTION(after_all, check_hook.after_all = after_all)

#define CHECK_FUNCTION(name, registration)                                                                             \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void register_##name(void) {                                                   \
        registration;                                                                                                  \
    }                                                                                                                  \
    static void name(__attribute__((unused)) void **state)

/* |a - b| <= tolerance, and neither is NaN. */
#define assert_near(a, b, tolerance) check_near((a), (b), (tolerance), __FILE__, __LINE__)
void check_near(double a, double b, double tolerance, const char *file, int line);

/* A call of the library succeeds; its message is printed where it does not. */
#define assert_ok(ctx, call)                                                                                           \
    do {                                                                                                               \
        seg_status check_status = (call);                                                                              \
        if (check_status != SEG_OK) {                                                                                  \
            print_error("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, (ctx)->message);                                 \
            _fail(__FILE__, __LINE__);                                                                                 \
        }                                                                                                              \
    } while (0)

/* What calls that cannot fail here make. */
static inline seg_matrix new_matrix(seg_context *of, size_t rows, size_t cols) {
    seg_matrix made;
    assert_ok(of, seg_matrix_create(of, rows, cols, &made));
    return made;
}
static inline seg_csr new_csr(seg_context *of, size_t rows, size_t cols, size_t entries) {
    seg_csr made;
    assert_ok(of, seg_csr_create(of, rows, cols, entries, &made));
    return made;
}
static inline seg_constraints new_constraints(seg_context *of, size_t n) {
    seg_constraints made;
    assert_ok(of, seg_constraints_create(of, n, &made));
    return made;
}
static inline seg_mask new_mask(seg_context *of, int width, int height) {
    seg_mask made;
    assert_ok(of, seg_mask_create(of, width, height, &made));
    return made;
}

/* Pointers that are freed where their block ends: SCOPED_MODEL *model; of a type that FREED_BY knows. */
#define SCOPED_POINTER(type) __attribute__((cleanup(check_##type##_freed))) type
#define FREED_BY(type, function)                                                                                       \
    static inline void check_##type##_freed(type **pointer) {                                                          \
        function(*pointer);                                                                                            \
    }
FREED_BY(seg_cholesky, seg_cholesky_free)
FREED_BY(seg_context, seg_context_free)
FREED_BY(seg_model, seg_model_free)
FREED_BY(seg_result, seg_result_free)
FREED_BY(seg_session, seg_session_close)
#define SCOPED_CHOLESKY SCOPED_POINTER(seg_cholesky)
#define SCOPED_CONTEXT  SCOPED_POINTER(seg_context)
#define SCOPED_MODEL    SCOPED_POINTER(seg_model)
#define SCOPED_RESULT   SCOPED_POINTER(seg_result)
#define SCOPED_SESSION  SCOPED_POINTER(seg_session)

/* What the context logged since check_listen: the warnings, how many they are, and the other lines. */
extern char check_warnings[8192], check_infos[8192];
extern int check_warned;
void check_listen(seg_context *of);

/* Progress that cancels when it was called `left` times, an int that counts down. */
static inline int check_stop(void *left, double done, const char *stage) {
    (void)done, (void)stage;
    return (*(int *)left)-- <= 0;
}

/* A call fails with a status and a message that contains the words. */
#define assert_fails(ctx, call, expected, words)                                                                       \
    do {                                                                                                               \
        assert_int_equal((call), (expected));                                                                          \
        assert_says((ctx), (words));                                                                                   \
    } while (0)

/* The last message of a context contains the words. */
#define assert_says(ctx, words) check_says((ctx)->message, (words), __FILE__, __LINE__)
void check_says(const char *message, const char *words, const char *file, int line);

#endif
