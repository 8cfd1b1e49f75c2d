#include "evaluation/runner/run_journal.h"
#include "base/base.h"
#include "base/hash.h"
#include "evaluation/sets/listing.h"

#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <sys/file.h>

static const char magic[] = "# segment journal 1: ";
#define MAGIC_LENGTH (sizeof magic - 1)

/* Allocated in one block with its texts. */
typedef struct record {
    const char *key, *text; /* the key first, for seg_by_name */
} record;

struct seg_journal {
    char *path;
    int file; /* opened for appending, and locked */
    char *settings;
    void *records; /* a search tree of record, ordered by keys */
    size_t count;
    int broken; /* a write failed, so later records would be unreadable */
};

static seg_status io_failure(seg_context *ctx, const char *doing, const char *path) {
    return seg_fail(ctx, errno == ENOMEM ? SEG_ERR_MEMORY : SEG_ERR_IO, "cannot %s the journal '%s': %s", doing, path,
                    SEG_ERROR_TEXT(errno));
}

const char *seg_journal_find(const seg_journal *journal, const char *key) {
    void *found = tfind(&(record){.key = key}, &journal->records, seg_by_name);
    return found ? (*(const record **)found)->text : NULL;
}

/* Keep copies in memory; the key is new. */
static seg_status keep(seg_context *ctx, seg_journal *journal, const char *key, const char *text) {
    const size_t key_size = strlen(key) + 1, text_size = strlen(text) + 1;
    SEG_LOCAL(record, new, seg_alloc(ctx, sizeof *new + key_size + text_size, 1));
    char *at = (char *)(new + 1);
    new->key = memcpy(at, key, key_size);
    new->text = memcpy(at + key_size, text, text_size);
    if (!tsearch(new, &journal->records, seg_by_name))
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory for the records of '%s'", journal->path);
    seg_taken(&new); /* by the tree */
    journal->count++;
    return SEG_OK;
}

/* Split a line (without its end) into key and text. @return the text; NULL: torn, or not as seg_journal_add writes */
static char *parse_line(char *line, size_t size) {
    char *tab = strchr(line, '\t'), *sum = tab ? strchr(tab + 1, '\t') : NULL, wanted[17];
    if (!sum || tab == line || strlen(line) < size || strchr(line, '\r'))
        return NULL;
    snprintf(wanted, sizeof wanted, "%016" PRIx64, seg_hash(SEG_HASH_START, line, (size_t)(sum - line)));
    if (strcmp(sum + 1, wanted) != 0)
        return NULL;
    *tab = *sum = 0;
    return tab + 1;
}

static seg_status sync_file(seg_context *ctx, const seg_journal *journal) {
    return fdatasync(journal->file) == 0 || errno == EINVAL ? SEG_OK : io_failure(ctx, "write", journal->path);
}

static seg_status write_all(seg_context *ctx, const seg_journal *journal, const char *bytes, size_t size) {
    return seg_write_all(journal->file, bytes, size) ? SEG_OK : io_failure(ctx, "write", journal->path);
}

/* Append a new record to the file, which is not synchronised, and to memory. */
static seg_status append(seg_context *ctx, seg_journal *journal, const char *key, const char *text) {
    const size_t body = strlen(key) + 1 + strlen(text);
    if (!*key || strpbrk(key, "\t\r\n") || strpbrk(text, "\t\r\n"))
        return seg_fail(ctx, SEG_ERR_USAGE, "a record of the journal '%s' has no key, or a tab or line end in it",
                        journal->path);
    if (journal->broken)
        return seg_fail(ctx, SEG_ERR_IO, "the journal '%s' can no longer be written; is the disk full?", journal->path);
    SEG_LOCAL(char, line, seg_alloc(ctx, body + 19, 1));
    snprintf(line, body + 1, "%s\t%s", key, text);
    snprintf(line + body, 19, "\t%016" PRIx64 "\n", seg_hash(SEG_HASH_START, line, body));
    journal->broken = 1; /* until all of it is written */
    SEG_TRY(write_all(ctx, journal, line, body + 18));
    journal->broken = 0;
    return keep(ctx, journal, key, text);
}

