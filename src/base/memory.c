/* Checked allocation, and the memory limit of the context. */
#include "base/base.h"

#include <fcntl.h>
#include <malloc.h>

/* Written pages outside files and the heap: variables and relocated tables of the libraries (2 MB in the program),
 * buffers that BLAS maps itself, stacks. */
#define OTHER_BYTES    ((size_t)4 << 20)
#define WORTH_COUNTING ((size_t)1 << 16) /* the plans leave room for smaller requests */

int seg_multiply(size_t a, size_t b, size_t *product) {
    return !__builtin_mul_overflow(a, b, product);
}

/* Resident pages of the process, and those of files among them (code, constants). 0 if the system reports none. */
static int read_pages(size_t *resident, size_t *files) {
    char text[128];
    const int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t got = descriptor < 0 ? -1 : read(descriptor, text, sizeof text - 1);
    if (descriptor >= 0)
        close(descriptor);
    if (got <= 0)
        return 0;
    text[got] = 0;
    return sscanf(text, "%*s %zu %zu", resident, files) == 2;
}

size_t seg_memory_held(void) {
    size_t resident = 0, files = 0, heap = 0;
    if (!read_pages(&resident, &files))
        return seg_peak_memory();
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    /* Allocated memory that is not yet written to is not resident, but will be. */
    const struct mallinfo2 about = mallinfo2();
    heap = about.arena + about.hblkhd;
#endif
    const size_t coming = heap ? files * page + heap + OTHER_BYTES : 0;
    return resident * page > coming ? resident * page : coming;
}

seg_status seg_reserve(seg_context *ctx, size_t bytes, const char *what) {
    if (!ctx || !ctx->max_memory)
        return SEG_OK;
    const size_t held = seg_memory_held(), wanted = held > SIZE_MAX - bytes ? SIZE_MAX : held + bytes;
    if (wanted <= ctx->max_memory)
        return SEG_OK;
    ctx->over_limit = 1;
    return seg_fail(
        ctx, SEG_ERR_LIMIT,
        "%s needs %.0f MB for the program, but the limit is %.0f MB; allow at least %.0f MB, or use smaller input",
        what, 1e-6 * (double)wanted, 1e-6 * (double)ctx->max_memory, 1e-6 * (double)wanted + 1);
}

/* 1 where `bytes` more are within the limit. */
static int is_allowed(seg_context *ctx, size_t bytes) {
    char what[SEG_STAGE_NAME + 32];
    if (!ctx || !ctx->max_memory || bytes < WORTH_COUNTING)
        return 1;
    snprintf(what, sizeof what, "the stage '%.*s'", SEG_STAGE_NAME,
             ctx->progress_stage ? ctx->progress_stage : "start");
    return seg_reserve(ctx, bytes, what) == SEG_OK;
}

static void say_out_of_memory(seg_context *ctx, size_t count, size_t size) {
    seg_fail(ctx, SEG_ERR_MEMORY,
             "out of memory: %zu x %zu bytes could not be allocated; use a smaller image or larger patches", count,
             size);
}

/* With `more` bytes before the elements. */
static void *alloc(seg_context *ctx, size_t count, size_t size, size_t more, int zero) {
    size_t bytes;
    void *block = NULL;
    if (seg_multiply(count, size, &bytes) && bytes <= SIZE_MAX - more) {
        bytes += more;
        if (!is_allowed(ctx, bytes))
            return NULL;
        block = zero ? calloc(1, bytes ? bytes : 1) : malloc(bytes ? bytes : 1);
    }
    if (!block)
        say_out_of_memory(ctx, count, size);
    return block;
}

void *seg_alloc(seg_context *ctx, size_t count, size_t size) {
    return alloc(ctx, count, size, 0, 0);
}

void *seg_alloc_zero(seg_context *ctx, size_t count, size_t size) {
    return alloc(ctx, count, size, 0, 1);
}

enum { LINE = 64 }; /* bytes */

/* 0 on overflow. */
static int add_lines(const seg_array *array, size_t *lines) {
    size_t bytes;
    return seg_multiply(array->count, array->size, &bytes) &&
           !__builtin_add_overflow(*lines, bytes / LINE + (bytes % LINE > 0), lines);
}

seg_status seg_alloc_arrays(seg_context *ctx, const seg_array *array, size_t arrays) {
    size_t lines = 0, at = 0;
    for (size_t a = 0; a < arrays; a++)
        if (!add_lines(&array[a], &lines))
            lines = SIZE_MAX; /* refused by the allocation */
    char *block = seg_alloc_zero(ctx, lines, LINE);
    for (size_t a = 0; a < arrays; a++) {
        char *own = block ? block + at * LINE : NULL;
        memcpy(array[a].pointer, &own, sizeof own);
        add_lines(&array[a], &at);
    }
    return block ? SEG_OK : SEG_ERR_MEMORY;
}

void *seg_realloc(seg_context *ctx, void *block, size_t count, size_t size) {
    size_t bytes;
    void *grown = NULL;
    if (seg_multiply(count, size, &bytes)) {
        const size_t before = block ? malloc_usable_size(block) : 0;
        if (bytes > before && !is_allowed(ctx, bytes - before)) /* large blocks grow in place */
            return NULL;
        grown = realloc(block, bytes ? bytes : 1);
    }
    if (!grown)
        say_out_of_memory(ctx, count, size);
    return grown;
}

seg_status seg_extend(seg_context *ctx, void *array, size_t used, size_t size) {
    size_t room = 16;
    while (room < used + 1)
        room *= 2;
    void **block = array;
    if (*block && malloc_usable_size(*block) >= room * size)
        return SEG_OK;
    void *grown = seg_realloc(ctx, *block, room, size);
    SEG_TRY(seg_allocated(grown));
    *block = grown;
    return SEG_OK;
}

typedef struct seg_arena_block {
    struct seg_arena_block *before;
    _Alignas(max_align_t) char at[];
} seg_arena_block;

static void *arena_alloc(seg_context *ctx, seg_arena *arena, size_t count, size_t size, int zero) {
    seg_arena_block *block = alloc(ctx, count, size, sizeof *block, zero);
    if (!block) {
        arena->status = SEG_ERR_MEMORY;
        return NULL;
    }
    block->before = arena->last;
    arena->last = block;
    return block->at;
}

void *seg_arena_alloc(seg_context *ctx, seg_arena *arena, size_t count, size_t size) {
    return arena_alloc(ctx, arena, count, size, 0);
}

void *seg_arena_alloc_zero(seg_context *ctx, seg_arena *arena, size_t count, size_t size) {
    return arena_alloc(ctx, arena, count, size, 1);
}

void seg_arena_free(seg_arena *arena) {
    for (seg_arena_block *block = arena->last, *before; block; block = before) {
        before = block->before;
        free(block);
    }
    memset(arena, 0, sizeof *arena);
}
