"""The files that an operator copies: systemd understands the unit, and its command starts the server as it says."""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.cli.serve import command
from tests import parts
from tests.patience import patience
from tools.stubs import ROOT

UNIT = ROOT / "docs/howto/arena.service"
JOURNAL = ROOT / "docs/howto/journald@arena.conf"


def settings(file: Path) -> dict[str, list[str]]:
    """Return the values of every key of a unit file, with continued lines joined."""
    found: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def environment() -> dict[str, str]:
    pairs = (shlex.split(value)[0].partition("=") for value in settings(UNIT)["Environment"])
    return {name: value for name, _, value in pairs}


def verified(file: Path) -> str:
    """Return everything that systemd says of a unit file."""
    done = subprocess.run(
        [parts.program("systemd-analyze"), "verify", "--man=no", str(file)],
        capture_output=True, text=True, check=False, timeout=patience(12),
    )  # fmt: skip
    return done.stdout + done.stderr


def test_systemd_finds_no_fault_with_the_unit(tmp_path: Path) -> None:
    copied = Path(shutil.copy(UNIT, tmp_path))
    assert verified(copied) == ""


def test_systemd_would_name_a_key_that_it_does_not_know(tmp_path: Path) -> None:
    """Otherwise the test above could not fail."""
    wrong = tmp_path / "arena.service"
    wrong.write_text(UNIT.read_text(encoding="utf-8").replace("KillMode=", "KillMoed="), encoding="utf-8")
    assert "Unknown key 'KillMoed'" in verified(wrong)


def test_the_unit_moves_the_server_into_a_group_of_its_own_and_runs_it_with_its_options(tmp_path: Path) -> None:
    """With ordinary files in place of control groups, and `echo` in place of the server."""
    (line,) = settings(UNIT)["ExecStart"]
    program = [word.replace("$$", "$") for word in shlex.split(line)]  # as systemd reads it
    mine = environment() | {"ARENA_CGROUP": str(tmp_path), "ARENA_BIN": "/bin/echo", "PATH": os.defpath}
    process = subprocess.Popen(program, env=mine, stdout=subprocess.PIPE, text=True)
    said = process.communicate(timeout=patience(6))[0]
    assert process.returncode == 0
    assert said == f"serve {environment()['ARENA_OPTIONS']}\n"
    assert (tmp_path / "server" / "cgroup.procs").read_text() == f"{process.pid}\n"
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+memory +pids +cpu\n"


def test_the_options_of_the_unit_are_options_of_the_server() -> None:
    context = command.make_context("serve", shlex.split(environment()["ARENA_OPTIONS"]))
    assert context.params["log_json"]
    assert context.params["metrics"] == "127.0.0.1:9494"


def test_the_unit_restarts_a_server_that_ends_and_not_one_with_wrong_options() -> None:
    found = settings(UNIT)
    assert (found["Restart"], found["RestartPreventExitStatus"], found["Delegate"]) == (["always"], ["2"], ["yes"])
    assert environment()["ARENA_CGROUP"] == "/sys/fs/cgroup/system.slice/%n"


@pytest.mark.parametrize("key", ["RestrictNamespaces", "ProtectKernelTunables", "ProtectKernelLogs", "ProtectProc"])
def test_the_unit_leaves_bubblewrap_what_it_needs(key: str) -> None:
    assert key not in settings(UNIT)


def test_the_journal_of_the_unit_is_bounded() -> None:
    journal = configparser.ConfigParser()
    journal.read(JOURNAL, encoding="utf-8")
    assert settings(UNIT)["LogNamespace"] == [JOURNAL.stem.partition("@")[2]]
    assert {"systemmaxuse", "maxretentionsec"} <= set(journal["Journal"])
