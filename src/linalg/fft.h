/* One-dimensional Fourier transforms in single precision by FFTW. Plans are made once and then used by many threads on
 * their own buffers, each of which must come from seg_fft_align. */
#pragma once

#include <segment/context.h>

#include <complex.h>
#include <fftw3.h>

#define SEG_FFT_ALIGNMENT 64 /* bytes; the same for every buffer, so that one plan serves all */

typedef struct seg_fft {
    fftwf_plan forward, inverse; /* complex, in place */
    fftwf_plan real;             /* real to complex, out of place; NULL where not asked for */
} seg_fft;

/* Smallest length >= n that is even and has no prime factor above 5. */
size_t seg_fft_good_length(size_t n);

/* Plan transforms of `length` samples, always alike (FFTW_ESTIMATE measures nothing). SEG_OK or SEG_ERR_MEMORY. */
seg_status seg_fft_create(seg_context *ctx, size_t length, int with_real, seg_fft *out);
void seg_fft_free(seg_fft *fft);

/* The first aligned address at or after `block` (allocate SEG_FFT_ALIGNMENT bytes more than needed). */
void *seg_fft_align(void *block);
