"""Three small problems with constraints, made by a generator of their own, and how the program is run on them."""
import json
import subprocess

import numpy as np


class Draws:
    """Numbers that are the same in every version of every library: a linear congruential generator."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2**53

    def below(self, count):
        return int(self.uniform() * count)

    def normal(self):
        return sum(self.uniform() for _ in range(12)) - 6


class Xoshiro:
    """The program's own numbers [blackman2021], where a method begins with random ones: xoshiro256** seeded by splitmix64."""

    def __init__(self, stream, seed=1):
        self.mixed = stream
        self.mixed = seed ^ self.split()
        self.state = [self.split() for _ in range(4)]

    def split(self):
        self.mixed = (self.mixed + 0x9E3779B97F4A7C15) % 2**64
        z = self.mixed
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def bits(self):
        turn = lambda x, by: (x << by | x >> 64 - by) % 2**64
        s = self.state
        result = turn(s[1] * 5 % 2**64, 7) * 9 % 2**64
        a, b = s[2] ^ s[0], s[3] ^ s[1]
        self.state = [s[0] ^ b, s[1] ^ a, a ^ (s[1] << 17) % 2**64, turn(b, 45)]
        return result

    def uniform(self):
        return (self.bits() >> 11) / 2**53

    def below(self, bound):
        while True:
            bits = self.bits()
            if bits >= 2**64 % bound:
                return bits % bound

    def normal(self):
        u, v = 1 - self.uniform(), self.uniform()
        return np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v)


class Problem:
    """X: n x d; truth; pairs: rows i, j, sign."""

    def __init__(self, name, seed, sizes, columns, apart, pairs):
        draws = Draws(seed)
        middles = [[apart * draws.normal() for _ in range(columns)] for _ in sizes]
        self.name, self.k = name, len(sizes)
        self.truth = np.array([c for c, size in enumerate(sizes) for _ in range(size)])
        self.X = np.array([[round(m + draws.normal(), 6) for m in middles[c]] for c in self.truth])
        self.n = len(self.X)
        found = {}
        while len(found) < pairs:
            i, j = draws.below(self.n), draws.below(self.n)
            if i != j:
                found[min(i, j), max(i, j)] = 1 if self.truth[i] == self.truth[j] else -1
        self.pairs = [(i, j, sign) for (i, j), sign in sorted(found.items())]

    def write(self):
        with open(self.name + ".csv", "w") as to:
            to.writelines(",".join(repr(float(x)) for x in row) + "\n" for row in self.X)
        with open(self.name + "-pairs.csv", "w") as to:
            to.writelines("%d,%d,%d\n" % pair for pair in self.pairs)

    def run(self, program, method, restarts, *more):
        """What `segment cluster` says of the method, of its variant paper where none is named."""
        command = [program, "cluster", self.name + ".csv", "-k", str(self.k), "--constraints", self.name + "-pairs.csv",
                   "--method", method if ":" in method else method + ":paper", "--restarts", str(restarts), "--json", "-q", *more]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit("%s: exit %d: %s" % (" ".join(command), done.returncode, done.stderr))
        return json.loads(done.stdout)


def problems():
    return [Problem("three", 1, (40, 40, 40), 2, 3.0, 30),
            Problem("uneven", 2, (60, 25, 40, 15), 4, 2.2, 60),
            Problem("two", 3, (45, 55), 5, 1.4, 40)]


def closure(problem):
    """Components of the must-links (-1: in no pair), and the set of pairs of components that cannot link."""
    parent = list(range(problem.n))

    def root(i):
        while parent[i] != i:
            i = parent[i]
        return i

    named = {i for pair in problem.pairs for i in pair[:2]}
    for i, j, sign in problem.pairs:
        if sign > 0:
            parent[max(root(i), root(j))] = min(root(i), root(j))
    component = np.full(problem.n, -1)
    number = {}
    for i in range(problem.n):
        if i in named:
            component[i] = number.setdefault(root(i), len(number))
    apart = {tuple(sorted((component[i], component[j]))) for i, j, sign in problem.pairs if sign < 0}
    return component, apart


def implied(problem):
    """Every pair that the closure implies: i, j, sign."""
    component, apart = closure(problem)
    out = []
    for i in range(problem.n):
        for j in range(i + 1, problem.n):
            a, b = component[i], component[j]
            if a < 0 or b < 0:
                continue
            if a == b:
                out.append((i, j, 1))
            elif tuple(sorted((a, b))) in apart:
                out.append((i, j, -1))
    return out


def same_partition(a, b):
    return len({(x, y) for x, y in zip(a, b)}) == len(set(a)) == len(set(b))
