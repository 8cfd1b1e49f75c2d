/* OpenBLAS divides work by the number of its own threads, which changes the last bits of sums. Between begin and end it
 * runs on one thread; other BLAS libraries stay as they are. Pairs may be nested and may overlap between threads: the
 * last end restores the number that the first begin found. Where OpenBLAS was built without threads, only one thread at
 * a time is inside a pair, so no parallel loop inside a pair may wait for BLAS on another thread: loops use
 * linalg/products.h. `int before = seg_blas_begin(); ... seg_blas_end(before);` */
#pragma once

int seg_blas_begin(void);
void seg_blas_end(int before);

/* CHOLMOD, as Debian builds it, links GCC's OpenMP and factorises on four of its threads, which then busy-wait. The
 * library's threads are those of the context alone (base/parallel.h): between begin and end every OpenMP region of the
 * calling thread runs on that thread alone. Nothing happens where no OpenMP is loaded. */
/* @return the value to pass to seg_openmp_end */
int seg_openmp_begin(void);
void seg_openmp_end(int before);
