"""What basu2004active says of random and active choice, by simulation: Eq. 4.3, Appendices A.3 and A.4, the rate of
Consolidate (Sec. 4.2), and Explore without the number of clusters, which is the program's own.

    active_rates.py [SEGMENT]      in a folder to write in; exit 1 where a bound that holds by proof does not

The model is the appendix's: k disjoint balls in which points are uniform, ball h with a share p_h of n points, its volume
in proportion; p_1 the least. Every number is a share or a mean over RUNS draws.
"""
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

RUNS = 400
wrong = []


def check(holds, sentence):
    if not holds:
        wrong.append(sentence)
        print("WRONG: " + sentence)


def balls(shares, d, n, random, touching=False):
    """Points and their balls: centres drawn until the balls are disjoint, or the small ball amid the others."""
    size = np.maximum(1, np.round(n * np.asarray(shares) / sum(shares))).astype(int)
    radius = (np.asarray(shares) / min(shares)) ** (1 / d)
    if touching:  # around the least ball, as near as they get in a ring
        turn = 2 * math.pi * np.arange(len(shares)) / max(1, len(shares) - 1)
        reach = max(radius[0] + radius[1:].max(), radius[1:].max() / math.sin(math.pi / max(2, len(shares) - 1)))
        centre = np.zeros((len(shares), d))
        centre[1:, 0], centre[1:, 1] = reach * np.cos(turn[1:]), reach * np.sin(turn[1:])
    else:
        side = 2.2 * radius.sum()
        while True:
            centre = random.uniform(0, side, (len(shares), d))
            if all(np.linalg.norm(centre[a] - centre[b]) > radius[a] + radius[b]
                   for a, b in itertools.combinations(range(len(shares)), 2)):
                break
    step = random.normal(size=(size.sum(), d))
    step *= (random.uniform(size=size.sum()) ** (1 / d) / np.linalg.norm(step, axis=1))[:, None]
    of = np.repeat(np.arange(len(shares)), size)
    return centre[of] + step * radius[of][:, None], of


def farthest_first(X, of, k, random):
    """Attempts until every ball has a point, and the order of the points."""
    chosen = [int(random.integers(len(X)))]
    away = np.linalg.norm(X - X[chosen[0]], axis=1)
    while len(set(of[chosen])) < k:
        chosen.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(X - X[chosen[-1]], axis=1))
    return len(chosen), chosen


def eq_4_3(random):
    """The mean of m draws of a Gaussian of unit variance deviates by t or more with a probability of at most exp(-m t^2 / 2):
    the square of the deviation has the chi-squared distribution of d degrees, divided by m."""
    print("\nEq. 4.3, deviation of a centroid from m seeds: simulated share : exp(-m t^2 / 2)")
    for d in (1, 2, 4, 16):
        row = []
        for m, t in itertools.product((2, 8, 32), (0.25, 0.5, 1.0)):
            off = np.linalg.norm(random.normal(size=(20000, m, d)).mean(1), axis=1) >= t
            bound = math.exp(-m * t * t / 2)
            row.append("%.3f : %.3f" % (off.mean(), bound))
            check(d > 2 or off.mean() <= bound + 0.01, "Eq. 4.3 with d = %d, m = %d, t = %g" % (d, m, t))
        print("  d = %2d   " % d + "   ".join(row))


def a_3(random):
    """m random pairs: no neighbourhood of three in a ball with at least the printed probability; k draws from the
    neighbourhoods of two are of k different balls with a probability of k!/k^k at most."""
    print("\nA.3, random pairs, n = 1000: no three linked points in the ball: simulated share : 1 - 4 q^2 / n_h, q = p_h m / (1 + t)")
    n = 1000
    for shares in ([1, 1, 1], [1, 3, 6], [1] * 10):
        p = np.array(shares) / sum(shares)
        of = np.repeat(np.arange(len(p)), np.round(n * p).astype(int))
        size = np.bincount(of)
        links = (size * (size - 1) / 2).sum()
        t = (len(of) * (len(of) - 1) / 2 - links) / links
        for m in (20, 50, 100):
            without, different, printed = np.zeros(len(p)), 0, p * m / (1 + t)
            for _ in range(RUNS):
                a, b = random.integers(len(of), size=(2, m))
                linked = (of[a] == of[b]) & (a != b)
                point = np.concatenate([a[linked], b[linked]])
                twice = of[np.flatnonzero(np.bincount(point, minlength=len(of)) > 1)]
                without += ~np.isin(np.arange(len(p)), twice)
                own = of[a[linked]]
                if linked.sum() >= len(p):
                    different += len(set(random.choice(own, len(p), replace=False))) == len(p)
            bound = 1 - 4 * printed**2 / size
            share = without / RUNS
            k = len(p)
            print("  shares %-22s m = %3d   least ball %.3f : %.3f   largest %.3f : %.3f   k different balls %.4f : %.4f" % (
                shares, m, share[0], bound[0], share[-1], bound[-1], different / RUNS, math.factorial(k) / k**k))
            check(len(set(shares)) > 1 or (share >= bound - 0.06).all(), "A.3, equal balls, m = %d" % m)
            check(different / RUNS <= math.factorial(k) / k**k + 0.1, "A.3, k different of k, m = %d" % m)


