"""The methods as their papers print them, in dense NumPy, from the papers alone."""
import heapq

import numpy as np

from problems import Draws, Xoshiro, closure, implied


def squared(X):
    return ((X[:, None, :] - X[None, :, :]) ** 2).sum(-1)


def paper_graph(X):
    """20 nearest neighbours, either way; the width is the mean distance to the 20th [li2009ccskl, Sec. 5.2]."""
    D, n = squared(X), len(X)
    order = np.argsort(D + np.diag(np.full(n, -1.0)), axis=1, kind="stable")[:, 1:21]
    sigma = np.sqrt(D[np.arange(n), order[:, -1]]).mean()
    near = np.zeros((n, n), bool)
    near[np.repeat(np.arange(n), 20), order.ravel()] = True
    return np.where(near | near.T, np.exp(-D / (2 * sigma**2)), 0)


def normalized_laplacian(W):
    root = 1 / np.sqrt(W.sum(1))
    return np.eye(len(W)) - root[:, None] * W * root[None, :]


def smoothest(W, m):
    value, vector = np.linalg.eigh(normalized_laplacian(W))
    return value[:m], vector[:, :m]


def directions(Z):
    return Z / np.linalg.norm(Z, axis=-1, keepdims=True)


def first_centres(Z, k, draws, apart):
    """k-means++: rows of Z. apart: the squared distances of all rows."""
    chosen, nearest = [draws.below(len(Z))], np.inf
    while len(chosen) < k:
        nearest = np.minimum(nearest, apart[chosen[-1]])
        sums = nearest.cumsum()
        chosen.append(sums.searchsorted(draws.uniform() * sums[-1]))
    return Z[chosen]


def lloyd(Z, k, runs=200, seed=1, project=lambda C: C):
    """The best of many runs, all taken at once: labels and the sum of squares. project: what is made of the means."""
    draws, apart = Draws(seed), squared(Z)
    centre = np.array([first_centres(Z, k, draws, apart) for _ in range(runs)])
    label, best = None, (np.inf, None)
    while len(centre):
        # without the square of the row, which is the same for every centre
        new = ((centre**2).sum(2) - 2 * (Z @ centre.reshape(-1, Z.shape[1]).T).reshape(len(Z), -1, k)).argmin(2).T
        if label is not None:
            settled = (new == label).all(1)
            for own, mine in zip(centre[settled], new[settled]):
                value = ((Z - own[mine]) ** 2).sum()
                best = (value, mine) if value < best[0] else best
            centre, new = centre[~settled], new[~settled]
        label, first = np.unique(new, axis=0, return_index=True)  # runs that meet go on as one
        member = (label[:, None] == np.arange(k)[:, None]).astype(float)
        count = member.sum(2)[:, :, None]
        centre = project(np.where(count > 0, member @ Z / np.maximum(count, 1), centre[first]))
    return best[1], best[0]


def spherical_kmeans(problem):
    """The sum of 1 - cos to centres of length one [dhillon2001concept]."""
    label, squares = lloyd(directions(problem.X), problem.k, project=directions)
    return squares / 2, label


def discretise(V, k):
    """The nearest partition matrix [yu2003multiclass], from every row as the first of the start."""
    Z = V / np.linalg.norm(V, axis=1, keepdims=True)
    best = (-1, None)
    for first in range(len(Z)):
        R, c = [Z[first]], np.zeros(len(Z))
        for _ in range(1, k):
            c += abs(Z @ R[-1])
            R.append(Z[c.argmin()])
        R, last = np.array(R).T, 0
        for _ in range(100):
            label = (Z @ R).argmax(1)
            U, S, T = np.linalg.svd(Z.T @ np.eye(k)[label])
            if abs(S.sum() - last) < 1e-12:
                break
            last, R = S.sum(), U @ T
        if last > best[0] + 1e-9:
            best = (last, label)
    return best[1]


def ncut(problem):
    W = paper_graph(problem.X)
    _, V = smoothest(W, problem.k)
    label = discretise(V, problem.k)
    parts = [label == c for c in range(problem.k)]
    return sum(1 - W[np.ix_(own, own)].sum() / W[own].sum() for own in parts), label


