"""arena test: is a new version better than the old one?"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path

import click
import trio
from click.core import ParameterSource
from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.bots.directory import Bot, BotDirectory, read_bot
from arena.bots.level import MAX_LEVEL, is_level, level_name
from arena.bots.one_file import is_bot
from arena.bots.rungs import bot_of_level
from arena.bots.samples import is_sample, read_named
from arena.cli.building import check_built
from arena.cli.faults import INTERRUPTED
from arena.cli.options import (
    Source,
    check_sendable,
    cluster_option,
    connect,
    game_option,
    pool_on,
    quiet_option,
    reading,
    source_options,
    time_option,
    writing,
)
from arena.cli.output import print_json, print_table, printable
from arena.cli.play import parse_assignment
from arena.cli.sandboxing import sandbox_option
from arena.plan.entrants import find_entry
from arena.plan.entries import find_submitted
from arena.plan.seeding import MAX_SEED, Seeding
from arena.plan.settings import RunSettings
from arena.plan.test_plan import TestPlan
from arena.plan.test_request import TestQuestion, TestRequest, house_bots, request_test
from arena.play.policy_pool import with_policies
from arena.play.test_runner import TestRunner
from arena.remote.address import ServerAddress
from arena.reports.test_report import (
    TestLine,
    TestReport,
    exit_code,
    lines_of_test,
    list_of_tests,
    opening_words,
    plain_test,
    progress_words,
    report_of_test,
)
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.database import Store
from arena.store.local_time import local_now
from ratings.sequential.result_line import CHOSEN_SEED
from ratings.sequential.test import DEFAULT_ELO0, DEFAULT_ELO1, DEFAULT_ERROR, DEFAULT_MAX_BLOCKS, SeedBy
from ratings.sequential.written_number import read_number
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import TimeControl, find_game

SHOWN_EVERY = 10
"""Blocks between two progress lines where there is no terminal."""
OF_THIS_MACHINE = ("cluster", "referees", "concurrency", "in_process", "sandbox", "db")
"""Options that say how a test is played locally; a server decides them itself."""
COLUMNS = {
    "test": "left", "NEW": "left", "OLD": "left", "pool": "left", "seats": "right", "blocks": "right",
    "verdict": "left", "of this pair": "right", "started by": "left", "started": "left",
}  # fmt: skip


class _Number(click.ParamType[Decimal]):
    """A decimal number, read without passing through a float."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        """Read a decimal number."""
        try:
            return read_number(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command("test")
@click.argument("new", metavar="NEW", required=False)
@click.option("--against", "old", metavar="OLD", help="The bot to compare NEW with.")
@click.option(
    "--level", type=click.IntRange(1, MAX_LEVEL), metavar="N",
    help="Compare NEW with the rung of the game's ladder at this level, as --against level:N.",
)  # fmt: skip
@click.option("--game", help="The game; needed unless both bots declare only one.")
@click.option(
    "--seats", type=click.IntRange(2, 5),
    help="Seats at the table (default: the usual number, or fewer if there are not enough bots).",
)  # fmt: skip
@click.option("--elo0", type=_Number(), default=DEFAULT_ELO0, show_default=True, help="Lower Elo bound (H0).")
@click.option("--elo1", type=_Number(), default=DEFAULT_ELO1, show_default=True, help="Upper Elo bound (H1).")
@click.option("--alpha", type=_Number(), default=DEFAULT_ERROR, show_default=True, help="False-positive rate.")
@click.option("--beta", type=_Number(), default=DEFAULT_ERROR, show_default=True, help="False-negative rate.")
@click.option(
    "--max-blocks", default=DEFAULT_MAX_BLOCKS, show_default=True, type=click.IntRange(1, 1_000_000),
    help="Number of blocks after which the test ends as inconclusive.",
)  # fmt: skip
@click.option(
    "--fillers", metavar="BOT,BOT,…",
    help="Bots for the other seats (default: the rated bots nearest to OLD, then sample bots).",
)  # fmt: skip
@click.option(
    "--copies", default=1, show_default=True, type=click.IntRange(1, 2),
    help="Seats for NEW and OLD each; with 2 nothing is rated.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, MAX_SEED),
    help="A seed of your own, for experiments; verdicts are then marked (default: drawn by the arena).",
)  # fmt: skip
@game_option
@time_option
@click.option(
    "--fresh-process/--keep-processes", default=True, show_default=True,
    help="Start a new process per bot and game, or let processes play on, where memory may blur the verdict.",
)  # fmt: skip
@click.option(
    "--seeding", default=Seeding.PER_GAME.value, show_default=True, type=click.Choice([each.value for each in Seeding]),
    help="per_game: every game has its own seed; per_block: all games of a block share one, not with --keep-processes.",
)  # fmt: skip
@click.option("--referees", default=2, show_default=True, type=click.IntRange(1, 64), help="Referee processes.")
@click.option(
    "--concurrency", type=click.IntRange(1, 1024),
    help="Maximum number of games that each referee plays concurrently, up to each bot's own concurrency"
    " (default: chosen by bots, time control and processors).",
)  # fmt: skip
@click.option(
    "--in-process", is_flag=True,
    help="Play policies in as many processes as there are referees, as arena simulate does; with --keep-processes.",
)  # fmt: skip
@sandbox_option
@cluster_option
@click.option("--abandon", is_flag=True, help="End the open test with these settings, without a verdict.")
@click.option("--list", "is_listing", is_flag=True, help="List all tests, and play nothing.")
@quiet_option
@source_options
def command(
    new: str | None,
    old: str | None,
    level: int | None,
    game: str | None,
    seats: int | None,
    elo0: Decimal,
    elo1: Decimal,
    alpha: Decimal,
    beta: Decimal,
    max_blocks: int,
    fillers: str | None,
    copies: int,
    seed: int | None,
    options: tuple[str, ...],
    times: tuple[str, ...],
    fresh_process: bool,
    seeding: str,
    referees: int,
    concurrency: int | None,
    in_process: bool,
    sandbox: str,
    cluster: str | None,
    abandon: bool,
    is_listing: bool,
    is_quiet: bool,
    source: Source,
    as_json: bool,
) -> int:
    """Test whether NEW is better than OLD.

    NEW and OLD are bot directories, bots submitted to the database, or level:1 to level:10 of the game's ladder. They
    sit at one table, in all rotations, block after block, until a sequential test reaches a verdict: better, not
    better, or inconclusive at the limit. The test is like SPRT, for 2 to 5 seats: its error rates hold however often
    you look. A test that was stopped or killed is resumed by the same command.

    With --server it runs there, between two versions that you have submitted; if interrupted, this command
    leaves the test running, and the same command follows it again.

    The exit code is 0 for better, 1 for not better and 3 for inconclusive or invalid.

    \b
    Example: arena test mybot --against oldbot --game norenberc
    """
    configure_logs("error", as_json=False)
    if is_listing:
        found = source.ask(list_of_tests, lambda client: client.tests())
        if as_json:
            print_json([asdict(line) for line in found])
        elif found:
            print_table("", COLUMNS, map(_cells, found))
        else:
            click.echo("There are no tests yet.")
        return 0
    if level is not None:
        if old is not None:
            raise UserError("--level: not allowed with --against; expected one of them")
        old = level_name(level)
    if new is None or old is None:
        raise UserError("test: two bots are needed; expected NEW --against OLD, or --list")
    question = TestQuestion(
        game, seats, elo0, elo1, alpha, beta, max_blocks, copies, seed,
        options=dict(parse_assignment("--option", text) for text in options),
        time_control=TimeControl.from_plain(dict(parse_assignment("--time", text) for text in times)),
        fresh_process=fresh_process,
        seeding=Seeding(seeding),
    )  # fmt: skip
    names = None if fillers is None else [name for name in fillers.split(",") if name]
    db, server = source.db, source.server
    if server is not None:
        _check_far()
        report = _test_there(server, new, old, question, names, abandon=abandon, is_quiet=is_quiet or as_json)
    else:
        policy = SandboxPolicy(sandbox)
        choose(policy)  # fails before anything is stored
        if in_process and (fresh_process or cluster is not None):
            raise UserError("--in-process: policies play on here; expected --keep-processes and no --cluster")
        open_pool = with_policies(referees) if in_process else pool_on(cluster)
        request = request_test(_read(new, db, game), _read(old, db, game), question)
        store = writing(db, create=True)
        plan, is_resumed = _plan(store, db, request, names, is_open_needed=abandon)
        check_sendable(cluster, plan.bots.values())
        run = RunSettings(referees=referees, concurrency=concurrency)
        runner = TestRunner(plan, store, local_now, run=run, sandbox=policy, open_pool=open_pool)
        runner.enter()
        if abandon:
            runner.abandon()
        else:
            _play(runner, is_resumed=is_resumed, is_quiet=is_quiet or as_json)
        report = report_of_test(runner)
    if not report.verdict:
        where = (
            "it continues there; the same command follows it again"
            if source.server
            else "the same command resumes the test"
        )
        click.echo(f"arena: stopped after {report.posted:,} blocks; {where}", err=True)
        return INTERRUPTED
    if as_json:
        print_json(plain_test(report))
    else:
        for line in lines_of_test(report):
            click.echo(printable(line))
    return exit_code(report.verdict)


def _plan(
    store: Store, db: Path, request: TestRequest, fillers: list[str] | None, *, is_open_needed: bool
) -> tuple[TestPlan, bool]:
    """Return the open test with these settings, or a new one, and whether it was open before."""
    opened = request.open_test(store)
    if is_open_needed and opened is None:
        raise UserError("--abandon: no test of these two bots with these settings is open")
    if opened is None:
        chosen = None if fillers is None else [_read(name, db, request.game.slug) for name in fillers]
        plan = request.begun(store, chosen, house_bots())
    else:
        plan = request.resumed(store, opened)
    for bot in plan.bots.values():
        if isinstance(bot, BotDirectory):
            check_built(bot)
    return plan, opened is not None


def _read(name: str, db: Path, game: str | None) -> Bot:
    """Return a bot directory, a rung of the game's ladder, a bot submitted to the database, or a sample bot."""
    if is_level(name):
        return bot_of_level(name, [] if game is None else [find_game(game).slug])
    if is_bot(name):
        return read_bot(Path(name))
    store = reading(db) if db.is_file() else None
    if store is None or (is_sample(name) and find_submitted(store, "bot", name) is None):
        return read_named(name)
    return find_entry(store, name)