def a_4(random):
    """Farthest-first needs at most c = 1 / p_1 points until each ball has one; random draws some c ln k."""
    print("\nA.4, points until each of k balls has one: farthest-first mean, most : 1 / p_1; random mean : c (ln k + 0.58)")
    exceeded = 0
    for d, touching in ((2, 0), (5, 0), (2, 1), (5, 1)):
        for shares in ([1, 1, 1], [1, 4, 4], [1, 2, 4, 8], [1] * 10, [1] + [3] * 5, [1, 15]):
            count, uniform, k = [], [], len(shares)
            for _ in range(RUNS // 4):
                X, of = balls(shares, d, 600, random, touching)
                count.append(farthest_first(X, of, k, random)[0])
                seen = [set()]
                while len(seen[-1]) < k:
                    seen.append(seen[-1] | {of[random.integers(len(of))]})
                uniform.append(len(seen) - 1)
            c = sum(shares) / min(shares)
            above = np.mean(np.array(count) > c)
            exceeded += above > 0
            print("  d = %d%s shares %-34s %.1f, %d : %.0f%s; random %.1f : %.1f" % (
                d, " ring " if touching else "      ", shares, np.mean(count), max(count), c,
                ", exceeded in %.0f %%" % (100 * above) if above else "", np.mean(uniform), c * (math.log(k) + 0.58)))
            check(np.mean(count) <= np.mean(uniform) + 0.5, "A.4: random is quicker, shares %s, d = %d" % (shares, d))
    print("  the bound is exceeded in %d of 24 settings" % exceeded)


def consolidate(random):
    """Questions until every neighbourhood has a new point: Consolidate asks about random points, nearest neighbourhood first
    or in any order, the last answer following; Explore about the farthest. k balls alike."""
    print("\nConsolidate, balls alike, d = 2: questions until each of k neighbourhoods has one more point")
    for k in (3, 5, 10, 20):
        drawn, near, explored = [], [], []
        for _ in range(RUNS // 8):
            X, of = balls([1] * k, 2, 60 * k, random)
            first = farthest_first(X, of, k, random)[1]
            centre = np.array([X[[i for i in first if of[i] == h]].mean(0) for h in range(k)])
            for order, total in ((0, drawn), (1, near)):
                seen, asked = set(), 0
                while len(seen) < k:
                    i = int(random.integers(len(X)))
                    turn = np.linalg.norm(centre - X[i], axis=1).argsort() if order else random.permutation(k)
                    asked += min(1 + list(turn).index(of[i]), k - 1)
                    seen.add(of[i])
                total.append(asked)
            away = np.min([np.linalg.norm(X - X[i], axis=1) for i in first], axis=0)
            seen, asked = set(), np.zeros(2)
            while len(seen) < k:
                i = int(away.argmax())
                nearest = np.linalg.norm(centre - X[i], axis=1).argsort()
                asked += [min(1 + list(turn).index(of[i]), k - 1) for turn in (random.permutation(k), nearest)]
                seen.add(of[i])
                away = np.minimum(away, np.linalg.norm(X - X[i], axis=1))
            explored.append(asked)
        print("  k = %2d   any order: Consolidate %.0f : k^2 ln k = %.0f, Explore %.0f : k k (k - 1) / 2 = %.0f; nearest first %.0f, %.0f" % (
            k, np.mean(drawn), k * k * math.log(k), np.mean(explored, 0)[0], k * k * (k - 1) / 2, np.mean(near),
            np.mean(explored, 0)[1]))
        check(np.mean(near) <= np.mean(drawn), "Consolidate: the nearest first asks more, k = %d" % k)


def unknown_k(program, random):
    """The program's Explore with and without k: questions until every ball has a neighbourhood, and of all questions."""
    print("\nExplore by the program, 5 balls alike of 40 points: neighbourhoods after so many questions, k known and unknown")
    X, of = balls([1] * 5, 2, 200, random)
    np.savetxt("balls.csv", np.column_stack([X, of]), "%.9g", ",")
    for name, more in (("known", []), ("unknown", ["-k", "9"])):  # with more clusters than there are nothing is inferred
        row = []
        for asked in (2, 5, 10, 15, 20, 40, 80):
            done = subprocess.run([program, "cluster", "balls.csv", "--labels", "last", "--method", "kmeans", "--active", "explore",
                                   "--queries", str(asked), "--json", "-q", *more], capture_output=True, text=True, check=True)
            active = json.loads(done.stdout)["active"]
            row.append("%d: %d" % (asked, active["neighbourhoods"]))
            check(active["neighbourhoods"] <= 5, "more neighbourhoods than balls")
            check(asked < 20 or active["neighbourhoods"] == 5, "Explore, k %s: %d of 5 balls after %d questions" % (
                name, active["neighbourhoods"], asked))
        print("  k %-8s %s" % (name, "   ".join(row)))


def main():
    random = np.random.default_rng(1)
    for part in (eq_4_3, a_3, a_4, consolidate):
        part(random)
    if len(sys.argv) > 1:
        segment = os.path.abspath(sys.argv[1])
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # the table and the answers are written there
            unknown_k(segment, random)
            os.chdir("/")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
