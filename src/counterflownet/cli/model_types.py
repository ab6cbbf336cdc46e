"""Which types a skops file may contain: those that are checked, or that cannot crash whatever their numbers are.

scikit-learn trusts the arrays of a fitted model and hands them to compiled code, which follows wrong ones out of its
memory. The types below compute with numpy, which looks before it reads; where they do not, `model_check` and
`tree_nodes` check what they hold.
"""

from collections.abc import Iterable
from typing import Any

from sklearn import (
    calibration,
    compose,
    decomposition,
    discriminant_analysis,
    dummy,
    ensemble,
    impute,
    linear_model,
    naive_bayes,
    neural_network,
    pipeline,
    preprocessing,
    svm,
    tree,
)
from sklearn._loss import link, loss
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.neural_network import _stochastic_optimizers as optimizers

from counterflownet.cli.skops_archive import Node
from counterflownet.cli.tree_nodes import TREE

CLASSIFIERS = (
    calibration.CalibratedClassifierCV,
    discriminant_analysis.LinearDiscriminantAnalysis,
    discriminant_analysis.QuadraticDiscriminantAnalysis,
    dummy.DummyClassifier,
    ensemble.ExtraTreesClassifier,
    ensemble.HistGradientBoostingClassifier,
    ensemble.RandomForestClassifier,
    ensemble.VotingClassifier,
    linear_model.LogisticRegression,
    linear_model.LogisticRegressionCV,
    linear_model.SGDClassifier,
    naive_bayes.BernoulliNB,
    naive_bayes.CategoricalNB,
    naive_bayes.ComplementNB,
    naive_bayes.GaussianNB,
    naive_bayes.MultinomialNB,
    neural_network.MLPClassifier,
    svm.NuSVC,
    svm.SVC,
    tree.DecisionTreeClassifier,
    tree.ExtraTreeClassifier,
)
REGRESSORS = (
    ensemble.HistGradientBoostingRegressor,
    ensemble.RandomForestRegressor,
    linear_model.LinearRegression,
    linear_model.Ridge,
    tree.DecisionTreeRegressor,
)
TRANSFORMERS = (
    compose.ColumnTransformer,
    decomposition.PCA,
    impute.MissingIndicator,
    impute.SimpleImputer,
    pipeline.FeatureUnion,
    pipeline.Pipeline,
    preprocessing.FunctionTransformer,
    preprocessing.KBinsDiscretizer,
    preprocessing.LabelBinarizer,
    preprocessing.LabelEncoder,
    preprocessing.MaxAbsScaler,
    preprocessing.MinMaxScaler,
    preprocessing.Normalizer,
    preprocessing.OneHotEncoder,
    preprocessing.OrdinalEncoder,
    preprocessing.PowerTransformer,
    preprocessing.QuantileTransformer,
    preprocessing.RobustScaler,
    preprocessing.StandardScaler,
    preprocessing.TargetEncoder,
)
PARTS = (
    calibration._CalibratedClassifier,  # noqa: SLF001
    calibration._SigmoidCalibration,  # noqa: SLF001
    compose.make_column_selector,
    link.HalfLogitLink,
    link.IdentityLink,
    link.Interval,
    link.LogitLink,
    link.LogLink,
    link.MultinomialLogit,
    loss.HalfBinomialLoss,
    loss.HalfMultinomialLoss,
    loss.HalfSquaredError,
    optimizers.AdamOptimizer,
    optimizers.SGDOptimizer,
    _BinMapper,
    TreePredictor,
)
NUMBERS = ("bool", "bool_", "float32", "float64", "int32", "int64", "str_", "uint8", "uint32", "uint64")
FUNCTIONS = ("absolute", "asarray", "cbrt", "exp", "expm1", "log", "log10", "log1p", "log2", "sqrt", "square")


def _named(types: Iterable[type]) -> set[str]:
    return {f"{kind.__module__}.{kind.__qualname__}" for kind in types}


OBJECTS = _named([*CLASSIFIERS, *REGRESSORS, *TRANSFORMERS, *PARTS])
SCALARS = {f"numpy.{name}" for name in NUMBERS}
CALLED = {f"numpy.{name}" for name in FUNCTIONS} | {"sklearn.utils.validation.check_array"}
ALLOWED: dict[str, set[str]] = {
    "DTypeNode": {"numpy.dtype"},
    "DictNode": {"builtins.dict", "collections.OrderedDict", "sklearn.utils._bunch.Bunch"},
    "FunctionNode": CALLED,
    "JsonNode": {"builtins.str"},
    "ListNode": {"builtins.list"},
    "LossNode": {
        f"sklearn._loss._loss.Cy{name}" for name in ("HalfBinomialLoss", "HalfMultinomialLoss", "HalfSquaredError")
    },
    "NdArrayNode": {"numpy.ndarray", *SCALARS},
    "ObjectNode": OBJECTS,
    "PartialNode": {"functools.partial"},
    "RandomGeneratorNode": {"numpy.random._generator.Generator"},
    "RandomStateNode": {"numpy.random.mtrand.RandomState"},
    "SetNode": {"builtins.set"},
    "SliceNode": {"builtins.slice"},
    "TreeNode": {TREE},
    "TupleNode": {"builtins.tuple"},
    "TypeNode": {
        "builtins.bool",
        "builtins.float",
        "builtins.int",
        "builtins.object",
        "builtins.str",
        *SCALARS,
        *CALLED,
    },
}
CHECKED = sorted(set().union(*ALLOWED.values()))
"""The types that skops itself need not ask about, since we know them."""


def unknown_types(nodes: Iterable[Node], trusted: Iterable[str]) -> list[str]:
    """The types that are neither known nor trusted by name."""
    named = {(node["__loader__"], _name(node)) for node in nodes}
    known = set(trusted)
    return sorted({name for loader, name in named if name not in ALLOWED.get(loader, ()) and name not in known})


def _name(node: Node) -> str:
    parts: tuple[Any, Any] = node["__module__"], node["__class__"]
    return ".".join(map(str, parts))
