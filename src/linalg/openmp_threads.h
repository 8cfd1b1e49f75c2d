/* CHOLMOD, as Debian builds it, brings GCC's OpenMP along and factors on four threads of it, which then look for work
 * in a loop. The library's threads are those of the context alone (base/parallel.h): between begin and end what the
 * calling thread runs of OpenMP runs on that thread. Nothing happens where no OpenMP is loaded. */
#ifndef SEG_LINALG_OPENMP_THREADS_H
#define SEG_LINALG_OPENMP_THREADS_H

/* @return what seg_openmp_end puts back */
int seg_openmp_begin(void);
void seg_openmp_end(int before);

#endif
