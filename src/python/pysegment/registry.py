"""The library's tables of methods and options: what they are called, what they take, and how they are set."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from ._binding import ffi, lib
from .context import Context, text_of
from .errors import UsageError


class Parameter(NamedTuple):
    """A parameter of a method, a row of the library's table."""

    name: str  #: as on the command line
    default: Any  #: a number, or the name of a choice
    low: float
    high: float
    whole: bool  #: only whole numbers make sense
    choices: Optional[Tuple[str, ...]]
    help: str

    @property
    def keyword(self) -> str:
        """The name as an argument in Python: ``sigma-scale`` is `sigma_scale`, and ``lambda``, a word of Python, `lam`."""
        return "lam" if self.name == "lambda" else self.name.replace("-", "_")

    @property
    def range(self) -> str:
        if self.choices:
            return ", ".join(self.choices)
        return f"{'whole, ' if self.whole else ''}{self.low:g} to {self.high:g}"


class Method(NamedTuple):
    """A method of the library's registry."""

    name: str
    title: str
    source: str  #: keys in docs/references.bib
    needs_graph: bool
    needs_constraints: bool
    needs_features: bool
    needs: int  #: what else it needs, bits of the library's seg_needs
    parameters: Tuple[Parameter, ...]
    paper: Optional[Tuple[str, ...]]  #: NAME=VALUE by which the variant paper differs from the defaults; None: no paper prints it
    improved: Optional[str]  #: what the defaults add to what is printed
    graph: int  #: of the paper, one of the library's seg_paper_graph

    @property
    def description(self) -> str:
        """What ``segment methods`` says of it."""
        lines = [f"{self.name}: {self.title}", f"  [{self.source}]"]
        if self.needs_constraints:
            lines.append("  needs scribbles or constraints")
        if self.paper is not None:
            graph = {lib.SEG_PAPER_GRAPH_KNN: "; graph: 20 nearest neighbours, width the mean distance to the 20th",
                     lib.SEG_PAPER_GRAPH_FULL: "; graph: all pairs, width their mean distance"}.get(self.graph, "")
            lines.append(f"  variant paper: {' '.join(self.paper) or 'the same'}{graph}")
        if self.improved:
            lines.append(f"  variant improved, the default: {self.improved}")
        for parameter in self.parameters:
            initial = parameter.default if parameter.choices else f"{parameter.default:g}"
            lines += [f"  {parameter.name} = {initial} ({parameter.range})", f"      {parameter.help}"]
        return "\n".join(lines)


def _texts(list_) -> Optional[Tuple[str, ...]]:
    """A list of texts that ends with NULL; NULL itself is None."""
    if list_ == ffi.NULL:
        return None
    texts: List[str] = []
    while list_[len(texts)] != ffi.NULL:
        texts.append(text_of(list_[len(texts)]))
    return tuple(texts)


def _parameter(row) -> Parameter:
    choices = _texts(row.choice)
    default = choices[int(row.initial)] if choices else int(row.initial) if row.whole else row.initial
    return Parameter(text_of(row.name), default, row.low, row.high, bool(row.whole), choices, text_of(row.help))


def _method(row) -> Method:
    return Method(text_of(row.name), text_of(row.title), text_of(row.source), bool(row.needs & lib.SEG_NEEDS_GRAPH),
                  bool(row.needs & lib.SEG_NEEDS_CONSTRAINTS), bool(row.needs & lib.SEG_NEEDS_FEATURES), row.needs,
                  tuple(_parameter(row.param[i]) for i in range(row.param_count)), _texts(row.paper), text_of(row.improved) or None,
                  row.graph)


def default_options(context: Context):
    """The library's options, as they are by default."""
    room = ffi.new("seg_options **")
    version = (lib.SEG_VERSION_MAJOR * 1000 + lib.SEG_VERSION_MINOR) * 1000 + lib.SEG_VERSION_PATCH
    context.quick(lib.seg_options_create_for, version, room)
    return ffi.gc(room[0], lib.seg_options_free)


def wants(probability: bool, uncertainty: bool) -> int:
    """What a result shall hold, for seg_options_want()."""
    return (lib.SEG_WANT_PROBABILITY if probability else 0) | (lib.SEG_WANT_UNCERTAINTY if uncertainty else 0)


_METHODS: Dict[str, Method] = {}
while _row := lib.seg_method_at(len(_METHODS)):
    _found = _method(_row)
    _METHODS[_found.name] = _found


def methods() -> List[Method]:
    """All methods, in the order of ``segment methods``."""
    return list(_METHODS.values())


def find_method(name: str) -> Method:
    """The method of that name."""
    try:
        return _METHODS[name]
    except (KeyError, TypeError):
        raise UsageError(f"there is no method {name!r}; pysegment.methods() lists them: {', '.join(_METHODS)}") from None


class Option(NamedTuple):
    """An option of a segmentation, a row of the library's table."""

    name: str
    default: Optional[str]
    unit: Optional[str]
    help: str

    @property
    def keyword(self) -> str:
        return self.name.replace("-", "_")


def _options() -> Dict[str, Option]:
    rows: Dict[str, Option] = {}
    while True:
        row = lib.seg_option_at(len(rows))
        if row == ffi.NULL:
            return rows
        name = text_of(row.name)
        rows[name] = Option(name, text_of(row.initial) or None, text_of(row.unit) or None, text_of(row.help))


_OPTIONS = _options()
# They have arguments of their own.
_ELSEWHERE = {"regions": "k", "method": "method", "param": "the parameters themselves"}


def options() -> List[Option]:
    """What `segment` and `Session` take as further arguments, besides the parameters of the method."""
    return [option for name, option in _OPTIONS.items() if name not in _ELSEWHERE]


def text_of_value(value: Any) -> str:
    """A value as the command line writes it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, dict):
        return ",".join(f"{name}={text_of_value(weight)}" for name, weight in value.items())
    if hasattr(value, "tolist"):  # NumPy's
        value = value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(text_of_value(one) for one in value)
    if isinstance(value, float):
        return repr(value)
    return str(value)


def set_option(context: Context, options_, name: str, value: Any):
    if "\0" in text_of_value(value):
        raise UsageError(f"{name} holds a zero byte")
    context.call(lib.seg_options_set, options_, name.encode(), text_of_value(value).encode("utf-8", "surrogateescape"))


def set_all(context: Context, options_, method: Optional[str], given: Dict[str, Any]):
    """Set the method, options and parameters of the method, as keyword arguments have them."""
    row = find_method("auto" if method is None else method)
    parameters = {parameter.keyword: parameter for parameter in row.parameters}
    known = {option.keyword: option for option in options()}
    for word in given:
        if word not in known and word not in parameters:
            raise TypeError(f"there is no option or parameter {word!r} of the method {row.name}; there are "
                            f"{', '.join([*known, *parameters])}")
    # Without constraints "auto" is another method, unless it is named or its parameters are.
    if row.name != "auto" or any(word in parameters and word not in known for word in given):
        set_option(context, options_, "method", row.name)
    for word, option in known.items():  # in the table's order, since an option is set after those it needs
        value = given.get(word)
        flag = lib.seg_option_find(option.name.encode()).type == lib.SEG_OPTION_FLAG
        if value is not None and not (flag and not value):
            set_option(context, options_, option.name, 1 if flag else value)
    for word, value in given.items():
        if word not in known:
            set_option(context, options_, "param", f"{parameters[word].name}={text_of_value(value)}")
