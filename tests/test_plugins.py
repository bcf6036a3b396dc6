"""The packages of plugins/: found, and their tests skipped and counted where they are not installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.plugins import ROOT, plugin_of, plugins

ABSENT = "from tools.plugins import Plugin\n\nPlugin.is_installed = lambda plugin: False\n"


def test_every_plugin_has_a_package_tests_and_a_readme() -> None:
    for plugin in plugins():
        assert plugin.packages, plugin.name
        assert (plugin.folder / "README.md").is_file()
        assert [*(plugin.folder / "tests").glob("test_*.py")]
        assert plugin_of(plugin.folder / "tests" / "test_contract.py") == plugin
    assert plugin_of(ROOT / "tests") is None


@pytest.mark.parametrize(
    ("ci", "code", "said"),
    [("", 0, "1 skipped"), ("true", 1, "with CI=true nothing is skipped: needs plugins: ")],
    ids=["elsewhere", "CI"],
)
def test_the_tests_of_a_missing_plugin_are_skipped_and_in_ci_they_fail(
    tmp_path: Path, ci: str, code: int, said: str
) -> None:
    (tmp_path / "absent.py").write_text(ABSENT)
    plugin = next(plugins())
    file = next((plugin.folder / "tests").glob("test_*.py"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "absent", "-p", "no:cacheprovider", str(file)],
        cwd=ROOT,
        env={**os.environ, "CI": ci, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout


def test_an_unknown_plugin_is_refused_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.plugins", "install", "no_such_plugin"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("no_such_plugin is not in plugins/; expected some of: chess")
    assert len(done.stderr.splitlines()) == 1
