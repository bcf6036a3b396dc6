"""T10.7: four ways to treat the matches of a disqualified bot, held against the true order of the others.

python -m arena.bench.disqualification            # every cell, in about two minutes of processor time
python -m arena.bench.disqualification --quick    # a few tournaments of each kind

16 bots of known strength play 6 points rounds and 6 rating rounds, paired by the arena's own Swiss rounds, in rotated
blocks with one seed per game; after the last round one of them is disqualified. It is a strong bot, a weak one, or
a feeder: an average bot that helps a friend of average strength whenever both sit at one table. The same tournaments
are treated in all four ways, so that differences are not chance between tournaments.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from time import process_time
from unittest import mock

import numpy as np

from arena.bench.coverage import SIZES, outcomes
from arena.bench.figures import Figures, Targets, save
from arena.bench.fitting import tau
from arena.plan import swiss
from arena.plan.standings import swiss_order
from arena.plan.swiss import PlayedGame, PlayedRound, PlayedTable, tables
from ratings.fit.fit import ELO_PER_NAT, fit
from ratings.points.points import MIN_SEATS, STRUCK, UNIT, forfeited_places, seat_of, struck_places
from ratings.points.result import Result

BOTS = 16
POINTS_ROUNDS = 6
ROUNDS = 12
TOURNAMENTS = 60
EFFORT = 64
"""What the annealing of tables is divided by."""

CHEAT, FRIEND = "bot00", "bot01"
STRENGTHS = {"strong": 1.5, "weak": -1.5, "feeder": 0.0}
"""The kinds of disqualified bots, and their strength in nat; the others are drawn from N(0, 1)."""
GIFT = 1.5
"""What a feeder gives up, and its friend gains, at a table with both, in nat."""


class Treatment(StrEnum):
    """What becomes of the matches of a disqualified bot."""

    KEEP = "keep"
    """They count as played; the bot is taken off the list."""
    VOID = "void"
    FORFEIT = "forfeit"
    STRIKE = "strike"


@dataclass(frozen=True, slots=True)
class SimulatedTournament:
    """A tournament as it was played, before anybody was disqualified."""

    rounds: tuple[PlayedRound, ...]
    truth: Mapping[str, float]
    seed: int


@dataclass(frozen=True, slots=True)
class Measured:
    """How close an order of the others is to the truth."""

    points_tau: float
    fit_tau: float
    fit_error: float
    """Root mean square error of their ratings in Elo."""
    points_gain: float
    """Places that the friend stands above its true one, by points."""
    fit_gain: float


def played(kind: str, seats: int, seed: int) -> SimulatedTournament:
    """Play a tournament."""
    rng = np.random.default_rng(seed)
    sizes = SIZES[seats]
    names = [f"bot{number:02d}" for number in range(BOTS)]
    truth = dict(zip(names, rng.normal(0, 1, BOTS).tolist(), strict=True)) | {CHEAT: STRENGTHS[kind]}
    if kind == "feeder":
        truth[FRIEND] = 0.0
    entrants = {bot: swiss.Entrant(bot) for bot in names}
    rounds: list[PlayedRound] = []
    for number in range(1, ROUNDS + 1):
        is_rating = number > POINTS_ROUNDS
        ratings = swiss.rating_scores(fit(results(rounds)).pairing_strengths(), UNIT) if is_rating else None
        pairing = swiss.pair(entrants.values(), sizes, seed=seed, round_number=number, ratings=ratings)
        found = []
        for table in pairing.tables:
            gift = GIFT * (kind == "feeder" and {CHEAT, FRIEND} <= set(table.bots))
            here = np.array([truth[bot] + gift * ((bot == FRIEND) - (bot == CHEAT)) for bot in table.bots])
            games = outcomes(here, len(table.bots), 0.0, rng)
            found.append(PlayedTable(table.bots, tuple(PlayedGame(turn, each) for turn, each in enumerate(games))))
        rounds.append(PlayedRound(tuple(found), pairing.byes, is_rating=is_rating))
        entrants = swiss.advance(entrants, rounds[-1], preferred=sizes.preferred)
    return SimulatedTournament(tuple(rounds), truth, seed)


def results(rounds: Sequence[PlayedRound]) -> list[Result]:
    """Return the matches of some rounds as the fit reads them, struck seats left out."""
    found = []
    for number, each in enumerate(rounds, start=1):
        for at, table in enumerate(each.tables, start=1):
            for game in table.games:
                seated = {seat_of(base, game.rotation, len(table.bots)): base for base in range(len(table.bots))}
                order = [seated[seat] for seat in sorted(seated) if game.places[seated[seat]] != STRUCK]
                bots, places = tuple(table.bots[base] for base in order), tuple(game.places[base] for base in order)
                found.append(Result(bots, places, ("cup", number, at)))
    return found


def treated(table: PlayedTable, treatment: Treatment) -> PlayedTable:
    """T10.7: return a table with its games as they count after the disqualification."""
    if CHEAT not in table.bots or treatment is Treatment.KEEP:
        return table
    seats = [table.bots.index(CHEAT)]
    if treatment is Treatment.VOID or (treatment is Treatment.STRIKE and len(table.bots) <= MIN_SEATS):
        return PlayedTable(table.bots, ())
    change = forfeited_places if treatment is Treatment.FORFEIT else struck_places
    return PlayedTable(table.bots, tuple(PlayedGame(game.rotation, change(game.places, seats)) for game in table.games))


def measured(cup: SimulatedTournament, treatment: Treatment) -> Measured:
    """Disqualify the cheat after the last round, and hold the order of the others against the truth."""
    rounds = [
        PlayedRound(tuple(treated(table, treatment) for table in each.tables), each.byes, is_rating=each.is_rating)
        for each in cup.rounds
    ]
    out = () if treatment is Treatment.KEEP else (CHEAT,)
    lines = [line.bot for line in swiss_order(rounds, seed=cup.seed, disqualified=out) if line.bot != CHEAT]
    fitted = fit(results(rounds))
    strengths = dict(zip(fitted.bots, fitted.strengths.tolist(), strict=True))
    listed = sorted(lines, key=lambda bot: -strengths[bot])
    true_order = sorted(lines, key=lambda bot: -cup.truth[bot])
    true = np.array([cup.truth[bot] for bot in lines])
    shown = np.array([strengths[bot] for bot in lines])
    error = (shown - shown.mean()) - (true - true.mean())
    return Measured(
        tau(-np.arange(len(lines), dtype=np.float64), true),
        tau(shown, true),
        sqrt(float((error**2).mean())) * ELO_PER_NAT,
        true_order.index(FRIEND) - lines.index(FRIEND),
        true_order.index(FRIEND) - listed.index(FRIEND),
    )


def run(kind: str, seats: int, tournaments: int, seed: int = 1) -> dict[Treatment, list[Measured]]:
    """Play the tournaments of a cell, and treat each in all ways."""
    cups = [played(kind, seats, 1000 * seed + number) for number in range(tournaments)]
    return {treatment: [measured(cup, treatment) for cup in cups] for treatment in Treatment}


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return a mean and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1)) / sqrt(len(values))


COLUMNS = ("k, disqualified", "Results", "τ of points", "τ of the fit", "Error of a rating", "Friend's gain in places")


def row(cell: str, treatment: Treatment, found: Mapping[Treatment, Sequence[Measured]], kind: str) -> tuple[str, ...]:
    """Return a line of the table: what `keep` gives, and of the others the difference to it."""
    kept = found[Treatment.KEEP]

    def shown(figure: Callable[[Measured], float], form: str) -> str:
        if treatment is Treatment.KEEP:
            return f"{mean([figure(each) for each in kept])[0]:{form}}"
        pairs = zip(found[treatment], kept, strict=True)
        value, doubt = mean([figure(each) - figure(before) for each, before in pairs])
        return f"{value:+{form}} ± {doubt:{form}}"

    gains = [mean([figure(each) for each in found[treatment]]) for figure in (_points_gain, _fit_gain)]
    gain = ", ".join(f"{value:+.1f} ± {doubt:.1f}" for value, doubt in gains) if kind == "feeder" else ""
    return (
        cell, treatment.value, shown(lambda each: each.points_tau, ".3f"), shown(lambda each: each.fit_tau, ".3f"),
        shown(lambda each: each.fit_error, ".1f"), gain,
    )  # fmt: skip


def _points_gain(found: Measured) -> float:
    return found.points_gain


def _fit_gain(found: Measured) -> float:
    return found.fit_gain


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each cell and treatment, then the targets; the exit code is 1 if one was missed."""
    parser = argparse.ArgumentParser(prog="arena.bench.disqualification", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5 tournaments a cell")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other tournaments")
    asked = parser.parse_args(arguments)
    full = tables.anneal_effort

    def less(bots: int) -> tuple[int, int]:
        starts, proposals = full(bots)
        return starts, max(256, proposals // EFFORT)

    figures, targets = Figures(COLUMNS), Targets()
    with mock.patch.object(tables, "anneal_effort", less):
        for seats in (2, 4):
            for kind in STRENGTHS:
                began = process_time()
                found = run(kind, seats, 5 if asked.quick else TOURNAMENTS, asked.seed)
                for treatment in Treatment:
                    figures.add(*row(f"{seats}, {kind}", treatment, found, kind))
                print(f"{process_time() - began:.0f} s", flush=True)
                if seats > MIN_SEATS:
                    _check(targets, kind, found)
    save("disqualification", {"treatments": figures})
    return targets.exit_code


def _check(targets: Targets, kind: str, found: Mapping[Treatment, Sequence[Measured]]) -> None:
    """At tables of four, a strike keeps the order of the others better than void matches do."""
    pairs = zip(found[Treatment.STRIKE], found[Treatment.VOID], strict=True)
    value, doubt = mean([each.points_tau - before.points_tau for each, before in pairs])
    said = f"{kind}, tables of four: τ of points after a strike less that after void, {value:+.3f} ± {doubt:.3f}"
    targets.check(f"{said}: above 0", value > 0)


if __name__ == "__main__":
    sys.exit(main())
