"""The build backend of pyproject.toml: setuptools, and with MEISTERSINGER_COMPILE=1 also Cython and mypyc."""

from __future__ import annotations

import os
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 -- every other hook is setuptools' own

TO_COMPILE = ["cython>=3.1", "mypy>=1.17", "protobuf>=7.35.1,<8", "structlog>=25.1", "types-protobuf>=6.30"]
"""The packages that check types and compile."""


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return the packages that an isolated build installs first."""
    wanted: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return [*wanted, *TO_COMPILE] if os.environ.get("MEISTERSINGER_COMPILE") == "1" else wanted
