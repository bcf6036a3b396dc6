"""Simulation: matches between policies inside our own processes, without a wire, a clock or a sandbox.

Every match has its number, its seed and its name; nothing else decides it, so that results do not depend on how many
processes share the work, and are those of the same bots over the wire if they are deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.bots.policies import PolicySource, load_policies
from arena.plan.seeding import single_match_id, single_match_seed
from referee.game import AnyGame
from referee.games import GAMES
from referee.mistakes import UserError
from referee.policy import Policy, PolicyError, play_match
from referee.spawning import spawned

CHUNK = 32  # matches that a process is handed at once


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is to be played: so many matches of one game between these bots."""

    game: str
    options: Mapping[str, object]
    bots: tuple[PolicySource, ...]
    seed: int
    matches: int
    is_rotating: bool = False

    def seated(self, number: int) -> tuple[int, ...]:
        """Return which bot sits in each seat of a match: every bot moves on by one seat after a match, or none does."""
        shift = number % len(self.bots) if self.is_rotating else 0
        return tuple((seat - shift) % len(self.bots) for seat in range(len(self.bots)))


@dataclass(frozen=True, slots=True)
class SimulatedMatch:
    """How one match ended; everything by seat."""

    number: int  # from 1
    match_id: str
    seed: int
    bots: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    decisions: int
    asked: int
    digest: str  # of the last state


class Worker:
    """Plays matches of a simulation, with policies of its own."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.game: AnyGame = GAMES[simulation.game]
        self.options = self.game.options(simulation.options)
        self.policies: list[Policy] = load_policies(simulation.bots)

    def play(self, number: int) -> SimulatedMatch:
        """Play the match of this number, from 0; a UserError names a policy that failed."""
        simulation, seated = self.simulation, self.simulation.seated(number)
        labels = [simulation.bots[bot].label for bot in seated]
        match_id = single_match_id(simulation.game, simulation.options, labels, simulation.seed, number)
        seed = single_match_seed(simulation.seed, number)
        policies = [self.policies[bot] for bot in seated]
        try:
            played = play_match(self.game, policies, seed, self.options, match_id, labels)
        except PolicyError as error:
            raise UserError(str(error)) from error
        outcome = played.outcome
        return SimulatedMatch(
            number + 1, match_id, seed, tuple(labels), outcome.ranks, outcome.scores, outcome.reason,
            played.decisions, played.asked, played.digest,
        )  # fmt: skip


def simulate(simulation: Simulation, processes: int) -> Iterator[SimulatedMatch]:
    """Yield the matches in their order, played by so many processes; a UserError says which policy failed."""
    processes = min(processes, simulation.matches)
    if processes == 1:
        worker = Worker(simulation)
        yield from map(worker.play, range(simulation.matches))
        return
    chunk = max(1, min(CHUNK, simulation.matches // (4 * processes)))
    chunks = [range(first, min(first + chunk, simulation.matches)) for first in range(0, simulation.matches, chunk)]
    with spawned(processes, _begin, (simulation,)) as pool:
        for played in pool.imap(_play_chunk, chunks):
            if isinstance(played, str):
                raise UserError(played)
            yield from played


_worker: Worker | str | None = None


def _begin(simulation: Simulation) -> None:
    """Get a process ready; one that fails here would be started again for ever, so it says why when it is asked."""
    global _worker
    try:
        _worker = Worker(simulation)
    except UserError as error:
        _worker = str(error)


def _play_chunk(numbers: Sequence[int]) -> list[SimulatedMatch] | str:
    if not isinstance(_worker, Worker):
        return str(_worker)
    try:
        return [_worker.play(number) for number in numbers]
    except UserError as error:
        return str(error)


def as_line(match: SimulatedMatch) -> dict[str, Any]:
    """Return a match as one line of results, everything by seat in lists."""
    return {
        "match": match.number, "match_id": match.match_id, "seed": match.seed, "bots": list(match.bots),
        "places": list(match.places), "scores": list(match.scores), "reason": match.reason,
        "decisions": match.decisions, "asked": match.asked, "digest": match.digest,
    }  # fmt: skip


SEAT_COLUMNS = ("match", "match_id", "seed", "seat", "bot", "place", "score", "decisions", "asked", "digest")


def as_rows(match: SimulatedMatch) -> list[tuple[Any, ...]]:
    """Return a match as rows of a table, one for each seat."""
    return [
        (match.number, match.match_id, match.seed, seat, bot, place, score, match.decisions, match.asked, match.digest)
        for seat, (bot, place, score) in enumerate(zip(match.bots, match.places, match.scores, strict=True))
    ]
