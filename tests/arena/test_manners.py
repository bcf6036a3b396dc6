"""How the command line behaves towards people: its help, and what it says when something ends it early."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import trio

from arena.cli import VERBS
from arena.cli import arena as root
from arena.cli.faults import explain
from arena.plan.entries import read_entries
from referee.order import OrderError
from tests.arena.command_line import CommandLine

DEEP = "x = " + "[" * 1500 + "]" * 1500 + "\n"


def every_command(
    command: click.Command = root, name: str = "arena", parent: click.Context | None = None
) -> Iterator[click.Context]:
    """Yield the context of every command and group there is."""
    context = click.Context(command, parent=parent, info_name=name, **command.context_settings)
    yield context
    if isinstance(command, click.Group):
        for verb in command.list_commands(context):
            inner = command.get_command(context, verb)
            assert inner is not None
            yield from every_command(inner, verb, context)


# Help


def test_help_fits_into_80_columns_and_no_line_of_a_list_is_cut() -> None:
    wide = []
    for context in every_command():
        usage, *lines = context.command.get_help(context).splitlines()
        wide += [(context.command_path, line) for line in (usage, *lines) if len(line) > 80]
        wide += [(context.command_path, line) for line in lines if line.endswith("...")]
    assert wide == []


def test_the_list_of_verbs_says_what_each_verb_says_of_itself() -> None:
    said = {
        context.info_name: context.command.get_short_help_str(limit=80)
        for context in every_command()
        if context.parent is not None and context.parent.parent is None
    }
    assert said == VERBS


def test_the_help_loads_no_verb() -> None:
    """Nor anything else that takes its time: benchmarks/startup.py says how much that is worth."""
    program = "import sys; import arena.cli as c\ntry: c.main()\nfinally: print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program, "--help"], capture_output=True, text=True, check=True
    )  # fmt: skip
    loaded = done.stdout.splitlines()[-1].split()
    ours = [name for name in loaded if name.partition(".")[0] in ("arena", "referee", "ratings", "lobby")]
    assert ours == ["arena", "arena.cli"]
    assert not {"rich", "trio", "numpy", "grpc", "sqlite3", "structlog"} & set(loaded)


def test_the_shell_completes_verbs_without_loading_them() -> None:
    environment = {**os.environ, "_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": "arena le", "COMP_CWORD": "1"}
    program = Path(sys.executable).with_name("arena")
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["plain,leaderboard", "plain,ledger"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("lederboard",), "Did you mean one of: 'leaderboard', 'ledger'?"),
        (("tournament", "rezume", "x"), "Did you mean 'resume'?"),
        (("play", "toy", "--wach"), "'--watch'?"),
    ],
)
def test_what_is_misspelt_gets_a_hint(words: tuple[str, ...], hint: str, command_line: CommandLine) -> None:
    said = command_line(*words)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert hint in said.err


# What ends a command early


def in_groups(error: BaseException) -> BaseException:
    """Return an error as it arrives from tasks inside tasks."""
    return BaseExceptionGroup("outer", [BaseExceptionGroup("inner", [error])])


def full_disk() -> BaseException:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    connection.close()
    return caught.value


EARLY_ENDS: dict[str, tuple[BaseException, int, str]] = {
    "Ctrl-C": (KeyboardInterrupt(), 130, "stopped"),
    "a question that was not answered": (click.Abort(), 130, "stopped"),
    "bad input": (OrderError("key: what was\nexpected"), 2, "key: what was expected"),
    "a full disk under the database": (full_disk(), 2, "the disk is full"),
    "a full disk under a file": (OSError(errno.ENOSPC, "No space left on device", "x.jsonl"), 2, "no space left"),
    "too many open files": (OSError(errno.EMFILE, "Too many open files"), 2, "too many open files"),
    "a row that is there already": (sqlite3.IntegrityError("UNIQUE constraint failed"), 1, "UNIQUE constraint"),
}


@pytest.mark.parametrize("wrap", [lambda error: error, in_groups], ids=["alone", "in groups"])
@pytest.mark.parametrize("case", EARLY_ENDS)
def test_what_ends_a_command_is_one_line_and_an_exit_code(case: str, wrap: type[BaseException]) -> None:
    error, code, reason = EARLY_ENDS[case]
    fault = explain(wrap(error))
    assert fault is not None
    assert (fault.exit_code, fault.is_unheard) == (code, False)
    assert reason in fault.line
    assert "\n" not in fault.line


def test_an_interruption_explains_what_fails_beside_it() -> None:
    fault = explain(BaseExceptionGroup("both", [ValueError("half done"), KeyboardInterrupt()]))
    assert fault is not None
    assert fault.exit_code == 130


def test_a_mistake_of_ours_keeps_its_traceback() -> None:
    assert explain(ValueError("ours")) is None
    assert explain(ExceptionGroup("both", [OrderError("theirs"), ValueError("ours")])) is None


def test_ctrl_c_in_the_middle_of_tasks_is_one_line(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupted() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            raise KeyboardInterrupt

    monkeypatch.setattr("arena.cli.games.describe", lambda _game: trio.run(interrupted))
    said = command_line("games")
    assert (said.code, said.out, said.err) == (130, "", "arena: stopped\n")


# Files that nobody wrote by hand


def test_a_tournament_file_nested_very_deeply_is_refused(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text(DEEP)
    said = command_line("tournament", "run", "deep.toml")
    assert (said.code, said.err) == (2, "arena: deep.toml: the values are nested too deeply\n")


def test_a_manifest_nested_very_deeply_is_refused(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(DEEP)
    said = command_line("check-bot", "bot")
    assert (said.code, said.err) == (2, "arena: bot/bot.toml: the values are nested too deeply\n")


def test_a_server_refuses_a_tournament_nested_very_deeply() -> None:
    with pytest.raises(OrderError, match="nested too deeply"):
        read_entries(DEEP)
