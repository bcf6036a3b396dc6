"""T16.5: a rough estimate of the games and time until a tournament's neighbours are decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.store.database import Store
from ratings.sequential.claims import Claims
from ratings.sequential.forecast import block_variance, forecast_words, games_needed, open_gaps


@dataclass(frozen=True, slots=True)
class Forecast:
    """T16.5: roughly how many games, and how long, until the order of a tournament's bots is decided."""

    round: int
    """The round after which it was made; 0 before the first."""
    games: int
    seconds: float | None
    """None before anything is measured."""
    open: int
    """Open neighbours on the leaderboard."""
    neighbours: int
    top: int
    """T16.3: the number of top places to decide; 0 means all."""
    budget: int
    """Matches that the budget still allows."""
    words: str
    """All of it in one line."""


def forecast(
    round_number: int, needs: Iterable[tuple[int, int, int]], pace: float | None, top: int, budget: int
) -> Forecast:
    """T16.5: make a forecast from what each game of a tournament `needed`; `pace` is seconds per match so far."""
    games, left, neighbours = (sum(column) for column in zip(*needs, strict=True))
    return _forecast(round_number, games, None if pace is None else games * pace, left, neighbours, top, budget)


def _forecast(
    number: int, games: int, seconds: float | None, left: int, neighbours: int, top: int, budget: int
) -> Forecast:
    if left:
        words = forecast_words(games, seconds, top or None)
        words += f"; the budget allows {budget:,}" if games > budget else ""
    else:
        words = f"the first {top} places are decided" if top else "every neighbour is decided"
    return Forecast(number, games, seconds, left, neighbours, top, budget, words)


def needed(
    order: list[tuple[str, float]], claims: Claims | None, entrants: int, seats: int, top: int
) -> tuple[int, int, int]:
    """T16.5: return the number of games that rated bots still need, their open neighbours and all their neighbours."""
    # Before the first round closes nothing is claimed, so everything is open.
    known = Claims(tuple(sorted(bot for bot, _ in order))) if claims is None else claims
    gaps = open_gaps(order, known, top or None)
    variance = block_variance(known.counts.values(), seats)
    places = min(top, len(order)) if top else len(order)
    return games_needed(gaps, entrants, seats, variance), len(gaps), places - 1


def read_forecast(store: Store, tournament: str) -> Forecast | None:
    """Return the last forecast of a tournament; None if it has made none."""
    row = store.tournaments.forecast(tournament)
    return None if row is None else _forecast(*row)


def keep_forecast(store: Store, tournament: str, made: Forecast) -> None:
    """Keep the last forecast of a tournament for readers."""
    values = (made.round, made.games, made.seconds, made.open, made.neighbours, made.top, made.budget)
    store.tournaments.keep_forecast(tournament, values)
