/* The scripts of completion/, ended by 0 (scripts/cmake/EmbedText.cmake). */
#ifndef CLI_HELP_EMBEDDED_H
#define CLI_HELP_EMBEDDED_H

extern const char cli_completion_bash[], cli_completion_zsh[], cli_completion_fish[];

#endif
