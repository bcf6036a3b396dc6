"""arena test: is a new version better than the old one?"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

import click
import trio
from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.bots.directory import Bot, BotDirectory, read_bot
from arena.cli.building import check_built
from arena.cli.new_bot import starter_bots
from arena.cli.options import db_option, json_option, quiet_option
from arena.cli.output import print_json, printable
from arena.cli.play import parse_assignment
from arena.plan.luck import MAX_SEED
from arena.plan.trial import TrialPlan, check_trial, game_of, nearest_fillers, plan_trial, pool_of, settings_of_games
from arena.play.field import find_entry
from arena.play.runner import local_now
from arena.play.stored_plan import stored_bot
from arena.play.trials import TrialRunner
from arena.reports.trial import exit_code, trial_lines, trial_plain
from arena.sandbox.levels import Policy, choose
from arena.store.database import Store, open_store
from arena.store.fits import read_fit
from ratings.forecast import trial_forecast_words
from ratings.trial import DEFAULT_ELO0, DEFAULT_ELO1, DEFAULT_ERROR, DEFAULT_MAX_BLOCKS, Terms, terms
from ratings.trial_ledger import TestEntry
from ratings.trial_words import money_words, repeats_words
from referee.game import AnyGame
from referee.games import GAMES
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import TimeControl

EXIT_STOPPED = 130
HOUSE = ("python", "greedy")
"""The sample bots that fill up a table: both answer at once."""
SHOWN_EVERY = 10
"""Blocks between two lines of progress where there is no terminal."""


class _Number(click.ParamType[Decimal]):
    """A number as it is written: no float comes between."""

    name = "number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Decimal:
        """Read a decimal number."""
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            number = Decimal("nan")
        if not number.is_finite() or abs(number) > 10_000:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


@click.command("test")
@click.argument("new", metavar="NEW")
@click.option("--against", "old", required=True, metavar="OLD", help="The bot that NEW is held against.")
@click.option("--game", help="The game; needed unless both bots declare only one.")
@click.option(
    "--seats",
    type=click.IntRange(2, 5),
    help="Seats at the table; if left out, the usual number, or fewer where nobody can fill it.",
)
@click.option("--elo0", type=_Number(), default=DEFAULT_ELO0, show_default=True, help="Better means more than this.")
@click.option(
    "--elo1", type=_Number(), default=DEFAULT_ELO1, show_default=True, help="Not better means less than this."
)
@click.option("--alpha", type=_Number(), default=DEFAULT_ERROR, show_default=True, help="Error rate of better.")
@click.option("--beta", type=_Number(), default=DEFAULT_ERROR, show_default=True, help="Error rate of not better.")
@click.option(
    "--most-blocks", default=DEFAULT_MAX_BLOCKS, show_default=True, type=click.IntRange(1, 1_000_000),
    help="Stop as inconclusive after so many blocks.",
)  # fmt: skip
@click.option(
    "--fillers", metavar="BOT,BOT,…",
    help="Who else may sit at the table; if left out, the rated bots nearest to OLD, then sample bots.",
)  # fmt: skip
@click.option(
    "--copies",
    default=1,
    show_default=True,
    type=click.IntRange(1, 2),
    help="Seats for NEW and OLD each; with 2 nothing is rated.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    help="Part of the test's id, from which all chance follows; drawn if left out.",
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; see arena games.")
@click.option(
    "--time", "times", multiple=True, metavar="KEY=MS", help="Time control, e.g. bank_ms=60000, cap_ms=10000."
)
@click.option("--fresh-process", is_flag=True, help="Start a new process of every bot for every game.")
@click.option("--referees", default=2, show_default=True, type=click.IntRange(1, 64), help="Referee processes.")
@click.option(
    "--at-once", default=4, show_default=True, type=click.IntRange(1, 1024), help="Games at once at each referee."
)
@click.option(
    "--sandbox", default=Policy.AUTO.value, show_default=True,
    type=click.Choice([policy.value for policy in Policy]),
    help="auto: the best there is; required: nothing less than holds strangers' bots; off: plain processes.",
)  # fmt: skip
@click.option("--abandon", is_flag=True, help="End the open test on these terms without a verdict, and play nothing.")
@db_option
@quiet_option
@json_option
def command(
    new: str,
    old: str,
    game: str | None,
    seats: int | None,
    elo0: Decimal,
    elo1: Decimal,
    alpha: Decimal,
    beta: Decimal,
    most_blocks: int,
    fillers: str | None,
    copies: int,
    seed: int | None,
    options: tuple[str, ...],
    times: tuple[str, ...],
    fresh_process: bool,
    referees: int,
    at_once: int,
    sandbox: str,
    abandon: bool,
    db: Path,
    is_quiet: bool,
    as_json: bool,
) -> int:
    """Test whether NEW is better than OLD.

    NEW and OLD are bot directories, or bots submitted to the database. They sit at one table, in all rotations, block
    after block, until one of two gamblers has won enough: better, not better, or inconclusive at the limit. The error
    rates hold however often you look. A test that was stopped or killed is resumed by the same command.

    The exit code is 0 for better, 1 for not better and 3 for inconclusive or invalid.

    \b
    Example: arena test mybot --against oldbot --game norenberc
    """
    configure_logs("error", as_json=False)
    choose(Policy(sandbox))  # refused before anything is entered
    pair = _read(None, new, db), _read(None, old, db)
    found = game_of(game, pair, GAMES)
    request = _Request(
        found,
        pair,
        _sizes(found, seats, copies),
        partial(_terms, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, max_blocks=most_blocks, copies=copies),
        secrets.randbits(63) if seed is None else seed,
        settings_of_games(
            dict(parse_assignment("--option", text) for text in options),
            TimeControl.from_plain(dict(parse_assignment("--time", text) for text in times)),
            fresh_process=fresh_process,
        ),
    )
    request.check()
    store = open_store(db, create=True)
    click.get_current_context().call_on_close(store.close)
    opened = request.open_test(store)
    if abandon and opened is None:
        raise UserError("--abandon: no test of these two on these terms is open")
    chosen = None if fillers is None else [_read(store, name, db) for name in fillers.split(",") if name]
    plan = request.begin(store, db, chosen) if opened is None else request.resume(store, opened)
    for bot in plan.bots.values():
        if isinstance(bot, BotDirectory):
            check_built(bot)
    runner = TrialRunner(
        plan, store, local_now, referees=referees, at_once=at_once, sandbox=Policy(sandbox), log_level="error"
    )
    runner.enter()
    if abandon:
        runner.abandon()
    elif not _run(runner, is_resumed=opened is not None, is_quiet=is_quiet or as_json):
        click.echo(f"arena: stopped after {runner.trial.blocks:,} blocks; the same command resumes the test", err=True)
        return EXIT_STOPPED
    if as_json:
        print_json(trial_plain(runner))
    else:
        for line in trial_lines(runner):
            click.echo(printable(line))
    return exit_code(runner.trial.verdict)


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for, before it is known who fills the table."""

    game: AnyGame
    pair: tuple[Bot, Bot]
    sizes: tuple[int, ...]
    """The tables that will do, the best first."""
    terms: Callable[[int], Terms]
    """By the size of the table."""
    seed: int
    settings: Mapping[str, Any]

    def check(self) -> None:
        """Refuse what cannot be tested, before anything is entered."""
        for size in self.sizes:
            self.terms(size)
        check_trial(self.game, *self.pair, self.sizes[0], self.settings["options"])

    def open_test(self, store: Store) -> TestEntry | None:
        """T14.8: return the open test on the same terms, if there is one."""
        new, old = self.pair
        for test, verdict in store.tests():
            asked = (new.version, old.version, pool_of(self.game), self.settings)
            is_same = asked == (test.new, test.old, test.pool, test.settings) and test.terms.seats in self.sizes
            if verdict is None and is_same and test.terms == self.terms(test.terms.seats):
                return test
        return None

    def resume(self, store: Store, test: TestEntry) -> TrialPlan:
        """T14.8: go on with an open test and its own fillers."""
        versions = store.versions_by_hash(test.fillers)
        fillers = [stored_bot(store, versions[version].label) for version in test.fillers]
        return TrialPlan(test, self.game.slug, self.game.rules_version, (*self.pair, *fillers))

    def begin(self, store: Store, db: Path, chosen: Sequence[Bot] | None) -> TrialPlan:
        """Begin a new test, at the largest of the tables that can be filled."""
        refusals = []
        for size in self.sizes:
            agreed = self.terms(size)
            try:
                fillers = _fillers(store, db, self.game, self.pair, agreed) if chosen is None else tuple(chosen)
                return plan_trial(
                    self.game, *self.pair, agreed, fillers, self.seed, self.settings,
                    [test for test, _verdict in store.tests()],
                )  # fmt: skip
            except UserError as error:
                refusals.append(error)
        raise refusals[0]


