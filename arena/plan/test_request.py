"""T14.8: the request for a test: it resumes the open test on the same terms, or begins one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from arena.bots.directory import Bot, BotDirectory, read_bot
from arena.bots.samples import starter_bots
from arena.fitting.fits import read_fit
from arena.plan.seeding import Seeding
from arena.plan.stored_plan import stored_bot
from arena.plan.test_plan import TestPlan, check_test, game_of, nearest_fillers, plan_test, pool_of, settings_of_games
from arena.store.database import Store
from ratings.ledger.test_entries import TestEntry
from ratings.sequential.test import DEFAULT_ELO0, DEFAULT_ELO1, DEFAULT_ERROR, DEFAULT_MAX_BLOCKS, TestTerms, terms
from referee.game import AnyGame, has_openings
from referee.games import GAMES
from referee.mistakes import UserError
from referee.order import TimeControl

HOUSE = ("python", "greedy")
"""The sample bots that fill up a table: both answer immediately."""


@dataclass(frozen=True, slots=True)
class TestQuestion:
    """T18.1: a question about two bots, as given on a command line or sent to a server."""

    game: str | None = None
    seats: int | None = None
    elo0: Decimal = DEFAULT_ELO0
    elo1: Decimal = DEFAULT_ELO1
    alpha: Decimal = DEFAULT_ERROR
    beta: Decimal = DEFAULT_ERROR
    max_blocks: int = DEFAULT_MAX_BLOCKS
    copies: int = 1
    seed: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    time_control: TimeControl = TimeControl()
    fresh_process: bool = True
    seeding: Seeding = Seeding.PER_GAME


@dataclass(frozen=True, slots=True)
class TestRequest:
    """An answerable question about two bots, before the fillers are known."""

    pair: tuple[Bot, Bot]
    game: AnyGame
    question: TestQuestion
    sizes: tuple[int, ...]
    """The suitable table sizes, the best first."""
    settings: Mapping[str, Any]

    def terms(self, seats: int) -> TestTerms:
        """T14.5: the terms at a table of this size; a UserError says why it cannot be tested."""
        asked = self.question
        try:
            return terms(
                seats, elo0=asked.elo0, elo1=asked.elo1, alpha=asked.alpha, beta=asked.beta,
                max_blocks=asked.max_blocks, copies=asked.copies,
            )  # fmt: skip
        except ValueError as error:
            raise UserError(str(error)) from None

    def open_test(self, store: Store) -> TestEntry | None:
        """T14.8: return the open test on the same terms, if there is one."""
        new, old = self.pair
        wanted = (new.version, old.version, pool_of(self.game), self.question.seeding, self.settings)
        for test, verdict in store.tests.all():
            is_same = wanted == (test.new, test.old, test.pool, test.seeding, test.settings)
            is_open = verdict is None and is_same and test.terms.seats in self.sizes
            if is_open and test.terms == self.terms(test.terms.seats):
                return test
        return None

    def resumed(self, store: Store, test: TestEntry) -> TestPlan:
        """T14.8: resume an open test with its own fillers."""
        return TestPlan(test, (*self.pair, *_stored(store, test.fillers)))

    def begun(self, store: Store, chosen: Sequence[Bot] | None, house: Sequence[Bot]) -> TestPlan:
        """Begin a new test at the largest table that can be filled, with the given fillers or the nearest bots."""
        refusals = []
        for size in self.sizes:
            agreed = self.terms(size)
            try:
                fillers = self._nearest(store, agreed, house) if chosen is None else tuple(chosen)
                before = [test for test, _verdict in store.tests.all()]
                return plan_test(
                    self.game, *self.pair, agreed, fillers, self.question.seed, self.settings, before,
                    seeding=self.question.seeding,
                )  # fmt: skip
            except UserError as error:
                refusals.append(error)
        raise refusals[0]

    def _nearest(self, store: Store, agreed: TestTerms, house: Sequence[Bot]) -> tuple[Bot, ...]:
        """T19.9: the rated bots nearest to OLD that can play here, then house bots."""
        new, old = self.pair
        fitted = read_fit(store, None, pool_of(self.game))
        versions = {version.label: version for version in store.bots.versions()}
        ratings, bots = {}, {}
        for line in () if fitted is None else fitted.ratings:
            version = versions[line.bot]
            try:
                bot = stored_bot(store, line.bot)
            except UserError:
                continue  # its files are gone or have changed
            if not bot.is_remote and bot.manifest.plays(self.game.slug):
                ratings[version.version] = round(line.rating * 1000)
                bots[version.version] = bot
        spare = [bot for bot in house if bot.version not in (new.version, old.version)]
        needed = agreed.seats - 2 * agreed.copies
        return nearest_fillers(new.version, old.version, agreed, ratings, spare[:needed], bots.__getitem__)


def request_test(
    new: Bot, old: Bot, question: TestQuestion, may_be_remote: Callable[[Bot], bool] = lambda _bot: False
) -> TestRequest:
    """Refuse an impossible test in one line, before anything is entered."""
    game = game_of(question.game, (new, old), GAMES)
    if question.seeding is Seeding.PER_BLOCK and not question.fresh_process and not has_openings(game):
        raise UserError(
            "seeding: 'per_block' needs a fresh process for every game: one that is kept remembers its games"
        )
    settings = settings_of_games(
        question.options, question.time_control, fresh_process=question.fresh_process, openings=has_openings(game)
    )
    request = TestRequest((new, old), game, question, _sizes(game, question.seats, question.copies), settings)
    for size in request.sizes:
        request.terms(size)
    check_test(game, new, old, request.sizes[0], question.options, may_be_remote)
    return request


def _sizes(game: AnyGame, seats: int | None, copies: int) -> tuple[int, ...]:
    """The requested size; otherwise the game's usual one, and smaller ones if it cannot be filled."""
    if seats is not None:
        return (seats,)
    least = max(game.table_sizes[0], 2 * copies)
    usual = max(game.preferred_seats, least)
    return tuple(range(usual, least - 1, -1))


def house_bots() -> list[BotDirectory]:
    """T19.9: the sample bots that fill up a table."""
    return [read_bot(starter_bots() / name) for name in HOUSE]


def stored_test(store: Store, test: TestEntry) -> TestPlan:
    """T14.8: a test as entered, with its bots; a UserError if their files have changed."""
    return TestPlan(test, tuple(_stored(store, (test.new, test.old, *test.fillers))))


def _stored(store: Store, hashes: Sequence[str]) -> list[Bot]:
    versions = store.bots.by_hash(hashes)
    return [stored_bot(store, versions[version].label) for version in hashes]
