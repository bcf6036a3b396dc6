"""Rules on whole numbers, joined and compiled by Cython: all chapters of a game become one module in C.

A chapter that imports `referee.rows` is joined, in an order in which each comes after those that it imports. No line
of a rule is changed; what is changed is what stands around it:

- a `Struct` becomes a C struct: `Int` a number of 32 bits, `Annotated[Smalls, 30]` thirty numbers of 8 bits inside it;
- a function whose parameters and result are all such words becomes a C function, any other one stays as it is;
- a constant number, also of another module or of an IntEnum, is written in, and so is a table of numbers;
- a `NewType` is only a name: `Step(number)` becomes `number`;
- `/` divides floats, as in Python.

One module for all chapters, because C functions of one module call each other directly.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import Any, NewType

from referee.values import is_value_type, names_of

ROWS = "referee.rows"
NUMBERS = {"Int": "cython.int", "Word": "cython.ulonglong", "Float": "cython.double", "bool": "cython.bint"}
ROW_TYPES = {
    "Smalls": "schar",
    "Shorts": "short",
    "Ints": "int",
    "Words": "ulonglong",
    "Doubles": "double",
}
LARGE = 1 << 31
TRANSLATED = ("Listing", "Events", "NOISES", "best_place", "noisy_place", "next_place")
"""What is taken from `referee.rows`: the prelude has the rest, in the words of C."""
FOR_SOURCE = "remembered"  # the decorator of `referee.rows` that makes only the source faster
PRELUDE = Path(__file__).with_name("prelude.txt")


class JoiningError(Exception):
    """The chapters cannot be joined; the message says where and why."""


def unit_name(package: str) -> str:
    """Return the module that the chapters of a game's package are joined into."""
    return f"{package}.joined"


def chapters_of(sources: dict[str, str]) -> list[str]:
    """Return those of a package's modules that are joined, each after those that it imports, also by way of others."""
    imports = {module: imported_by(text) for module, text in sources.items()}
    order = TopologicalSorter({module: sorted(imports[module] & {*sources}) for module in sorted(sources)})
    return [module for module in order.static_order() if ROWS in imports[module]]


def imported_by(text: str) -> set[str]:
    """Return the names of what a module imports, modules among them."""
    return {name for name, _ in _imports(ast.parse(text))}


def has_structs(text: str) -> bool:
    """Return whether a chapter defines structs."""
    classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    return any(ast.unparse(base) in ("Struct", "Dice") for node in classes for base in node.bases)


