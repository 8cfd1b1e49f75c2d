/* The table of options: every row takes what it prints, refuses what is out of its range, and names itself. */
#include "check.h"

#include "pipeline/decide.h"

TEST(rows_are_whole) {
    const seg_option *row;
    assert_null(seg_option_at(-1));
    int count = 0;
    for (; (row = seg_option_at(count)) != NULL; count++) {
        assert_ptr_equal(seg_option_find(row->name), row);
        assert_true(row->help && row->help[0] && row->group >= SEG_OPTIONS_INPUT);
        assert_int_equal(row->value != NULL, row->type != SEG_OPTION_FLAG);
        assert_int_equal(row->choices != NULL, row->type == SEG_OPTION_CHOICE || row->type == SEG_OPTION_FEATURES ||
                                                   row->type == SEG_OPTION_ISLANDS);
        assert_true(!row->needs || seg_option_find(row->needs));
        assert_true(row->traits & SEG_OPTION_MAKES_RESULT);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(seg_option_at(i)->name, row->name);
    }
    assert_true(count >= 15);
    assert_ptr_equal(seg_option_find("k"), seg_option_find("regions"));
    assert_null(seg_option_find(""));
    assert_null(seg_option_find("--knn"));
    assert_null(seg_option_find("kn"));
}

/* The default is the row's, and a value that is read back sets the same bytes, twice as once. */
TEST(values_go_round) {
    const seg_option *row;
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++) {
        char text[512], again[512];
        seg_options a = seg_options_default();
        seg_options b = seg_options_default();
        assert_ok(&ctx, seg_options_get(&ctx, &a, row->name, text, sizeof text));
        assert_string_equal(text, row->initial ? row->initial : "");
        if (!text[0])
            continue;
        for (int twice = 0; twice < 2; twice++) {
            assert_ok(&ctx, seg_options_set(&ctx, &b, row->name, text));
            assert_memory_equal(&a, &b, sizeof a);
        }
        assert_ok(&ctx, seg_options_get(&ctx, &b, row->name, again, sizeof again));
        assert_string_equal(text, again);
    }
}

/* Values at the edges of each range are taken, those beyond are not and change nothing. */
TEST(ranges_hold) {
    const seg_option *row;
    for (int i = 0; (row = seg_option_at(i)) != NULL; i++) {
        static const char *const never[] = {"", " ", "x y", "-1", "1e999", "nan", "0x1", "+-1"};
        char text[64];
        seg_options options = seg_options_default();
        seg_options before = options;
        for (size_t n = 0; row->type != SEG_OPTION_FLAG && n < sizeof never / sizeof *never; n++) {
            assert_int_equal(seg_options_set(&ctx, &options, row->name, never[n]), SEG_ERR_USAGE);
            assert_memory_equal(&options, &before, sizeof options);
            assert_null(strstr(ctx.message, "--"));
            if (row->type != SEG_OPTION_FEATURES)
                assert_int_equal(strncmp(ctx.message, row->name, strlen(row->name)), 0);
        }
        for (int c = 0; row->choices && row->choices[c]; c++) {
            assert_ok(&ctx, seg_options_set(&ctx, &options, row->name, row->choices[c]));
            assert_ok(&ctx, seg_options_get(&ctx, &options, row->name, text, sizeof text));
            if (row->type == SEG_OPTION_FEATURES) /* with its weight */
                assert_true(strncmp(text, row->choices[c], strlen(row->choices[c])) == 0);
            else
                assert_string_equal(text, row->choices[c]);
        }
        if (row->type != SEG_OPTION_INT)
            continue;
        for (int beyond = 0; beyond < 2; beyond++)
            for (int side = -1; side <= 1; side += 2) {
                snprintf(text, sizeof text, "%d", (int)(side < 0 ? row->low : row->high) + side * beyond);
                assert_int_equal(seg_options_set(&ctx, &options, row->name, text), beyond ? SEG_ERR_USAGE : SEG_OK);
            }
    }
}

