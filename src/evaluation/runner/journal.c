#include "evaluation/runner/journal.h"

#include "base/base.h"
#include "base/hash.h"
#include "evaluation/report/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "# segment journal 1: ";
#define MAGIC_LENGTH (sizeof magic - 1)

struct seg_journal {
    char *path;
    int file; /* open at its end and locked */
    char *settings;
    seg_record *record; /* in the order of arrival; keys and texts owned, one block each */
    size_t count, room;
    size_t *slot; /* hash table: record number + 1, 0 free; a power of two, at most half full */
    size_t slots;
    seg_record *sorted;
    int broken; /* a write failed: what is added after it could not be read */
};

static seg_status io_failure(seg_context *ctx, const char *doing, const char *path) {
    char text[128];
    return seg_fail(ctx, SEG_ERR_IO, "cannot %s the journal '%s': %s", doing, path,
                    strerror_r(errno, text, sizeof text));
}

static size_t *find_slot(const seg_journal *journal, const char *key) {
    size_t at = (size_t)seg_hash(SEG_HASH_START, key, strlen(key)) & (journal->slots - 1);
    while (journal->slot[at] && strcmp(journal->record[journal->slot[at] - 1].key, key) != 0)
        at = (at + 1) & (journal->slots - 1);
    return &journal->slot[at];
}

const char *seg_journal_find(const seg_journal *journal, const char *key) {
    const size_t found = *find_slot(journal, key);
    return found ? journal->record[found - 1].text : NULL;
}

static seg_status make_room(seg_context *ctx, seg_journal *journal) {
    if (journal->count < journal->room)
        return SEG_OK;
    const size_t room = journal->room ? 2 * journal->room : 256;
    seg_record *grown = seg_realloc(ctx, journal->record, room, sizeof *grown);
    if (!grown)
        return SEG_ERR_MEMORY;
    journal->record = grown;
    size_t *slot = seg_alloc_zero(ctx, 2 * room, sizeof *slot);
    if (!slot)
        return SEG_ERR_MEMORY;
    free(journal->slot);
    journal->slot = slot;
    journal->slots = 2 * room;
    journal->room = room;
    for (size_t r = 0; r < journal->count; r++)
        *find_slot(journal, journal->record[r].key) = r + 1;
    return SEG_OK;
}

/* Keep copies in memory; the key is new. */
static seg_status keep(seg_context *ctx, seg_journal *journal, const char *key, size_t key_size, const char *text,
                       size_t text_size) {
    seg_status status = make_room(ctx, journal);
    char *block = status ? NULL : seg_alloc(ctx, key_size + text_size + 2, 1);
    if (!block)
        return SEG_ERR_MEMORY;
    memcpy(block, key, key_size);
    block[key_size] = 0;
    memcpy(block + key_size + 1, text, text_size);
    block[key_size + 1 + text_size] = 0;
    size_t *slot = find_slot(journal, block);
    journal->record[journal->count++] = (seg_record){block, block + key_size + 1};
    *slot = journal->count;
    return SEG_OK;
}

/* 1 and the lengths of key and text, where the line (without its end) is whole and holds nothing that
 * seg_journal_add would not have written. */
static int parse_line(const char *line, size_t size, size_t *key_size, size_t *text_size) {
    const char *tab = memchr(line, '\t', size), *sum;
    char wanted[17];
    if (!tab || tab == line || memchr(line, 0, size) || memchr(line, '\r', size) ||
        !(sum = memchr(tab + 1, '\t', size - (size_t)(tab + 1 - line))))
        return 0;
    *key_size = (size_t)(tab - line);
    *text_size = (size_t)(sum - tab - 1);
    snprintf(wanted, sizeof wanted, "%016" PRIx64, seg_hash(SEG_HASH_START, line, (size_t)(sum - line)));
    return size - (size_t)(sum + 1 - line) == 16 && memcmp(sum + 1, wanted, 16) == 0;
}

