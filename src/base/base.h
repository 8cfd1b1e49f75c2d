/* Common services: checked allocation, error messages, logging, progress, stages. Who includes this has
 * base/parallel.h, <errno.h>, <math.h>, <stddef.h>, <stdio.h>, <stdlib.h>, <string.h>, <strings.h> and <unistd.h>. */
#pragma once

#include "base/parallel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A parameter that a callback does not use; a variable that is there to be released. */
#define SEG_UNUSED __attribute__((unused))

/* Store a message in the context (NULL is fine) and return `status`: `return seg_fail(ctx, SEG_ERR_INPUT, "...", ...);`
 * The message says what is wrong, in which file or field, and what to do. */
seg_status seg_fail(seg_context *ctx, seg_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Memory for count * size bytes, uninitialised (seg_alloc) or zero (seg_alloc_zero). Overflow and the memory limit of
 * the context are checked: no request of 64 KiB or more exceeds the limit. A request of 0 bytes returns a pointer that
 * may be freed. NULL on failure, with the message set. Free with free(). */
void *seg_alloc(seg_context *ctx, size_t count, size_t size);
void *seg_alloc_zero(seg_context *ctx, size_t count, size_t size);
/* Grow or shrink; on failure the old block stays valid. */
void *seg_realloc(seg_context *ctx, void *block, size_t count, size_t size);
/* Make room for one more element of `size` bytes after the `used` ones: `array` is the address of the pointer, whose
 * block gets room for the next power of two, 16 at least, and never shrinks. Asking for room that is there costs next
 * to nothing, so nobody keeps count of it. SEG_OK; SEG_ERR_MEMORY, and the old block stays valid. */
seg_status seg_extend(seg_context *ctx, void *array, size_t used, size_t size);
/* A local variable that is declared with one of these frees what it owns where its scope ends, on every path:
 *     SEG_FREED double *x = seg_alloc(ctx, n, sizeof *x);          free(x)
 *     SEG_RELEASED(seg_matrix_free) seg_matrix M = {0};            seg_matrix_free(&M)
 * Initialise it where it is declared, and let no goto jump over the declaration. What goes to the caller is taken out
 * before: `*out = seg_taken(&x);`, or `return SEG_HANDED_OVER(out, M);` for a struct. */
#define SEG_FREED           __attribute__((cleanup(seg_free_local)))
#define SEG_RELEASED(free_) __attribute__((cleanup(free_)))
/* End the function with the status of a call that fails; go on where it is SEG_OK. Its locals free themselves:
 *     SEG_FREED double *x = seg_alloc(ctx, n, sizeof *x);
 *     SEG_TRY(seg_allocated(x));
 *     SEG_TRY(fill(ctx, n, x));
 *     return sum(ctx, n, x, out); */
#define SEG_TRY(call)                                                                                                  \
    do {                                                                                                               \
        const seg_status tried = (call);                                                                               \
        if (tried)                                                                                                     \
            return tried;                                                                                              \
    } while (0)
/* End the function with the status of a call, and undo something where it failed:
 *     SEG_RETURN_OR(read_rows(ctx, out), seg_matrix_free(out)); */
#define SEG_RETURN_OR(call, undo)                                                                                      \
    do {                                                                                                               \
        const seg_status tried = (call);                                                                               \
        if (tried)                                                                                                     \
            undo;                                                                                                      \
        return tried;                                                                                                  \
    } while (0)
/* SEG_ERR_MEMORY where not all blocks that a function needs are there: SEG_TRY(seg_allocated(x && y)). A macro, since
 * analyzers do not follow pointers through a function of a truth value. */
#define seg_allocated(all) ((all) ? SEG_OK : SEG_ERR_MEMORY)
/* A local block that frees itself, where `call` allocates it; where it cannot, the function ends with SEG_ERR_MEMORY:
 *     SEG_LOCAL(double, x, seg_alloc(ctx, n, sizeof *x)); */
#define SEG_LOCAL(type, name, call)                                                                                    \
    SEG_FREED type *name = (call);                                                                                     \
    SEG_TRY(seg_allocated(name))
/* Free the block whose pointer is at `address`. */
static inline void seg_free_local(void *address) {
    void *block;
    memcpy(&block, address, sizeof block);
    free(block);
}
/* The pointer at `address`, which becomes NULL. */
static inline void *seg_taken(void *address) {
    void *block;
    memcpy(&block, address, sizeof block);
    memset(address, 0, sizeof block);
    return block;
}
/* Free the blocks that a struct owns, and zero it; a struct at NULL owns none:
 *     SEG_CLEAR(matrix, matrix->start, matrix->column, matrix->value); */
#define SEG_CLEAR(owner, ...)                                                                                          \
    do {                                                                                                               \
        if (!(owner))                                                                                                  \
            break;                                                                                                     \
        void *const owned[] = {__VA_ARGS__};                                                                           \
        for (size_t freed = 0; freed < sizeof owned / sizeof *owned; freed++)                                          \
            free(owned[freed]);                                                                                        \
        memset((owner), 0, sizeof *(owner));                                                                           \
    } while (0)
/* *out = the struct, which becomes zero. SEG_OK. */
#define SEG_HANDED_OVER(out, given) (*(out) = (given), memset(&(given), 0, sizeof(given)), SEG_OK)
#define SEG_SWAP(type, a, b)                                                                                           \
    do {                                                                                                               \
        const type swapped = (a);                                                                                      \
        (a) = (b);                                                                                                     \
        (b) = swapped;                                                                                                 \
    } while (0)

/* Blocks that are freed together, the arrays of a struct for example. Begin with zeros. Where one cannot be allocated
 * the result is NULL, the message set and `status` SEG_ERR_MEMORY: one look at `status` after all of them will do. */
typedef struct seg_arena {
    struct seg_arena_block *last;
    seg_status status;
} seg_arena;
void *seg_arena_alloc(seg_context *ctx, seg_arena *arena, size_t count, size_t size);
void *seg_arena_alloc_zero(seg_context *ctx, seg_arena *arena, size_t count, size_t size);
/* Free the blocks; the arena is zeroed and may be used again. */
void seg_arena_free(seg_arena *arena);

/* Arrays that are allocated together: one block of zeros. The pointers are set; on failure to NULL. Free the first:
 * SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(x, n), SEG_TABLE(y, n, k)) is freed by free(x). SEG_OK or SEG_ERR_MEMORY. */
typedef struct seg_array {
    void *pointer; /* its address */
    size_t count, size;
} seg_array;
seg_status seg_alloc_arrays(seg_context *ctx, const seg_array *array, size_t arrays);
#define SEG_TABLE(pointer, rows, cols) ((seg_array){&(pointer), rows, (cols) * sizeof *(pointer)})
#define SEG_ARRAY(pointer, count)      SEG_TABLE(pointer, count, 1)
#define SEG_ALLOC_ARRAYS(ctx, ...)                                                                                     \
    seg_alloc_arrays(ctx, (const seg_array[]){__VA_ARGS__},                                                            \
                     sizeof((const seg_array[]){__VA_ARGS__}) / sizeof(seg_array))
/* The same for arrays that are freed where the scope ends; where they cannot be allocated, the function ends. */
#define SEG_LOCAL_ARRAYS(ctx, ...)                                                                                     \
    SEG_UNUSED SEG_FREED char *local_arrays = NULL;                                                                    \
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(local_arrays, 0), __VA_ARGS__))
/* *product = a * b; 0 on overflow, 1 otherwise. */
int seg_multiply(size_t a, size_t b, size_t *product);
/* The index of the largest number, the first of equals; 0 where there is none. */
static inline size_t seg_largest_of(size_t count, const double *x) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}
/* Indices of the two largest numbers, of equals the first. @return their difference; 1 where there is one number */
static inline double seg_two_largest_of(size_t count, const double *x, size_t *first, size_t *second) {
    *first = 0;
    *second = count > 1;
    for (size_t i = 1; i < count; i++)
        if (x[i] > x[*first]) {
            *second = *first;
            *first = i;
        } else if (x[i] > x[*second])
            *second = i;
    return count > 1 ? x[*first] - x[*second] : 1;
}
/* In a comparison for qsort: end it where the two differ, the smaller first. */
#define SEG_ORDER_BY(a, b)                                                                                             \
    do {                                                                                                               \
        if ((a) != (b))                                                                                                \
            return (a) < (b) ? -1 : 1;                                                                                 \
    } while (0)
