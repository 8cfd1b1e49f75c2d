#include "cli/help/suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 };

int cli_edit_distance(const char *a, const char *b) {
    size_t rows = strnlen(a, LONGEST), columns = strnlen(b, LONGEST);
    int distance[LONGEST + 1]; /* one row of the dynamic programme */
    for (size_t j = 0; j <= columns; j++)
        distance[j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        int diagonal = distance[0];
        distance[0] = (int)i;
        for (size_t j = 1; j <= columns; j++) {
            int replace = diagonal + (a[i - 1] != b[j - 1]);
            int shorter = distance[j - 1] < distance[j] ? distance[j - 1] + 1 : distance[j] + 1;
            diagonal = distance[j];
            distance[j] = replace < shorter ? replace : shorter;
        }
    }
    return distance[columns];
}

void cli_suggest(const char *text, const char *name, const char **best, int *best_distance) {
    int distance = cli_edit_distance(text, name);
    int limit = (int)(strlen(name) + 2) / 3; /* up to a third of the name may be mistyped */
    if (distance <= limit && (!*best || distance < *best_distance)) {
        *best = name;
        *best_distance = distance;
    }
}
