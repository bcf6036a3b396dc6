"""The command line: one group of verbs, each loaded when it is used."""

from __future__ import annotations

import codecs
import gc
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any

try:
    import click
    from click.exceptions import NoSuchCommand
    from click.shell_completion import CompletionItem
except KeyboardInterrupt:  # `main`, which reports this otherwise, is not defined yet
    sys.stderr.write("arena: stopped\n")
    sys.exit(130)

SECTIONS = {
    "Play": {
        "games": "List the games, one per line; the games of a large family stand in one.",
        "rules": "Show the rules of GAME, or the text of one of their clauses.",
        "play": "Play matches of GAME between bots and show who won.",
        "demo": "Play a small tournament of every game between the sample bots.",
        "match": "List and inspect matches, in a database or on a server.",
        "replay": "Verify, show or export match records.",
    },
    "Write bots": {
        "docs": "Print all that is needed to write a bot of GAME as one text of bounded length.",
        "new-bot": "Create a new bot in LANG in DIR, ready to play.",
        "check-bot": "Check that the bot in DIR follows the protocol.",
        "evaluate": "Evaluate BOT: how good is it, what fails, and which decisions cost most?",
        "test": "Test whether NEW is better than OLD.",
        "compare": "Compare A and B over everything they have played together.",
        "simulate": "Simulate many matches of GAME between policies.",
        "tune": "Tune a heuristic's weights or a bot's constants by playing.",
        "ladder": "Show the rungs of a game, or find a bot's rung.",
        "lookahead": "Serve the rules engine to a local bot.",
        "connect": "Run the bot in DIR locally and play on a server.",
    },
    "Judge": {
        "leaderboard": "Rank bots by strength, per game and overall.",
        "analyse": "Judge a match: which decisions cost most, and what was better.",
        "gifts": "Look for bots that feed another, or throw their own game.",
    },
    "Organise": {
        "tournament": "Run and inspect tournaments.",
        "bots": "Submit, inspect, retire or disqualify bots.",
        "ledger": "Verify the ledger, rebuild its tables, export or correct it.",
        "witness": "Sign a ledger's checkpoint if it extends all you have signed.",
        "backup": "Back up a database with its bots and published heads.",
        "restore": "Restore a backup as a new database with its bots and heads.",
    },
    "Serve": {
        "web": "Serve leaderboards, tournaments and replays as a web site.",
        "serve": "Run the arena's server: submissions, tournaments, results.",
        "tokens": "Create, list and revoke server tokens.",
        "worker": "Run a worker for a Dask cluster.",
        "cluster": "Inspect a cluster's workers and the matches they played.",
    },
    "Tools": {
        "doctor": "Check this machine: what works, what is missing, how to fix it.",
        "bench": "Run benchmarks.",
        "help": "Show the help of arena or of one of its commands.",
    },
}
"""Every verb by what it is for, with the first sentence of its help, so that the list needs no imports."""
VERBS = {verb: about for verbs in SECTIONS.values() for verb, about in verbs.items()}


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Disable GC while importing and exempt the imports from later collections: it saves a seventh of the time."""
    if gc.get_freeze_count() or not gc.isenabled():  # once per process
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class _Verbs(click.Group):
    """Imports a verb's module on first use, so that every command starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        if cmd_name != "connect":  # its bot may want every core
            # On import numpy starts one thread per core, and each spins for a while; our fits use one (T8.6).
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        with _gc_paused():
            command: click.Command = importlib.import_module(f"arena.cli.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            raise NoSuchCommand(args[0], possibilities=VERBS, ctx=ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            from arena.cli.faults import ReaderGoneError

            raise ReaderGoneError from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, VERBS))  # the descriptions of all sections stand in one column
        for about, verbs in SECTIONS.items():
            with formatter.section(about):
                formatter.write_dl([(verb.ljust(widest), told) for verb, told in verbs.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        verbs = [CompletionItem(verb, help=about) for verb, about in VERBS.items() if verb.startswith(incomplete)]
        return [*verbs, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "-V", "--version", package_name="meistersinger", prog_name="arena")
def arena() -> None:
    """Run bots against each other in board games: single matches, tournaments, ratings.

    \b
    Example: arena demo
    """


def main() -> None:
    """Run the command line; wrong input ends with exit code 2 and one line, never a traceback."""
    sys.exit(_run())


def _run() -> int:
    _speak_plainly()
    try:
        result: Any = arena.main(standalone_mode=False)
        if sys.stdout is not None:  # None if the parent process closed it
            sys.stdout.flush()  # here, where a closed pipe is handled, not at interpreter exit
    except click.exceptions.NoArgsIsHelpError as shown:
        click.echo(shown.format_message())
        return 2
    except BaseException as error:
        from arena.cli.faults import explain, flagged

        fault = explain(error)
        if fault is None:
            raise
        if fault.is_unheard:
            _say_nothing_more()
        else:
            click.echo(f"arena: {flagged(fault.line, arena, sys.argv[1:])}", err=True)
        return fault.exit_code
    return result if isinstance(result, int) else 0


def _speak_plainly() -> None:
    """Write UTF-8 to pipes and files whatever the locale; a terminal of another encoding gets replacements."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8")


def _say_nothing_more() -> None:
    """Discard further output: the reader has closed the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
