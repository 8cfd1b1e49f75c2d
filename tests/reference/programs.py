"""TRAGEK, PCP, ENPAKL and ENPAKL1 [chen2011npkl], from the paper alone: semidefinite programs by an interior-point method
of its own, sub-kernels and their extension in dense matrices."""
import itertools

import numpy as np

from problems import Xoshiro, closure
from references import lloyd, squared

RUNS = 3000


def smoother(X, data):
    """Eqs. 14 and 15: the normalized Laplacian of all pairs; the width is the mean distance of the data set [Sec. 5]."""
    sigma = np.sqrt(squared(data))[np.triu_indices(len(data), 1)].mean()
    W = np.exp(-squared(X) / (2 * sigma**2))
    np.fill_diagonal(W, 0)
    root = 1 / np.sqrt(W.sum(1))
    return np.eye(len(X)) - root[:, None] * W * root[None, :]


def unit_program(C, apart=()):
    """minimise <C,K> over K >= 0 with unit diagonal and K_ij = 0 for the pairs `apart`: the central path by Newton steps in
    the HKM direction. K, the value, and the value of the dual, which no K can undercut."""
    n = len(C)
    i = np.array([*range(n), *[a for a, _ in apart]])
    j = np.array([*range(n), *[b for _, b in apart]])
    right = np.array([1.0] * n + [0.0] * len(apart))

    def adjoint(y):
        A = np.zeros((n, n))
        A[i, j] += y / 2
        A[j, i] += y / 2
        return A

    def longest(M, step):  # how far M + a step stays positive definite, and a little beyond
        for a in 0.9 ** np.arange(99):
            try:
                np.linalg.cholesky(M + a / 0.95 * step)
                return a
            except np.linalg.LinAlgError:
                pass
        return 0.0

    K, y = np.eye(n), np.zeros(len(i))
    y[:n] = -abs(C).sum(1) - 1
    Z = C - adjoint(y)
    for _ in range(100):
        gap = (K * Z).sum()
        if gap < 1e-8 * (1 + abs((C * K).sum())):
            break
        mu = 0.15 * gap / n
        I = np.linalg.inv(Z)
        M = (K[np.ix_(i, i)] * I[np.ix_(j, j)] + K[np.ix_(j, j)] * I[np.ix_(i, i)]
             + K[np.ix_(i, j)] * I[np.ix_(j, i)] + K[np.ix_(j, i)] * I[np.ix_(i, j)]) / 4
        dy = np.linalg.solve(M, right - mu * I[i, j])
        dZ = -adjoint(dy)
        dK = mu * I - K - K @ dZ @ I
        dK = (dK + dK.T) / 2
        a, b = longest(K, dK), longest(Z, dZ)
        K, y, Z = K + a * dK, y + b * dy, Z + b * dZ
    return K, (C * K).sum(), right @ y


def pcp_kernel(S, component, apart):
    """Samples that must link have one row: the program over these rows. component: of each sample."""
    name, row = np.unique(component, return_inverse=True)
    P = np.eye(len(name))[row]
    place = {c: a for a, c in enumerate(name)}
    K, value, bound = unit_program(P.T @ S @ P, [(place[a], place[b]) for a, b in apart if a in place and b in place])
    return P @ K @ P.T, value, bound


def rows_of(K):
    value, vector = np.linalg.eigh(K)
    kept = value > 1e-9 * value[-1]
    return vector[:, kept] * np.sqrt(value[kept])


def clusters(K, k):
    """Kernel k-means: unit rows in tight clusters have many local optima, hence the many starts."""
    return lloyd(rows_of(K), k, RUNS)[0]


def whole_components(problem):
    """The component of each sample, samples in no pair by themselves."""
    component, apart = closure(problem)
    alone = component < 0
    return np.where(alone, component.max() + 1 + np.arange(problem.n), component), apart


def pcp(problem):
    K, value, bound = pcp_kernel(smoother(problem.X, problem.X), *whole_components(problem))
    assert abs(value - bound) < 5e-7 * (1 + abs(value))
    return value, clusters(K, problem.k), K


def laplacians(n, pairs):
    W = {1: np.zeros((n, n)), -1: np.zeros((n, n))}
    for i, j, sign in pairs:
        W[sign][i, j] = W[sign][j, i] = 1
    return W[1], W[-1], np.diag(W[1].sum(1)) - W[1], np.diag(W[-1].sum(1)) - W[-1]


