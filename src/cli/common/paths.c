#include "cli/common/paths.h"
#include "evaluation/sets/listing.h"

#include <nettle/sha2.h>
#include <sys/stat.h>

int cli_is_stream(const char *path) {
    return path && strcmp(path, "-") == 0;
}

/* "folder/coffee.jpg" has the name "coffee", standard input the name "stdin". */
static const char *base_of(const char *photo, int *length) {
    const char *slash = strrchr(photo, '/');
    const char *base = cli_is_stream(photo) ? "stdin" : slash ? slash + 1 : photo;
    const char *dot = strrchr(base, '.');
    *length = (int)(dot && dot != base ? dot - base : (ptrdiff_t)strlen(base));
    return base;
}

int cli_by_base(const void *a, const void *b) {
    int first, second;
    const char *x = base_of(a, &first), *y = base_of(b, &second);
    const int order = strncmp(x, y, (size_t)(first < second ? first : second));
    return order ? order : first - second;
}

char *cli_default_name(const char *photo, const char *ending) {
    int length;
    const char *base = base_of(photo, &length);
    return seg_format(NULL, "%.*s%s", length, base, ending);
}

char *cli_stack_name(const char *mask) {
    return seg_format(NULL, "%.*s.tif", (int)(strlen(mask) - strlen(".png")), mask);
}

char *cli_without_slash(const char *folder) {
    char *name = strdup(folder);
    for (size_t n = name ? strlen(name) : 0; n > 1 && name[n - 1] == '/';)
        name[--n] = 0;
    return name;
}

char *cli_mask_stem(const char *photo, const char *mask) {
    if (cli_is_stream(mask) || cli_is_special(mask))
        return cli_default_name(photo, "-mask");
    int length;
    const char *base = base_of(mask, &length);
    return strndup(mask, (size_t)(base - mask) + (size_t)length);
}

int cli_is_missing(const char *path) {
    SEG_FREED char *file = seg_pages_file(path);
    return file && !cli_is_stream(path) && access(file, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

int cli_is_special(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode);
}

const char *cli_split_path(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (!slash || length >= PATH_MAX) {
        memcpy(folder, ".", 2);
        return path;
    }
    memcpy(folder, slash == path ? "/" : path, slash == path ? 1 : length);
    folder[slash == path ? 1 : length] = 0;
    return slash + 1;
}

/* Extensions of known formats. Other extensions (out.mask) are allowed for every output. */
static const char formats[] = SEG_IMAGE_FORMAT_ENDINGS ",psd,xcf,exr,svg,pdf,eps,ps,json,geojson,jsonl,xml,yaml,yml,"
                                                       "html,htm,tex,md,txt,csv,tsv,npy,npz,nrrd,mat,zip,gz,tar,"
                                                       "doc,docx,odt,xls,xlsx,ods,log";

int cli_next_ending(const char **list, char ending[16]) {
    const size_t length = strcspn(*list, ",");
    snprintf(ending, 16, ".%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return length > 0;
}

/* "png,jpg" gives ".png or .jpg". */
static void list_endings(const char *list, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (char ending[16]; used < size && cli_next_ending(&list, ending);)
        used += (size_t)snprintf(text + used, size - used, "%s%s", !used ? "" : *list ? ", " : " or ", ending);
}

cli_end cli_check_extension(const char *what, const char *path, const char *endings) {
    const char *slash = path ? strrchr(path, '/') : NULL, *base = slash ? slash + 1 : path;
    const size_t stem = path ? seg_stem(base, formats) : 0;
    char text[256];
    if (!stem || cli_is_special(path) || seg_stem(base, endings))
        return CLI_GO_ON;
    const char *ending = base + stem + 1;
    if (!*endings)
        return cli_refuse(CLI_USAGE, "%s writes a folder, but '%s' looks like a file name; leave out .%s", what, path,
                          ending);
    list_endings(endings, text, sizeof text);
    return cli_refuse(CLI_USAGE, "%s is written as %s, not .%s; give '%s' that extension, or none", what, text, ending,
                      path);
}

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
    SEG_FREED char *whole = seg_pages_file(path);
    CLI_TRY(cli_allocated(whole));
    if (stat(whole, &kind) == 0 && !S_ISREG(kind.st_mode)) { /* a pipe would block, or be empty when it is read again */
        return cli_refuse(CLI_INPUT, "'%s' cannot be read twice, which --save-run and replay need; copy it into a file",
                          path);
    }
    errno = 0;
    FILE *file = fopen(whole, "rbe");
    sha256_init(&hash);
    while (file && (got = fread(block, 1, sizeof block, file)) > 0)
        sha256_update(&hash, got, block);
    const int error = !file || ferror(file) ? errno : 0;
    if (file)
        fclose(file);
    finish(&hash, text);
    if (error == ENOMEM)
        return cli_refuse(CLI_FAILED, "out of memory while reading '%s'", path);
    return !error ? CLI_GO_ON
                  : cli_refuse(CLI_INPUT, "cannot read '%s': %s; check the name and the permissions", path,
                               strerror(error));
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
