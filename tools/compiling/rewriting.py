"""Rewrites source before it is compiled, so that the C compiler gets what one would write by hand.

- A dataclass becomes a plain class with its own `__init__`, `__eq__`, `__hash__` and `__repr__`. mypyc leaves those
  that `dataclass` makes interpreted, at 1.1 µs per value; those of a plain class take a tenth.
- A constant in capitals that is assigned once becomes Final, so that it is looked up once.
- A name for an annotated type, `Annotated[int, Within(0, TILES)]`, is compiled without its metadata and gets it when
  the module is loaded: mypyc takes the constants in it for types.

Everything else stays as it is, line by line, with its comments.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PRELUDE = (
    "from typing import Final as _Final, final as _final;"
    " from referee.values import annotate as _annotate, declare as _declare"
)
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the source between two positions; both are (line from 0, column in bytes)."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def rewritten(source: str) -> str:
    """Return a module's source as it is compiled."""
    tree = ast.parse(source)
    edits = [*_prelude(tree), *_classes(tree), *_annotated_types(tree), *_constants(tree)]
    lines = [line.encode() for line in source.split("\n")]
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        (first, left), (last, right) = edit.start, edit.end
        text = lines[first][:left] + edit.text.encode() + lines[last][right:]
        lines[first : last + 1] = text.split(b"\n")
    return b"\n".join(lines).decode()


def _at(node: Any) -> tuple[int, int]:
    return node.lineno - 1, node.col_offset


def _after(node: Any) -> tuple[int, int]:
    return node.end_lineno - 1, node.end_col_offset


def _prelude(tree: ast.Module) -> Iterator[Edit]:
    """Yield the imports that the other edits need, after the module's first import."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield Edit(_after(node), _after(node), f"\n{PRELUDE}")
            return


def _dataclass_settings(node: ast.ClassDef) -> dict[str, bool] | None:
    """Return the decorator's keywords for a dataclass that can be a plain class, None for any other class."""
    (decorator,) = node.decorator_list if len(node.decorator_list) == 1 else (None,)
    if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "dataclass" and not node.bases:
        if any(isinstance(field.value, ast.Call) for field in _fields(node)):
            return None  # a field with more than a default, such as an option
        return {str(each.arg): bool(ast.literal_eval(each.value)) for each in decorator.keywords}
    return None


def _fields(node: ast.ClassDef) -> list[ast.AnnAssign]:
    return [part for part in node.body if isinstance(part, ast.AnnAssign)]


def _classes(tree: ast.Module) -> Iterator[Edit]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and (settings := _dataclass_settings(node)) is not None:
            (decorator,) = node.decorator_list
            is_frozen, has_equality = settings.get("frozen", False), settings.get("eq", True)
            yield Edit(_at(decorator), _after(decorator), "_final")
            for field in _fields(node):
                hint = ast.unparse(field.annotation)
                text = f"{_name(field)}: _Final[{hint}]" if is_frozen else f"{_name(field)}: {hint}"
                yield Edit(_at(field), _after(field), text)
            body = "".join(f"\n    {line}" for line in _methods(node, is_frozen, has_equality))
            yield Edit(_after(node), _after(node), f"{body}\n\n{_declaration(node, is_frozen)}")


def _name(field: ast.AnnAssign) -> str:
    assert isinstance(field.target, ast.Name)
    return field.target.id


def _methods(node: ast.ClassDef, is_frozen: bool, has_equality: bool) -> Iterator[str]:
    fields = _fields(node)
    names = [_name(field) for field in fields]
    listed = "".join(f"self.{name}, " for name in names)
    yield f"__match_args__ = ({''.join(f'{name!r}, ' for name in names)})"  # for mypy; `declare` sets it for Python
    yield f"def __init__({', '.join(['self', *map(_parameter, fields)])}) -> None:"
    yield from [f"    self.{name} = {name}" for name in names] or ["    pass"]
    yield "def __repr__(self) -> str:"
    shown = ", ".join(f"{name}={{self.{name}!r}}" for name in names)
    yield f"    return f'{node.name}({shown})'"
    if has_equality:
        yield "def __eq__(self, other: object) -> bool:"
        same = " and ".join([f"isinstance(other, {node.name})", *(f"self.{name} == other.{name}" for name in names)])
        yield f"    return self is other or ({same})"
    if is_frozen and has_equality:
        yield "def __hash__(self) -> int:"
        yield f"    return hash(({listed}))"


def _parameter(field: ast.AnnAssign) -> str:
    default = "" if field.value is None else f" = {ast.unparse(field.value)}"
    return f"{_name(field)}: {ast.unparse(field.annotation)}{default}"


def _declaration(node: ast.ClassDef, is_frozen: bool) -> str:
    fields = _fields(node)
    names, hints = [_name(field) for field in fields], [ast.unparse(field.annotation) for field in fields]
    given = [(_name(field), ast.unparse(field.value)) for field in fields if field.value is not None]
    defaults = ", ".join(f"{name!r}: {value}" for name, value in given)
    return f"_declare({node.name}, frozen={is_frozen}, names={names}, hints={hints}, defaults={{{defaults}}})"


def _constants(tree: ast.Module) -> Iterator[Edit]:
    """Yield edits that make every constant Final, except names assigned twice and type aliases."""
    assigned = Counter(
        target.id
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        for target in ast.walk(node)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    )
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name) and CONSTANT.fullmatch(target.id) and assigned[target.id] == 1:
                yield Edit(_after(target), _after(target), ": _Final")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            is_final = ast.unparse(node.annotation).startswith("Final")
            if CONSTANT.fullmatch(node.target.id) and assigned[node.target.id] == 1 and not is_final:
                yield Edit(_at(node.annotation), _at(node.annotation), "_Final[")
                yield Edit(_after(node.annotation), _after(node.annotation), "]")


class _Unannotated(ast.NodeTransformer):
    """Strips the annotations of Annotated types."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if getattr(node.value, "id", "") == "Annotated" and isinstance(node.slice, ast.Tuple):
            return node.slice.elts[0]
        return node


def _annotated_types(tree: ast.Module) -> Iterator[Edit]:
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Subscript):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            annotated = ast.unparse(node.value)
            plain = ast.unparse(_Unannotated().visit(ast.parse(annotated, mode="eval")))
            if annotated != plain and isinstance(target, ast.Name):
                yield Edit(_at(node.value), _after(node), f"{plain}\n_annotate(__name__, {target.id!r}, {annotated!r})")
