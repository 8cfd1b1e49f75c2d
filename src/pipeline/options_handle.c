/* Options that the library allocates: a program that makes them so need not know their size. */
#include <segment/photo.h>

#include <stdlib.h>

seg_options *seg_options_create(void) {
    seg_options *options = malloc(sizeof *options);
    if (options)
        seg_options_default(options);
    return options;
}

void seg_options_free(seg_options *options) {
    free(options);
}
