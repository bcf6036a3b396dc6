"""How the command line behaves towards people: its help, and what it says when something ends it early."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import click
import pytest
import trio
from click.shell_completion import get_completion_class
from rich.console import Console

import arena.cli
from arena.cli import VERBS
from arena.cli import arena as root
from arena.cli.faults import explain
from arena.cli.hints import to_paste
from arena.cli.new_bot import LANGUAGES
from arena.cli.output import print_table
from arena.cli.tournament import resume_hint
from arena.cli.watching import LiveDisplay
from arena.plan.entries import read_entries
from arena.plan.tournament_file import Plan
from arena.remote.address import ServerAddress
from arena.store.rows import StoredMatch
from referee.mistakes import UserError
from tests.arena.cli.test_demo import match
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import small_database
from tools.stubs import ROOT

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


def completion_script(shell: str) -> str:
    """Return what the shell is given to complete our commands with."""
    found = get_completion_class(shell)
    assert found is not None
    return found(root, {}, "arena", "_ARENA_COMPLETE").source_template % {
        "complete_func": "_arena_completion",
        "complete_var": "_ARENA_COMPLETE",
        "prog_name": "arena",
    }


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
    """Nor anything else that takes its time: arena/bench/startup.py says how much that is worth."""
    program = "import sys; import arena.cli as c\ntry: c.main()\nfinally: print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program, "--help"], capture_output=True, text=True, check=True
    )  # fmt: skip
    loaded = done.stdout.splitlines()[-1].split()
    ours = [name for name in loaded if name.partition(".")[0] in ("arena", "referee", "ratings")]
    assert ours == ["arena", "arena.cli"]
    assert not {"rich", "trio", "numpy", "grpc", "sqlite3", "structlog"} & set(loaded)


def test_a_question_to_a_database_loads_what_answers_it_and_no_more(tmp_path: Path) -> None:
    """Neither what plays, nor what draws tables and logs, each of which takes longer to load than to ask."""
    db = small_database(tmp_path)
    program = "import sys; import arena.cli as c\ntry: c.main()\nfinally: print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, "leaderboard", "--json", "--db", str(db)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    json.loads(done.stdout)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "arena.reports.leaderboard" in loaded
    assert not {"structlog", "rich", "asyncio", "trio", "grpc", "google.protobuf", "importlib.metadata"} & loaded
    assert not {"sqlite_utils", "pandas"} & loaded
    assert not {name for name in loaded if name.startswith("arena.play.")}


def test_the_shell_completes_verbs_without_loading_them() -> None:
    environment = {**os.environ, "_ARENA_COMPLETE": "bash_complete", "COMP_WORDS": "arena le", "COMP_CWORD": "1"}
    program = Path(sys.executable).with_name("arena")
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["plain,leaderboard", "plain,ledger"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_page_on_completion_shows_what_gives_a_script_for_the_shell(shell: str) -> None:
    page = (ROOT / "docs/howto/complete_commands_in_the_shell.md").read_text()
    assert f"_ARENA_COMPLETE={shell}_source arena" in page
    script = completion_script(shell)
    assert "arena" in script
    assert f"_ARENA_COMPLETE={shell}_complete" in script


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
    "bad input": (UserError("key: what was\nexpected"), 2, "key: what was expected"),
    "a full disk under the database": (full_disk(), 2, "the disk is full"),
    "a full disk under a file": (OSError(errno.ENOSPC, "No space left on device", "x.jsonl"), 2, "no space left"),
    "too many open files": (OSError(errno.EMFILE, "Too many open files"), 2, "too many open files"),
    "a row that already exists": (sqlite3.IntegrityError("UNIQUE constraint failed"), 2, "another arena"),
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
    assert explain(ExceptionGroup("both", [UserError("theirs"), ValueError("ours")])) is None


def test_ctrl_c_in_the_middle_of_tasks_is_one_line(command_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    async def interrupted() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            raise KeyboardInterrupt

    monkeypatch.setattr("arena.cli.games.describe", lambda _game: trio.run(interrupted))
    said = command_line("games", "--json")
    assert (said.code, said.out, said.err) == (130, "", "arena: stopped\n")


# Tables


def test_a_table_in_a_pipe_is_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["norenberc", "a" * 150, "b" * 150]
    print_table("title", dict.fromkeys(("one", "two", "three"), "left"), [names])
    assert capsys.readouterr().out.splitlines()[-1].split() == names


@pytest.mark.parametrize("width", [30, 40, 60, 80, 200])
def test_a_table_on_a_terminal_keeps_every_figure_and_folds_names(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 30 columns even that is too wide: the terminal breaks the lines itself, and nothing is cut."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(width))
    name = "a-bot-with-a-long-name@0123456789ab"
    columns = {"place": "right", "bot": "left", "without lowest": "right", "head to head": "right"}
    print_table("", columns, [(1, name, "123.456", "1,234,567")])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    first = next(at for at, line in enumerate(lines) if line.lstrip().startswith("1 "))
    words = [line.split() for line in lines[first:]]
    assert (words[0][0], words[0][2:]) == ("1", ["123.456", "1,234,567"])
    assert "".join([words[0][1], *(row[0] for row in words[1:])]) == name
    assert max(map(len, lines)) <= max(width, 38)


def test_all_tables_are_made_by_one_function() -> None:
    """The live display is none: it is redrawn in place."""
    files = sorted(Path(arena.cli.__file__).parent.glob("*.py"))
    assert [file.name for file in files if "rich.table" in file.read_text()] == ["output.py", "watching.py"]


# Hints


def test_a_bot_that_is_not_built_is_refused_with_the_command_that_builds_it(
    command_line: CommandLine, tmp_path: Path
) -> None:
    command_line("new-bot", "cpp", "fast bot")
    for words in (("check-bot", "fast bot"), ("play", "toy", "--bot", "fast bot", "--bot", "fast bot")):
        said = command_line(*words)
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        assert f"build it with: arena check-bot --build '{tmp_path / 'fast bot'}'" in said.err


@pytest.mark.parametrize(
    ("way", "is_on_path"),
    [("arena", True), ("arena", False), ("-m arena", True), ("-m arena", False)],
    ids=["by name", "by path", "module", "module of an environment that is not active"],
)
def test_a_hint_names_the_program_as_it_was_called_and_works_when_pasted(
    way: str, is_on_path: bool, tmp_path: Path
) -> None:
    """A shell finds `arena` in an environment that is active; elsewhere the hint has the way to it."""
    commands = Path(sys.executable).parent
    environment = {"PATH": f"{commands}:/usr/bin:/bin" if is_on_path else "/usr/bin:/bin", "HOME": str(tmp_path)}

    def shell(line: str) -> str:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), line
        return done.stdout

    program = sys.executable if way == "-m arena" else "arena" if is_on_path else str(commands / "arena")
    called = f"{program} -m arena" if way == "-m arena" else program
    told = shell(f"{called} new-bot python 'my bot'")
    (hint,) = (line.strip() for line in told.splitlines() if "check-bot" in line)
    assert hint == f"{called} check-bot 'my bot'"
    assert "Usage" in shell(f"{hint} --help")


def test_a_hint_carries_the_server_in_use_but_never_the_token() -> None:
    server = ServerAddress("127.0.0.1:7494", "secret", Path("my ca.pem"), allow_plaintext=True)
    hint = to_paste("match", "logs", "3f9a", db=Path("x.db"), server=server)
    assert hint == "arena match logs 3f9a --server 127.0.0.1:7494 --tls-ca 'my ca.pem' --allow-plaintext"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_readme_of_a_new_bot_speaks_of_its_own_directory(
    language: str, command_line: CommandLine, tmp_path: Path
) -> None:
    """And its commands are commands: no file of a checkout is named."""
    command_line("new-bot", language, "mine")
    text = (tmp_path / "mine" / "README.md").read_text()
    assert "sample_bots" not in text
    assert "tools/" not in text
    for line in re.findall(r"^arena (.+)$", text, re.MULTILINE):
        assert line.split()[0] in VERBS
        assert line.endswith(" .")


def test_the_hint_to_resume_names_the_database_and_the_cluster_in_use() -> None:
    assert resume_hint("cup", Path("arena.db")) == "arena: resume it with: arena tournament resume cup"
    assert resume_hint("cup", Path("my dir/x.db")).endswith("resume cup --db 'my dir/x.db'")
    assert resume_hint("cup", Path("arena.db"), "dask.json").endswith("resume cup --cluster dask.json")


def test_a_misspelt_bot_tournament_or_game_gets_a_hint(command_line: CommandLine, tmp_path: Path) -> None:
    small_database(tmp_path)
    assert "(did you mean 'ann'?)" in command_line("bots", "show", "anna").err
    assert "(did you mean 'cup'?)" in command_line("tournament", "standings", "cups").err
    assert "(did you mean 'norenberc'?)" in command_line("play", "norenberg", "--bot", "x").err


# Progress


def live_display(so_far: Sequence[StoredMatch] = (), rating_rounds: int = 0) -> LiveDisplay:
    plan = cast(Plan, SimpleNamespace(name="cup", settings=SimpleNamespace(rating_rounds=rating_rounds)))
    return LiveDisplay(Console(file=io.StringIO(), force_terminal=True, width=80), plan, so_far)


def shown(display: LiveDisplay) -> str:
    with display.live.console.capture() as captured:
        display.live.console.print(display.live.get_renderable())
    return captured.get()


def test_a_tournament_without_an_end_does_not_count_down_a_hundred_thousand_rounds() -> None:
    display = live_display(rating_rounds=100_000)
    display.paired(3, 100_005, "toy", 4, 0)
    assert "2/?" in shown(display)
    finite = live_display()
    finite.paired(3, 7, "toy", 4, 1)
    assert "2/7" in shown(finite)
    assert "1/4" in shown(finite)


def test_a_resumed_tournament_goes_on_counting_where_it_was() -> None:
    display = live_display([match("one", (3, 5), (2, 1)), match("two", (3, 5), (2, 1))])
    assert "cup: 2 matches," in shown(display)
    assert "one-1@1" in shown(display)


def test_a_display_leaves_nothing_behind() -> None:
    """The last thing that it does is to erase itself."""
    display = live_display()
    with display:
        display.paired(1, 2, "toy", 4, 0)
    written = cast(io.StringIO, display.live.console.file).getvalue()
    assert "toy, round 1" in written
    assert "toy" not in written.rpartition("\x1b[2K")[2]


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
    with pytest.raises(UserError, match="nested too deeply"):
        read_entries(DEEP)


TOO_LONG = "a" * 5000


@pytest.mark.parametrize(
    "words",
    [
        ("check-bot", TOO_LONG),
        ("bots", "submit", TOO_LONG),
        ("test", TOO_LONG, "--against", TOO_LONG, "--game", "norenberc"),
        ("leaderboard", "--db", TOO_LONG),
        ("web", "--db", TOO_LONG),
        ("ledger", "verify", "--db", TOO_LONG),
        ("backup", TOO_LONG),
        ("tournament", "run", "cup.toml"),
    ],
    ids=lambda words: " ".join(words[:2])[:20],
)
def test_a_path_that_is_too_long_is_one_line(words: tuple[str, ...], command_line: CommandLine) -> None:
    Path("cup.toml").write_text(f'name = "cup"\ngame = "norenberc"\nbots = ["{TOO_LONG}"]\n', encoding="utf-8")
    Path("arena.db").touch()
    ended = command_line(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("arena: ")
    assert len(ended.err.splitlines()) == 1
