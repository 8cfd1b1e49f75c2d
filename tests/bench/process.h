/* What a process cost. */
#ifndef BENCH_PROCESS_H
#define BENCH_PROCESS_H

typedef struct bench_usage {
    double wall, cpu; /* seconds from start to end, and of computing (user and system) */
    double memory;    /* highest resident size, bytes. The kernel counts what a child shares with its parent before it
                         becomes another program: this is never below the parent's own. */
} bench_usage;

/* Run a command (a NULL-ended list, the program found as by the shell) to its end. 0, or 1 after a message where it
 * could not be started or did not exit with 0. */
int bench_spawn(const char *const *command, bench_usage *out);

/* Likewise with standard output and standard error in files, and any exit code, which goes into *exit_code. */
int bench_spawn_to(const char *const *command, const char *output, const char *words, int *exit_code, bench_usage *out);

#endif
