#include "paint/document/image_files.h"
#include "base/hash.h"
#include "cli/common/report_parts.h"
#include "image/file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>

/* --- The image. --- */

void paint_source_read(const char *path, paint_source *source) {
    paint_source now = {.number = source->number};
    if (stat(path, &now.file) != 0 || !S_ISREG(now.file.st_mode) || cli_hash_file(path, now.hash) != CLI_GO_ON)
        return;
    const int changed = source->hash[0] && strcmp(source->hash, now.hash) != 0;
    now.number += changed;
    now.is_unseen = changed || (source->is_unseen && source->hash[0]);
    *source = now;
}

/* ctime is compared, which programs cannot set; copying may preserve mtime. */
static int is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

paint_source_state paint_source_check(const char *path, paint_source *source) {
    struct stat now;
    char hash[CLI_HASH_SIZE];
    if (!source->hash[0])
        return PAINT_SOURCE_SAME;
    if (stat(path, &now) != 0)
        return PAINT_SOURCE_GONE;
    if (is_same_file(&now, &source->file))
        return PAINT_SOURCE_SAME;
    if (!S_ISREG(now.st_mode) || cli_hash_file(path, hash) != CLI_GO_ON || strcmp(hash, source->hash) != 0)
        return PAINT_SOURCE_CHANGED;
    source->file = now;
    return PAINT_SOURCE_SAME;
}

/* --- The journal. --- */

uint64_t paint_hash(const void *bytes, size_t size) {
    const uint64_t hash = seg_hash(SEG_HASH_START, bytes, size);
    return hash ? hash : 1;
}

/* Append a line, which is freed, and flush it to disk; a line that cannot be written completely is removed. */
static int append_line(int file, json_t *json, int sync) {
    SEG_FREED char *text = json_dumps(json, JSON_COMPACT);
    const size_t length = text ? strlen(text) : 0;
    const off_t end = lseek(file, 0, SEEK_END);
    if (text)
        text[length] = '\n'; /* in place of its end */
    int good = text && end >= 0 && seg_write_all(file, text, length + 1) && (!sync || fdatasync(file) == 0);
    if (!good && end >= 0 && ftruncate(file, end) != 0)
        good = 0;
    json_decref(json);
    return good;
}

int paint_journal_append(paint_journal *journal, const json_t *edit) {
    return append_line(journal->file, json_deep_copy(edit), 1);
}

static void note_saving(paint_journal *journal, uint64_t hash) {
    if (hash == journal->last)
        return;
    journal->before = journal->last;
    journal->last = hash;
}

int paint_journal_found(paint_journal *journal, uint64_t hash) {
    if (hash != journal->last && hash != journal->before)
        return 0;
    journal->last = hash;
    journal->before = 0; /* earlier scribbles would have to be written again */
    return 1;
}

int paint_journal_saving(paint_journal *journal, uint64_t hash) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    const int good = append_line(journal->file, json_pack("{s:s}", "saving", text), 1);
    if (good)
        note_saving(journal, hash);
    return good;
}

int paint_journal_objects(paint_journal *journal, int objects) {
    return append_line(journal->file, json_pack("{s:b}", "objects", objects), 1);
}

/* If a power cut loses this line, a file restored to its earlier content is taken for ours; no more is lost. */
void paint_journal_saved(paint_journal *journal) {
    append_line(journal->file, json_pack("{s:b}", "saved", 1), 0);
    journal->before = 0;
}

static void note_photo(paint_journal *journal, json_t *photo) {
    json_decref(journal->photo);
    journal->photo = photo;
}

int paint_journal_photo(paint_journal *journal, const char *photo, uint64_t hash, int is_drawn,
                        char message[PAINT_MESSAGE]) {
    char text[24];
    SEG_FREED char *whole = realpath(photo, NULL);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    json_t *now = json_pack("{s:s, s:o}", "photo", text, "file", cli_json_text(whole ? whole : photo));
    const json_t *file = json_object_get(journal->photo, "file");
    const int is_noted = json_equal(now, journal->photo),
              is_other = file && is_drawn &&
                         !json_equal(json_object_get(now, "photo"), json_object_get(journal->photo, "photo")),
              is_elsewhere = is_other && !json_equal(json_object_get(now, "file"), file);
    if (is_elsewhere)
        snprintf(message, PAINT_MESSAGE,
                 "the strokes of '%.150s' were drawn on another image, '%.150s'; choose another folder with --output",
                 photo, json_string_value(file));
    else if (is_other)
        snprintf(message, PAINT_MESSAGE,
                 "'%.400s' was changed by another program: the new image is shown, with the strokes of the earlier one",
                 photo);
    if (is_noted || is_elsewhere) {
        json_decref(now);
        return is_noted;
    }
    note_photo(journal, now);
    append_line(journal->file, json_deep_copy(now), 1); /* what cannot be written is noted at the next start */
    return 1;
}

