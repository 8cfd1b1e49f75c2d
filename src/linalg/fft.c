#include "linalg/fft.h"
#include "base/base.h"

#include <pthread.h>

/* FFTW's planner has tables that all threads of a process share without a lock; only executing a plan is thread-safe.
 * Two contexts may plan in two threads at the same time, so every call of the planner in this library takes this lock.
 * It is the only state that survives a call, and no result depends on it. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

static int is_good(size_t n) {
    static const size_t primes[] = {2, 3, 5};
    if (n % 2 != 0)
        return 0;
    for (int i = 0; i < 3; i++)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

size_t seg_fft_good_length(size_t n) {
    n = n < 2 ? 2 : n;
    while (!is_good(n))
        n++;
    return n;
}

void *seg_fft_align(void *block) {
    return (void *)(((uintptr_t)block + SEG_FFT_ALIGNMENT - 1) / SEG_FFT_ALIGNMENT * SEG_FFT_ALIGNMENT);
}

seg_status seg_fft_create(seg_context *ctx, size_t length, int with_real, seg_fft *out) {
    const int n = (int)length;
    memset(out, 0, sizeof *out);
    SEG_LOCAL(void, block, seg_alloc(ctx, 2 * length + 2 * SEG_FFT_ALIGNMENT, sizeof(fftwf_complex)));
    fftwf_complex *line = seg_fft_align(block), *other = seg_fft_align(line + length);
    pthread_mutex_lock(&planner);
    out->forward = fftwf_plan_dft_1d(n, line, line, FFTW_FORWARD, FFTW_ESTIMATE);
    out->inverse = fftwf_plan_dft_1d(n, line, line, FFTW_BACKWARD, FFTW_ESTIMATE);
    if (with_real)
        out->real = fftwf_plan_dft_r2c_1d(n, (float *)other, line, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    pthread_mutex_unlock(&planner);
    if (out->forward && out->inverse && (!with_real || out->real))
        return SEG_OK;
    return seg_fail(ctx, SEG_ERR_MEMORY, "texture: no plan for a Fourier transform of %zu samples; use a smaller image",
                    length);
}

void seg_fft_free(seg_fft *fft) {
    pthread_mutex_lock(&planner);
    fftwf_destroy_plan(fft->forward); /* NULL is fine, as it is to free() */
    fftwf_destroy_plan(fft->inverse);
    fftwf_destroy_plan(fft->real);
    pthread_mutex_unlock(&planner);
    memset(fft, 0, sizeof *fft);
}
