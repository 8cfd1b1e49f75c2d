#include "allocations.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef SWEEP_SANITIZED
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *block, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *block);

/* ---- who calls ---- */

enum { MOST_SPANS = 64 };
static struct span {
    uintptr_t from, to;
    int growth_only;
} spans[MOST_SPANS];
static int span_count;

typedef struct spared_library {
    const char *name;
    int growth_only;
} spared_library;

static int note_spans(struct dl_phdr_info *info, size_t size, void *user) {
    const spared_library *library = user;
    const char *slash = strrchr(info->dlpi_name, '/');
    const int wanted = slash && strncmp(slash + 1, library->name, strlen(library->name)) == 0;
    (void)size;
    for (int i = 0; wanted && i < info->dlpi_phnum && span_count < MOST_SPANS; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            spans[span_count++] = (struct span){from, from + info->dlpi_phdr[i].p_memsz, library->growth_only};
        }
    return 0;
}

void spare_library(const char *name) {
    dl_iterate_phdr(note_spans, &(spared_library){name, 0});
}

void spare_libraries(void) {
    /* They end the process where memory is gone, and nobody who calls them can ask them not to: FFTW by an assertion
     * (kernel/alloc.c), OpenMP's run-time library by gomp_fatal, the loader for thread-local storage; DSDP writes
     * through pointers it did not get. So does OpenBLAS on processors with AVX-512: its kernels for small matrices copy
     * margins into a block they do not look at (dgemm_small_kernel_*_SKYLAKEX). Elsewhere it allocates nothing by
     * malloc, so that nothing else goes untested: LAPACKE, which looks at what it gets, is another library. */
    static const char *const unsafe[] = {"libopenblas", "libdsdp", "libfftw3", "libgomp",
                                         "ld-linux",    "libasan", "libubsan"};
    for (size_t i = 0; i < sizeof unsafe / sizeof *unsafe; i++)
        spare_library(unsafe[i]);
    /* libtiff 4.5 forgets its table of fields where that cannot grow, and then reads it. */
    dl_iterate_phdr(note_spans, &(spared_library){"libtiff", 1});
    /* Runs by the thousand: the system need not take back, and zero again, what each of them frees. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

static int is_spared(const void *caller, int growth) {
    for (int i = 0; i < span_count; i++)
        if ((uintptr_t)caller >= spans[i].from && (uintptr_t)caller < spans[i].to && growth >= spans[i].growth_only)
            return 1;
    return 0;
}

/* ---- blocks that are alive ---- */

enum { SLOTS = 1 << 17, FRAMES = 12 };
static struct slot {
    void *block;
    const void *caller;
    size_t number;
} * slots; /* mapped: the leak checker does not look there, and need not read it in every process */
static size_t alive;
static atomic_flag lock = ATOMIC_FLAG_INIT;

static atomic_int armed;
/* The sanitizer asks each thread that begins for its stack, and ends the process where memory for the answer is gone:
 * with it, only what the thread that armed allocates is counted. */
#ifdef SWEEP_SANITIZED
static _Thread_local int is_counted;
#else
static const int is_counted = 1;
#endif
static struct counts { atomic_size_t all, failed; } own, *counts = &own;
static size_t first_failure = FAIL_NEVER, trace_number;
static int fail_all;
static void *trace[FRAMES];
static int trace_frames;

static size_t home(const void *block) {
    return (size_t)((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15ull >> 47;
}

static void take_lock(void) {
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        ;
}

static void remember(void *block, const void *caller, size_t number) {
    take_lock();
    if (alive < SLOTS / 2) {
        size_t at = home(block);
        while (slots[at].block && slots[at].block != block)
            at = (at + 1) % SLOTS;
        alive += !slots[at].block;
        slots[at] = (struct slot){block, caller, number};
    }
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

static void forget(void *block) {
    take_lock();
    size_t at = home(block);
    while (alive && slots[at].block && slots[at].block != block)
        at = (at + 1) % SLOTS;
    if (alive && slots[at].block) {
        alive--;
        size_t hole = at; /* those behind that would be missed move up */
        for (size_t next = (at + 1) % SLOTS; slots[next].block; next = (next + 1) % SLOTS)
            if ((next - home(slots[next].block)) % SLOTS >= (next - hole) % SLOTS) {
                slots[hole] = slots[next];
                hole = next;
            }
        slots[hole].block = NULL;
    }
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

static void forget_all(void) {
    take_lock();
    if (alive)
        memset(slots, 0, SLOTS * sizeof *slots);
    alive = 0;
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

size_t lost_blocks(int print) {
    struct slot lost[8];
    size_t count = 0;
    take_lock();
    for (size_t i = 0; i < SLOTS && alive; i++)
        if (slots[i].block && count++ < 8)
            lost[count - 1] = slots[i];
    atomic_flag_clear_explicit(&lock, memory_order_release);
    for (size_t i = 0; print && i < count && i < 8; i++) {
        Dl_info about;
        if (dladdr(lost[i].caller, &about))
            fprintf(stderr, "  not freed: allocation %zu, by %s+0x%zx (%s)\n", lost[i].number, about.dli_fname,
                    (size_t)((const char *)lost[i].caller - (const char *)about.dli_fbase),
                    about.dli_sname ? about.dli_sname : "?");
    }
    return count;
}

/* ---- the count ---- */

static void *map_zeros(size_t size, int kind) {
    void *zeros = mmap(NULL, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    if (zeros == MAP_FAILED)
        abort();
    return zeros;
}

void fail_allocations(size_t first, int all) {
    const char *traced = getenv("SWEEP_TRACE"); /* number of an allocation whose callers are printed */
    if (!slots)
        slots = map_zeros(SLOTS * sizeof *slots, MAP_PRIVATE);
    forget_all();
    first_failure = first;
    fail_all = all;
    counts->all = counts->failed = 0;
    trace_number = traced ? strtoul(traced, NULL, 10) : 0;
}

void share_allocations(void) {
    counts = map_zeros(sizeof *counts, MAP_SHARED);
}

void arm_allocations(void) {
#ifdef SWEEP_SANITIZED
    is_counted = 1;
#endif
    atomic_store(&armed, 1);
}

void disarm_allocations(void) {
    atomic_store(&armed, 0);
    if (trace_frames) {
        backtrace_symbols_fd(trace, trace_frames, 2);
        trace_frames = 0;
    }
}

size_t armed_allocations(void) {
    return counts->all;
}

size_t failed_allocations(void) {
    return counts->failed;
}

/* 0: not counted; else the allocation's number, negative where it must fail. */
static long count_one(const void *caller, int growth) {
    if (!is_counted || !atomic_load_explicit(&armed, memory_order_relaxed) || is_spared(caller, growth))
        return 0;
    const size_t number = atomic_fetch_add(&counts->all, 1) + 1;
    if (number == trace_number) {
        atomic_store(&armed, 0); /* the first backtrace allocates */
        trace_frames = backtrace(trace, FRAMES);
        atomic_store(&armed, 1);
    }
    if (number != first_failure && !(fail_all && number > first_failure))
        return (long)number;
    atomic_fetch_add(&counts->failed, 1);
    errno = ENOMEM;
    return -(long)number;
}

/* ---- what everybody calls ---- */

#pragma GCC visibility push(default) /* the libraries are to find them */
#define CALLER __builtin_return_address(0)

static void *keep(void *block, long number, const void *caller) {
    if (number > 0 && block && counts == &own)
        remember(block, caller, (size_t)number);
    return block;
}

void *malloc(size_t size) {
    const long number = count_one(CALLER, 0);
    return number < 0 ? NULL : keep(REAL(malloc)(size), number, CALLER);
}

void *calloc(size_t count, size_t size) {
    const long number = count_one(CALLER, 0);
    return number < 0 ? NULL : keep(REAL(calloc)(count, size), number, CALLER);
}

void *realloc(void *block, size_t size) {
    const long number = count_one(CALLER, 1);
    if (number < 0)
        return NULL;
    if (block)
        forget(block);
    return keep(REAL(realloc)(block, size), number, CALLER);
}

void *memalign(size_t alignment, size_t size) {
    const long number = count_one(CALLER, 0);
    return number < 0 ? NULL : keep(REAL(memalign)(alignment, size), number, CALLER);
}

void *aligned_alloc(size_t alignment, size_t size) {
    const long number = count_one(CALLER, 0);
    return number < 0 ? NULL : keep(REAL(memalign)(alignment, size), number, CALLER);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    const long number = count_one(CALLER, 0);
    void *block = number < 0 ? NULL : keep(REAL(memalign)(alignment, size), number, CALLER);
    if (!block)
        return ENOMEM;
    *out = block;
    return 0;
}

void free(void *block) {
    const int before = errno;
    if (block)
        forget(block);
    REAL(free)(block);
    errno = before;
}

/* The sanitizer's own go past malloc, and the C library's would be the callers in place of theirs. */
static char *copy_text(const char *text, size_t length, const void *caller) {
    const long number = count_one(caller, 0);
    char *copy = number < 0 ? NULL : keep(REAL(malloc)(length + 1), number, caller);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *strndup(const char *text, size_t most) {
    return copy_text(text, strnlen(text, most), CALLER);
}

char *strdup(const char *text) {
    return copy_text(text, strlen(text), CALLER);
}
#pragma GCC visibility pop