/* For qsort: doubles, or structs that begin with one, in ascending order; the same for pointers to texts, by bytes. */
int seg_by_value(const void *a, const void *b);
int seg_by_name(const void *a, const void *b);
/* For qsort: the largest size first, of equals the smallest turn, then the smallest number. */
typedef struct seg_ranked {
    double size;
    uint64_t turn;
    int32_t which;
} seg_ranked;
int seg_by_rank(const void *a, const void *b);
/* Sort the indices 0 .. count-1 by key: those of key k are list[start[k]] .. list[start[k + 1] - 1], ascending.
 * Negative keys are left out. start: keys + 1 numbers; list: room for all. Cost O(count + keys). */
void seg_list_by_key(size_t count, const int32_t *key, size_t keys, size_t *start, int32_t *list);
/* A list of texts that ends in NULL, written where it is used: SEG_WORDS("auto", "off"). */
#define SEG_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
/* The text of a code in a list that ends in {0}; `otherwise` of one that is not there. */
typedef struct seg_code_text {
    int code;
    const char *text;
} seg_code_text;
const char *seg_text_of_code(int code, const seg_code_text *list, const char *otherwise);
static inline size_t seg_larger(size_t a, size_t b) {
    return a > b ? a : b;
}
static inline int seg_smaller(int a, int b) {
    return a < b ? a : b;
}
/* The index from 0 to count - 1 that is nearest to `at`; count >= 1. */
static inline int seg_within(int at, int count) {
    return at < 0 ? 0 : seg_smaller(at, count - 1);
}

