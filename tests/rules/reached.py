"""Which definitions that carry out a clause the product reaches, read from its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
OPENING = re.compile(r"[BCEFNTWX]\d+(?:\.\d+)*\b")
"""How a docstring begins that cites a clause."""


@dataclass
class Module:
    """The definitions of a module that cite a clause, and every name it uses."""

    name: str
    tree: ast.Module
    imported: set[tuple[str, str]] = field(default_factory=set)
    """What `from module import name` brings in."""
    modules: dict[str, str] = field(default_factory=dict)
    """The modules that are imported whole, by the name they have here."""
    names: list[ast.Name] = field(default_factory=list)
    attributes: list[ast.Attribute] = field(default_factory=list)
    hooks: set[str] = field(default_factory=set)
    """What is looked up by `getattr`."""

    def __post_init__(self) -> None:
        for node in ast.walk(self.tree):
            match node:
                case ast.ImportFrom(module=str(module), names=names):
                    self.imported |= {(module, each.name) for each in names}
                    self.modules |= {each.asname or each.name: f"{module}.{each.name}" for each in names}
                case ast.Import(names=names):
                    self.modules |= {each.asname or each.name: each.name for each in names}
                case ast.Name(ctx=ast.Load()):
                    self.names.append(node)
                case ast.Attribute(ctx=ast.Load()):
                    self.attributes.append(node)
                case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
                    self.hooks.add(name)

    def uses(self, name: str, outside: Definition) -> bool:
        """Return whether a name of this module is used outside its own definition."""
        return any(each.id == name and not _holds(outside, each) for each in self.names)

    def uses_member(self, name: str, outside: Definition | None) -> bool:
        """Return whether a member of any object is used that has this name."""
        found = (each for each in self.attributes if each.attr == name)
        return name in self.hooks or any(outside is None or not _holds(outside, each) for each in found)

    def uses_of(self, module: str, name: str) -> bool:
        """Return whether a name of another module is imported or looked up in it."""
        return (module, name) in self.imported or any(
            each.attr == name and self.modules.get(ast.unparse(each.value)) == module for each in self.attributes
        )


def unreached(sources: Mapping[str, str]) -> list[str]:
    """Return every function and class that opens with a clause and that nothing in these modules uses."""
    modules = [Module(name, ast.parse(text)) for name, text in sources.items()]
    return [
        f"{module.name}: {'.'.join(each.name for each in path)}"
        for module in modules
        for path in _definitions(module.tree)
        if _cites(path[-1]) and not _is_reached(module, path, modules)
    ]


def _definitions(tree: ast.AST, above: tuple[Definition, ...] = ()) -> Iterator[tuple[Definition, ...]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition):
            yield (*above, node)
            yield from _definitions(node, (*above, node))
        else:
            yield from _definitions(node, above)


def _cites(definition: Definition) -> bool:
    return OPENING.match(ast.get_docstring(definition) or "") is not None


def _is_reached(module: Module, path: tuple[Definition, ...], modules: list[Module]) -> bool:
    own = path[-1]
    if own.name.startswith("__"):
        return True
    if len(path) > 1 and isinstance(path[-2], ast.ClassDef):
        return any(each.uses_member(own.name, own if each is module else None) for each in modules)
    return module.uses(own.name, own) or any(
        each.uses_of(module.name, own.name) for each in modules if each is not module
    )


def _holds(definition: Definition, node: ast.expr) -> bool:
    return definition.lineno <= node.lineno <= (definition.end_lineno or definition.lineno)