static seg_status read_all(seg_context *ctx, int file, const char *path, char **bytes, size_t *size) {
    struct stat about;
    *bytes = NULL;
    if (fstat(file, &about) != 0 || about.st_size < 0)
        return io_failure(ctx, "read", path);
    *bytes = seg_alloc(ctx, (size_t)about.st_size + 1, 1);
    if (!*bytes)
        return SEG_ERR_MEMORY;
    for (*size = 0; *size < (size_t)about.st_size;) {
        const ssize_t got = pread(file, *bytes + *size, (size_t)about.st_size - *size, (off_t)*size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_failure(ctx, "read", path);
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return SEG_OK;
}

static seg_status sync_file(seg_context *ctx, const seg_journal *journal) {
    return fdatasync(journal->file) == 0 || errno == EINVAL ? SEG_OK : io_failure(ctx, "write", journal->path);
}

static seg_status write_all(seg_context *ctx, const seg_journal *journal, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t put = write(journal->file, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return io_failure(ctx, "write", journal->path);
        bytes += put;
        size -= (size_t)put;
    }
    return SEG_OK;
}

/* A new record into the file, which is not synchronised, and into memory. */
static seg_status append(seg_context *ctx, seg_journal *journal, const char *key, const char *text) {
    const size_t key_size = strlen(key), text_size = strlen(text), body = key_size + 1 + text_size;
    if (key_size == 0 || strpbrk(key, "\t\r\n") || strpbrk(text, "\t\r\n"))
        return seg_fail(ctx, SEG_ERR_USAGE, "a record of the journal '%s' has no key, or a tab or line end in it",
                        journal->path);
    if (journal->broken)
        return seg_fail(ctx, SEG_ERR_IO, "the journal '%s' can no longer be written; is the disk full?", journal->path);
    if (seg_journal_find(journal, key))
        return seg_fail(ctx, SEG_ERR_USAGE, "the journal '%s' has a record '%s' already", journal->path, key);
    char *line = seg_alloc(ctx, body + 19, 1);
    if (!line)
        return SEG_ERR_MEMORY;
    snprintf(line, body + 1, "%s\t%s", key, text);
    snprintf(line + body, 19, "\t%016" PRIx64 "\n", seg_hash(SEG_HASH_START, line, body));
    seg_status status = write_all(ctx, journal, line, body + 18);
    journal->broken = status != SEG_OK;
    if (status == SEG_OK)
        status = keep(ctx, journal, key, key_size, text, text_size);
    free(line);
    return status;
}

/* The header's length with its line end; 0 where the settings are others (message set: status) or the header torn. */
static seg_status check_header(seg_context *ctx, const seg_journal *journal, const char *path, const char *bytes,
                               size_t size, size_t *header) {
    const char *end = memchr(bytes, '\n', size);
    *header = 0;
    if (!end && size <= MAGIC_LENGTH + strlen(journal->settings) &&
        memcmp(bytes, magic, size < MAGIC_LENGTH ? size : MAGIC_LENGTH) == 0)
        return SEG_OK; /* torn before anything was done */
    if (!end || size < MAGIC_LENGTH || memcmp(bytes, magic, MAGIC_LENGTH) != 0)
        return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is not a journal of a run; move it to another folder", path);
    const size_t length = (size_t)(end - bytes) - MAGIC_LENGTH;
    if (length != strlen(journal->settings) || memcmp(bytes + MAGIC_LENGTH, journal->settings, length) != 0)
        return seg_fail(ctx, SEG_ERR_USAGE,
                        "the journal '%s' is of a run with other settings (%.*s; now %s): use the same settings, "
                        "--restart, or another folder",
                        path, length < 300 ? (int)length : 300, bytes + MAGIC_LENGTH, journal->settings);
    *header = (size_t)(end - bytes) + 1;
    return SEG_OK;
}

/* Take the whole records of a file into memory (and, where `copy`, into the journal's file); *whole is where they end,
 * *added grows by those that were not known. */
static seg_status take(seg_context *ctx, seg_journal *journal, const char *path, const char *bytes, size_t size,
                       int copy, size_t *whole, size_t *added) {
    seg_status status = check_header(ctx, journal, path, bytes, size, whole);
    for (size_t line = 2; !status && *whole > 0 && *whole < size; line++) {
        const char *at = bytes + *whole, *end = memchr(at, '\n', size - *whole);
        size_t key_size = 0, text_size = 0;
        if (!end)
            break; /* torn */
        if (!parse_line(at, (size_t)(end - at), &key_size, &text_size)) {
            if (end + 1 == bytes + size)
                break; /* torn, and the line end came through */
            return seg_fail(ctx, SEG_ERR_INPUT, "the journal '%s' is damaged in line %zu; start again with --restart",
                            path, line);
        }
        char *key = strndup(at, key_size), *text = strndup(at + key_size + 1, text_size);
        const char *known = key ? seg_journal_find(journal, key) : NULL;
        if (!key || !text)
            status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while reading '%s'", path);
        else if (known && strcmp(known, text) != 0)
            status = seg_fail(ctx, SEG_ERR_INPUT, "the journal '%s' has another result for '%s' (line %zu)", path, key,
                              line);
        else if (!known && copy)
            status = append(ctx, journal, key, text);
        else if (!known)
            status = keep(ctx, journal, key, key_size, text, text_size);
        *added += !known;
        free(key);
        free(text);
        *whole = (size_t)(end + 1 - bytes);
    }
    return status;
}

/* The same of a file that is open. */
static seg_status take_file(seg_context *ctx, seg_journal *journal, int file, const char *path, int copy, size_t *whole,
                            size_t *added) {
    char *bytes = NULL;
    size_t size = 0;
    seg_status status = read_all(ctx, file, path, &bytes, &size);
    if (status == SEG_OK && size > 0)
        status = take(ctx, journal, path, bytes, size, copy, whole, added);
    free(bytes);
    return status;
}

static seg_status begin(seg_context *ctx, seg_journal *journal) {
    const size_t size = MAGIC_LENGTH + strlen(journal->settings) + 2;
    char *line = seg_alloc(ctx, size, 1);
    if (!line)
        return SEG_ERR_MEMORY;
    snprintf(line, size, "%s%s\n", magic, journal->settings);
    const seg_status status = write_all(ctx, journal, line, size - 1);
    free(line);
    return status == SEG_OK ? sync_file(ctx, journal) : status;
}

static seg_status lock(seg_context *ctx, const seg_journal *journal, int wait) {
    seg_status status = SEG_OK;
    while (status == SEG_OK && flock(journal->file, wait ? LOCK_EX : LOCK_EX | LOCK_NB) != 0)
        status = errno == EWOULDBLOCK ? seg_fail(ctx, SEG_ERR_IO,
                                                 "another run is writing the journal '%s'; wait for it, or use another "
                                                 "--out",
                                                 journal->path)
                 : errno == EINTR     ? seg_poll(ctx)
                                      : io_failure(ctx, "lock", journal->path);
    return status;
}

seg_status seg_journal_open(seg_context *ctx, const char *path, const char *settings, int how, seg_journal **out) {
    seg_journal *journal = seg_alloc_zero(ctx, 1, sizeof *journal);
    size_t whole = 0, added = 0;
    seg_status status;
    *out = NULL;
    if (!journal)
        return SEG_ERR_MEMORY;
    journal->file = -1;
    journal->path = strdup(path);
    journal->settings = strdup(settings);
    if (!journal->path || !journal->settings) {
        status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while opening '%s'", path);
        goto done;
    }
    if (strpbrk(settings, "\n\r")) {
        status = seg_fail(ctx, SEG_ERR_USAGE, "the settings of the journal '%s' contain a line end", path);
        goto done;
    }
    if ((status = make_room(ctx, journal)) != SEG_OK)
        goto done;
    journal->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (journal->file < 0) {
        status = io_failure(ctx, "open", path);
        goto done;
    }
    if ((status = lock(ctx, journal, how & SEG_JOURNAL_WAIT)) != SEG_OK)
        goto done;
    if (!(how & SEG_JOURNAL_RESTART) &&
        (status = take_file(ctx, journal, journal->file, path, 0, &whole, &added)) != SEG_OK)
        goto done;
    if (ftruncate(journal->file, (off_t)whole) != 0) {
        status = io_failure(ctx, "write", path);
        goto done;
    }
    if (whole == 0)
        status = begin(ctx, journal);
done:
    if (status)
        seg_journal_close(journal);
    else
        *out = journal;
    return status;
}

seg_status seg_journal_add(seg_context *ctx, seg_journal *journal, const char *key, const char *text) {
    seg_status status = append(ctx, journal, key, text);
    if (status == SEG_OK && (status = sync_file(ctx, journal)) != SEG_OK)
        journal->broken = 1;
    return status;
}

seg_status seg_journal_merge(seg_context *ctx, seg_journal *journal, const char *path, int keep, size_t *added) {
    size_t whole = 0, own = 0;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return io_failure(ctx, "open", path);
    seg_status status = take_file(ctx, journal, file, path, keep, &whole, &own);
    if (!status && keep && own)
        status = sync_file(ctx, journal);
    close(file);
    if (added)
        *added += own;
    return status;
}

static int is_journal(const char *name) {
    int shard, end = 0;
    sscanf(name, "shard-%d-of-%d.journal%n", &shard, &shard, &end);
    return strcmp(name, "journal") == 0 || (end && !name[end]);
}

seg_status seg_journal_list(seg_context *ctx, const char *folder, seg_journal_paths *list) {
    DIR *open = opendir(folder);
    seg_status status = SEG_OK;
    for (struct dirent *entry; status == SEG_OK && open && (entry = readdir(open));) {
        if (!is_journal(entry->d_name))
            continue;
        status = seg_grow(ctx, &list->at, list->count, &list->room, sizeof *list->at);
        if (status == SEG_OK && !(list->at[list->count] = seg_format(ctx, "%s/%s", folder, entry->d_name)))
            status = SEG_ERR_MEMORY;
        list->count += status == SEG_OK;
    }
    if (open)
        closedir(open);
    return status;
}

void seg_journal_paths_free(seg_journal_paths *list) {
    for (size_t p = 0; p < list->count; p++)
        free(list->at[p]);
    free(list->at);
    *list = (seg_journal_paths){0};
}

seg_status seg_journal_open_part(seg_context *ctx, const char *folder, int shard, int shards, const char *settings,
                                 int how, size_t *added, seg_journal **out) {
    seg_journal_paths list = {0};
    char *path = shards ? seg_format(ctx, "%s/shard-%d-of-%d.journal", folder, shard, shards)
                        : seg_format(ctx, "%s/journal", folder);
    *out = NULL;
    seg_status status = path ? seg_journal_open(ctx, path, settings, how, out) : SEG_ERR_MEMORY;
    const int fresh = status == SEG_OK && (*out)->count == 0;
    if (status == SEG_OK)
        status = seg_journal_list(ctx, folder, &list);
    for (size_t p = 0; status == SEG_OK && p < list.count; p++) {
        const char *other = list.at[p];
        if (strcmp(other, path) == 0)
            continue;
        if (how & SEG_JOURNAL_RESTART)
            status = unlink(other) == 0 ? SEG_OK : io_failure(ctx, "remove", other);
        else
            status = seg_journal_merge(ctx, *out, other, !shards, added);
    }
    seg_journal_paths_free(&list);
    if (status != SEG_OK && fresh) /* the next run may have other settings */
        unlink(path);
    free(path);
    if (status != SEG_OK) {
        seg_journal_close(*out);
        *out = NULL;
    }
    return status;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const seg_record *)a)->key, ((const seg_record *)b)->key);
}

seg_status seg_journal_sorted(seg_context *ctx, seg_journal *journal, const seg_record **records, size_t *count) {
    free(journal->sorted);
    journal->sorted = seg_alloc(ctx, journal->count, sizeof *journal->sorted);
    *records = journal->sorted;
    *count = journal->sorted ? journal->count : 0;
    if (!journal->sorted)
        return SEG_ERR_MEMORY;
    if (journal->count)
        memcpy(journal->sorted, journal->record, journal->count * sizeof *journal->sorted);
    qsort(journal->sorted, journal->count, sizeof *journal->sorted, by_key);
    return SEG_OK;
}

void seg_journal_close(seg_journal *journal) {
    if (!journal)
        return;
    for (size_t r = 0; r < journal->count; r++)
        free((char *)journal->record[r].key);
    free(journal->record);
    free(journal->slot);
    free(journal->sorted);
    free(journal->settings);
    free(journal->path);
    if (journal->file >= 0)
        close(journal->file);
    free(journal);
}