def _imports(tree: ast.Module) -> Iterator[tuple[str, ast.alias]]:
    """Yield the modules that a module imports from, with what it imports."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.module, alias
                yield f"{node.module}.{alias.name}", alias


def joined(sources: dict[str, str]) -> str:
    """Return the text of the module that these chapters, in this order, are joined into."""
    names = {module: _bound(ast.parse(text)) for module, text in sources.items()}
    seen: dict[str, str] = {}
    for module, bound in names.items():
        for name in bound:
            if name in seen and not name.startswith("__"):
                raise JoiningError(f"{module}: {name} is already defined in {seen[name]}; expected another name")
            seen[name] = module
    told = {module: sorted({*bound, *_kept_imports(ast.parse(sources[module]))}) for module, bound in names.items()}
    parts = [PRELUDE.read_text(encoding="utf-8"), f"__chapters__ = {told!r}"]
    words = _Words()
    for module, text in {ROWS: _structs_of_rows(), **sources}.items():
        parts.append(f"# {module}")
        parts += _Chapter(module, words, {*sources, ROWS}).rewritten(ast.parse(text))
    return "\n\n".join(parts) + "\n"


def _bound(tree: ast.Module) -> list[str]:
    """Return the names that a chapter defines."""
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return found


def _kept_imports(tree: ast.Module) -> set[str]:
    """Return the names that a chapter has from elsewhere: others may look for them there."""
    return {alias.asname or alias.name for _, alias in _imports(tree)}


def _structs_of_rows() -> str:
    """Return the structs, tables and functions of `referee.rows` that are translated as those of chapters are."""
    source = Path(str(import_module(ROWS).__file__)).read_text(encoding="utf-8")
    wanted = [node for node in ast.parse(source).body if {*_bound(ast.Module([node], []))} & {*TRANSLATED}]
    return "\n\n".join(ast.unparse(node) for node in wanted)


class _Words:
    """What the chapters so far have declared."""

    def __init__(self) -> None:
        self.structs: dict[str, list[tuple[str, ast.expr]]] = {"Dice": [("word", ast.Name("Word"))]}
        self.new_types: dict[str, str] = {}

    def c_type(self, hint: ast.expr | None) -> str | None:
        """Return what a word is in C; None for what is none."""
        if hint is None:
            return None
        text = ast.unparse(hint)
        if isinstance(hint, ast.Subscript) and ast.unparse(hint.value) == "Annotated":
            return self.sized(hint)
        if text in self.new_types:
            return self.new_types[text]
        if text in ROW_TYPES:
            return f"cython.p_{ROW_TYPES[text]}"
        if text == "None":
            return "cython.void"
        return NUMBERS.get(text) or (text if text in self.structs else None)

    def sized(self, hint: ast.expr) -> str | None:
        """Return the C array of `Annotated[Smalls, 30]`."""
        if isinstance(hint, ast.Subscript) and isinstance(hint.slice, ast.Tuple) and len(hint.slice.elts) == 2:
            kind, size = hint.slice.elts
            if isinstance(kind, ast.Name) and kind.id in ROW_TYPES and isinstance(size, ast.Constant):
                return f"cython.{ROW_TYPES[kind.id]}[{size.value!r}]"
        return None


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _is_simple(node: ast.FunctionDef) -> bool:
    """Return whether a function holds no other one, which C functions cannot."""
    inner = (ast.Lambda, ast.FunctionDef, ast.GeneratorExp, ast.Yield, ast.YieldFrom)
    return not any(isinstance(each, inner) for each in ast.walk(node) if each is not node)


class _Chapter(ast.NodeTransformer):
    """Rewrites one chapter."""

    def __init__(self, module: str, words: _Words, chapters: set[str]) -> None:
        self.module = module
        self.words = words
        self.chapters = chapters
        self.loaded = import_module(module)
        self.is_in_c = False

    def rewritten(self, tree: ast.Module) -> Iterator[str]:
        """Yield the statements of a chapter as they are compiled."""
        for node in tree.body:
            yield from self._statement(node)

    def _statement(self, node: ast.stmt) -> Iterator[str]:
        if isinstance(node, ast.ImportFrom):
            yield from self._import(node)
        elif isinstance(node, ast.ClassDef) and any(ast.unparse(base) in self._struct_names() for base in node.bases):
            yield self._struct(node)
        elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("NewType("):
            self._new_type(node)
            yield ast.unparse(node)
        elif isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("cloner("):
            assert isinstance(node.value, ast.Call)
            yield self._cloner(ast.unparse(node.targets[0]), ast.unparse(node.value.args[0]))
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) in ROW_TYPES:
            yield self._table(node)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                yield ast.unparse(self.visit(ast.Assign([node.target], node.value, lineno=node.lineno)))
        elif isinstance(node, ast.FunctionDef):
            yield ast.unparse(self._function(node))
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            yield ast.unparse(self.visit(node))

    def _struct_names(self) -> set[str]:
        return {"Struct", *self.words.structs}

    def _import(self, node: ast.ImportFrom) -> Iterator[str]:
        """Keep what is imported from outside: chapters know each other already."""
        module = node.module or ""
        if module in ("__future__", "typing"):
            if module == "typing":
                yield ast.unparse(node)
            return
        if module == "math":
            module = "cython.cimports.libc.math"
        kept = []
        for alias in node.names:
            if module in self.chapters and alias.asname is not None:
                raise JoiningError(f"{self.module}: {alias.name} of a chapter is renamed; expected its own name")
            if module not in self.chapters:
                kept.append(alias)
        if kept:
            yield ast.unparse(ast.ImportFrom(module, kept, 0))

    def _new_type(self, node: ast.Assign) -> None:
        assert isinstance(node.value, ast.Call)
        kind = ast.unparse(node.value.args[1])
        self.words.new_types[ast.unparse(node.targets[0])] = NUMBERS["Int" if kind == "int" else kind]

    def _table(self, node: ast.AnnAssign) -> str:
        """Write the numbers of a table in, as one text: of a list, C would be written for every number."""
        name, kind = ast.unparse(node.target), ROW_TYPES[ast.unparse(node.annotation)]
        numbers = list(getattr(self.loaded, name))
        read, text = "float" if kind == "double" else "int", " ".join(map(repr, numbers))
        return (
            f"{name} = cython.declare(cython.{kind}[{len(numbers)}])\n"
            f"for _place, _number in enumerate(map({read}, {text!r}.split())):\n    {name}[_place] = _number"
        )

    # What stands around a rule

    def _function(self, node: ast.FunctionDef, *, is_method: bool = False) -> ast.FunctionDef:
        """Return a function that C can call directly, if it has anything to do with the words of C; else as it is."""
        arguments = node.args.args[1:] if is_method else node.args.args
        node.decorator_list = [each for each in node.decorator_list if ast.unparse(each) != FOR_SOURCE]
        kinds = [self.words.c_type(each.annotation) for each in arguments]
        returned = self.words.c_type(node.returns)
        is_c = _is_simple(node) and not node.decorator_list and any([returned, *kinds])
        self.is_in_c = is_c
        self.generic_visit(node)
        self.is_in_c = False
        node.returns = None if returned is None else _expression(returned)
        for argument, kind in zip(arguments, kinds, strict=True):
            argument.annotation = None if kind is None else _expression(kind)
        if not is_c:
            return node
        has_rows = any(str(kind).startswith("cython.p_") for kind in kinds)
        node.decorator_list = [_expression("cython.cfunc" if has_rows else "cython.ccall")]
        if returned is not None and returned.startswith("cython."):
            # Rules on numbers do not fail; what may raise an exception must hand it on.
            may_raise = None in kinds or any(isinstance(each, ast.Raise) for each in ast.walk(node))
            node.decorator_list.append(_expression(f"cython.exceptval(check={may_raise})"))
        return node

    def _struct(self, node: ast.ClassDef) -> str:
        """Return a C struct, with its fields for Python by name."""
        base = ast.unparse(node.bases[0])
        own = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        for each in own:
            each.annotation = self._sized(each.annotation)
        fields = [*self.words.structs.get(base, []), *((ast.unparse(each.target), each.annotation) for each in own)]
        self.words.structs[node.name] = fields
        places = {name: place for place, (name, _) in enumerate(fields)}
        lines = [
            f"_{node.name}_fields: dict = {places!r}",
            "@cython.final",
            "@cython.cclass",
            f"class {node.name}({'' if base == 'Struct' else base}):",
        ]
        for each in own:
            lines.append(f"    {ast.unparse(each.target)}: {self.words.c_type(each.annotation)}")
        for method in node.body:
            if isinstance(method, ast.FunctionDef):
                lines += [f"    {line}" for line in ast.unparse(self._function(method, is_method=True)).split("\n")]
        lines += [f"    {line}" for line in self._by_name(node.name, fields)]
        return "\n".join(lines)

    def _sized(self, hint: ast.expr) -> ast.expr:
        """Return an annotation with the number of a row's places worked out."""
        if not isinstance(hint, ast.Subscript) or ast.unparse(hint.value) != "Annotated":
            return hint
        if isinstance(hint.slice, ast.Tuple) and len(hint.slice.elts) == 2:
            kind, size = hint.slice.elts
            value = eval(compile(ast.Expression(size), self.module, "eval"), vars(self.loaded))  # of our own source
            return ast.Subscript(hint.value, ast.Tuple([kind, ast.Constant(int(value))], ast.Load()), ast.Load())
        return hint

    def _by_name(self, name: str, fields: Sequence[tuple[str, ast.expr]]) -> Iterator[str]:
        """Write how Python reads and sets the fields of a struct: those who build states, and tests."""
        yield "def __init__(self, **fields):"
        yield "    for name, value in fields.items():"
        yield "        self.set_field(name, value)"
        yield "def __getattr__(self, name):"
        yield f"    place: cython.int = _{name}_fields.get(name, -1)"
        for place, (field, hint) in enumerate(fields):
            yield f"    if place == {place}:" if not place else f"    elif place == {place}:"
            if row := self._row(hint):
                code, size = row
                yield f"        return _row_view(self, cython.cast(cython.p_char, self.{field}), {code}, {size})"
            else:
                yield f"        return self.{field}"
        yield "    raise AttributeError(f'{type(self).__name__} has no field {name}')"
        yield "def __setattr__(self, name, value):"
        yield "    self.set_field(name, value)"
        yield "@cython.cfunc"
        yield "def set_field(self, name, value):"
        yield f"    place: cython.int = _{name}_fields.get(name, -1)"
        for place, (field, hint) in enumerate(fields):
            yield f"    if place == {place}:" if not place else f"    elif place == {place}:"
            if row := self._row(hint):
                code, size = row
                yield f"        _fill(cython.cast(cython.p_char, self.{field}), {code}, {size}, value)"
            else:
                yield f"        self.{field} = value"
        yield "    else:"
        yield "        raise AttributeError(f'{type(self).__name__} has no field {name}')"

    def _row(self, hint: ast.expr) -> tuple[int, int] | None:
        sized = self.words.sized(hint)
        if sized is None:
            return None
        kind, _, size = sized.removeprefix("cython.").removesuffix("]").partition("[")
        return [*ROW_TYPES.values()].index(kind), int(size)

    def _cloner(self, name: str, kind: str) -> str:
        lines = ["@cython.ccall", f"def {name}(one: {kind}) -> {kind}:", f"    made: {kind} = {kind}.__new__({kind})"]
        for field, hint in self.words.structs[kind]:
            lines.append(f"    made.{field}[:] = one.{field}" if self._row(hint) else f"    made.{field} = one.{field}")
        return "\n".join([*lines, "    return made"])

    # What stands inside a rule: names of numbers

    def _number(self, node: ast.expr) -> int | float | None:
        """Return the number that a constant's name or an IntEnum's member stands for."""
        found: Any = None
        if isinstance(node, ast.Name) and node.id.isupper():
            found = getattr(self.loaded, node.id, None)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr.isupper():
            found = getattr(getattr(self.loaded, node.value.id, None), node.attr, None)
        if type(found) is float:
            return found
        return int(found) if isinstance(found, int) and not isinstance(found, bool) else None

    def visit_Name(self, node: ast.Name) -> ast.expr:
        number = self._number(node) if isinstance(node.ctx, ast.Load) else None
        return node if number is None else ast.Constant(number)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        number = self._number(node) if isinstance(node.ctx, ast.Load) else None
        if number is not None:
            return ast.Constant(number)
        if isinstance(node.value, ast.Name) and self._is_chapter(node.value.id):
            return ast.Name(node.attr, node.ctx)
        self.generic_visit(node)
        return node

    def _is_chapter(self, name: str) -> bool:
        """Return whether a name stands for a module that is joined too."""
        return getattr(getattr(self.loaded, name, None), "__name__", "") in self.chapters - {ROWS}

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Leave the member of an IntEnum that something `is`: its number is another object."""
        if not any(isinstance(each, ast.Is | ast.IsNot) for each in node.ops):
            self.generic_visit(node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Divide as Python does: without this, C divides two integers to an integer."""
        self.generic_visit(node)
        if self.is_in_c and isinstance(node.op, ast.Div):
            node.left = ast.Call(_expression("cython.cast"), [_expression("cython.double"), node.left], [])
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and isinstance(getattr(self.loaded, node.func.id, None), NewType):
            return node.args[0]
        return self._by_place(node)

    def _by_place(self, node: ast.Call) -> ast.Call:
        """Hand the fields of a value over by place, if they are all named in their order: that takes half the time."""
        kind = getattr(self.loaded, node.func.id, None) if isinstance(node.func, ast.Name) else None
        named = tuple(each.arg for each in node.keywords)
        if not named or node.args or not is_value_type(kind) or named != names_of(kind):
            return node
        return ast.Call(node.func, [each.value for each in node.keywords], [])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Give a local name its width."""
        hint = self._sized(node.annotation)
        kind = self.words.c_type(hint)
        self.generic_visit(node)
        if kind is None:
            return ast.Pass() if node.value is None else ast.Assign([node.target], node.value, lineno=node.lineno)
        node.annotation = _expression(kind)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        """Rewrite the methods of a class that stays one of Python's, and leave its fields alone."""
        for place, each in enumerate(node.body):
            if isinstance(each, ast.FunctionDef):
                node.body[place] = self._method(each)
        return node

    def _method(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Rewrite a method of a Python class: of its annotations, those that name a struct stay."""
        self.generic_visit(node)
        node.returns = None
        for argument in node.args.args:
            if argument.annotation is not None and ast.unparse(argument.annotation) not in self.words.structs:
                argument.annotation = None
        return node
