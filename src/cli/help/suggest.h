/* Suggestions for mistyped names. */
#ifndef CLI_HELP_SUGGEST_H
#define CLI_HELP_SUGGEST_H

/* Number of single-character insertions, deletions and replacements between two words; words longer than 63
 * characters are compared by their beginnings. */
int cli_edit_distance(const char *a, const char *b);

/* Keep the nearest name so far in *best, which begins as NULL. Names too different from `text` are ignored. */
void cli_suggest(const char *text, const char *name, const char **best, int *best_distance);

#endif
