"""An isolated build of a compiled wheel brings its compiler along."""

from __future__ import annotations

import pytest
from setuptools import build_meta

from tools.compiling.backend import TO_COMPILE, get_requires_for_build_wheel


@pytest.mark.parametrize(("asked", "wanted"), [("1", ["first", *TO_COMPILE]), ("0", ["first"]), (None, ["first"])])
def test_only_a_compiled_wheel_asks_for_mypyc(
    asked: str | None, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_meta, "get_requires_for_build_wheel", lambda _settings: ["first"])
    monkeypatch.delenv("MEISTERSINGER_COMPILE", raising=False)
    if asked is not None:
        monkeypatch.setenv("MEISTERSINGER_COMPILE", asked)
    assert get_requires_for_build_wheel() == wanted
