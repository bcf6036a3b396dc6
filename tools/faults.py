"""Plant faults one at a time and count those that `make quick` finds: `python -m tools.faults`, or `make faults`.

The faults are the same on every run: of all comparisons, sums, conditions and numbers in the modules that quick tests
cover, those with the smallest SHA-256("fault|module|function|kind|place"). Each is planted in a copy of the project,
where the tests of its own room run first, up to the first failure, and then the rest of `make quick`.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
FEWEST_FOUND = 0.94
"""The share of the planted faults that quick tests have to find: 91 of 97."""

SECONDS = 1_800
"""For all tests of one fault, however busy the machine is."""


@dataclass(frozen=True, slots=True)
class Room:
    """Modules in which faults are planted, and the tests that should find them first."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    faults: int


ROOMS = (
    *(
        Room((f"referee/games/{game}/*.py",), (f"tests/rules/{game}", "tests/contract", "tests/golden"), 8)
        for game in ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")
    ),
    Room(("referee/codec.py", "referee/wire.py", "referee/record.py", "referee/clock.py", "referee/match.py"),
         ("tests/wire", "tests/contract"), 16),
    Room(("ratings/fit/*.py",), ("tests/ratings/fit",), 14),
    Room(("ratings/points/*.py", "ratings/ledger/*.py", "ratings/sequential/*.py"), ("tests/ratings",), 18),
    Room(("arena/plan/*.py", "arena/plan/*/*.py"), ("tests/arena/plan",), 20),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """One change of one module."""

    module: str
    function: str
    kind: str
    place: int
    """The number of this kind of change inside the function."""
    line: int

    @property
    def key(self) -> str:
        """The digest that chooses it."""
        return sha256(f"fault|{self.module}|{self.function}|{self.kind}|{self.place}".encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.function}: {self.kind}"


COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
}  # fmt: skip
LEFT_ALONE = (ast.Assert, ast.Raise, ast.AnnAssign, ast.arguments)
"""Checks of our own, messages and types: a fault there changes nothing that is promised."""


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield every fault of one expression, as its kind and what would stand there."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARED:
            other = COMPARED[type(operator)]
            yield f"{type(operator).__name__} -> {other.__name__}", ast.Compare(node.left, [other()], node.comparators)
        case ast.BinOp() if type(node.op) in COMPUTED and not isinstance(node.left, ast.Constant | ast.JoinedStr):
            computed = COMPUTED[type(node.op)]
            yield f"{type(node.op).__name__} -> {computed.__name__}", ast.BinOp(node.left, computed(), node.right)
        case ast.BoolOp():
            joined = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield f"{type(node.op).__name__} -> {type(joined).__name__}", ast.BoolOp(joined, node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield "Not -> nothing", node.operand
        case ast.IfExp():
            yield "IfExp -> the other", ast.IfExp(node.test, node.orelse, node.body)
        case ast.Constant(value=bool() as value):
            yield f"{value} -> {not value}", ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield f"{value} -> {value + 1}", ast.Constant(value + 1)


class _Planter(ast.NodeTransformer):
    """Walks a module; lists its faults, and plants one if asked."""

    def __init__(self, module: str, wanted: Fault | None = None) -> None:
        self.module = module
        self.wanted = wanted
        self.found: list[Fault] = []
        self._functions: list[str] = []
        self._places: dict[tuple[str, str], int] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        """Visit what a function does, and nothing that only describes it."""
        if isinstance(node, LEFT_ALONE):
            return node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name in ("__str__", "__repr__"):
                return node
            self._functions.append(node.name)
            node.body = [self.visit(each) for each in node.body]  # type: ignore[misc]  # statements stay statements
            self._functions.pop()
            return node
        planted = None
        if self._functions and isinstance(node, ast.expr):
            for kind, other in changes(node):
                function = ".".join(self._functions)
                place = self._places[function, kind] = self._places.get((function, kind), -1) + 1
                fault = Fault(self.module, function, kind, place, node.lineno)
                self.found.append(fault)
                if fault == self.wanted:
                    planted = other
        visited = self.generic_visit(node)
        return visited if planted is None else planted


def faults_of(module: str, source: str) -> list[Fault]:
    """Return all faults that can be planted in a module."""
    planter = _Planter(module)
    planter.visit(ast.parse(source))
    return planter.found


def planted(source: str, fault: Fault) -> str:
    """Return the source of a module with a fault."""
    return ast.unparse(ast.fix_missing_locations(_Planter(fault.module, fault).visit(ast.parse(source)))) + "\n"


def chosen(room: Room) -> list[Fault]:
    """Return the faults of a room: those with the smallest keys, and no two in one function."""
    modules = sorted({path for pattern in room.modules for path in ROOT.glob(pattern)})
    found = [
        fault
        for path in modules
        for fault in faults_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]
    by_function: dict[tuple[str, str], Fault] = {}
    for fault in sorted(found, key=lambda fault: fault.key):
        by_function.setdefault((fault.module, fault.function), fault)
    return list(by_function.values())[: room.faults]


def quick_tests() -> list[str]:
    """Return the paths that make quick runs."""
    shown = subprocess.run(
        ["make", "-s", "--no-print-directory", "quick-paths"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return shown.stdout.split()


def copy_project(folder: Path) -> None:
    """Copy what is committed or changed here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def is_found(folder: Path, tests: Sequence[str]) -> bool:
    """Return whether some test fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--lacking", "buf"]
    command += ["-m", "not long and not nightly", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "MEISTERSINGER_COMPILED": "0", "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode != 0


def attempt(folder: Path, room: Room, fault: Fault, rest: Sequence[str]) -> bool:
    """Plant a fault in a copy, run the tests and mend the copy; return whether the fault was found."""
    path = folder / fault.module
    source = path.read_text(encoding="utf-8")
    path.write_text(planted(source, fault), encoding="utf-8")
    try:
        others = [each for each in rest if each not in room.tests]
        return is_found(folder, room.tests) or (bool(others) and is_found(folder, others))
    finally:
        path.write_text(source, encoding="utf-8")


def main() -> int:
    """Print a line for every fault; the exit code is 1 if too few were found."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults")
    parser.add_argument("--jobs", type=int, default=2, help="copies of the project that are tried concurrently")
    parser.add_argument("--list", action="store_true", dest="is_listing", help="list the faults and stop")
    parser.add_argument("--only", default="", help="only faults whose module has this in its name")
    asked = parser.parse_args()
    faults = [(room, fault) for room in ROOMS for fault in chosen(room) if asked.only in fault.module]
    if asked.is_listing:
        print(*(fault for _, fault in faults), sep="\n")
        return 0
    rest = quick_tests()
    with tempfile.TemporaryDirectory(prefix="faults") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.jobs):
            folder = Path(scratch, str(number))
            copy_project(folder)
            copies.put(folder)

        def tried(case: tuple[Room, Fault]) -> bool:
            folder = copies.get()
            try:
                found = attempt(folder, *case, rest)
            finally:
                copies.put(folder)
            print(f"{'found   ' if found else 'UNSEEN  '}{case[1]}", flush=True)
            return found

        with ThreadPoolExecutor(asked.jobs) as pool:
            found = sum(pool.map(tried, faults))
    print(f"make quick found {found} of {len(faults)} planted faults")
    return int(found < FEWEST_FOUND * len(faults))


if __name__ == "__main__":
    sys.exit(main())
