#include "base/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
}

seg_random seg_random_seeded(uint64_t seed, uint64_t stream) {
    seg_random random = {0};
    uint64_t mixed = stream;
    mixed = seed ^ splitmix(&mixed);
    for (int i = 0; i < 4; i++)
        random.state[i] = splitmix(&mixed);
    return random;
}

uint64_t seg_random_bits(seg_random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double seg_random_uniform(seg_random *random) {
    return (double)(seg_random_bits(random) >> 11) * 0x1p-53;
}

uint64_t seg_random_below(seg_random *random, uint64_t bound) {
    uint64_t rest = (0 - bound) % bound; /* 2^64 mod bound: draws below it would favour small results */
    uint64_t bits;
    do
        bits = seg_random_bits(random);
    while (bits < rest);
    return bits % bound;
}

double seg_random_normal(seg_random *random) {
    double u = 1.0 - seg_random_uniform(random), v = seg_random_uniform(random);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}
