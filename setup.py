"""The wheel: pure Python, or with the rules and the referee compiled where MEISTERSINGER_COMPILE=1 asks for it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
IS_COMPILED = os.environ.get("MEISTERSINGER_COMPILE") == "1"


class CompiledDistribution(Distribution):
    """A distribution for one Python and one kind of machine."""

    def has_ext_modules(self) -> bool:
        """Say so: the compiled modules are no extensions that setuptools knows of."""
        return True


class BuildCompiled(build_py):
    """Copies the source as ever, and puts the compiled modules beside it; an editable install has `make fast`."""

    def run(self) -> None:
        """Copy, then compile."""
        super().run()
        if not self.editable_mode:
            os.environ["MEISTERSINGER_COMPILED"] = "0"  # it is made from the source, and by the source
            sys.path.insert(0, str(ROOT))
            from tools.compiling.building import build

            build(ROOT, ROOT / "build" / "fast", Path(self.build_lib).resolve() / "referee" / "compiled", say=self.warn)


compiled: dict[str, Any] = {"distclass": CompiledDistribution, "cmdclass": {"build_py": BuildCompiled}}
# Published beside the code: the rule pages, and the messages from which arena new-bot copies.
published: dict[str, list[str]] = {"share/meistersinger/rules": [str(each) for each in Path("docs/rules").glob("*.md")]}
for message in sorted(Path("proto/referee").rglob("*.proto")):
    published.setdefault(f"share/meistersinger/{message.parent}", []).append(str(message))
setup(data_files=list(published.items()), **(compiled if IS_COMPILED else {}))
