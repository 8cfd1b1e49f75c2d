/* The scripts of completion/, ended by 0 (scripts/cmake/EmbedText.cmake). */
#ifndef CLI_EMBEDDED_H
#define CLI_EMBEDDED_H

extern const char cli_completion_bash[], cli_completion_zsh[], cli_completion_fish[];

#endif