def _play(runner: TestRunner, *, is_resumed: bool, is_quiet: bool) -> None:
    if is_quiet:
        trio.run(runner.run)
        return
    shown = _Progress(report_of_test(runner), is_resumed=is_resumed)
    with shown.live or nullcontext():
        trio.run(runner.run, shown)


# On a server.


def _check_far() -> None:
    context = click.get_current_context()
    for name in OF_THIS_MACHINE:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UserError(f"--{name.replace('_', '-')}: the server decides that; not allowed with --server")


def _test_there(
    server: ServerAddress,
    new: str,
    old: str,
    question: TestQuestion,
    fillers: list[str] | None,
    *,
    abandon: bool,
    is_quiet: bool,
) -> TestReport:
    """Start a test on a server and follow it; a directory stands for the version with the same files."""
    pair = [read_bot(Path(name)).label if is_bot(name) else name for name in (new, old)]
    with connect(server) as client:
        if abandon:
            return client.abandon_test(pair[0], pair[1], question, fillers)
        report, is_resumed = client.start_test(pair[0], pair[1], question, fillers)
        if is_quiet:
            return _last(client.watch_test(report.test), report)
        shown = _Progress(report, is_resumed=is_resumed)
        with shown.live or nullcontext():
            return _last(client.watch_test(report.test), report, shown)


