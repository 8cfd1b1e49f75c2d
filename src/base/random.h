/* Random numbers: xoshiro256** seeded by splitmix64 [blackman2021], for each seed the same on every machine. */
#pragma once

#include <stdint.h>

typedef struct seg_random {
    uint64_t state[4];
} seg_random;

/* Streams of the same seed with different `stream` numbers are independent for our purposes: one per stage. */
seg_random seg_random_seeded(uint64_t seed, uint64_t stream);
uint64_t seg_random_bits(seg_random *random);
/* Uniform in [0, 1). */
double seg_random_uniform(seg_random *random);
/* Uniform in 0 .. bound-1 without bias; bound >= 1. */
uint64_t seg_random_below(seg_random *random, uint64_t bound);
/* Standard normal. */
double seg_random_normal(seg_random *random);
