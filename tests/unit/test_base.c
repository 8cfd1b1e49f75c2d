/* base: random numbers are what their definition gives, allocation refuses overflow, messages fit. */
#include "check.h"

#include "base/base.h"

TEST(random_is_uniform_and_repeatable) {
    double sum = 0, squares = 0;
    const int n = 100000;
    size_t bins[7] = {0};
    seg_random a = seg_random_seeded(42, 0);
    seg_random b = seg_random_seeded(42, 0);
    seg_random c = seg_random_seeded(42, 1);
    assert_true(seg_random_bits(&a) == seg_random_bits(&b));
    assert_true(seg_random_bits(&b) != seg_random_bits(&c));
    for (int i = 0; i < n; i++) {
        double x = seg_random_normal(&a);
        sum += x;
        squares += x * x;
        bins[seg_random_below(&a, 7)]++;
    }
    assert_near(sum / n, 0, 0.02);
    assert_near(squares / n, 1, 0.02);
    for (int i = 0; i < 7; i++)
        assert_near((double)bins[i], n / 7.0, 600);
}

TEST(allocation_refuses_overflow) {
    double *x = NULL;
    char *y = NULL;
    int32_t *z = NULL;
    assert_int_equal(SEG_ALLOC_ARRAYS(&ctx, SEG_ARRAY(x, 3), SEG_ARRAY(y, 5), SEG_TABLE(z, 2, 7)), SEG_OK);
    for (int e = 0; e < 14; e++)
        assert_true(z[e] == 0 && x[e % 3] == 0 && y[e % 5] == 0);
    memset(y, 1, 5); /* they do not overlap */
    x[2] = z[0] = 2;
    assert_true(x[2] == 2 && y[0] == 1 && y[4] == 1 && z[0] == 2 && z[1] == 0);
    free(x);
    assert_int_equal(SEG_ALLOC_ARRAYS(&ctx, SEG_ARRAY(x, 3), SEG_TABLE(z, SIZE_MAX / 8, 3)), SEG_ERR_MEMORY);
    assert_true(!x && !z);
    assert_int_equal(SEG_ALLOC_ARRAYS(&ctx, SEG_ARRAY(x, SIZE_MAX / 9), SEG_ARRAY(z, SIZE_MAX / 5)), SEG_ERR_MEMORY);
    assert_null(seg_alloc(&ctx, SIZE_MAX / 2, 3));
    assert_says(&ctx, "out of memory");
    AUTOFREE void *nothing = seg_alloc(&ctx, 0, 8);
    assert_non_null(nothing);
}

TEST(an_arena_keeps_the_first_failure) {
    SCOPED(seg_arena) arena = {0};
    double *x = seg_arena_alloc(&ctx, &arena, 100, sizeof *x), *zero = seg_arena_alloc_zero(&ctx, &arena, 100, 8);
    assert_non_null(x);
    for (int i = 0; i < 100; i++) {
        x[i] = i;
        assert_true(zero[i] == 0);
    }
    assert_int_equal((uintptr_t)x % _Alignof(max_align_t), 0);
    assert_int_equal(arena.status, SEG_OK);
    assert_null(seg_arena_alloc(&ctx, &arena, SIZE_MAX, 1)); /* with what the arena adds */
    assert_non_null(seg_arena_alloc(&ctx, &arena, 0, 8));
    assert_int_equal(arena.status, SEG_ERR_MEMORY);
    assert_says(&ctx, "out of memory");
    seg_arena_free(&arena);
    assert_int_equal(arena.status, SEG_OK);
}

TEST(messages_are_cut_not_overrun) {
    char longer[3000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_int_equal(seg_fail(&ctx, SEG_ERR_INPUT, "%s", longer), SEG_ERR_INPUT);
    assert_int_equal(strlen(ctx.message), SEG_MESSAGE_SIZE - 1);
    assert_int_equal(seg_fail(NULL, SEG_ERR_IO, "nobody listens"), SEG_ERR_IO);
}

TEST(messages_are_one_line) {
    check_listen(&ctx);
    seg_fail(&ctx, SEG_ERR_INPUT, "'%s' is odd", "a\nb\x1b[2J\x7f\xc3\xa4");
    assert_string_equal(ctx.message, "'a?b?[2J?\xc3\xa4' is odd");
    seg_log(&ctx, SEG_LOG_INFO, "%s", "x\r\ty");
    assert_string_equal(check_infos, "x??y\n");
}
