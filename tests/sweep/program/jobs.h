/* The jobs of sweep_program. */
#ifndef TESTS_SWEEP_JOBS_H
#define TESTS_SWEEP_JOBS_H

#include <stddef.h>

typedef struct job {
    const char *name;
    const char *arguments; /* words between blanks */
    const char *before;    /* a run that makes inputs, or NULL */
    int in_parts;          /* may end with 5, and keeps records of parts that failed */
    size_t stride;         /* allocations: from n to the next it is 1 + n / stride, with the sanitizers twice as far */
    const char *damaged;   /* inputs to damage, words between blanks, or NULL */
} job;

extern const job jobs[];
extern const int job_count;

int segment_main(int argc, char **argv); /* the program's */

/* Images, strokes, truths, tables and older outputs for a job. */
void make_inputs(const char *folder, const job *one);

#endif
