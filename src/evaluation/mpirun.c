#include "evaluation/mpirun.h"

#include <stddef.h>
#include <stdlib.h>

/* Open MPI, MPICH and Slurm tell a process so that it is one of many. */
int seg_started_by_mpirun(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const char *size = getenv(names[n]);
        if (size && atoi(size) > 1)
            return 1;
    }
    return 0;
}