def spectral_learning(problem):
    A = paper_graph(problem.X)
    A /= A.max()
    for i, j, sign in problem.pairs:
        A[i, j] = A[j, i] = sign > 0
    value, V = np.linalg.eigh(np.diag(A.sum(1)) - A)
    label, _ = lloyd(V[:, :problem.k] * np.sqrt(problem.n), problem.k)
    return value[:problem.k].sum(), label


def targets(problem):
    """Rows i, j and what their inner product is to be: 1 with itself and must-links, 0 cannot-links."""
    rows = [(i, i, 1.0) for i in range(problem.n)]
    return rows + [(i, j, 1.0 if sign > 0 else 0.0) for i, j, sign in problem.pairs]


def least_squares_nonnegative(Q, t):
    """Lawson and Hanson's active set."""
    x, passive = np.zeros(Q.shape[1]), np.zeros(Q.shape[1], bool)
    for _ in range(1000):
        w = Q.T @ (t - Q @ x)
        w[passive] = -np.inf
        if passive.all() or w.max() <= 1e-10:
            break
        passive[w.argmax()] = True
        while True:
            s = np.zeros_like(x)
            s[passive] = np.linalg.lstsq(Q[:, passive], t, rcond=None)[0]
            if s[passive].min() > 0:
                break
            low = passive & (s <= 0)
            x += (x[low] / (x[low] - s[low])).min() * (s - x)
            passive &= x > 1e-14
            x[~passive] = 0
        x = s
    return x


def ccskl(problem, m=20):
    F = smoothest(paper_graph(problem.X), m)[1] * np.sqrt(problem.n)
    rows = targets(problem)
    Q, t = np.array([F[i] * F[j] for i, j, _ in rows]), np.array([t for _, _, t in rows])
    sums = np.triu(np.ones((m, m)))  # beta = sums z, z >= 0: non-increasing
    beta = sums @ least_squares_nonnegative(Q @ sums, t)
    label, _ = lloyd(F * np.sqrt(beta), problem.k)
    return ((Q @ beta - t) ** 2).sum(), label


def ccsr(problem, m=15):
    F = smoothest(paper_graph(problem.X), m)[1] * np.sqrt(problem.n)
    rows = targets(problem)
    L, R = np.array([F[i] for i, _, _ in rows]), np.array([F[j] for _, j, _ in rows])
    t = np.array([t for _, _, t in rows])
    flat = np.einsum("pa,pb->pab", L, R).reshape(len(t), -1)
    step = 1 / (2 * np.linalg.norm(flat, 2) ** 2)
    M = Y = np.zeros((m, m))
    speed = 1.0
    for _ in range(20000):  # accelerated projected gradient
        G = (2 * (flat @ Y.ravel() - t) @ flat).reshape(m, m)
        value, vector = np.linalg.eigh(Y - step * (G + G.T) / 2)
        new = (vector * np.maximum(value, 0)) @ vector.T
        next_speed = (1 + np.sqrt(1 + 4 * speed**2)) / 2
        if ((Y - new) * (new - M)).sum() > 0:  # restart
            next_speed = 1.0
            Y = new
        else:
            Y = new + (speed - 1) / next_speed * (new - M)
        moved = abs(new - M).max()
        M, speed = new, next_speed
        if moved < 1e-14 * abs(M).max():
            break
    value, vector = np.linalg.eigh(M)
    label, _ = lloyd(F @ (vector * np.sqrt(np.maximum(value, 0))), problem.k)
    return ((flat @ M.ravel() - t) ** 2).sum(), label


def penalties(problem):
    """W of kulis2009sskk: n / (k C) for must-links, its negative for cannot-links [Sec. 5.2]."""
    W, unit = np.zeros((problem.n, problem.n)), problem.n / (problem.k * len(problem.pairs))
    for i, j, sign in problem.pairs:
        W[i, j] = W[j, i] = sign * unit
    return W


def trace(K, weight, k, label):
    """What Algorithm 1 of kulis2009sskk maximises [Secs. 3.1, 4.2]; the empty cluster has no part in it."""
    parts = [weight * (label == c) for c in range(k)]
    return sum(a @ K @ a / a.sum() for a in parts if a.sum() > 0)