/* A journal that is being read. */
typedef struct source {
    FILE *file;
    const char *path;
    int copy;     /* 1: its records are also written to the journal's file */
    size_t whole; /* bytes up to the end of its last complete record; 0: the header is torn */
    char *line;   /* owned */
    size_t room;
} source;

/* Read the next line and remove its end. @return its length with the end; 0 at the end of the file or without an end */
static size_t next_line(source *from) {
    const ssize_t length = getline(&from->line, &from->room, from->file);
    if (length <= 0 && from->line)
        *from->line = 0;
    if (length <= 0 || from->line[length - 1] != '\n')
        return 0;
    from->line[length - 1] = 0;
    return (size_t)length;
}

static seg_status take_header(seg_context *ctx, const seg_journal *journal, source *from) {
    const size_t length = next_line(from), most = MAGIC_LENGTH + strlen(journal->settings);
    const char *line = from->line ? from->line : "";
    if (!length && strlen(line) <= most && strncmp(line, magic, strnlen(line, MAGIC_LENGTH)) == 0)
        return SEG_OK; /* torn before there was a record */
    if (!length || strncmp(line, magic, MAGIC_LENGTH) != 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not a journal of a run; move it to another folder", from->path);
    if (length - 1 != most || strcmp(line + MAGIC_LENGTH, journal->settings) != 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the journal '%s' is of a run with other settings (%.300s; now %s): use the same settings, "
                        "--restart, or another folder",
                        from->path, line + MAGIC_LENGTH, journal->settings);
    from->whole = length;
    return SEG_OK;
}

static seg_status take_record(seg_context *ctx, seg_journal *journal, source *from, const char *text, size_t number) {
    const char *key = from->line, *known = seg_journal_find(journal, key);
    if (known && strcmp(known, text) != 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "the journal '%s' has another result for '%s' (line %zu)", from->path, key,
                        number);
    return known ? SEG_OK : (from->copy ? append : keep)(ctx, journal, key, text);
}

static seg_status open_source(seg_context *ctx, source *from) {
    from->file = fopen(from->path, "re");
    return from->file ? SEG_OK : io_failure(ctx, "read", from->path);
}

static void close_source(source *from) {
    if (from->file)
        fclose(from->file);
    free(from->line);
}

/* Read the complete records of the file. A torn last line is left out, whether or not its line end was written. */
static seg_status take_file(seg_context *ctx, seg_journal *journal, source *from) {
    errno = 0;
    SEG_TRY(take_header(ctx, journal, from));
    for (size_t number = 2, length; from->whole && (length = next_line(from)) > 0; number++) {
        const char *text = parse_line(from->line, length - 1);
        if (!text && getc(from->file) == EOF)
            break;
        if (!text)
            return seg_fail(ctx, SEG_ERR_INPUT, "the journal '%s' is damaged in line %zu; start again with --restart",
                            from->path, number);
        SEG_TRY(take_record(ctx, journal, from, text, number));
        from->whole += length;
    }
    if (errno == ENOMEM)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'", from->path);
    return ferror(from->file) ? io_failure(ctx, "read", from->path) : SEG_OK;
}

static seg_status lock(seg_context *ctx, const seg_journal *journal) {
    if (flock(journal->file, LOCK_EX | LOCK_NB) == 0)
        return SEG_OK;
    return errno == EWOULDBLOCK
               ? seg_fail(ctx, SEG_ERR_IO, "another run is writing the journal '%s'; wait for it, or use another --out",
                          journal->path)
               : io_failure(ctx, "lock", journal->path);
}

/* Open, lock and read the file. */
static seg_status open_file(seg_context *ctx, seg_journal *journal, int restart) {
    SEG_RELEASED(close_source) source from = {.path = journal->path};
    journal->file = open(journal->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->file < 0)
        return io_failure(ctx, "open", journal->path);
    SEG_TRY(lock(ctx, journal));
    if (!restart) {
        SEG_TRY(open_source(ctx, &from));
        SEG_TRY(take_file(ctx, journal, &from));
    }
    if (ftruncate(journal->file, (off_t)from.whole) != 0)
        return io_failure(ctx, "write", journal->path);
    if (from.whole)
        return SEG_OK;
    SEG_LOCAL(char, line, seg_format(ctx, "%s%s\n", magic, journal->settings));
    SEG_TRY(write_all(ctx, journal, line, strlen(line)));
    return sync_file(ctx, journal);
}

seg_status seg_journal_open(seg_context *ctx, const char *path, const char *settings, int restart, seg_journal **out) {
    seg_journal *journal = *out = seg_alloc_zero(ctx, 1, sizeof *journal);
    SEG_TRY(seg_allocated(journal));
    journal->file = -1;
    journal->path = strdup(path);
    journal->settings = strdup(settings);
    const seg_status status =
        !journal->path || !journal->settings ? seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while opening '%s'", path)
        : strpbrk(settings, "\n\r")
            ? seg_fail(ctx, SEG_ERR_USAGE, "the settings of the journal '%s' contain a line end", path)
            : open_file(ctx, journal, restart);
    SEG_RETURN_OR(status, seg_journal_close(seg_taken(out)));
}

seg_status seg_journal_add(seg_context *ctx, seg_journal *journal, const char *key, const char *text) {
    SEG_TRY(append(ctx, journal, key, text));
    const seg_status status = sync_file(ctx, journal);
    journal->broken = status != SEG_OK;
    return status;
}

/* Add the records of another journal with the same settings to memory and, if `copy` is 1, to the file. */
static seg_status merge(seg_context *ctx, seg_journal *journal, const char *path, int copy) {
    SEG_RELEASED(close_source) source from = {.path = path, .copy = copy};
    SEG_TRY(open_source(ctx, &from));
    SEG_TRY(take_file(ctx, journal, &from));
    return copy ? sync_file(ctx, journal) : SEG_OK;
}

static int is_journal(const char *name) {
    int shard, end = 0;
    sscanf(name, "shard-%d-of-%d.journal%n", &shard, &shard, &end);
    return strcmp(name, "journal") == 0 || (end && !name[end]);
}

/* Merge the other journals of the folder, or remove them. */
static seg_status take_others(seg_context *ctx, const seg_journal_part *part, const char *own, int restart,
                              seg_journal *journal) {
    SEG_RELEASED(seg_listing_free) seg_listing listing = {0};
    SEG_TRY(seg_listing_read(ctx, part->folder, &listing));
    for (int i = 0; i < listing.count; i++) {
        if (!is_journal(listing.entry[i]->d_name) || strcmp(listing.entry[i]->d_name, own) == 0)
            continue;
        SEG_LOCAL(char, other, seg_format(ctx, "%s/%s", part->folder, listing.entry[i]->d_name));
        if (!restart)
            SEG_TRY(merge(ctx, journal, other, !part->shards));
        else if (unlink(other) != 0)
            return io_failure(ctx, "remove", other);
    }
    return SEG_OK;
}

seg_status seg_journal_open_part(seg_context *ctx, const seg_journal_part *part, const char *settings, int restart,
                                 seg_journal **out) {
    char name[64] = "journal";
    if (part->shards)
        snprintf(name, sizeof name, "shard-%d-of-%d.journal", part->shard, part->shards);
    *out = NULL;
    SEG_LOCAL(char, path, seg_format(ctx, "%s/%s", part->folder, name));
    SEG_TRY(seg_journal_open(ctx, path, settings, restart, out));
    const int fresh = (*out)->count == 0;
    const seg_status status = take_others(ctx, part, name, restart, *out);
    if (status && fresh) /* the next run may have other settings */
        unlink(path);
    SEG_RETURN_OR(status, seg_journal_close(seg_taken(out)));
}

void seg_journal_close(seg_journal *journal) {
    if (!journal)
        return;
    tdestroy(journal->records, free);
    free(journal->settings);
    free(journal->path);
    if (journal->file >= 0)
        close(journal->file);
    free(journal);
}
