/* Arrays of MATLAB files of level 5, as the public description of the format defines them: enough for cells, structs
 * and matrices of numbers. Everything that the bytes state is checked. */
#ifndef SEG_EVALUATION_SETS_MAT_FILE_H
#define SEG_EVALUATION_SETS_MAT_FILE_H

#include <segment/context.h>

typedef enum seg_mat_class {
    SEG_MAT_NONE = 0, /* an empty place, or a kind that is not read */
    SEG_MAT_CELL,
    SEG_MAT_STRUCT,
    SEG_MAT_NUMBERS /* real, of any type */
} seg_mat_class;

typedef struct seg_mat_array {
    seg_mat_class kind;
    int big;                   /* most significant byte first */
    size_t rows, cols;         /* of at most two dimensions; 0 x 0 where there are more */
    const unsigned char *name; /* name_size bytes; borrowed from the file, as the others */
    size_t name_size;
    const unsigned char *inside; /* what follows: cells, fields, or the numbers themselves */
    size_t inside_size;
    int type; /* of stored numbers, which fill rows x cols */
} seg_mat_array;

typedef struct seg_mat_file {
    unsigned char *bytes, *unpacked; /* owned; the second NULL if the array is not packed */
    seg_mat_array array;
} seg_mat_file;

/* Open the array of that name. SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT, SEG_ERR_MEMORY; zeroed on failure. */
seg_status seg_mat_open(seg_context *ctx, const char *path, const char *name, seg_mat_file *out);
void seg_mat_close(seg_mat_file *file);

/* Cell `i` of a cell array, by columns; the field of that name of a struct of 1 x 1. 0 if there is none. */
int seg_mat_cell(const seg_mat_array *cells, size_t i, seg_mat_array *out);
int seg_mat_field(const seg_mat_array *of, const char *name, seg_mat_array *out);

/* Number `i` by columns. */
double seg_mat_value(const seg_mat_array *numbers, size_t i);

#endif