def _sizes(game: AnyGame, seats: int | None, copies: int) -> tuple[int, ...]:
    """The size that was asked for; or else the game's usual one, and smaller ones where it cannot be filled."""
    if seats is not None:
        return (seats,)
    least = max(game.table_sizes[0], 2 * copies)
    usual = max(game.preferred_seats, least)
    return tuple(range(usual, least - 1, -1))


def _terms(seats: int, **values: Any) -> Terms:
    try:
        return terms(seats, **values)
    except ValueError as error:
        raise UserError(str(error)) from None


def _read(store: Store | None, name: str, db: Path) -> Bot:
    """Return a bot directory, or a bot that was submitted to the database."""
    if Path(name).is_dir():
        return read_bot(Path(name))
    if store is None and not db.is_file():
        raise UserError(f"{name}: not a bot directory")
    opened = open_store(db) if store is None else store
    try:
        return find_entry(opened, name)
    finally:
        if store is None:
            opened.close()


def _fillers(store: Store, db: Path, game: AnyGame, pair: Sequence[Bot], agreed: Terms) -> tuple[Bot, ...]:
    """T19.9: the rated bots nearest to OLD that can play here, then the sample bots."""
    new, old = pair
    fitted = read_fit(store, db, pool_of(game))
    versions = {version.label: version for version in store.versions()}
    ratings, bots = {}, {}
    for line in () if fitted is None else fitted.ratings:
        version = versions[line.bot]
        try:
            bot = stored_bot(store, line.bot)
        except UserError:
            continue  # its files are gone or have changed
        if not bot.is_remote and bot.manifest.plays(game.slug):
            ratings[version.version] = round(line.rating * 1000)
            bots[version.version] = bot
    samples = starter_bots()
    house = [
        bot for bot in (read_bot(samples / name) for name in HOUSE) if bot.version not in (new.version, old.version)
    ]
    needed = agreed.seats - 2 * agreed.copies
    return nearest_fillers(new.version, old.version, agreed, ratings, house[:needed], bots.__getitem__)


