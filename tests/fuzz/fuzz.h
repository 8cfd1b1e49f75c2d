/* What all fuzzers share: foreign bytes as a file, what is written as bytes, and what must hold whatever the bytes are.
 * A fuzzer is one source file, and so one of everything static here. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "base/context.h"
#include "scoped.h"

#include <segment/context.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What does not hold is a finding, in every build. */
#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            dprintf(STDERR_FILENO, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #what);                           \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static inline seg_context fuzz_context(void) {
    seg_context ctx = seg_context_default();
    ctx.threads = 1;
    return ctx;
}

static inline int fuzz_is_zero(const void *block, size_t size) {
    const unsigned char *byte = block;
    for (size_t i = 0; i < size; i++)
        if (byte[i])
            return 0;
    return 1;
}

/* Bits of the statuses a reader of bytes may end with. */
#define ALLOW(status) (1u << (status))
#define REFUSED       ALLOW(SEG_ERR_INPUT)

/* The status is SEG_OK or allowed; a refusal has a sentence of one line, and `out` is zeroed. 1 where it is SEG_OK. */
static inline int fuzz_outcome(const seg_context *ctx, seg_status status, unsigned allowed, const void *out,
                               size_t size) {
    if (status == SEG_OK)
        return 1;
    if (!(allowed & ALLOW(status)))
        dprintf(STDERR_FILENO, "status %d: %s\n", (int)status, ctx->message);
    CHECK(allowed & ALLOW(status));
    CHECK(ctx->message[0]);
    CHECK(memchr(ctx->message, 0, sizeof ctx->message));
    for (const char *c = ctx->message; *c; c++)
        CHECK((unsigned char)*c >= ' ' && *c != 127);
    CHECK(!out || fuzz_is_zero(out, size));
    return 0;
}

/* A file in memory that holds the bytes; up to four at once, told apart by `slot`. */
static inline const char *fuzz_file(int slot, const void *bytes, size_t size) {
    static int file[4];
    static char path[4][32];
    if (!file[slot]) {
        file[slot] = memfd_create("fuzz", 0);
        CHECK(file[slot] > 0);
        snprintf(path[slot], sizeof path[slot], "/proc/self/fd/%d", file[slot]);
    }
    CHECK(pwrite(file[slot], bytes, size, 0) == (ssize_t)size && ftruncate(file[slot], (off_t)size) == 0);
    return path[slot];
}

/* A pipe to write to, which takes 1 MiB (a file would be written beside and renamed, and have no name here), and what
 * came through it since. */
static int fuzz_pipe[2];

static inline const char *fuzz_sink(void) {
    static char path[32];
    if (!fuzz_pipe[1]) {
        CHECK(pipe2(fuzz_pipe, O_CLOEXEC) == 0 && fcntl(fuzz_pipe[0], F_SETFL, O_NONBLOCK) == 0);
        CHECK(fcntl(fuzz_pipe[1], F_SETPIPE_SZ, 1 << 20) >= 1 << 20);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_pipe[1]);
    }
    return path;
}

static inline const unsigned char *fuzz_written(size_t *size) {
    static unsigned char bytes[1 << 20];
    ssize_t got;
    for (*size = 0; *size < sizeof bytes && (got = read(fuzz_pipe[0], bytes + *size, sizeof bytes - *size)) > 0;)
        *size += (size_t)got;
    return bytes;
}

/* The bytes as a text ended by 0; to be freed. */
static inline char *fuzz_text(const uint8_t *bytes, size_t size) {
    char *text = malloc(size + 1);
    CHECK(text);
    if (size)
        memcpy(text, bytes, size);
    text[size] = 0;
    return text;
}

/* The next byte, 0 behind the end: choices that precede what is read. */
static inline unsigned fuzz_take(const uint8_t **bytes, size_t *size) {
    if (!*size)
        return 0;
    ++*bytes;
    --*size;
    return (*bytes)[-1];
}

#endif
