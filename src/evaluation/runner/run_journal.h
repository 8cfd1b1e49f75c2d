/* The journal of a long run: the result of each item is on disk as soon as it is known, so that an interrupted run
 * continues where it stopped. The report is computed from the journal, so it does not depend on interruptions or on the
 * order in which items ended.
 *
 * File: a header line with the settings, then a line per record: KEY, tab, TEXT, tab, checksum. A last line that is
 * torn or without its line end, as a crash leaves it, is cut off when it is opened; other damage is refused. */
#pragma once

#include <segment/context.h>

typedef struct seg_journal seg_journal;

/* Open or begin the journal at `path` and lock it against other processes.
 * @param settings  one line with everything the results depend on (options, seed, data with their checksums, version of
 *                  the format), e.g. "experiment error-curve; seed 1; iris 0123abcd": a journal of other settings is
 *                  refused with a message that names both
 * @param restart   1: discard its records, whatever its settings
 * @return SEG_OK; SEG_ERR_USAGE (other settings); SEG_ERR_INPUT (no journal, damaged); SEG_ERR_IO (cannot be opened or
 * written; another process has it open); SEG_ERR_MEMORY. *out is NULL on failure. */
seg_status seg_journal_open(seg_context *ctx, const char *path, const char *settings, int restart, seg_journal **out);

/* Text of the record with this key, or NULL. */
const char *seg_journal_find(const seg_journal *journal, const char *key);

/* Add a record and wait until it is on disk. The key is new and not empty. Key and text have no tabs or line ends.
 * @return SEG_OK, SEG_ERR_USAGE (key or text unfit), SEG_ERR_IO, SEG_ERR_MEMORY */
seg_status seg_journal_add(seg_context *ctx, seg_journal *journal, const char *key, const char *text);

/* The shard-th of `shards` parts of the work, from 1, or all (0 and 0); journal: shard-I-of-N.journal, or journal. */
typedef struct seg_journal_part {
    const char *folder;
    int shard, shards;
} seg_journal_part;

/* Open the journal of a part or of the whole. The records of all other journals in the folder are added: to the file of
 * the whole, but for a part only in memory. Equal keys must have equal texts. `restart` removes the other journals; not
 * for a part, since others may be running. @return as seg_journal_open; SEG_ERR_INPUT (two texts for one key) */
seg_status seg_journal_open_part(seg_context *ctx, const seg_journal_part *part, const char *settings, int restart,
                                 seg_journal **out);

/* NULL is allowed. */
void seg_journal_close(seg_journal *journal);