def tragek(problem, weight=1.0):
    """Eq. 19: min <L,K>^2 / (4 <L^p,K>) + <C,K>. As a^2 / 4b = max over s of s a - s^2 b, it is the maximum over s of
    phi(s) = min <C + s L - s^2 L^p, K>, which is concave: a program with unit diagonal alone for each s."""
    W, Wp, L, Lp = laplacians(problem.n, problem.pairs)
    C = weight * (smoother(problem.X, problem.X) - W + Wp)

    def slope(s):  # of phi, at its K; and phi by its dual
        K, _, bound = unit_program(C + s * L - s**2 * Lp)
        return (L * K).sum() - 2 * s * (Lp * K).sum(), K, bound

    low, at_low, high, at_high = 0.0, slope(0.0)[0], 1.0, slope(1.0)[0]
    while at_high > 0:
        low, at_low, high = high, at_high, 2 * high
        at_high = slope(high)[0]
    for _ in range(60):  # false position, the end that stays halved
        s = (low * at_high - high * at_low) / (at_high - at_low)
        at, K, bound = slope(s)
        if abs(at) * (high - low) < 1e-9:
            break
        if at > 0:
            low, at_low, at_high = s, at, at_high / 2
        else:
            high, at_high, at_low = s, at, at_low / 2
    value = (L * K).sum() ** 2 / (4 * (Lp * K).sum()) + (C * K).sum()
    return value, clusters(K, problem.k), K, bound


def subsets(problem, landmarks, portion):
    """Algorithm 3: constrained samples by falling degree; the first B in every subset, R of the others in each. With the
    total degree of each, Eq. 33's weights."""
    degree = np.zeros(problem.n)
    for i, j, _ in problem.pairs:
        degree[i] += 1
        degree[j] += 1
    order = sorted((i for i in range(problem.n) if degree[i] > 0), key=lambda i: (-degree[i], i))
    if landmarks + 1 >= len(order):
        chosen = [order]
    else:
        rest = order[landmarks:]
        chosen = [order[:landmarks] + rest[at:at + portion] for at in range(0, len(rest), portion)]
    return [(np.array(D), degree[D].sum()) for D in chosen]


def extension(problem, D, KD, neighbours=10):
    """Eq. 31's weights, n x m: samples of D themselves; must-links into D equally; else Eq. 30 over the nearest ones that
    may link (the ridge of roweis2000lle, a thousandth of the trace), brought to norm one (footnote 5)."""
    place, must, cannot = {i: a for a, i in enumerate(D)}, {}, set()
    W = np.zeros((problem.n, len(D)))
    for i, j, sign in problem.pairs:
        for a, b in ((i, j), (j, i)):
            if sign > 0 and a not in place and b in place:
                must.setdefault(a, []).append(place[b])
            if sign < 0:
                cannot.add((a, b))
    for i in range(problem.n):
        if i in place:
            W[i, place[i]] = 1
        elif i in must:
            for a in must[i]:
                W[i, a] += 1 / len(must[i])
        else:
            free = [a for a, j in enumerate(D) if (i, j) not in cannot]
            far = ((problem.X[D[free]] - problem.X[i]) ** 2).sum(1)
            near = np.array(free)[np.argsort(far, kind="stable")[:neighbours]]
            G = problem.X[i] - problem.X[D[near]]
            G = G @ G.T
            w = np.linalg.solve(G + 1e-3 * np.trace(G) * np.eye(len(near)), np.ones(len(near)))
            w /= w.sum()
            W[i, near] = w / np.sqrt(w @ KD[np.ix_(near, near)] @ w)
    return W


def unit_rows(K):
    root = 1 / np.sqrt(np.diag(K))
    return root[:, None] * K * root[None, :]


def whole_kernel(problem, landmarks, portion, learn):
    """Algorithm 3: the mean of the sub-kernels' objectives, and K of Eq. 33, whose rows are brought to norm one for k-means: the
    feature space is the sphere. learn: of the number of a subset, its samples and pairs, and the smoother, the kernel and its
    objective."""
    chosen = subsets(problem, landmarks, portion)
    total, K, value = sum(weight for _, weight in chosen), 0, 0
    for s, (D, weight) in enumerate(chosen):
        inside = set(D.tolist())
        own = Part(problem, D, [p for p in problem.pairs if p[0] in inside and p[1] in inside])
        KD, objective = learn(s, own, smoother(problem.X[D], problem.X))
        W = extension(problem, D, KD)
        K = K + weight / total * W @ KD @ W.T
        value += objective / len(chosen)
    K = unit_rows(K)
    return value, clusters(K, problem.k), K


def enpakl1(problem, landmarks, portion):
    """Sec. 5.3: PCP in place of Algorithm 2."""
    return whole_kernel(problem, landmarks, portion, lambda s, own, S: pcp_kernel(S, *whole_components(own))[:2])


