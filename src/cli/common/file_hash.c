#include "cli/common/file_hash.h"
#include "cli/common/process.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void finish(struct sha256_ctx *hash, char text[CLI_HASH_SIZE]) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

cli_end cli_hash_file(const char *path, char text[CLI_HASH_SIZE]) {
    struct sha256_ctx hash;
    uint8_t block[1 << 16];
    size_t got;
    struct stat kind;
    if (stat(path, &kind) == 0 && !S_ISREG(kind.st_mode)) { /* a pipe would block, or be empty when it is read again */
        return cli_refuse(CLI_INPUT, "'%s' cannot be read twice, which --save-run and replay need; copy it into a file",
                          path);
    }
    errno = 0;
    FILE *file = fopen(path, "rbe");
    sha256_init(&hash);
    while (file && (got = fread(block, 1, sizeof block, file)) > 0)
        sha256_update(&hash, got, block);
    const int failed = !file || ferror(file);
    const int exhausted = failed && errno == ENOMEM;
    if (exhausted)
        cli_say("out of memory while reading '%s'", path);
    else if (failed)
        cli_say("cannot read '%s': %s; check the name and the permissions", path, strerror(errno));
    if (file)
        fclose(file);
    finish(&hash, text);
    return exhausted ? CLI_FAILED : failed ? CLI_INPUT : CLI_GO_ON;
}

void cli_hash_mask(const seg_mask *mask, char text[CLI_HASH_SIZE]) {
    struct sha256_ctx hash;
    char size[64];
    const int length = snprintf(size, sizeof size, "%d %d\n", mask->width, mask->height);
    sha256_init(&hash);
    sha256_update(&hash, (size_t)length, (const uint8_t *)size);
    sha256_update(&hash, (size_t)mask->width * (size_t)mask->height, mask->label);
    finish(&hash, text);
}