def batch_path(K, weight, k, label):
    """Algorithm 1 of kulis2009sskk: the labels of the start and after each step. The last step, which is not in the path, moves
    nothing, or does not raise the trace: a K that is not positive semidefinite allows that, and the paper leaves open what follows."""
    path = [label]
    while True:
        D = np.full((len(K), k), np.inf)
        for c in range(k):
            a = weight * (path[-1] == c)
            if a.sum() > 0:
                D[:, c] = np.diag(K) - 2 * (K @ a) / a.sum() + a @ K @ a / a.sum() ** 2
        D -= 1e-12 * np.eye(k)[path[-1]] * abs(D[np.isfinite(D)]).max()  # ties stay
        new = D.argmin(1)
        before = trace(K, weight, k, path[-1])
        if trace(K, weight, k, new) <= before + 1e-12 * abs(before):
            return path
        path.append(new)


def farthest_first(problem, distances_to):
    """Algorithm 3: the components of the must-links, the largest, then the farthest; all else to the nearest seed.
    distances_to: squared distances, or path lengths, of all samples to a seed."""
    component, _ = closure(problem)
    members = [np.flatnonzero(component == c) for c in range(component.max() + 1)]
    nearest, label, left = np.full(problem.n, np.inf), np.full(problem.n, -1), set(range(len(members)))
    fixed = np.full(problem.n, -1)
    for seed in range(problem.k):
        far = lambda c: (nearest[members[c]].sum(), len(members[c]), -c)
        chosen = max(left, key=far)
        left.remove(chosen)
        fixed[members[chosen]] = seed
        D = distances_to(members[chosen])
        label = np.where(D < nearest, seed, label)
        nearest = np.minimum(D, nearest)
    return np.where(fixed >= 0, fixed, label)


def kernel_hmrf_path(problem, shifted=True):
    """Algorithm 2 with inner products, step by step: the objective, Eq. 3, and the labels. The shift is Gershgorin's bound for W."""
    X = problem.X - problem.X.mean(0)
    S, W = X @ X.T, penalties(problem)
    K = S + W + shifted * np.eye(problem.n) * abs(W).sum(1).max() * (1 + 1e-9)
    one = np.ones(problem.n)
    start = farthest_first(problem, lambda seed: ((X - X[seed].mean(0)) ** 2).sum(1))
    return [(np.trace(S) - trace(S + W, one, problem.k, label), label)
            for label in batch_path(K, one, problem.k, start)]


def paths(A, sources):
    """Lengths of shortest paths, an edge of weight w being 1 / w long."""
    length = np.full(len(A), np.inf)
    heap = [(0.0, int(i)) for i in sources]
    length[sources] = 0
    while heap:
        at, i = heapq.heappop(heap)
        if at > length[i]:
            continue
        for j in np.flatnonzero(A[i]):
            if at + 1 / A[i, j] < length[j]:
                length[j] = at + 1 / A[i, j]
                heapq.heappush(heap, (length[j], int(j)))
    return length


def sskk_path(problem, objective="normalized-cut", shifted=False):
    """Algorithm 4 step by step: the objective, Eqs. 7 to 9, and the labels. The shift makes the kernel positive semidefinite by
    Gershgorin's discs, for the Laplacian by the degrees of neighbours [anderson1985]; without it the kernel is used as it is [Secs.
    2.1, 3.1]."""
    A, W = paper_graph(problem.X), penalties(problem)
    d = A.sum(1)
    weight = d if objective == "normalized-cut" else np.ones(problem.n)
    B = W + A - (np.diag(d) if objective == "ratio-cut" else 0)
    below = (d[:, None] + d[None, :])[A > 0].max() if objective == "ratio-cut" else (d / weight).max()
    sigma = (below + (abs(W).sum(1) / weight).max()) * (1 + 1e-9)
    K = B / weight[:, None] / weight[None, :] + shifted * sigma * np.diag(1 / weight)
    path = []
    for label in batch_path(K, weight, problem.k, farthest_first(problem, lambda seed: paths(A, seed))):
        value = 0
        for c in range(problem.k):
            inside = label == c
            kept, out = A[np.ix_(inside, inside)].sum(), A[inside][:, ~inside].sum()
            part = -kept if objective == "association" else out
            value += (part - W[np.ix_(inside, inside)].sum()) / weight[inside].sum()
        path.append((value, label))
    return path


def broken(pairs, label):
    return sum((label[i] == label[j]) != (sign > 0) for i, j, sign in pairs)


