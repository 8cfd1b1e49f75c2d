/* Which names lead to one file, whether it is there already or not. */
#ifndef CLI_SAME_FILES_H
#define CLI_SAME_FILES_H

#include "exit_codes.h"

#include <stddef.h>
#include <stdint.h>

/* One name that a run reads or writes. */
typedef struct cli_use {
    const char *name; /* as messages call it: "the mask", "--scribbles"; borrowed, as the next two */
    const char *path; /* "-", devices and pipes are not files and meet nothing */
    const char *of;   /* the image whose run it is, in messages; NULL where there is one only */
    int writes;       /* 0: it is read */
    int folder;       /* masks of single labels are written into it (label-N.png) */
} cli_use;

/* Refuse two uses of one file of which one writes. Names are followed through links, also those that lead to nothing
 * yet, through other names of a file or of a folder, and in upper or lower case where the file system does not tell
 * them apart. @return CLI_GO_ON, else how to end */
cli_end cli_check_uses(const cli_use *uses, size_t count);

/* Two numbers for a use, of its name in its folder without regard to case, and of the file that is there: uses whose
 * numbers all differ are of different files, unless one is of a folder of labels or of a file with such a label's name,
 * which `special` then says. 0 for what there is none of. @return CLI_GO_ON, else how to end */
cli_end cli_use_marks(const cli_use *use, uint64_t mark[2], int *special);

/* Two outputs, which need not be there yet, are one regular file. */
int cli_same_output(const char *a, const char *b);

#endif
