"""A tuning: generations of candidates at each table size, and then a test of the favourite on fresh seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import Any

from arena.tuning.constants import Constants
from arena.tuning.contest import Bout, BoutScore, TestBlock, Weighting, drawn_seed
from arena.tuning.journal import Journal
from arena.tuning.optimiser import Optimiser
from arena.tuning.players import Players
from ratings.sequential.compare import compare
from ratings.sequential.test import SequentialTest, TestTerms, Verdict, terms
from referee.mistakes import UserError

CHAMPION_EVERY = 10  # generations after which the favourite becomes the champion that candidates meet
TEST_BATCH = 16  # blocks of a test that are played before it is looked at, and kept together


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is tuned, and how."""

    game: str
    options: Mapping[str, object]
    versions: Mapping[str, str]
    """The versions of the bot, if one is tuned, and of its opponents, by name."""
    constants: Constants
    seats: tuple[int, ...]
    seed: int
    generations: int
    population: int | None
    step: float
    blocks: Mapping[str, int]
    """Of each opponent, the blocks that every candidate of a generation plays."""
    start: Mapping[int, Weighting]
    old: Mapping[int, Weighting]
    """By table size, the weights to beat."""
    elo1: Decimal
    error: Decimal
    max_blocks: int

    def terms(self) -> dict[str, Any]:
        """Return everything that the result depends on, as plain data."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "versions": dict(self.versions),
            "constants": {name: list(weight) for name, weight in self.constants.weights.items()},
            "seats": list(self.seats),
            "seed": self.seed,
            "generations": self.generations,
            "population": self.population,
            "step": self.step,
            "blocks": dict(self.blocks),
            "start": {str(seats): dict(values) for seats, values in self.start.items()},
            "old": {str(seats): dict(values) for seats, values in self.old.items()},
            "elo1": str(self.elo1),
            "error": str(self.error),
            "max_blocks": self.max_blocks,
        }

    def test_terms(self, seats: int) -> TestTerms:
        """T14.5: the terms of the test at a table size: what may go wrong is shared among all sizes."""
        error = self.error / len(self.seats)
        try:
            return terms(
                seats, elo1=self.elo1, alpha=error, beta=error, max_blocks=self.max_blocks, copies=copies_at(seats)
            )
        except ValueError as fault:
            raise UserError(str(fault)) from None


@dataclass(frozen=True, slots=True)
class Generation:
    """How a generation went."""

    seats: int
    number: int  # from 1
    share: float
    fitness: float
    step: float


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came of a table size."""

    seats: int
    weights: dict[str, float]
    verdict: Verdict
    blocks: int
    elo_tenths: int | None
    """T15.3: NEW above OLD, over the judged blocks; None where that has no Elo."""
    elo_error_tenths: int | None
    step: float
    """How far the last candidates were from the favourite: the search has converged when that is small."""

    @property
    def is_better(self) -> bool:
        """Whether the weights may replace the old ones."""
        return self.verdict is Verdict.BETTER


Watch = Callable[[Generation | int], object]
"""Told of every generation, and of the number of blocks in every batch of a test."""


def copies_at(seats: int) -> int:
    """T14.9: both sit twice where there is room: that is more evidence for each match."""
    return 2 if seats >= 4 else 1


def tune(tuning: Tuning, players: Players, journal: Journal, watch: Watch) -> Iterator[Tuned]:
    """Tune each table size in turn, and yield what came of it."""
    for seats in tuning.seats:
        optimiser = Optimiser(
            tuning.constants, dict(tuning.start[seats]), seed=drawn_seed(tuning.seed, "optimiser", seats) % (1 << 32),
            step=tuning.step, population=tuning.population,
        )  # fmt: skip
        champion = tuning.old[seats]
        for number in range(1, tuning.generations + 1):
            candidates = optimiser.ask()
            line = journal.next()
            if line is None:
                scores = _generation(tuning, players, seats, number, candidates, champion)
                line = {
                    "seats": seats,
                    "generation": number,
                    "share": [score.share for score in scores],
                    "fitness": [score.fitness for score in scores],
                    "cpu": round(sum(score.cpu for score in scores), 2),
                }
                journal.add(line)
            optimiser.tell(line["fitness"])
            if number % CHAMPION_EVERY == 0:
                champion = optimiser.favourite
            watch(Generation(seats, number, fmean(line["share"]), fmean(line["fitness"]), optimiser.step))
        yield _tested(tuning, players, journal, watch, seats, optimiser)


def _generation(
    tuning: Tuning, players: Players, seats: int, number: int, candidates: list[dict[str, float]], champion: Weighting
) -> list[BoutScore]:
    """Play all candidates on the same seeds."""
    bouts = [
        Bout(
            seats, candidate, opponent, champion,
            tuple(drawn_seed(tuning.seed, "tuning", seats, number, opponent, block) for block in range(blocks)),
        )
        for candidate in candidates
        for opponent, blocks in tuning.blocks.items()
    ]  # fmt: skip
    scores, counts = [*players.scores(bouts)], [*tuning.blocks.values()]
    of_each = [scores[first : first + len(counts)] for first in range(0, len(scores), len(counts))]
    return [
        BoutScore(
            _mean([score.share for score in each], counts),
            _mean([score.leads for score in each], counts),
            sum(score.cpu for score in each),
        )
        for each in of_each
    ]


def _mean(values: list[float], counts: list[int]) -> float:
    return sum(value * count for value, count in zip(values, counts, strict=True)) / sum(counts)


def _tested(
    tuning: Tuning, players: Players, journal: Journal, watch: Watch, seats: int, optimiser: Optimiser
) -> Tuned:
    """T14: test the favourite against the old weights on seeds that no candidate has met."""
    favourite, agreed = optimiser.favourite, tuning.test_terms(seats)
    test = SequentialTest(agreed)
    test_id = f"{drawn_seed(tuning.seed, 'test', seats, sorted(favourite.items())):016x}"
    while test.verdict is None:
        first = test.blocks + 1
        line = journal.next()
        if line is None:
            blocks = [
                TestBlock(test_id, first + place, seats, agreed.copies, favourite, tuning.old[seats])
                for place in range(min(TEST_BATCH, tuning.max_blocks - test.blocks))
            ]
            played = [*players.differences(blocks)]
            line = {
                "seats": seats,
                "test": [each.units for each in played],
                "cpu": round(sum(each.cpu for each in played), 2),
            }
            journal.add(line)
        for difference in line["test"]:
            if test.verdict is None:
                test.add(difference)
        watch(len(line["test"]))
    compared = compare(test.judged, seats, copies=agreed.copies)
    return Tuned(
        seats, favourite, test.verdict, test.blocks, compared.elo_tenths, compared.elo_error_tenths,
        round(optimiser.step, 4),
    )  # fmt: skip
