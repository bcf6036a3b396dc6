"""What the source of a one-file bot says of it, without running it.

Commands that only list bots or read a database import this module, so it imports little.
"""

from __future__ import annotations

import ast
import warnings

PYTHON, NODE = ".py", ".mjs"
ENDINGS = (PYTHON, NODE)
EXPECTED = "expected a function choose(view, options), or a class with such a method"


def fault_of_source(source: bytes) -> str:
    """Return why the source of a Python file cannot be a bot, without running it; empty if it may be one."""
    if b"\0" in source:  # which Python says in words of its own in every version
        return "contains null bytes"
    try:
        with warnings.catch_warnings(action="ignore"):  # about the bot's own style
            tree = ast.parse(source)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, RecursionError, MemoryError):
        return "cannot be parsed"
    return "" if any(_may_choose(each) for each in ast.walk(tree)) else f"defines no bot; {EXPECTED}"


def _may_choose(node: ast.AST) -> bool:
    """Return whether a node could bind the name `choose`; an import of everything binds anything."""
    match node:
        case ast.FunctionDef(name="choose") | ast.Name(id="choose", ctx=ast.Store()):
            return True
        case ast.ImportFrom():
            return any((alias.asname or alias.name) in ("choose", "*") for alias in node.names)
        case _:
            return False


def takes_view_and_options(source: bytes) -> bool:
    """Return whether a file's `choose` is that of a one-file bot, and not a policy's `choose(question)`."""
    if fault_of_source(source):
        return False
    with warnings.catch_warnings(action="ignore"):
        tree = ast.parse(source)
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    if "policy" in functions:
        return False
    if "choose" in functions:
        arguments = functions["choose"].args
        return len(arguments.posonlyargs) + len(arguments.args) >= 2
    methods = (part for each in tree.body if isinstance(each, ast.ClassDef) for part in each.body)
    return any(isinstance(part, ast.FunctionDef) and part.name == "choose" for part in methods)