/* Memory of the process in bytes: resident, and allocated but not yet written to. */
size_t seg_memory_held(void);
/* SEG_ERR_LIMIT, with the message set and ctx->over_limit, if `bytes` more would exceed the limit of the context: to be
 * called before work whose memory others allocate, or many small blocks. `what` begins the message. */
seg_status seg_reserve(seg_context *ctx, size_t bytes, const char *what);

/* Send one line to the context's log. */
void seg_log(seg_context *ctx, seg_log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Report progress; SEG_ERR_CANCELLED (with the message set) if the callback cancels. */
seg_status seg_progress(seg_context *ctx, double done, const char *stage);
/* Report the last progress again: for long loops that check for cancellation. Not from inside a parallel region. */
seg_status seg_poll(seg_context *ctx);
/* Map progress reported from now on from 0..1 to from..to of the whole. */
void seg_progress_share(seg_context *ctx, double from, double to);

/* Write all bytes to a descriptor. @return 0, with errno, where that fails */
int seg_write_all(int file, const void *bytes, size_t size);
/* 1 where the text is longer than the ending and ends in it, in whatever case. */
int seg_ends_in(const char *text, const char *ending);
/* 1 where both paths lead to one file or folder. */
int seg_same_file(const char *a, const char *b);

/* The text of an error number of the system, for the block in which it is asked for. */
#define SEG_ERROR_TEXT(error) strerror_r(error, (char[128]){0}, 128)

/* Time of a monotonic clock in seconds, and the highest resident size of the process so far in bytes. */
double seg_now(void);
size_t seg_peak_memory(void);
/* Append a stage to the context's list: it ran from `started` (seg_now) until now. */
void seg_stage_end(seg_context *ctx, const char *name, double started);

/* --- Numbers in options, with a point whatever the locale that the caller's program has set (base.c). --- */

/* strtod in the locale "C". */
double seg_decimal(const char *text, char **end);
