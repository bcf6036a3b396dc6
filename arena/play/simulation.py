"""Simulation: matches between policies inside our own processes, without a wire, a clock or a sandbox.

A match depends on its number, seed and name alone, so results do not depend on the number of processes, and
deterministic bots play as they do over the wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.bots.policies import PolicySource, load_policies
from arena.plan.seeding import seed_number, single_match_id, single_match_seed
from referee.game import AnyGame, has_openings
from referee.games import GAMES
from referee.mistakes import UserError
from referee.policy import Policy, PolicyError, play_match
from referee.spawning import spawned

CHUNK = 32  # matches handed to a process together


@dataclass(frozen=True, slots=True)
class Simulation:
    """A number of matches of one game between some bots."""

    game: str
    options: Mapping[str, object]
    bots: tuple[PolicySource, ...]
    seed: int
    matches: int
    is_rotating: bool = False

    def seated(self, number: int) -> tuple[int, ...]:
        """Return the bot of each seat in a match; rotating bots move by one seat after every match."""
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
    """Plays matches of a simulation, with its own policies."""

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
        is_shared = simulation.is_rotating and has_openings(self.game)
        seed = single_match_seed(simulation.seed, seed_number(number, len(simulation.bots), shares_openings=is_shared))
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
    """Yield the matches in order, played by several processes; a UserError names a policy that failed."""
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
    """Prepare a process; one that fails here would be restarted for ever, so it reports the error when asked."""
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
    """Return a match as one line of results."""
    plain = asdict(match)
    return {"match": plain.pop("number"), **plain}


SEAT_COLUMNS = ("match", "match_id", "seed", "seat", "bot", "place", "score", "decisions", "asked", "digest")


def as_rows(match: SimulatedMatch) -> list[tuple[Any, ...]]:
    """Return a match as rows of a table, one for each seat."""
    return [
        (match.number, match.match_id, match.seed, seat, bot, place, score, match.decisions, match.asked, match.digest)
        for seat, (bot, place, score) in enumerate(zip(match.bots, match.places, match.scores, strict=True))
    ]
