"""Building: each library's sources rewritten, translated to C and compiled, only where something has changed.

Chapters on whole numbers are joined, game by game, and translated by Cython; everything else by mypyc.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version
from pathlib import Path
from typing import Any

from referee.games import BUILT_IN
from referee.native import digest_of
from tools.compiling.joining import chapters_of, has_structs, imported_by, joined, unit_name
from tools.compiling.rewriting import rewritten

PREFIX = "meistersinger_"  # the libraries' prefix; their modules have no package
CORE = ("agenda", "fingerprint", "playout", "rng")
REFEREE = ("clock", "codec", "field_bytes", "match", "order", "policy", "record", "setting", "wire")
INTERPRETED = ("__init__", "board", "describe", "text_board")  # text for people is not worth compiling
MYPY = """
[mypy]
python_version = 3.11
[mypy-referee.v1.*,referee.games.*.v1.*]
ignore_errors = True
"""

CYTHON = {  # rules are written so that C does the same: see `referee.rows`
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "cpow": True,
    "initializedcheck": False,
    "infer_types": True,
}
C_FLAGS = ("-w", "-g0", "-ffp-contract=off", "-fno-builtin-pow", "-fno-builtin-exp")  # floats as Python has them
CHECKING = (  # a place outside a row and a number too large end the process with a line that names the place
    "-g1",
    "-fsanitize=bounds,signed-integer-overflow,shift,integer-divide-by-zero",
    "-fno-sanitize-recover=all",
)

Say = Callable[[str], None]


REWRITING = ("rewriting.py", "joining.py", "prelude.txt", "building.py")  # what a build depends on beside its sources


class CompilingError(Exception):
    """The sources cannot be compiled here; the message says what is missing."""


def libraries(root: Path) -> dict[str, list[str]]:
    """Return the modules of every library: the common core, the referee, and every game."""
    found = {
        "core": [f"referee.{name}" for name in CORE],
        "referee": [f"referee.{name}" for name in REFEREE],
    }
    for slug in BUILT_IN:
        chapters = sorted((root / "referee" / "games" / slug).glob("*.py"))
        found[slug] = [f"referee.games.{slug}.{each.stem}" for each in chapters if each.stem not in INTERPRETED]
    return found


def units(root: Path) -> dict[str, list[str]]:
    """Return the chapters of every game's package that are joined, in their order."""
    found = {}
    for slug in BUILT_IN:
        package = f"referee.games.{slug}"
        chapters = sorted((root / "referee" / "games" / slug).glob("*.py"))
        sources = {f"{package}.{each.stem}": each.read_text(encoding="utf-8") for each in chapters}
        if order := chapters_of({module: text for module, text in sources.items() if not module.endswith("__")}):
            found[package] = order
    return found


