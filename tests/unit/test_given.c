/* Which options of a command were given, for tables of any length. */
#include "check.h"

#include "cli/common/arguments.h"
#include "cli/common/commands.h"

const cli_command cli_commands[] = {{0}, {0}}; /* every program has a table of its commands: here none */

enum { ROWS = CLI_MOST_OPTIONS + 2 };

typedef struct many {
    cli_common common;
    int flag;
} many;

static seg_option rows[ROWS + 1];
static char names[ROWS][8];
static const cli_table table = {.command = "many", .usage = "", .about = "", .rows = rows};

BEFORE_ALL {
    for (int i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof names[i], "o%d", i);
        rows[i] = (seg_option){.name = names[i], .type = SEG_OPTION_FLAG, .offset = offsetof(many, flag)};
    }
}

TEST(each_alone) {
    for (int i = 0; i < CLI_MOST_OPTIONS; i++) {
        many options = {0};
        char word[16], program[] = "many", *argv[] = {program, word, NULL};
        snprintf(word, sizeof word, "--o%d", i);
        assert_int_equal(cli_parse(&table, 2, argv, &options), CLI_GO_ON);
        assert_int_equal(options.flag, 1);
        for (int other = 0; other < ROWS; other++)
            assert_int_equal(cli_given(&table, &options, names[other]), other == i);
    }
}

TEST(all_and_none) {
    many options = {0};
    for (int i = 0; i < ROWS; i++)
        assert_false(cli_given(&table, &options, names[i]));
    for (int i = 0; i < CLI_MOST_OPTIONS; i++)
        assert_int_equal(cli_set(&table, &options, names[i], "1"), CLI_GO_ON);
    for (int i = 0; i < ROWS; i++)
        assert_int_equal(cli_given(&table, &options, names[i]), i < CLI_MOST_OPTIONS);
    assert_false(cli_given(&table, &options, "o"));
}

/* Never taken for another, or for one that was not given. */
TEST(beyond_the_room) {
    for (int i = CLI_MOST_OPTIONS; i < ROWS; i++) {
        many options = {0};
        char word[16], program[] = "many", *argv[] = {program, word, NULL};
        snprintf(word, sizeof word, "--o%d", i);
        assert_int_equal(cli_parse(&table, 2, argv, &options), CLI_FAILED);
        assert_int_equal(cli_set(&table, &options, names[i], "1"), CLI_FAILED);
        assert_int_equal(options.flag, 0);
        for (int other = 0; other < ROWS; other++)
            assert_false(cli_given(&table, &options, names[other]));
    }
}