def _run(runner: TrialRunner, *, is_resumed: bool, is_quiet: bool) -> bool:
    console = Console(stderr=True)
    if not is_quiet:
        how = (
            f"resumed at block {runner.posted + 1:,}"
            if is_resumed
            else repeats_words(runner.plan.test.count, runner.trial.terms)
        )
        fillers = [runner.plan.bots[version].manifest.name for version in runner.plan.test.fillers]
        beside = f", beside {', '.join(fillers)}" if fillers else ""
        new, old = runner.plan.names
        click.echo(f"arena: test {runner.plan.test.id[:12]}, {how}: {new} against {old}{beside}", err=True)
    with ExitStack() as stack:
        if not is_quiet:
            runner.watcher = stack.enter_context(_Live(console) if console.is_terminal else _Lines())
        return trio.run(runner.run)


def progress_words(runner: TrialRunner, seconds_per_block: float | None) -> str:
    """T14.10: the money, the games so far, and a forecast."""
    new, _old = runner.plan.names
    games = len(runner.trial.judged) * runner.seats
    money = "; ".join(money_words(runner.trial, new))
    if runner.trial.verdict is not None:
        return f"{money}; {games:,} games; {runner.trial.verdict}, finishing what is under way"
    return f"{money}; {games:,} games; {trial_forecast_words(runner.trial, seconds_per_block)}"


class _Lines:
    """Shows a line of progress now and then, where there is no terminal."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.before: int | None = None
        self.line = ""

    def __enter__(self) -> _Lines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def judged(self, runner: TrialRunner) -> None:
        """Say where the test stands."""
        if self.before is None:
            self.before = runner.posted - 1
        seconds = (time.monotonic() - self.started) / (runner.posted - self.before)
        self.line = printable(progress_words(runner, seconds))
        self.show(runner)

    def show(self, runner: TrialRunner) -> None:
        """Print every tenth line."""
        if runner.posted % SHOWN_EVERY == 0:
            click.echo(f"arena: {self.line}", err=True)


class _Live(_Lines):
    """Shows the same line in place, on a terminal."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.live = Live(console=console, refresh_per_second=4, transient=True, get_renderable=lambda: Text(self.line))

    def __enter__(self) -> _Live:
        self.live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.live.__exit__(kind, error, trace)

    def show(self, runner: TrialRunner) -> None:
        """The display reads the line by itself."""