def build(
    root: Path, work: Path, home: Path, *, say: Say, optimise: int = 3, jobs: int = 2, checked: bool = False
) -> None:
    """Compile the changes since the last build in `work`, and put all modules into `home`, with their manifest."""
    chapters = units(root)
    in_units = {module for order in chapters.values() for module in order}
    wanted = {
        library: [module for module in modules if module not in in_units and not _reads_structs(root, module, in_units)]
        for library, modules in libraries(root).items()
    }
    sources = {module: _source(root, module) for modules in wanted.values() for module in modules}
    read = [*sources.values(), *(_source(root, module) for module in sorted(in_units)), _source(root, "referee.rows")]
    known = {str(path.relative_to(root)): _known(path) for path in read}
    modules = [*sources, *(f"{PREFIX}{library}__mypyc" for library in wanted), *map(unit_name, chapters)]
    manifest = {
        "suffix": EXTENSION_SUFFIXES[0],
        "optimised": optimise,
        "checked": checked,
        "modules": modules,
        "units": chapters,
        "sources": known,
        "rewriting": [digest_of((Path(__file__).parent / name).read_bytes()) for name in REWRITING],
    }
    if _is_done(home, manifest):
        say("everything is up to date")
        return
    started = time.monotonic()
    shutil.rmtree(home, ignore_errors=True)  # so that a partial build is never used
    say(f"rewriting {len(sources)} modules")
    _copy_sources(root, work / "source", sources)
    made = f"O{optimise}"  # each kind of build is built separately
    with _inside(work / "source"):
        say(f"joining {len(in_units)} chapters and translating them to C (Cython)")
        joined_units = [
            _translate_unit(root, work / "joined", package, order, optimise, checked)
            for package, order in chapters.items()
        ]
        say("checking types and translating the others to C (mypyc)")
        extensions = _translate(wanted, str(work / "c"), optimise)
        say(f"translated after {time.monotonic() - started:.0f} s; compiling {len(wanted) + len(chapters)} libraries")
        names = [unit_name(package) for package in chapters]
        _compile(joined_units, work / (f"{made}_checked" if checked else made), home, names, jobs, say)
        _compile(extensions, work / made, home, [name for name in modules if name not in names], jobs, say)
    (home / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    say(f"compiled {len(sources)} modules in {time.monotonic() - started:.0f} s")


def _source(root: Path, module: str) -> Path:
    return root / f"{module.replace('.', '/')}.py"


def _reads_structs(root: Path, module: str, chapters: set[str]) -> bool:
    """Return whether a module works on structs of joined chapters, whose rows mypyc would take for lists."""
    imported = imported_by(_source(root, module).read_text(encoding="utf-8"))
    return any(has_structs(_source(root, chapter).read_text(encoding="utf-8")) for chapter in imported & chapters)


def _known(path: Path) -> tuple[int, int, str]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, digest_of(path.read_bytes())


def _is_done(home: Path, manifest: dict[str, Any]) -> bool:
    """Return whether exactly this build is in `home`, whatever its sources' times."""

    def said(each: dict[str, Any]) -> Any:
        return {**each, "sources": {path: known[2] for path, known in each["sources"].items()}}

    try:
        return bool(said(json.loads((home / "manifest.json").read_bytes())) == said(manifest))
    except (OSError, ValueError, KeyError):
        return False


def _copy_sources(root: Path, source: Path, compiled: dict[str, Path]) -> None:
    """Write the rewritten sources and, unchanged beside them, their imports."""
    changed = set(compiled.values())
    here = [path for path in root.joinpath("referee").rglob("*.py*") if path.suffix in (".py", ".pyi")]
    for path in here:
        text = path.read_text(encoding="utf-8")
        _write(source / path.relative_to(root), rewritten(text) if path in changed else text)
    _write(source / "mypy.ini", MYPY)
    for path in source.rglob("*.py*"):
        if root / path.relative_to(source) not in here and "mypy_cache" not in path.parts:
            path.unlink()  # of a deleted module


def _write(path: Path, text: str) -> None:
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _translate(wanted: dict[str, list[str]], target: str, optimise: int) -> list[Any]:
    try:
        from mypyc.build import mypycify
    except ModuleNotFoundError:
        raise CompilingError("mypyc is missing; expected it to be installed with: pip install mypy") from None
    said = io.StringIO()
    files = {library: [f"{module.replace('.', '/')}.py" for module in modules] for library, modules in wanted.items()}
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):  # its warnings are expected
            extensions: list[Any] = mypycify(
                [path for paths in files.values() for path in paths],
                opt_level=str(optimise),
                debug_level="0",
                separate=[(paths, f"{PREFIX}{library}") for library, paths in files.items()],
                target_dir=target,
            )
    except SystemExit as stopped:
        raise CompilingError(f"mypyc refuses the source:\n{said.getvalue()}{stopped}") from None
    return extensions


def _translate_unit(root: Path, target: Path, package: str, order: list[str], optimise: int, checked: bool) -> Any:
    try:
        from Cython.Compiler import Main as cython
    except ModuleNotFoundError:
        raise CompilingError("Cython is missing; expected it to be installed with: pip install cython") from None
    from setuptools import Extension

    name = unit_name(package)
    text = joined({module: _source(root, module).read_text(encoding="utf-8") for module in order})
    text += f"\n# {version('cython')} {CYTHON}\n"  # so that it is translated again if one of them changes
    # Cython must not find the chapters beside the module: a folder of its own, in which only packages are marked.
    file = target / f"{name.replace('.', '/')}.py"
    _write(file, text)
    for folder in file.relative_to(target).parents[:-1]:
        _write(target / folder / "__init__.py", "")
    c_file = file.with_suffix(".c")
    if not c_file.exists() or c_file.stat().st_mtime < file.stat().st_mtime:
        said = io.StringIO()
        options = cython.CompilationOptions(compiler_directives=CYTHON, language_level=3, output_file=str(c_file))
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            result = cython.compile_single(str(file), options, full_module_name=name)
        if result.num_errors:
            c_file.unlink(missing_ok=True)
            raise CompilingError(f"Cython refuses the chapters of {package}:\n{said.getvalue()}")
    flags = [f"-O{optimise}", *C_FLAGS, *(CHECKING if checked else ())]
    return Extension(
        name, [str(c_file)], extra_compile_args=flags, extra_link_args=list(CHECKING[1:]) if checked else []
    )


def _compile(extensions: list[Any], work: Path, home: Path, modules: list[str], jobs: int, say: Say) -> None:
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext
    from setuptools.errors import BaseError

    class ReportingBuild(build_ext):
        """Compiles as usual, and reports when each library is done."""

        def build_extension(self, ext: Any) -> None:
            started = time.monotonic()
            super().build_extension(ext)
            if ext.name.endswith(("__mypyc", ".joined")):
                name = ext.name.removeprefix(PREFIX).removesuffix("__mypyc")
                say(f"{name} after {time.monotonic() - started:.0f} s")

    command = ReportingBuild(Distribution({"name": "meistersinger", "ext_modules": extensions}))
    command.build_lib, command.build_temp, command.parallel = str(work / "lib"), str(work / "objects"), jobs
    command.ensure_finalized()
    try:
        command.run()
    except BaseError as error:
        raise CompilingError(f"the C compiler failed: {error}; expected gcc and the headers of Python") from None
    for module in modules:
        file = Path(f"{module.replace('.', '/')}{EXTENSION_SUFFIXES[0]}")
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(work / "lib" / file, home / file)
