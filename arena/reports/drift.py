"""T8.15: whether strengths changed during a tournament, read from the database."""

from __future__ import annotations

from arena.fitting.fits import PoolFit
from arena.store.database import Store
from arena.store.rows import RoundState
from ratings.fit.drift import Drift, drift
from ratings.fit.fit import CENTRE, ELO_PER_NAT
from ratings.points.result import Result

NO_DRIFT = Drift({})


def tournament_drift(store: Store, tournament: str, pool: str, fit: PoolFit | None) -> Drift:
    """T8.15: return the drift of a tournament's bots in one pool, over its closed rounds, at the pool's ratings."""
    if fit is None or fit.covariance is None:
        return NO_DRIFT
    closed = {each.number for each in store.tournaments.rounds(tournament) if each.state is RoundState.CLOSED}
    game = pool.rpartition(":")[0]
    results = [
        Result(match.seating, match.places, (tournament, match.round, match.table))
        for match in store.matches.of(tournament)
        if match.game == game and match.round in closed and not match.is_void
    ]
    strengths = {line.bot: (line.rating - CENTRE) / ELO_PER_NAT for line in fit.ratings}
    if not all(bot in strengths for result in results for bot in result.bots):
        return NO_DRIFT  # the fit is older than the tournament
    return drift(results, len(closed), strengths, fit.covariance.astype(float), fit.phi)


def drift_words(found: Drift) -> str:
    """T8.15: return the sentence under a tournament's list; empty if there is nothing to say."""
    if not found.is_flagged:
        return ""
    return (
        f"Strengths changed during the tournament: the sum of z² over {len(found.by_bot)} bots is"
        f" {found.statistic:.1f}, and at most {found.bound:.1f} without a change."
    )
