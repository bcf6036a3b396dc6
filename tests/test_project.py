"""What holds for the whole tree: no leftovers, every package says what it is, the command is installed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import entry_points, packages_distributions, version
from pathlib import Path

import pytest

from referee.software import SOFTWARE
from tools.stubs import ROOT

PACKAGES = ("arena", "referee", "ratings", "sample_bots", "benchmarks", "tools", "tests")
ARENA = Path(sys.executable).with_name("arena")


def is_ours(path: Path) -> bool:
    return not {"__pycache__", "node_modules", ".venv", "build", "target"} & set(path.parts)


def sources() -> list[Path]:
    """Return every Python file that somebody wrote."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")) if is_ours(file)]
    return [file for file in files if not re.search(r"_pb2(_grpc)?\.py$", file.name)]


def texts() -> list[Path]:
    """Return every text that somebody wrote: code, messages, pages, settings."""
    found = [file for suffix in ("*.md", "*.toml", "*.proto", "*.yaml", "Makefile") for file in ROOT.glob(suffix)]
    for folder in ("docs", "proto", *PACKAGES):
        for suffix in ("*.md", "*.toml", "*.proto", "*.json", "*.mjs", "*.js", "*.cpp", "*.html"):
            found += [file for file in sorted((ROOT / folder).rglob(suffix)) if is_ours(file)]
    return [*sources(), *found, ROOT / ".ci/run"]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_with(pattern: str, files: list[Path]) -> list[str]:
    wanted = re.compile(pattern)
    return [
        f"{name(file)}:{number}: {line.strip()[:100]}"
        for file in files
        if file != Path(__file__)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if wanted.search(line)
    ]


def test_the_tree_was_read() -> None:
    assert len(sources()) > 100
    assert len(texts()) > len(sources())


def test_nothing_is_left_to_do() -> None:
    assert lines_with(r"\b(TODO|FIXME|XXX|HACK)\b|raise NotImplemented", sources()) == []


def test_no_path_belongs_to_one_machine() -> None:
    """Paths of somebody's home or work directory mean nothing elsewhere."""
    assert lines_with(r"(?<![\w.])/(home|root|Users|work)/\w", texts()) == []


def test_no_module_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "util", "helpers", "common", "base", "manager", "misc"}
    assert [name(file) for file in sources() if file.stem in drawers] == []


@pytest.mark.parametrize("package", [package for package in PACKAGES if package != "tests"])
def test_every_package_and_module_says_what_it_is(package: str) -> None:
    """Its docstring is the first thing in it."""
    files = [file for file in sources() if name(file).startswith(f"{package}/")]
    silent = [name(file) for file in files if ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) is None]
    assert silent == []


def test_every_directory_of_modules_is_a_package() -> None:
    """Else it would be missing from what is installed."""
    folders = {file.parent for file in sources() if name(file).split("/")[0] in ("arena", "referee", "ratings")}
    assert [name(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_what_the_manifest_names_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert version("meistersinger") == SOFTWARE
    (script,) = entry_points(group="console_scripts", name="arena")
    assert script.value == project["scripts"]["arena"]
    assert ARENA.is_file()


def test_everything_imported_is_declared() -> None:
    """What happens to be installed here is missing on a fresh machine; what is not goes by the name of its module."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    declared = {re.split(r"[^\w.-]", line)[0].lower() for line in wanted} | {"meistersinger", "arena-toy"}
    distributions = packages_distributions()
    undeclared = {
        f"{module} in {name(file)}"
        for file in sources()
        for module in (dotted.split(".")[0] for dotted in imports(file))
        if module not in sys.stdlib_module_names
        and not (ROOT / module).is_dir()
        and not file.with_name(f"{module}.py").exists()
        and declared.isdisjoint(found.lower().replace("_", "-") for found in distributions.get(module, (module,)))
    }
    assert sorted(undeclared) == []


def test_the_command_says_its_version() -> None:
    run = subprocess.run([str(ARENA), "--version"], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert version("meistersinger") in run.stdout


LIMIT = re.compile(r"^_?(MOST|LEAST)_[A-Z]", re.MULTILINE)


def test_limits_are_called_max_and_min() -> None:
    """One word for one thing: CONTRIBUTING.md, "Words"."""
    assert [name(file) for file in sources() if LIMIT.search(file.read_text(encoding="utf-8"))] == []


OWN_WORDS = ("referee/games/", "arena/lab/example/", "arena/bench/")


def types_of(tree: ast.Module) -> Iterator[str]:
    """Yield the name of every class of a module, hidden and nested ones too, and of every alias of a type."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and re.match(r"_?[A-Z]\w*[a-z]", target.id):
            yield target.id


def test_no_two_types_share_a_name() -> None:
    """One word for one thing; games, examples and benchmarks have a vocabulary of their own."""
    homes: dict[str, list[str]] = {}
    for file in sources():
        path = name(file)
        if path.startswith(("arena/", "referee/", "ratings/")) and not path.startswith(OWN_WORDS):
            for word in types_of(ast.parse(file.read_text(encoding="utf-8"))):
                homes.setdefault(word, []).append(path)
    shared = {word: files for word, files in homes.items() if len(files) > 1}
    assert not shared
    assert len(homes) > 300


def test_the_changelog_has_a_place_for_this_change() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


# What a sample bot may import of ours: the published messages and, to look ahead, the game contract with its codec and
# the heuristics.
OPEN_TO_BOTS = re.compile(
    r"referee\.(v1|games|search)(\..+)?|referee\.(game|codec|heuristic|rng|playout)|sample_bots(\..+)?"
    r"|arena_toy\.v1(\..+)?"
)


def imports(file: Path) -> list[str]:
    """Return the modules that a file imports, by full name."""
    names = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            is_root = node.module in PACKAGES  # `from referee import wire` names the module second
            names += [f"{node.module}.{alias.name}" for alias in node.names] if is_root else [node.module]
    return names


def imported(file: Path) -> list[str]:
    """Return the modules of ours that a file imports."""
    return [module for module in imports(file) if module.split(".")[0] in PACKAGES]


def test_sample_bots_see_what_any_stranger_sees() -> None:
    """Bot directories are no packages, so the import contracts do not reach them."""
    bots = [file for file in sources() if name(file).startswith("sample_bots/")]
    assert any(imported(file) for file in bots)
    wrong = [
        f"{name(file)}: {module}" for file in bots for module in imported(file) if not OPEN_TO_BOTS.fullmatch(module)
    ]
    assert wrong == []


def test_the_import_contracts_hold() -> None:
    """Held by import-linter, whose contracts in pyproject.toml are the arrows of CONTRIBUTING.md."""
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([str(linter), "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-3000:]
    assert " 0 broken" in run.stdout
