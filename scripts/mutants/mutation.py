"""Small changes of a source file, of which tests should notice each."""

import ast
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

SYMMETRIC = {"min", "max", "minimum", "maximum"}  # which of two arguments comes first makes no difference
ALIASES = {"Int", "Float", "Bool", "Literal", "tuple", "Mapping"}  # what aliases of types are made of
ORDERS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}  # as the border moves
OPPOSITES = {ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}
TURNED = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
SUMS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*"}
ARITHMETIC = SUMS | {ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<"}
PAIRS = (("min", "max"), ("any", "all"), ("argmin", "argmax"), ("minimum", "maximum"), ("zeros", "ones"))
TWINS = dict(PAIRS) | {right: left for left, right in PAIRS} | {"floor": "ceil", "head": "tail"}


@dataclass(frozen=True, slots=True)
class Mutation:
    """``before`` is replaced by ``after`` at a place of a file, on the line that read ``text``."""

    file: str
    line: int
    text: str
    column: int
    before: str
    after: str

    @property
    def key(self) -> tuple[str, str, int, str, str]:
        """What stays the same while lines above come and go."""
        return self.file, self.text, self.column, self.before, self.after

    def to_json(self) -> dict[str, str | int]:
        return asdict(self)

    def applied(self, source: str) -> str:
        lines = source.splitlines(keepends=True)
        start = sum(map(len, lines[: self.line - 1])) + self.column
        if not source.startswith(self.before, start):
            raise ValueError(f"{self.file}:{self.line} does not read {self.before!r}")
        return source[:start] + self.after + source[start + len(self.before) :]


def mutations(root: Path, file: Path) -> list[Mutation]:
    """Every small change of the file that is still Python, each once."""
    source = file.read_text(encoding="utf-8")
    lines = source.splitlines()
    found = {}
    for node, after in _changes(ast.parse(source)):
        before = ast.get_source_segment(source, node)
        if before is None or not lines[node.lineno - 1].isascii():  # columns count bytes
            continue
        text = lines[node.lineno - 1].strip()
        made = Mutation(str(file.relative_to(root)), node.lineno, text, node.col_offset, before, after)
        if _is_python(made.applied(source)):
            found[made.key] = made
    return list(found.values())


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    passed_over = {id(part) for node in ast.walk(tree) for skipped in _not_run(node) for part in ast.walk(skipped)}
    for node in ast.walk(tree):
        if id(node) in passed_over:
            continue
        if isinstance(node, ast.expr):
            yield from ((node, after) for after in _expressions(node))
        elif isinstance(node, ast.stmt):
            yield from _statements(node)


def _not_run(node: ast.AST) -> Iterator[ast.AST]:
    """Parts whose change no test can or need notice: annotations, decorators, docstrings, ``zip(strict=...)``."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    for name in ("annotation", "returns"):
        if (annotation := getattr(node, name, None)) is not None:
            yield annotation
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node
    if isinstance(node, ast.keyword) and node.arg == "strict":
        yield node
    if isinstance(node, ast.Assign) and ast.unparse(node.value).partition("[")[0] in ALIASES:
        yield node


def _expressions(node: ast.expr) -> Iterator[str]:  # noqa: C901 - a table
    match node:
        case ast.Compare(left, [op], [right]):
            for words in (ORDERS, OPPOSITES, TURNED):
                if type(op) in words:
                    yield f"{ast.unparse(left)} {words[type(op)]} {ast.unparse(right)}"
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield f"{_bracketed(left)} {ARITHMETIC[type(op)]} {_bracketed(right)}"
        case ast.BoolOp(op, values):
            yield f" {'or' if isinstance(op, ast.And) else 'and'} ".join(map(_bracketed, values))
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield _bracketed(operand)
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value) | float(value)) if value + 1 != value:
            yield from (repr(value + 1), repr(value - 1)) if value >= 1 else (repr(value + 1),)
        case ast.IfExp(test, body, orelse):
            yield f"{_bracketed(orelse)} if {_bracketed(test)} else {_bracketed(body)}"
        case ast.Call():
            yield from _calls(node)


def _calls(node: ast.Call) -> Iterator[str]:
    function, arguments = node.func, node.args
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    if name in TWINS:
        called = ast.unparse(function).removesuffix(name) + TWINS[name]
        yield ast.unparse(ast.Call(ast.Name(called), arguments, node.keywords))
    if name in SYMMETRIC:
        return
    for i, (one, other) in enumerate(pairwise(arguments)):
        if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred) and ast.dump(one) != ast.dump(other):
            swapped = [*arguments[:i], other, one, *arguments[i + 2 :]]
            yield ast.unparse(ast.Call(function, swapped, node.keywords))


def _statements(node: ast.stmt) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    match node:
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise():
            yield node, "pass"
        case ast.Continue():
            yield node, "break"
        case ast.Break():
            yield node, "continue"
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "return None"
        case ast.If(test) | ast.While(test):
            yield test, f"not ({ast.unparse(test)})"


def _bracketed(node: ast.expr) -> str:
    simple = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant)
    return ast.unparse(node) if simple else f"({ast.unparse(node)})"