def centres(X, label, k):
    return np.array([X[label == c].mean(0) for c in range(k)])


def penalised(problem, label, distortion, w, cosine=False):
    """The objective of k-means with penalties, and whether no single sample may lower it at these centres."""
    pairs, X = implied(problem), directions(problem.X) if cosine else problem.X
    C = centres(X, label, problem.k)
    C = directions(C) if cosine else C
    D = distortion * ((X[:, None] - C[None]) ** 2).sum(-1)
    own = np.arange(problem.n), label
    cost = D.copy()
    for i, j, sign in pairs:
        for a, b in ((i, j), (j, i)):
            cost[a] += w * ((np.arange(problem.k) == label[b]) != (sign > 0))
    settled = (cost[own] <= cost.min(1) + 1e-9 * (1 + abs(cost).max())).all()
    return D[own].sum() + w * broken(pairs, label), settled


def pckmeans(problem, label):
    return penalised(problem, label, 0.5, 1.0)


def pckmeans_cosine(problem, label):
    return penalised(problem, label, 0.5, 1.0, True)  # half a squared distance of directions is 1 - cos


def hmrf_kmeans(problem, label):
    """C of n / (k C) is the total number of constraints, those of the learning curves [Sec. 5.2]: as supplied."""
    return penalised(problem, label, 1.0, problem.n / (problem.k * len(problem.pairs)))


def hmrf_kmeans_closure(problem, label):
    return penalised(problem, label, 1.0, problem.n / (problem.k * len(implied(problem))))


def mpck_means(problem, label, prior=1.0):
    """The objective under the best diagonal metric, and whether no single sample may lower it at that metric and these centres."""
    X = (problem.X - problem.X.mean(0)) / problem.X.std(0)
    C, rows = centres(X, label, problem.k), np.arange(problem.n)
    box = (X.max(0) - X.min(0)) ** 2
    terms = [(X[i] - X[j]) ** 2 if sign > 0 else box - (X[i] - X[j]) ** 2 for i, j, sign in problem.pairs]
    kept = [(label[i] == label[j]) == (sign > 0) for i, j, sign in problem.pairs]
    A = (problem.n + prior) / (((X - C[label]) ** 2).sum(0) + sum(t for t, keeps in zip(terms, kept) if not keeps) + prior)
    cost = (A * (X[:, None] - C[None]) ** 2).sum(-1)
    value = cost[rows, label].sum() + sum(A @ t for t, keeps in zip(terms, kept) if not keeps) - problem.n * np.log(A).sum()
    for (i, j, sign), t in zip(problem.pairs, terms):
        for a, b in ((i, j), (j, i)):
            cost[a] += A @ t * ((np.arange(problem.k) == label[b]) != (sign > 0))
    return value + prior * (A - np.log(A)).sum(), (cost[rows, label] <= cost.min(1) + 1e-9 * abs(cost).max()).all()


def seeded_kmeans(problem, label):
    return penalised(problem, label, 1.0, 0.0)


def cop_kmeans(problem, runs=10):
    """wagstaff2001cop, Table 1, from the program's own starts: rows drawn at random. Samples in the order of the table go to the
    nearest centre that breaks no constraint of the closure; a run ends where one finds none, or where nothing changes."""
    component, apart = closure(problem)
    best = (np.inf, None)
    for run in range(runs):
        draws, rows = Xoshiro(0x4000 + (run << 32)), []
        while len(rows) < problem.k:
            row = draws.below(problem.n)
            rows += [row] if row not in rows else []
        C, label, changed = problem.X[rows], None, True
        while changed:
            D = ((problem.X[:, None] - C[None]) ** 2).sum(-1)
            placed, new = {}, []
            for i, a in enumerate(component):
                free = [c for c in range(problem.k) if a < 0 or placed.get(a, c) == c and
                        not any(placed.get(b) == c and tuple(sorted((a, b))) in apart for b in placed)]
                if not free:
                    break
                new.append(min(free, key=lambda c: D[i, c]))
                if a >= 0:
                    placed[a] = new[-1]
            if len(new) < problem.n:
                break
            changed = new != label
            label = new
            C = np.array([problem.X[np.array(label) == c].mean(0) if c in label else C[c] for c in range(problem.k)])
        else:
            value = D[np.arange(problem.n), label].sum()
            if value < best[0]:
                best = (value, np.array(label))
    return best