static int begin(int file, const paint_drawing *drawing) {
    return append_line(file,
                       json_pack("{s:s, s:i, s:i, s:i}", "journal", "segment paint", "version", 1, "width",
                                 drawing->width, "height", drawing->height),
                       1);
}

/* Check the first line: whether it is a journal, and of an image of this size. */
static const char *check_head(const json_t *head, const paint_drawing *drawing) {
    const char *name = json_string_value(json_object_get(head, "journal"));
    if (!name || strcmp(name, "segment paint") != 0)
        return "it is not a journal of segment paint";
    if (json_integer_value(json_object_get(head, "version")) != 1)
        return "it was written by a later version of segment";
    if (json_integer_value(json_object_get(head, "width")) != drawing->width ||
        json_integer_value(json_object_get(head, "height")) != drawing->height)
        return "its image has another size";
    return NULL;
}

static const char *replay_line(const json_t *json, paint_drawing *drawing, paint_journal *journal) {
    const char *saving = json_string_value(json_object_get(json, "saving"));
    if (saving)
        note_saving(journal, strtoull(saving, NULL, 16));
    else if (json_is_true(json_object_get(json, "saved")))
        journal->before = 0;
    else if (json_object_get(json, "photo"))
        note_photo(journal, json_deep_copy(json));
    else if (json_object_get(json, "objects"))
        drawing->objects = json_is_true(json_object_get(json, "objects"));
    else
        return paint_apply(drawing, json);
    return NULL;
}

/* Apply all complete lines; *end is the end of the last one, *number its number. */
static const char *replay(const char *text, size_t size, paint_drawing *drawing, paint_journal *journal, size_t *end,
                          int *number) {
    for (*number = 1, *end = 0; *end < size; ++*number) {
        const char *line = text + *end, *stop = memchr(line, '\n', size - *end);
        if (!stop)
            return NULL;
        json_t *json = json_loadb(line, (size_t)(stop - line), 0, NULL);
        const char *refusal = !json          ? "it is not JSON"
                              : *number == 1 ? check_head(json, drawing)
                                             : replay_line(json, drawing, journal);
        json_decref(json);
        if (refusal)
            return refusal;
        *end = (size_t)(stop + 1 - text);
    }
    return NULL;
}

int paint_journal_open(const char *path, paint_drawing *drawing, paint_journal *out, char message[PAINT_MESSAGE]) {
    size_t size = 0, end = 0;
    int number = 0;
    SEG_FREED unsigned char *text = NULL;
    const char *refusal = NULL;
    *out = (paint_journal){.file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
    if (out->file < 0) {
        snprintf(message, PAINT_MESSAGE, "cannot open the journal '%.300s': %s", path, strerror(errno));
        return 0;
    }
    if (flock(out->file, LOCK_EX | LOCK_NB) != 0) {
        snprintf(message, PAINT_MESSAGE, "the journal '%.300s' is in use by another segment paint; stop that one first",
                 path);
        paint_journal_close(out);
        return 0;
    }
    if (lseek(out->file, 0, SEEK_END) != 0) /* else it is new */
        refusal = seg_file_read(NULL, path, &text, &size) == SEG_OK
                      ? replay((const char *)text, size, drawing, out, &end, &number)
                      : "it cannot be read";
    if (!refusal && end < size && ftruncate(out->file, (off_t)end) != 0)
        refusal = strerror(errno);
    if (!refusal && end == 0 && !begin(out->file, drawing))
        refusal = strerror(errno);
    if (refusal) {
        snprintf(message, PAINT_MESSAGE,
                 "the journal '%.300s' cannot be used, line %d: %s; move it to another folder to start again", path,
                 number, refusal);
        paint_journal_close(out);
        return 0;
    }
    return 1;
}

void paint_journal_close(paint_journal *journal) {
    if (journal->file >= 0)
        close(journal->file);
    journal->file = -1;
    note_photo(journal, NULL);
}
