/* Inner loops with a second body for processors with wider registers, chosen when the program starts. Both bodies do
 * the same operations in the same order, without fused multiply-add, so they give the same bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* clang names what chooses the body after the function: two static functions of one name do not link.
 * Sanitizers are not initialised when the body is chosen. gcc defines macros for them, clang features. */
#if defined(__has_feature) && !defined(SEG_SANITIZED)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SEG_SANITIZED 1
#endif
#endif
#if (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)) && !defined(SEG_SANITIZED)
#define SEG_SANITIZED 1
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(SEG_SANITIZED)
#define SEG_WIDER_TOO __attribute__((target_clones("avx2", "default")))
#else
#define SEG_WIDER_TOO
#endif

/* exp(-t) for `count` numbers t >= 0 in place, accurate to a few units in the last place; 0 beyond 700. Written for
 * vectorisation: -t = q ln 2 + r, a polynomial for exp(r), and 2^q by the bits of a double. */
static inline __attribute__((always_inline)) void seg_exponentials(size_t count, double *t) {
    for (size_t i = 0; i < count; i++) {
        const double shifter = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to a whole number in the low bits */
        const double x = t[i] > 700 ? -700 : -t[i];
        const double whole = x * 1.4426950408889634 + shifter;
        const double q = whole - shifter;
        const double r = (x - q * 0.693147180369123816490) - q * 1.90821492927058770002e-10;
        double p = 1.0 / 479001600;
        uint64_t bits;
        double power;
        p = p * r + 1.0 / 39916800;
        p = p * r + 1.0 / 3628800;
        p = p * r + 1.0 / 362880;
        p = p * r + 1.0 / 40320;
        p = p * r + 1.0 / 5040;
        p = p * r + 1.0 / 720;
        p = p * r + 1.0 / 120;
        p = p * r + 1.0 / 24;
        p = p * r + 1.0 / 6;
        p = p * r + 0.5;
        p = p * r + 1;
        p = p * r + 1;
        memcpy(&bits, &whole, sizeof bits);
        bits = (bits + 1023) << 52; /* the shift removes the bits of the shifter */
        memcpy(&power, &bits, sizeof power);
        t[i] = t[i] > 700 ? 0 : p * power;
    }
}

/* Four floats as an explicit vector type: the compiler does not vectorise loops over four columns. */
typedef float seg_quad __attribute__((vector_size(16)));

static inline seg_quad seg_quad_load(const float *x) {
    seg_quad q;
    memcpy(&q, x, sizeof q);
    return q;
}

static inline void seg_quad_store(float *x, seg_quad q) {
    memcpy(x, &q, sizeof q);
}