def explore_consolidate(problem, asked):
    """What is wrong with the pairs i, j, sign that basu2004active, Figs. 2 and 3, asked, in their order; the neighbourhoods are
    followed from them."""
    hoods, at, phases = [[asked[0][1]]], 0, [0, 0]
    distance = lambda i, j: ((problem.X[i] - problem.X[j]) ** 2).sum()
    while at < len(asked):
        x, order = asked[at][0], []
        if any(x in hood for hood in hoods):
            return "%d is known" % x
        explores = len(hoods) < problem.k
        phases[not explores] += 1
        if explores:  # the farthest from all that are known
            far = lambda i: min(distance(i, j) for hood in hoods for j in hood)
            if any(far(i) > far(x) * (1 + 1e-12) for i in range(problem.n)):
                return "%d is not the farthest" % x
        nearest = sorted(range(len(hoods)), key=lambda h: ((problem.X[x] - problem.X[hoods[h]].mean(0)) ** 2).sum())
        while at < len(asked) and asked[at][0] == x and len(order) < len(hoods):
            i, j, sign = asked[at]
            order.append(next(h for h in range(len(hoods)) if j in hoods[h]))
            if sign != (1 if problem.truth[i] == problem.truth[j] else -1):
                return "a wrong answer about %d and %d" % (i, j)
            at += 1
            if sign > 0:
                break
        if order != nearest[:len(order)]:
            return "%d is compared in the order %s, not %s" % (x, order, nearest)
        if sign > 0:
            hoods[order[-1]].append(x)
        elif len(order) == len(hoods) and explores:
            hoods.append([x])
        elif at < len(asked):
            return "%d is left" % x
    return "" if min(phases) > 0 else "one of the phases is missing"


def fuzzy_cmeans(X, k, limit=100, tolerance=1e-5):
    """Memberships and centres [bezdek1981fuzzy], fuzziness 2, from the program's own random memberships."""
    draws = Xoshiro(0x61697063)
    U = np.array([[1 - draws.uniform() for _ in range(k)] for _ in X])
    for _ in range(limit):
        weight = U**2
        centre = weight.T @ X / weight.sum(0)[:, None]
        D = ((X[:, None] - centre[None]) ** 2).sum(-1)
        before, U = U, (1 / D) / (1 / D).sum(1, keepdims=True)
        if abs(U - before).max() < tolerance:
            break
    return U, centre


def aipc(problem):
    """The pairs i, j, sign of zhong2019aipc until every sample was asked about, those that it guesses among them, from a closure
    that is computed again for each."""
    X, k, pairs = problem.X, problem.k, []
    U, centre = fuzzy_cmeans(X, k)
    strong = [int(((X - m) ** 2).sum(1).argmin()) for m in centre]
    divergence = lambda p, q: (p * np.log(p / q)).sum()

    def between(i, j):
        must = [p for p in pairs if p[2] > 0]
        part = list(range(problem.n))
        for a, b, _ in must:
            old, new = part[a], part[b]
            part = [new if x == old else x for x in part]
        if part[i] == part[j]:
            return 1
        return -1 if any({part[a], part[b]} == {part[i], part[j]} for a, b, sign in pairs if sign < 0) else 0

    for x in np.argsort((U * np.log(U)).sum(1), kind="stable").tolist():
        first, second = sorted(strong, key=lambda s: (divergence(U[x], U[s]) + divergence(U[s], U[x])) / 2)[:2]
        known = between(x, second)
        if known == 0:
            known = 1 if problem.truth[x] == problem.truth[second] else -1
            pairs.append([x, second, known])
        if known < 0 and between(x, first) == 0:
            pairs.append([x, first, 1])
    return pairs


def kernel_kmeans_objective(problem, label):
    """Exponential kernel, three times the mean distance to ten neighbours wide; settled: no batch step moves a sample."""
    D = squared(problem.X)
    near = np.sort(D, axis=1)[:, 1:11]
    K = np.exp(-D / (2 * (3 * np.sqrt(near).mean()) ** 2))
    value = np.trace(K) - sum(K[np.ix_(label == c, label == c)].sum() / (label == c).sum() for c in range(problem.k))
    return value, len(batch_path(K, np.ones(problem.n), problem.k, label)) == 1
