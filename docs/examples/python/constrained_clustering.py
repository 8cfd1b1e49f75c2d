"""Constrained clustering beside scikit-learn's: two moons, and a few pairs that a person knows.

    python3 docs/examples/python/constrained_clustering.py FOLDER [DRAWS]
"""
# %%
import sys
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score

import pysegment


# %% [markdown]
# The samples, and what is known: `count` pairs drawn at random.
def draw_pairs(truth, count, rng):
    i, j = rng.choice(len(truth), (2, count))
    i, j = i[i != j], j[i != j]
    pairs, same = np.column_stack([i, j]), truth[i] == truth[j]
    return pairs[same], pairs[~same]


def main():
    folder = Path(sys.argv[1])
    X, truth = make_moons(300, noise=0.14, random_state=3)
    plain = {"KMeans (scikit-learn)": KMeans(2, n_init=10, random_state=1).fit_predict(X),
             "SpectralClustering (scikit-learn)": SpectralClustering(2, affinity="nearest_neighbors", random_state=1,
                                                                     assign_labels="discretize").fit_predict(X)}
    # %% [markdown]
    # How much each method makes of ten to a hundred pairs: the mean of DRAWS draws, else of five.
    counts, draws = [0, 10, 20, 40, 70, 100], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    methods = {"CCSKL": pysegment.CCSKL(2), "PCKMeans": pysegment.PCKMeans(2), "ENPAKL": pysegment.ENPAKL(2),
               "AutoCluster": pysegment.AutoCluster(2)}
    curves = {name: [] for name in methods}
    for count in counts:
        for name, model in methods.items():
            scores = []
            for draw in range(draws):
                must, cannot = draw_pairs(truth, count, np.random.default_rng(draw))
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", pysegment.SegmentWarning)  # without pairs, normalized cuts take over
                    found = model.fit_predict(X, must_link=must, cannot_link=cannot)
                scores.append(adjusted_rand_score(truth, found))
            curves[name].append(np.mean(scores))
    for name, labels in plain.items():
        print(f"{name}: adjusted Rand index {adjusted_rand_score(truth, labels):.3f}")
    for name, curve in curves.items():
        print(f"{name}: {', '.join(f'{one:.3f}' for one in curve)} for {', '.join(map(str, counts))} pairs")

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    must, cannot = draw_pairs(truth, 40, np.random.default_rng(0))
    labels = pysegment.CCSKL(2).fit_predict(X, must_link=must, cannot_link=cannot)
    left.scatter(*X.T, c=labels, s=9, cmap="viridis")
    for pairs, style in ((must, "k-"), (cannot, "r:")):
        for i, j in pairs:
            left.plot(*X[[i, j]].T, style, linewidth=0.7)
    left.set_title("CCSKL with 40 pairs (must-links black, cannot-links red)", fontsize=8)
    for name, curve in curves.items():
        right.plot(counts, curve, marker="o", markersize=3, label=name)
    for name, labels in plain.items():
        right.axhline(adjusted_rand_score(truth, labels), linestyle="--", linewidth=0.8, color="grey")
        right.text(100, adjusted_rand_score(truth, labels), name, fontsize=6, ha="right", va="bottom")
    right.set_xlabel("pairs", fontsize=8)
    right.set_ylabel("adjusted Rand index", fontsize=8)
    right.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(folder / "python-clustering.png", dpi=90)


if __name__ == "__main__":
    main()
