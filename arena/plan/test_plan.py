"""T14: the plan of a test: two bots, their table, and its fillers."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.bots.directory import Bot
from arena.plan.seeding import Seeding
from arena.plan.settings import GameSettings
from arena.plan.swiss import TableSizes
from ratings.ledger.test_entries import TestEntry
from ratings.sequential.test import SeedBy, TestTerms
from ratings.sequential.test_table import check_fillers, default_fillers
from referee.game import AnyGame, seeds_matter
from referee.order import OrderError, TimeControl, check_order, find_game
from referee.software import SOFTWARE

DRAWN_BYTES = 32
"""T14.13: the length of a drawn seed."""


OPENINGS = "openings"  # among the settings of a test: T2.10


@dataclass(frozen=True, slots=True)
class TestPlan:
    """T14: a test with all settings of its games."""

    test: TestEntry
    everybody: tuple[Bot, ...]
    """NEW, OLD and the fillers."""

    @property
    def bots(self) -> dict[str, Bot]:
        """Everybody by version hash."""
        return {bot.version: bot for bot in self.everybody}

    @property
    def new(self) -> Bot:
        """The bot that may be better."""
        return self.everybody[0]

    @property
    def old(self) -> Bot:
        """The bot it is tested against."""
        return self.everybody[1]

    @property
    def game(self) -> GameSettings:
        """The game, with its options."""
        slug, _, rules_version = self.test.pool.rpartition(":")
        seats = self.test.terms.seats
        return GameSettings(slug, int(rules_version), self.test.settings["options"], TableSizes(seats, seats, seats))

    @property
    def seeding(self) -> Seeding:
        """T2: whether the games of a block share their seed."""
        return Seeding(self.test.seeding)

    def seeding_in(self, _round_number: int) -> Seeding:
        """T2.10: return which games have the same seed: those of a block, where it only draws an opening."""
        return seeding_of_test(self.test.body)

    @property
    def shares_secrets(self) -> bool:
        """T2.5: whether games share a seed of which a bot could remember what another must not know."""
        return self.seeding is Seeding.PER_BLOCK and not self.test.settings.get(OPENINGS, False)

    @property
    def seed(self) -> str:
        """T19.7: its id stands for the seed."""
        return self.test.id

    @property
    def block(self) -> bool:
        """T14.1: a table plays a block."""
        return True

    @property
    def time_control(self) -> TimeControl:
        """How time is kept."""
        return TimeControl.from_plain(self.test.settings["time_control"])

    @property
    def fresh_process(self) -> bool:
        """T14.12: whether every game has new processes."""
        return bool(self.test.settings.get("fresh_process", False))

    @property
    def names(self) -> tuple[str, str]:
        """What NEW and OLD are called: their names, or their labels where both have the same name."""
        new, old = self.new, self.old
        if new.manifest.name == old.manifest.name:
            return new.label, old.label
        return new.manifest.name, old.manifest.name


def game_of(slug: str | None, bots: Sequence[Bot], known: Iterable[str]) -> AnyGame:
    """T18: the given game, or the only one that both bots play; an OrderError if there are several."""
    both = [game for game in known if all(bot.manifest.plays(game) for bot in bots)]
    if slug is None:
        if len(both) != 1:
            raise OrderError(f"game: missing; expected one that both bots play: {', '.join(both) or 'none'}")
        slug = both[0]
    game = find_game(slug)
    for bot in bots:
        if not bot.manifest.plays(slug):
            raise OrderError(f"game: {bot.manifest.name} does not play {slug}")
    return game


def pool_of(game: AnyGame) -> str:
    """T8: the pool that the results of a game belong to."""
    return f"{game.slug}:{game.rules_version}"


def settings_of_games(
    options: Mapping[str, Any], time_control: TimeControl, *, fresh_process: bool, openings: bool = False
) -> dict[str, Any]:
    """T17.1: the remaining settings of a test's games; `openings` says that their seeds decide nothing else."""
    plain = {"options": dict(options), "time_control": time_control.to_plain(), "fresh_process": fresh_process}
    return plain | ({OPENINGS: True} if openings else {})


def seeding_of_test(body: Mapping[str, Any]) -> Seeding:
    """T2.10: return which games of a test have the same seed, by the body of its entry."""
    return Seeding.PER_BLOCK if body["settings"].get(OPENINGS, False) else Seeding(body["seeding"])


def check_test(
    game: AnyGame,
    new: Bot,
    old: Bot,
    seats: int,
    options: Mapping[str, Any],
    may_be_remote: Callable[[Bot], bool] = lambda _bot: False,
) -> None:
    """Refuse two bots or a game that cannot be tested; an OrderError says in one line why."""
    if new.version == old.version:
        raise OrderError(
            f"against: NEW and OLD are the same files, version {new.version[:12]}; nothing can differ"
            " (a copy with another name in its bot.toml is another version)"
        )
    for bot in (new, old):
        if bot.is_remote and not may_be_remote(bot):
            raise OrderError(f"{bot.manifest.name} runs elsewhere; it can only play on a server")
    check_order(game, seats, options)
    if not seeds_matter(game, seats, game.options(options)):
        raise OrderError(f"game: {game.slug} has no element of chance; the same bots would repeat the same game")


def plan_test(
    game: AnyGame,
    new: Bot,
    old: Bot,
    agreed: TestTerms,
    fillers: Sequence[Bot],
    seed: int | None,
    settings: Mapping[str, Any],
    before: Iterable[TestEntry],
    *,
    seeding: Seeding = Seeding.PER_GAME,
) -> TestPlan:
    """T14.1: put a test together, the next of its pair; an OrderError says in one line why it cannot be played.

    T14.13: the seed is drawn unless the caller has chosen one.
    """
    try:
        check_fillers(new.version, old.version, [bot.version for bot in fillers], agreed.seats, agreed.copies)
    except ValueError as error:
        raise OrderError(f"fillers: {error}") from None
    for bot in fillers:
        if bot.is_remote or not bot.manifest.plays(game.slug):
            why = "runs elsewhere" if bot.is_remote else f"does not play {game.slug}"
            raise OrderError(f"fillers: {bot.manifest.name} {why}")
    pair = (new.version, old.version, pool_of(game))
    test = TestEntry(
        new=new.version,
        old=old.version,
        pool=pool_of(game),
        terms=agreed,
        fillers=tuple(bot.version for bot in fillers),
        seed=secrets.token_hex(DRAWN_BYTES) if seed is None else seed,
        software=SOFTWARE,
        count=1 + sum((each.new, each.old, each.pool) == pair for each in before),
        seeding=seeding.value,
        settings=settings,
        seed_by=SeedBy.ARENA if seed is None else SeedBy.CALLER,
    )
    return TestPlan(test, (new, old, *fillers))


def nearest_fillers(
    new: str, old: str, agreed: TestTerms, ratings: Mapping[str, int], house: Sequence[Bot], find: Callable[[str], Bot]
) -> tuple[Bot, ...]:
    """T19.9: the bots of the pool nearest to OLD, plus house bots if there are too few; else an OrderError.

    `ratings` are those of record in milli-Elo, by version hash; `find` returns the bot of a hash.
    """
    by_hash = {bot.version: bot for bot in house}
    try:
        chosen = default_fillers(new, old, ratings, tuple(by_hash), agreed.seats, agreed.copies)
    except ValueError as error:
        raise OrderError(f"{error}; expected some named as fillers") from None
    return tuple(by_hash.get(version) or find(version) for version in chosen)
