/* Reading of files, and atomic writing: a file appears when complete, or not at all. (seg_file_write: image.h.) */
#pragma once

#include <segment/image.h>

#include <stdio.h>

/* "stack.tif[3]" names the page 3 of a file, counted from 0 without reduced copies, and "stack.tif[0-9]" several, which
 * are read as one image, one below the other. A file that has such a name itself is meant where it exists. */
typedef struct seg_pages {
    size_t stem; /* bytes of the file's own name */
    int first, last;
} seg_pages;

/* @return 0 where the path names no pages */
int seg_pages_of(const char *path, seg_pages *out);
/* The file of a path, without pages; freed by the caller. */
char *seg_pages_file(const char *path);

/* Read a file ("-" standard input) into memory: at most 1 GiB, followed by a 0. *bytes is owned by the caller (free).
 * SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (empty, too large), SEG_ERR_MEMORY. */
seg_status seg_file_read(seg_context *ctx, const char *path, unsigned char **bytes, size_t *size);

/* A file being written: open, write (seg_writer_put, stdio on `file`), commit, which reports failures, or abandon. */
typedef struct seg_writer {
    FILE *file;       /* open for writing; stdout where the path is "-" */
    int error;        /* errno of the first seg_writer_put that failed, else 0 */
    const char *path; /* as given, for messages; borrowed */
    char *target;     /* what the temporary file is renamed to; NULL where `file` is written directly; owned */
    char *temporary;  /* beside the target; owned */
} seg_writer;

/* Begin. A regular file is written beside `path` (through symbolic links: beside what they lead to); standard output
 * ("-") and targets that are not regular files (a device, a pipe) are written directly.
 * SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY; `out` is zeroed on failure. */
seg_status seg_writer_open(seg_context *ctx, const char *path, seg_writer *out);
void seg_writer_put(seg_writer *writer, const void *bytes, size_t size);
/* Finish the file. SEG_OK, or SEG_ERR_IO if a write failed; then no temporary file remains. Ends the writer. */
seg_status seg_writer_commit(seg_context *ctx, seg_writer *writer);
/* Abandon the file: remove the temporary file; bytes written directly remain. Ends the writer, which may be zeroed. */
void seg_writer_abandon(seg_writer *writer);

/* How messages call a path: "-" is standard input or `standard`, everything else itself. */
const char *seg_file_label(const char *path, const char *standard);
/* SEG_ERR_IO: a file that cannot be read, and why. */
seg_status seg_file_unreadable(seg_context *ctx, const char *label, int error);
