/* Work in a process of its own: the kernel measures its memory and frees it, and a crash affects nothing else. */
#pragma once

#include <segment/context.h>

#include <sys/types.h>

/* Runs in the new process and returns a text, to be freed; NULL if out of memory. */
typedef char *(*seg_child_work)(void *user);

typedef struct seg_child {
    pid_t pid;  /* 0: none */
    int pipe;   /* read end of the pipe for its text */
    char *text; /* received so far, ended by 0; owned */
    size_t size, room;
    size_t memory; /* set when it has ended: peak resident size, bytes */
    int lost;      /* 1: out of memory for its text */
} seg_child;

/* Start a process. It ends when its parent does, and ignores SIGINT, which the parent handles. The caller must have a
 * single thread. SEG_OK, SEG_ERR_MEMORY (no process). */
seg_status seg_child_start(seg_context *ctx, seg_child_work work, void *user, seg_child *out);

/* Wait until one of the children has written something or ended, at most `milliseconds`, and read what they wrote;
 * children with pid 0 are skipped. @return the index of one that has ended, -1 if none has */
int seg_child_wait(seg_child *child, size_t count, int milliseconds);

/* Collect a child that has ended: SEG_OK (its text is complete), SEG_ERR_NUMERIC (it crashed), SEG_ERR_CANCELLED (its
 * own alarm ended it), SEG_ERR_MEMORY. The text stays until seg_child_free. */
seg_status seg_child_end(seg_context *ctx, seg_child *child);

/* Kill the child if it is running, and free everything. */
void seg_child_free(seg_child *child);