def enpakl_whole(problem, landmarks, portion, guard, steps):
    """ENPAKL from the program's own starts: Algorithm 3, each sub-kernel by some steps of Algorithm 2."""
    return whole_kernel(problem, landmarks, portion,
                        lambda s, own, S: list(itertools.islice(algorithm_2(own, S, guard, s), steps + 1))[-1])


class Part:
    """The samples D and the pairs among them, renumbered."""

    def __init__(self, problem, D, pairs):
        place = {i: a for a, i in enumerate(D)}
        self.n, self.pairs = len(D), [(place[i], place[j], sign) for i, j, sign in pairs]


def enpakl_objective(S, pairs, K, guard=0.0):
    """Eq. 21 (with the normalized Laplacian in its last term, as Eq. 14); guard adds to each inner product that share of its
    matrix's trace."""
    _, _, L, Lp = laplacians(len(K), pairs)
    value = lambda A: np.log((A * K).sum() + guard * np.trace(A))
    return value(L) - value(Lp) + value(S)


def on_one_subset(problem, K):
    """The samples of the only subset, their kernel and pairs, and the smoother over them."""
    (D, _), = subsets(problem, problem.n, 1)
    inside = set(D.tolist())
    part = Part(problem, D, [p for p in problem.pairs if p[0] in inside])
    return D, K[np.ix_(D, D)], part.pairs, smoother(problem.X[D], problem.X)


def enpakl(problem, K, guard):
    """Not convex, its start not printed: judged at the kernel that the program found, of one subset over all constrained
    samples. What is printed of it: Algorithm 2's two conditions; the objective; that no step of Algorithm 2 of any length lowers
    it much; that all other rows are Eq. 31's. The labels are those of k-means on this kernel."""
    D, KD, pairs, S = on_one_subset(problem, K)
    value = enpakl_objective(S, pairs, KD, guard)
    W = extension(problem, D, KD)
    whole = unit_rows(W @ KD @ W.T)
    return value, clusters(whole, problem.k), whole, (abs(np.diag(KD) - 1).max(), -np.linalg.eigvalsh(KD)[0])


def enpakl_step(problem, K, guard, step):
    """The objective after one step of Eq. 23 and the projections of Theorems 3 and 4 until both conditions hold."""
    _, K, pairs, S = on_one_subset(problem, K)
    _, _, L, Lp = laplacians(len(K), pairs)
    K = K - step * sum(sign * A / ((A * K).sum() + guard * np.trace(A)) for sign, A in ((1, L), (-1, Lp), (1, S)))
    for _ in range(500):
        value, vector = np.linalg.eigh(K)
        K = (vector * np.maximum(value, 0)) @ vector.T
        off = abs(np.diag(K) - 1).max()
        np.fill_diagonal(K, 1)
        if off < 1e-9:
            break
    return enpakl_objective(S, pairs, K, guard)


def algorithm_2(part, S, guard, subset=0, columns=200):
    """Algorithm 2 step by step: the kernel and its objective at the start and after each step. What the paper leaves open is as the
    program has it: the start is of random unit rows; the first step is a fifth of the largest K long, and is halved while the
    objective does not fall, doubled after each step; the projections of Theorems 3 and 4 end when the diagonal is within 1e-6 of
    one, which a congruence completes; the steps end when the objective falls by less than 1e-5 of itself."""
    draws, m = Xoshiro(0x1000 + subset), part.n
    V = np.array([[draws.normal() for _ in range(columns)] for _ in range(m)])
    V /= np.linalg.norm(V, axis=1, keepdims=True)
    _, _, L, Lp = laplacians(m, part.pairs)
    terms = [(sign, A) for sign, A in ((1, L), (-1, Lp), (1, S)) if np.trace(A) > 0]
    value = lambda K: sum(sign * np.log((A * K).sum() + guard * np.trace(A)) for sign, A in terms)
    slope = lambda K: sum(sign * A / ((A * K).sum() + guard * np.trace(A)) for sign, A in terms)  # Eq. 22

    def project(K):
        for turn in range(50):
            low, vector = np.linalg.eigh(K)
            K = (vector * np.maximum(low, 0)) @ vector.T  # Theorem 3
            if abs(np.diag(K) - 1).max() <= 1e-6 or turn == 49:
                break
            np.fill_diagonal(K, 1)  # Theorem 4
        return unit_rows(K)

    K, G = V @ V.T, slope(V @ V.T)
    rate, at = 0.2 * m / np.linalg.norm(G), value(K)
    yield K, at
    for _ in range(200):
        for _ in range(30):
            X = project(K - rate * G)  # Eq. 23
            lower = value(X)
            if lower < at:
                break
            rate /= 2
        else:
            return
        K, G, fell, at = X, slope(X), at - lower, lower
        yield K, at
        rate *= 2
        if fell <= 1e-5 * (1 + abs(at)):
            return
