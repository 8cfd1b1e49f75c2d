/* Completion for bash: one function, and tables of words for it as case statements. */
#include "arguments.h"
#include "completion.h"

#include <stdio.h>

static const char head[] =
    "# bash completion for segment(1), printed by 'segment completion bash'.\n"
    "# shellcheck shell=bash\n\n"
    "# Files and folders that begin as $1, with one of the endings $2: '*' any, '/' folders alone.\n"
    "_segment_files() {\n"
    "    local file ending begin=${1//\\\\/}\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    [[ $begin != \\~/* ]] || begin=$HOME/${begin:2}\n"
    "    while IFS= read -r file; do\n"
    "        [[ ${file##*/} != .* || ${begin##*/} == .* ]] || continue\n"
    "        if [[ $2 == '*' || -d $file ]]; then\n"
    "            COMPREPLY+=(\"$file\")\n"
    "            continue\n"
    "        fi\n"
    "        for ending in $2; do\n"
    "            [[ ${file,,} != *.\"$ending\" ]] || COMPREPLY+=(\"$file\")\n"
    "        done\n"
    "    done < <(compgen -f -- \"$begin\")\n"
    "}\n\n";

static const char body[] =
    "_segment() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command='' option='' kept='' words='' tail='' files='' list='' i\n"
    "    COMPREPLY=()\n"
    "    ((COMP_CWORD < 2)) || _segment_is_command \"${COMP_WORDS[1]}\" && command=${COMP_WORDS[1]}\n"
    "    ((COMP_CWORD > 1)) || command=''\n"
    "    # --option=word is three words, unless '=' was taken out of COMP_WORDBREAKS.\n"
    "    if [[ $word == '=' ]]; then\n"
    "        word='' option=$before\n"
    "    elif [[ $before == '=' ]]; then\n"
    "        option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    elif [[ $word == --*=* ]]; then\n"
    "        option=${word%%=*} kept=$option= word=${word#*=}\n"
    "    elif [[ $before == -?* ]]; then\n"
    "        option=$before\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        [[ ${COMP_WORDS[i]} != -- ]] || option=-- # nothing but operands\n"
    "    done\n"
    "    if [[ $option && $option != -* ]]; then # --export svg=FILE\n"
    "        files='*'\n"
    "    elif ! _segment_value \"$command $option\"; then\n"
    "        if [[ $word == -* && $option != -- ]]; then\n"
    "            _segment_options \"$command\"\n"
    "        else\n"
    "            _segment_operand \"$command\"\n"
    "            ((COMP_CWORD > 1)) || words+=\" $_segment_commands\"\n"
    "        fi\n"
    "    fi\n"
    "    if [[ $list && $word == *,* ]]; then\n"
    "        kept+=${word%,*}, word=${word##*,}\n"
    "    fi\n"
    "    [[ ! $tail && ! $list ]] || compopt -o nospace 2>/dev/null\n"
    "    if [[ $words ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -P \"$kept\" -S \"$tail\" -W \"$words\" -- \"$word\")\n"
    "    fi\n"
    "    if [[ $files ]]; then\n"
    "        _segment_files \"$word\" \"$files\"\n"
    "    fi\n"
    "}\n\n"
    "complete -F _segment segment\n";

static void print_values(const cli_values *values) {
    if (values->words) {
        printf(" words='");
        for (int i = 0; i < values->words; i++) {
            printf("%s%s", i ? " " : "", values->word[i]);
        }
        printf("'");
    }
    printf("%s%s%s", *values->tail ? " tail='" : "", values->tail, *values->tail ? "'" : "");
    printf("%s", values->list ? " list=1" : "");
    if (values->files) {
        printf(" files='%s'", values->files);
    }
    printf("%s ;;\n", values->words || values->files ? "" : " :");
}

static void print_options(const cli_command *command) {
    const struct argp_option *row;
    printf("    '%s') words='", command->name);
    const char *between = "";
    for (int i = 0; (row = cli_command_option(command, i)) != NULL; i++) {
        if (row->name) {
            printf("%s--%s", between, row->name);
            between = " ";
        }
        if (row->name && row->key < CLI_KEY_FIRST_LONG) {
            printf(" -%c", row->key);
        }
    }
    printf("' ;;\n");
}

static void print_option_values(const cli_command *command) {
    const struct argp_option *row;
    cli_values values;
    for (int i = 0; (row = cli_command_option(command, i)) != NULL; i++) {
        if (!row->name || !row->arg) {
            continue;
        }
        printf("    '%s --%s'", command->name, row->name);
        if (row->key < CLI_KEY_FIRST_LONG) {
            printf(" | '%s -%c'", command->name, row->key);
        }
        printf(")");
        cli_values_of_option(command, row, &values);
        print_values(&values);
    }
}

void cli_completion_bash(void) {
    const cli_command *command;
    cli_values values;
    printf("%s_segment_commands='", head);
    for (int i = 1; (command = cli_command_at(i)) != NULL; i++) {
        printf("%s%s", i > 1 ? " " : "", command->name);
    }
    printf("'\n\n_segment_is_command() {\n    [[ $1 && \" $_segment_commands \" == *\" $1 \"* ]]\n}\n\n");
    printf("_segment_options() {\n    case $1 in\n");
    for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
        print_options(command);
    }
    printf("    esac\n}\n\n_segment_operand() {\n    case $1 in\n");
    for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
        printf("    '%s')", command->name);
        cli_values_of_operand(command, &values);
        print_values(&values);
    }
    printf("    esac\n}\n\n# The values of \"COMMAND OPTION\"; fails where the option takes none.\n"
           "_segment_value() {\n    case $1 in\n");
    for (int i = 0; (command = cli_command_at(i)) != NULL; i++) {
        print_option_values(command);
    }
    printf("    *) return 1 ;;\n    esac\n}\n\n%s", body);
}