TEST(methods_and_parameters) {
    char text[64];
    seg_options options = seg_options_default();
    assert_int_equal(seg_options_set(&ctx, &options, "param", "m=3"), SEG_ERR_USAGE);
    assert_fails(&ctx, seg_options_set(&ctx, &options, "method", "magic"), SEG_ERR_USAGE, "magic");
    assert_ok(&ctx, seg_options_set(&ctx, &options, "method", "CCSKL"));
    assert_ok(&ctx, seg_options_get(&ctx, &options, "method", text, sizeof text));
    assert_string_equal(text, "ccskl");
    assert_ok(&ctx, seg_options_set(&ctx, &options, "param", "m=7"));
    assert_true(options.params_set && options.params.value[0] == 7);
    assert_int_equal(seg_options_set(&ctx, &options, "param", "m=0"), SEG_ERR_USAGE);
    assert_true(options.params.value[0] == 7);
    assert_ok(&ctx, seg_options_set(&ctx, &options, "method", "ccskl"));
    assert_true(options.params.value[0] != 7);
    assert_ok(&ctx, seg_options_check(&ctx, &options));
}

TEST(numbers_and_room) {
    static const char *const refused[] = {"1,2", "-1", "local", "inf"};
    char text[512];
    seg_options options = seg_options_default();
    assert_ok(&ctx, seg_options_set(&ctx, &options, "sigma", "0.25"));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(seg_options_set(&ctx, &options, "sigma", refused[i]), SEG_ERR_USAGE);
    assert_ok(&ctx, seg_options_get(&ctx, &options, "sigma", text, sizeof text));
    assert_string_equal(text, "0.25");
    assert_int_equal(seg_options_get(&ctx, &options, "sigma", text, 3), SEG_ERR_USAGE);
    assert_int_equal(seg_options_get(&ctx, &options, "none", text, sizeof text), SEG_ERR_USAGE);
    assert_int_equal(seg_options_set(&ctx, &options, "none", "1"), SEG_ERR_USAGE);
}

