"""The estimators, by scikit-learn's own checks and by ours."""
import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

import pysegment
from conftest import run
from pysegment import estimators
from test_cluster import affinities

# Checks of scikit-learn that an estimator is excused from, with the reason; at most three each. There are none.
EXCUSED = {}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", estimators.CLASSES, ids=lambda made: made.__name__)
def test_check_estimator(made):
    assert len(EXCUSED.get(made.__name__, ())) <= 3
    passed = 0  # these are all that check_estimator(made()) runs, one by one
    for estimator, check in check_estimator(made(), generate_only=True):
        if check.func.__name__ not in EXCUSED.get(made.__name__, ()):
            check(estimator)
            passed += 1
    assert passed >= 30


def test_there_is_one_for_every_method():
    assert [made.method for made in estimators.CLASSES] == [method.name for method in pysegment.methods()]
    for name in ("CCSKL", "CCSR", "ENPAKL", "TRAGEK", "PCP", "SSKernelKMeans", "PCKMeans"):
        assert issubclass(getattr(pysegment, name), estimators.ConstrainedClusterer)
    assert pysegment.estimators is estimators
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        pysegment.Nonsense
    with pytest.raises(AttributeError, match="no attribute '_hidden'"):
        pysegment._hidden


def test_without_scikit_learn(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pysegment.estimators", None)
    with pytest.raises(AttributeError, match="without scikit-learn"):
        pysegment.CCSKL


def partly(truth, share=0.3):
    y = truth.copy()
    y[np.random.default_rng(1).random(len(y)) > share] = -1
    return y


@pytest.mark.parametrize("made", estimators.CLASSES, ids=lambda made: made.__name__)
def test_fit(made, blobs):
    X, truth = blobs
    y = partly(truth)
    model = made(n_clusters=3)
    assert model.fit(X, y) is model
    assert model.labels_.shape == (120,) and model.labels_.dtype == np.int64 and model.n_features_in_ == 2
    # Names mean something where labels were given.
    assert (model.labels_[y >= 0] == y[y >= 0]).mean() > 0.9
    assert pysegment.pairwise_accuracy(truth, model.labels_) > 0.75
    assert model.n_iter_ >= 1 and model.scores_.shape == (120, 3) and model.ran_
    assert isinstance(model.objective_, float) and model.converged_ in (True, False)
    if made.method in estimators._KERNELS:
        assert model.kernel_factor_ is model.embedding_
        K = model.kernel_factor_ @ model.kernel_factor_.T
        assert np.linalg.eigvalsh(K).min() > -1e-9 * np.abs(K).max()
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.labels_, model.labels_) and again.get_params() == model.get_params()
    other = clone(model)
    assert not hasattr(other, "labels_") and np.array_equal(other.fit_predict(X, y), model.labels_)


@pytest.mark.parametrize("made", estimators.CLASSES, ids=lambda made: made.__name__)
def test_parameters_are_the_librarys(made):
    method = pysegment.find_method(made.method)
    model = made()
    for parameter in method.parameters:
        assert getattr(model, parameter.keyword) == parameter.default
        assert parameter.help in made.__doc__ and parameter.range in made.__doc__
    assert set(model.get_params()) == set(estimators.COMMON) | {one.keyword for one in method.parameters}
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(magic=1)
    with pytest.raises(TypeError):
        made(magic=1)
    assert repr(made(n_clusters=4)) == f"{made.__name__}(n_clusters=4)"
    if method.parameters:
        # What is set arrives: a value out of its range is refused.
        first = method.parameters[0]
        bad = "nonsense" if first.choices else first.high * 2 + 1
        y = np.r_[np.zeros(10, int), np.ones(10, int)]
        with pytest.raises(ValueError, match=first.name):
            model.set_params(**{first.keyword: bad}).fit(np.random.default_rng(0).random((20, 2)), y)


def test_help_says_what_the_program_says():
    said = run("methods")
    listed = "\n\n".join(method.description for method in pysegment.methods()) + "\n"
    assert listed == said
    for made in estimators.CLASSES:
        for line in pysegment.find_method(made.method).description.splitlines():
            assert line in inspect.getdoc(made)
    assert {option.keyword for option in pysegment.options()} > {"patch", "refine", "islands"}


def test_constraints_and_labels(blobs):
    X, truth = blobs
    must, cannot = [[0, 1], [50, 51]], [[0, 50], [50, 100], [0, 100]]
    one = pysegment.PCKMeans(3).fit(X, must_link=must, cannot_link=cannot)
    assert np.array_equal(one.labels_, pysegment.cluster(X, 3, must_link=must, cannot_link=cannot, method="pckmeans").labels)
    with pytest.warns(pysegment.SegmentWarning, match="CCSKL learns from constraints and there are none"):
        without = pysegment.CCSKL(n_clusters=3).fit(X)
    assert 0 <= without.objective_bound_ <= without.objective_ and np.isnan(one.objective_bound_)
    assert without.ran_ == "ncut" and pysegment.pairwise_accuracy(truth, without.labels_) > 0.9
    with pytest.warns(pysegment.SegmentWarning, match="y has 3 labels for 2 clusters: equal ones must link"):
        fewer = pysegment.PCKMeans(n_clusters=2).fit(X, truth, must_link=[[0, 1]])
    for label in range(3):
        assert len(set(fewer.labels_[truth == label])) == 1
    assert len(pysegment.KMeans().fit(X, partly(truth)).clusters_) == 3
    assert len(pysegment.KMeans().fit(X).clusters_) == 2
    assert np.array_equal(pysegment.KMeans(3).fit(X, partly(truth).astype(object)).labels_,
                          pysegment.KMeans(3).fit(X, partly(truth).astype(float)).labels_)


def test_precomputed_graph_and_seeds(blobs):
    X, truth = blobs
    model = pysegment.NormalizedCuts(n_clusters=3, graph="precomputed").fit(affinities(X))
    assert pysegment.adjusted_rand(truth, model.labels_) > 0.95 and model.n_features_in_ == 120
    drawn = pysegment.KMeans(n_clusters=3, random_state=np.random.RandomState(5)).fit(X).labels_
    assert np.array_equal(drawn, pysegment.KMeans(n_clusters=3, random_state=np.random.RandomState(5)).fit(X).labels_)
    assert pysegment.KMeans(n_clusters=3, random_state=None).fit(X).labels_.shape == (120,)


def test_in_a_pipeline_and_a_search(blobs):
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, truth = blobs
    assert make_pipeline(StandardScaler(), pysegment.SSKernelKMeans(3)).fit_predict(X, partly(truth)).shape == (120,)
    search = GridSearchCV(pysegment.KMeans(3), {"seeds": ["fixed", "none"]}, cv=[(np.arange(120), np.arange(120))],
                          scoring=lambda model, X, y: pysegment.nmi(y, model.labels_))
    assert search.fit(X, truth).best_score_ > 0.9
