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
except KeyboardInterrupt:  # `main`, which would say so, is not there yet
    sys.stderr.write("arena: stopped\n")
    sys.exit(130)

VERBS = {
    "games": "List the games with their seats and options.",
    "play": "Play matches of GAME between bots and show who won.",
    "simulate": "Simulate many matches of GAME between policies.",
    "test": "Test whether NEW is better than OLD.",
    "compare": "Compare A and B over everything they have played together.",
    "tournament": "Run tournaments and look at them.",
    "leaderboard": "Rank bots by strength, per game and overall.",
    "bots": "Submit bots, look at them, retire or disqualify them.",
    "match": "Look at single matches, in a database or on a server.",
    "analyse": "Judge a match: which decisions cost most, and what was better.",
    "replay": "Verify records, tell their story, export them.",
    "ledger": "Verify the ledger, rebuild its tables, export or correct it.",
    "web": "Serve leaderboards, tournaments and replays as a web page.",
    "serve": "Run the arena's server: submissions, tournaments, results.",
    "worker": "Play for arenas that reach this machine through a Dask scheduler.",
    "cluster": "Look at the workers of a cluster and at what they played.",
    "tokens": "Create, list and revoke the tokens of a server.",
    "connect": "Play on a server with the bot in DIR, which runs here.",
    "lookahead": "Serve the rules to a bot that runs here and looks ahead.",
    "check-bot": "Check that the bot in DIR keeps to the protocol.",
    "new-bot": "Write a new bot in LANG into DIR, ready to play.",
    "demo": "Play a small tournament of every game with the sample bots.",
    "doctor": "Check this machine: what works, what is missing, how to fix it.",
    "bench": "Run benchmarks.",
}
"""Every verb with the first sentence of its help, so that the list of verbs is shown without loading one."""


@contextmanager
def _nothing_is_rubbish() -> Iterator[None]:
    """Look for no rubbish in what is loaded meanwhile, now, later or at the end: a seventh of loading it."""
    if gc.get_freeze_count() or not gc.isenabled():  # not again in a process that runs many commands
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class _Verbs(click.Group):
    """Loads a verb's module when it is used, so that every command starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        if cmd_name != "connect":  # whose bot is its author's own program, and may want every processor
            # As numpy is loaded it starts a thread per processor, and each spins for a while; our fits use one (T8.6).
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        with _nothing_is_rubbish():
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
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        verbs = [CompletionItem(verb, help=about) for verb, about in VERBS.items() if verb.startswith(incomplete)]
        return [*verbs, *click.Command.shell_complete(self, ctx, incomplete)]


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="meistersinger", prog_name="arena")
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
        if sys.stdout is not None:  # as it is when whoever started us has closed it
            sys.stdout.flush()  # here, where a reader who has gone is no fault, and not on the way out
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
    """Write UTF-8 into pipes and files whatever the locale, and to a terminal of another encoding what it can show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8")


def _say_nothing_more() -> None:
    """Let what is still to be written go nowhere: the reader of our output has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
