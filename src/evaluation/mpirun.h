/* Whether the program is one of several that mpirun started; without MPI, which need not be loaded to know it. */
#ifndef SEG_EVALUATION_MPIRUN_H
#define SEG_EVALUATION_MPIRUN_H

int seg_started_by_mpirun(void);

#endif
