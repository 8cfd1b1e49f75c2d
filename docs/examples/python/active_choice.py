"""Which pairs to ask a person about: questions chosen by the library against questions at random.

    python3 docs/examples/python/active_choice.py FOLDER
"""
# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import pysegment


# %% [markdown]
# The person is played by the known classes. Every answer is followed by a clustering with what is known by then.
def ask(X, truth, strategy, questions, seed):
    asked = pysegment.ActiveConstraints(X, strategy, k=3, budget=questions, seed=seed)
    model = pysegment.PCKMeans(n_clusters=3)
    scores = []
    for i, j in asked:
        asked.answer(bool(truth[i] == truth[j]))
        labels = model.fit_predict(X, must_link=asked.must_link, cannot_link=asked.cannot_link)
        scores.append(pysegment.pairwise_accuracy(truth, labels))
    return scores + scores[-1:] * (questions - len(scores))


def main():
    folder = Path(sys.argv[1])
    X, truth = load_iris(return_X_y=True)
    questions = 40
    figure, axes = plt.subplots(figsize=(5.4, 3.4))
    for strategy in ("explore-consolidate", "minmax", "random"):
        mean = np.mean([ask(X, truth, strategy, questions, seed) for seed in range(1, 6)], axis=0)
        axes.plot(np.arange(1, questions + 1), mean, label=strategy)
        print(f"{strategy}: pairwise accuracy {mean[9]:.3f} after 10 answers, {mean[-1]:.3f} after {questions}")
    axes.set_xlabel("answers", fontsize=8)
    axes.set_ylabel("pairwise accuracy", fontsize=8)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(folder / "python-active.png", dpi=90)


if __name__ == "__main__":
    main()
