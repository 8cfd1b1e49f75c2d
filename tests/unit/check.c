/* The main program of a unit test: runs the tests that the file registered, each with a fresh context. */
#include "check.h"

enum { MOST_TESTS = 64 };

seg_context ctx;
check_hooks check_hook;
char check_warnings[8192], check_infos[8192];
int check_warned;

static struct CMUnitTest tests[MOST_TESTS];
static size_t count;
static void *shared; /* the state that BEFORE_ALL left */

static void call(check_function function, void **state) {
    if (function)
        function(state);
}

static int begin(void **state) {
    *state = shared;
    ctx = seg_context_default();
    call(check_hook.before_each, state);
    return 0;
}

static int end(void **state) {
    call(check_hook.after_each, state);
    seg_context_end(&ctx);
    return 0;
}

static int begin_all(void **state) {
    ctx = seg_context_default();
    call(check_hook.before_all, state);
    shared = *state;
    seg_context_end(&ctx);
    return 0;
}

static int end_all(void **state) {
    call(check_hook.after_all, state);
    return 0;
}

void check_register(const char *name, check_function function) {
    if (count == MOST_TESTS)
        abort();
    tests[count++] = (struct CMUnitTest){name, function, begin, end, NULL};
}

void check_near(double a, double b, double tolerance, const char *file, int line) {
    if (!(fabs(a - b) <= tolerance)) {
        print_error("%s:%d: %.17g is not within %g of %.17g\n", file, line, a, tolerance, b);
        _fail(file, line);
    }
}

void check_says(const char *message, const char *words, const char *file, int line) {
    if (!strstr(message, words)) {
        print_error("%s:%d: '%s' does not say '%s'\n", file, line, message, words);
        _fail(file, line);
    }
}

static void hear(void *user, seg_log_level level, const char *line) {
    char *to = level == SEG_LOG_WARNING ? check_warnings : check_infos;
    (void)user;
    check_warned += level == SEG_LOG_WARNING;
    if (strlen(to) + strlen(line) + 2 < sizeof check_warnings)
        strcat(strcat(to, line), "\n");
}

void check_listen(seg_context *of) {
    of->log = hear;
    check_warnings[0] = check_infos[0] = 0;
    check_warned = 0;
}

int main(void) {
    return _cmocka_run_group_tests("tests", tests, count, begin_all, end_all);
}