/* What `auto` becomes by what a run is about; a character per decision, in their order. */
TEST(decisions_follow_the_run) {
    const seg_method *own = seg_method_find(NULL), *cuts = seg_method_find("ncut");
    const struct {
        const char *option, *value;
        seg_circumstances run; /* method, width, height, scribbles, labels, k, groups, pairs, seen */
        const char *on;
    } cases[] = {
        {"thin", "auto", {own, 100, 100, 1, 2, 2, 1, 0, 0}, "10111111"},
        {"thin", "auto", {own, 100, 100, 0, 2, 2, 1, 0, 0}, "10001000"},
        {"thin", "auto", {own, 100, 100, 1, 1, 2, 1, 0, 0}, "11101011"},
        {"thin", "auto", {own, 100, 100, 1, 3, 3, 1, 0, 0}, "10001000"},
        {"thin", "auto", {own, 100, 100, 1, 2, 3, 1, 0, 0}, "10001000"},
        {"thin", "auto", {own, 100, 100, 1, 2, 2, 0, 0, 0}, "00111111"},
        {"thin", "auto", {own, 100, 100, 1, 2, 2, 1, 1, 0}, "10001101"},
        {"thin", "auto", {own, 1000, 625, 1, 2, 2, 1, 0, 625000}, "10111111"},
        {"thin", "auto", {own, 1000, 626, 1, 2, 2, 1, 0, 156500}, "10111101"},
        {"thin", "auto", {own, 5000, 5000, 1, 2, 2, 1, 0, 1 << 20}, "10111101"},
        {"thin", "on", {own, 5000, 5000, 1, 2, 2, 1, 0, (1 << 20) + 1}, "10111001"},
        {"thin", "auto", {cuts, 100, 100, 1, 2, 2, 1, 0, 0}, "00001000"},
        {"thin", "on", {cuts, 100, 100, 1, 2, 2, 1, 0, 0}, "00001100"},
        {"chromaticity", "on", {cuts, 100, 100, 1, 2, 2, 1, 0, 0}, "10001000"},
        {"graph", "full", {own, 100, 100, 1, 2, 2, 1, 0, 0}, "00111111"},
        {"refine", "none", {own, 100, 100, 1, 2, 2, 1, 0, 0}, "10110001"},
        {"object", "1", {own, 100, 100, 1, 2, 2, 1, 0, 0}, "11111011"},
        {"object", "1", {own, 100, 100, 1, 2, 2, 1, 1, 0}, "10001001"},
        {"object", "1", {cuts, 100, 100, 1, 2, 2, 1, 0, 0}, "00001000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        seg_options options = seg_options_default();
        seg_decision out[SEG_DECISIONS];
        char on[SEG_DECISIONS + 1] = "";
        assert_ok(&ctx, seg_options_set(&ctx, &options, cases[i].option, cases[i].value));
        seg_decide(&options, &cases[i].run, out);
        for (int d = 0; d < SEG_DECISIONS; d++)
            on[d] = (char)('0' + out[d].on);
        assert_string_equal(on, cases[i].on);
        /* Without refinement small pieces go only if that is asked for. */
        options.refine = SEG_REFINE_NONE;
        options.min_region = i % 2 ? 9 : 0;
        seg_decide(&options, &cases[i].run, out);
        assert_int_equal(out[SEG_DECIDED_SPECKS].on, i % 2);
        /* Strokes that are not there yet are of as many labels as regions are asked for. */
        options.k = (int)(i % 4);
        const seg_circumstances later = seg_circumstances_of_strokes(&options, own);
        assert_true(later.labels == (i % 4 ? (int)(i % 4) : 2) && later.k == later.labels);
        assert_true(later.scribbles && later.groups && !later.pairs && !later.seen && later.method == own);
    }
}

/* Options are made for programs whose headers this library serves: of the same major and minor version before 1.0,
 * whatever the corrections. */
TEST(versions_shake_hands) {
    seg_options *options = NULL;
    char text[64];
    assert_ok(&ctx, seg_options_create(&ctx, &options));
    seg_options usual = seg_options_default();
    assert_memory_equal(options, &usual, sizeof usual);
    seg_options_want(options, SEG_WANT_PROBABILITY | SEG_WANT_FIXED);
    assert_true(options->probability && !options->uncertainty && options->fixed);
    seg_options_want(options, SEG_WANT_UNCERTAINTY);
    assert_true(!options->probability && options->uncertainty && !options->fixed);
    assert_ok(&ctx, seg_options_set(&ctx, options, "method", "ccskl"));
    assert_ok(&ctx, seg_options_set(&ctx, options, "knn", "7"));
    assert_ok(&ctx, seg_options_get(&ctx, options, "knn", text, sizeof text));
    assert_string_equal(text, "7");
    assert_int_equal(seg_options_graph(options)->neighbours, 7);
    assert_ptr_equal(seg_options_params(options), &options->params);
    seg_options_free(options);
    static const int wrong[] = {SEG_MAKE_VERSION(SEG_VERSION_MAJOR, SEG_VERSION_MINOR + 1, 0),
                                SEG_MAKE_VERSION(SEG_VERSION_MAJOR, SEG_VERSION_MINOR - 1, 0),
                                SEG_MAKE_VERSION(SEG_VERSION_MAJOR + 1, SEG_VERSION_MINOR, 0),
                                SEG_MAKE_VERSION(77, 1, 2)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options = &usual;
        assert_int_equal(seg_options_create_for(&ctx, wrong[i], &options), SEG_ERR_USAGE);
        assert_null(options);
        assert_non_null(strstr(ctx.message, seg_version()));
    }
    assert_non_null(strstr(ctx.message, "77.1.2"));
    assert_ok(&ctx, seg_options_create_for(&ctx, SEG_VERSION_NUMBER + 1, &options)); /* a later correction */
    seg_options_free(options);
    seg_options_free(NULL);
}
