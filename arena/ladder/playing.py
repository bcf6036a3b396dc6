"""The tables of a climb, played by processes as in `arena play`, or in process as in `arena simulate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arena.bots.directory import BotDirectory
from arena.bots.policies import PolicySource, load_policy
from arena.ladder.climbing import Climb
from arena.plan.seeding import single_match_id, single_match_seed
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import Pool, play_all
from referee.game import AnyGame
from referee.mistakes import UserError
from referee.order import Ending, MatchResult, TimeControl
from referee.policy import PolicyError, play_match


def rotated(entries: int, game: int) -> tuple[int, ...]:
    """T2.1: return the entry of every seat in one game of a block."""
    return tuple((seat - game) % entries for seat in range(entries))


def places_by_entry(ranks: Sequence[int], game: int) -> list[int]:
    """Return the place of every entry, given those of the seats."""
    return [ranks[(entry + game) % len(ranks)] for entry in range(len(ranks))]


@dataclass(slots=True)
class ProcessTables:
    """The bot and the rungs as processes, all games of a block concurrently."""

    game: AnyGame
    bot: BotDirectory
    rungs: Sequence[BotDirectory]
    seed: int
    control: TimeControl
    forfeits: int = 0
    """Games in which the bot crashed, ran out of time or played illegally."""
    voids: int = 0
    _played: int = field(default=0)

    async def climb(self, climb: Climb, pool: Pool, told: Callable[[Climb], None]) -> None:
        """Play tables until the climb is over; a UserError if the arena itself cannot play."""
        while not climb.is_over:
            levels = climb.next_levels()
            for places in await self._play(pool, levels):
                climb.add(levels, places)
            told(climb)

    async def _play(self, pool: Pool, levels: Sequence[int]) -> list[list[int]]:
        entries = (self.bot, *(self.rungs[level - 1] for level in levels))
        fixtures = [self._fixture(entries, game) for game in range(len(entries))]
        results: dict[int, MatchResult] = {}

        async def keep(number: int, result: MatchResult) -> None:
            results[number] = result

        await play_all(pool, fixtures, pool.capacity, keep)
        places = []
        for game, result in sorted(results.items()):
            if result.ending is Ending.VOIDED:
                self.voids += 1
                continue
            self.forfeits += result.seat_endings[game % len(entries)] is not Ending.COMPLETED
            places.append(places_by_entry(result.ranks, game))
        if not places:
            raise UserError(f"climb: no match could be played: {results[0].reason}")
        return places

    def _fixture(self, entries: Sequence[BotDirectory], game: int) -> MatchToPlay:
        seated = tuple(entries[entry] for entry in rotated(len(entries), game))
        match_id = single_match_id(self.game.slug, {}, [bot.label for bot in seated], self.seed, self._played)
        seed = single_match_seed(self.seed, self._played)
        self._played += 1
        return MatchToPlay(match_id, self.game.slug, {}, seated, seed, self.control)


class InProcessTables:
    """The bot and the rungs as policies of this process."""

    def __init__(self, game: AnyGame, bot: PolicySource, rungs: Sequence[PolicySource], seed: int) -> None:
        self.game, self.seed = game, seed
        self._labels = [bot.label, *(rung.label for rung in rungs)]
        self._policies = [load_policy(source) for source in (bot, *rungs)]
        self._played = 0

    def play(self, levels: Sequence[int]) -> list[list[int]]:
        """Play the bot against some levels, once in every seat; a UserError names a policy that failed."""
        return self.play_entries((0, *levels))

    def play_entries(self, entries: Sequence[int]) -> list[list[int]]:
        """Play some entries, once in every seat: 0 is the bot, and the others are the levels."""
        places = []
        for game in range(len(entries)):
            seated = [entries[entry] for entry in rotated(len(entries), game)]
            labels = [self._labels[at] for at in seated]
            match_id = single_match_id(self.game.slug, {}, labels, self.seed, self._played)
            seed = single_match_seed(self.seed, self._played)
            self._played += 1
            try:
                played = play_match(
                    self.game, [self._policies[at] for at in seated], seed, self.game.options({}), match_id, labels
                )
            except PolicyError as error:
                raise UserError(str(error)) from error
            places.append(places_by_entry(played.outcome.ranks, game))
        return places
