"""T8.13: the order over several games: every game is a voter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings.points.finishes import Floats

MIN_MATCHES = 30
"""T8.13: matches of a bot in a game before that game votes on it."""


@dataclass(frozen=True)
class Ballot:
    """What one game says: the likelihood that the bot of a row is stronger than that of a column."""

    bots: tuple[str, ...]
    los: Floats
    """Not a number where ratings do not compare."""


@dataclass(frozen=True, slots=True)
class OverallPlace:
    """A bot in the order over several games."""

    bot: str
    ahead_of: int
    """Bots that it stands before."""
    votes: float
    """Its share of the votes: the mean over the other bots of its mean LOS over the games in common."""


def overall_order(ballots: Sequence[Ballot]) -> list[OverallPlace]:
    """T8.13: rank the bots of several ballots by the method of Schulze, best first.

    A bot takes part that is on more than half of the ballots.
    """
    listed = [bot for ballot in ballots for bot in ballot.bots]
    bots = sorted(bot for bot in set(listed) if 2 * listed.count(bot) > len(ballots))
    number = {bot: at for at, bot in enumerate(bots)}
    count = len(bots)
    margins, games = np.zeros((count, count)), np.zeros((count, count))
    for ballot in ballots:
        chosen = [at for at, bot in enumerate(ballot.bots) if bot in number]
        rows = np.array([number[ballot.bots[at]] for at in chosen], dtype=np.intp)
        los = ballot.los[np.ix_(chosen, chosen)]
        is_vote = np.isfinite(los) & ~np.eye(len(chosen), dtype=bool)
        margins[np.ix_(rows, rows)] += np.where(is_vote, 2 * los - 1, 0.0)
        games[np.ix_(rows, rows)] += is_vote
    # Opposite votes add up to nothing, whatever the order of the games.
    margins = np.round(margins, 9)
    paths = strongest_paths(margins)
    ahead = (paths > paths.T).sum(axis=1)
    means = np.where(games > 0, 0.5 + margins / (2 * np.maximum(games, 1)), 0.0)
    votes = means.sum(axis=1) / np.maximum((games > 0).sum(axis=1), 1)
    found = [
        OverallPlace(bot, int(ahead[at]), float(votes[at])) for at, bot in enumerate(bots) if (games[at] > 0).any()
    ]
    return sorted(found, key=lambda place: (-place.ahead_of, -place.votes, place.bot))


def strongest_paths(margins: Floats) -> Floats:
    """T8.13: the strength of the strongest path between any two bots, a path being as strong as its weakest margin."""
    paths = np.maximum(margins, 0.0)
    weakest = np.empty_like(paths)
    for through in range(len(paths)):
        np.minimum(paths[:, through, None], paths[through], out=weakest)
        np.maximum(paths, weakest, out=paths)
    np.fill_diagonal(paths, 0.0)
    return paths