def _last(reports: Iterable[TestReport], report: TestReport, shown: _Progress | None = None) -> TestReport:
    """Follow a test to its end, or until interrupted."""
    try:
        for report in reports:
            if shown is not None and not report.verdict:
                shown.show(report)
    except KeyboardInterrupt:
        pass
    return report


# What is shown.


class _Progress:
    """Shows a line on the state of a test: in place on a terminal, elsewhere now and then."""

    def __init__(self, report: TestReport, *, is_resumed: bool) -> None:
        click.echo(f"arena: {printable(opening_words(report, is_resumed=is_resumed))}", err=True)
        self.started = time.monotonic()
        self.before: int | None = None
        self.line = Text()
        console = Console(stderr=True)
        live = Live(console=console, transient=True, get_renderable=lambda: self.line)
        self.live = live if console.is_terminal else None

    def judged(self, runner: TestRunner) -> None:
        """Show the state of a test that is played here."""
        self.show(report_of_test(runner))

    def show(self, report: TestReport) -> None:
        """Show a test's state, with a forecast by the pace since this command began."""
        if self.before is None:
            self.before = report.posted
            self.started = time.monotonic()
        done = report.posted - self.before
        pace = (time.monotonic() - self.started) / done if done else None
        self.line = Text(printable(progress_words(report, pace)))
        if self.live is None and report.posted % SHOWN_EVERY == 0:
            click.echo(f"arena: {self.line}", err=True)


def _cells(line: TestLine) -> tuple[object, ...]:
    return (
        line.test, line.new_bot, line.old_bot, line.pool,
        f"{line.seats}, both twice" if line.copies > 1 else line.seats,
        f"{line.blocks:,}", _verdict(line), line.tests_of_this_pair, line.asked_by or "", line.started_at,
    )  # fmt: skip


def _verdict(line: TestLine) -> str:
    """T14.13: the verdict or the state of a test, marked if the caller chose its seed."""
    said = line.verdict or f"open, {line.state}"
    return f"{said} ({CHOSEN_SEED})" if line.seed_by == SeedBy.CALLER else said
