"""Generates the Python stubs of all protos, ours and the toy game's: `python -m tools.stubs`, or `make proto`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Tree:
    """A directory of protos, and the directory whose packages hold their stubs."""

    protos: Path
    stubs: Path

    def files(self) -> list[str]:
        """Return the paths of all protos, as they import each other."""
        return sorted(file.relative_to(self.protos).as_posix() for file in self.protos.rglob("*.proto"))

    def has_service(self, file: str) -> bool:
        """Return whether a file of messages declares a service."""
        return any(line.startswith("service ") for line in (self.protos / file).read_text().splitlines())


TREES = (Tree(ROOT / "proto", ROOT), Tree(ROOT / "tests/toy_game/proto", ROOT / "tests/toy_game"))


def protoc(tree: Tree, *arguments: str) -> None:
    """Run the compiler that comes with grpcio-tools, which includes google's own protos."""
    command = [sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={tree.protos}", *arguments]
    subprocess.run(command, check=True)


def make_stubs(tree: Tree, into: Path) -> None:
    """Write the stubs of a tree; only files with a service get gRPC stubs."""
    files = tree.files()
    protoc(tree, f"--python_out={into}", f"--pyi_out={into}", *files)
    services = [file for file in files if tree.has_service(file)]
    if services:
        protoc(tree, f"--grpc_python_out={into}", *services)


def make_packages(folders: Sequence[Path]) -> None:
    """Make every stubs folder a package, so that it is installed with the rest."""
    for folder in folders:
        package = folder / "__init__.py"
        if not package.exists():
            package.write_text('"""Generated messages."""\n')


def main() -> None:
    """Write the stubs of both trees."""
    for tree in TREES:
        make_stubs(tree, tree.stubs)
        make_packages([tree.stubs / Path(file).parent for file in tree.files()])


if __name__ == "__main__":
    main()
