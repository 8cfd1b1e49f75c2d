/* The journal of a long run: each finished item's result is on disk as soon as it is known, so that an interrupted run
 * goes on where it stopped. The report is computed from the journal, whose records are sorted by key, and so does not
 * show how often or where the run was interrupted, nor in which order the items ended.
 *
 * File: a header line with the settings, then a line per record: KEY, tab, TEXT, tab, checksum. A last line that is
 * torn or without its line end, as a crash leaves it, is cut off when the journal is opened; damage anywhere else is
 * refused. */
#ifndef SEG_EVALUATION_JOURNAL_H
#define SEG_EVALUATION_JOURNAL_H

#include <segment/context.h>

#include <stddef.h>

typedef struct seg_journal seg_journal;

/* One record; both strings live as long as the journal. */
typedef struct seg_record {
    const char *key, *text;
} seg_record;

/* Open or begin the journal at `path` and lock it against other processes.
 * @param settings  one line that says everything the results depend on (options, seed, data with their checksums,
 *                  version of the format), e.g. "experiment error-curve; seed 1; iris 0123abcd": a journal of other
 *                  settings is refused, the sentence naming both
 * @param restart   1 throws away what stands in it, whatever its settings
 * @return SEG_OK; SEG_ERR_USAGE (other settings); SEG_ERR_INPUT (no journal, damaged); SEG_ERR_IO (cannot be opened or
 * written; another process has it open); SEG_ERR_MEMORY. *out is NULL on failure. */
seg_status seg_journal_open(seg_context *ctx, const char *path, const char *settings, int restart, seg_journal **out);

/* Text of the record with this key, or NULL. Several threads may ask and add at once. */
const char *seg_journal_find(seg_journal *journal, const char *key);

/* Add a record and wait until it is on disk. The key is not empty and new; neither holds tabs or line ends.
 * @return SEG_OK, SEG_ERR_USAGE (key or text unfit), SEG_ERR_IO, SEG_ERR_MEMORY */
seg_status seg_journal_add(seg_context *ctx, seg_journal *journal, const char *key, const char *text);

/* Take over the records of another journal of the same settings (a part of the work done elsewhere). Equal keys must
 * have equal texts. @return as seg_journal_open; SEG_ERR_INPUT (two texts for one key) */
seg_status seg_journal_merge(seg_context *ctx, seg_journal *journal, const char *path);

/* All records in the order of their keys' bytes; *records is borrowed until the next call for this journal. Not while
 * other threads add. @return SEG_OK or SEG_ERR_MEMORY */
seg_status seg_journal_sorted(seg_context *ctx, seg_journal *journal, const seg_record **records, size_t *count);

/* NULL is fine. */
void seg_journal_close(seg_journal *journal);

#endif
