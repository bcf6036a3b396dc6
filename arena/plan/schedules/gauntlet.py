"""Gauntlets: one bot meets all others."""

from __future__ import annotations

from collections.abc import Sequence

from arena.plan.schedules.fixed import FixedSchedule, check_entrants, drawn, numbered
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Pairing
from ratings.points.points import MIN_SEATS


class Gauntlet(FixedSchedule):
    """The challenger meets all others, one table per round."""

    about = "One bot, the challenger, meets all others, one table per round."

    def rounds(self, settings: TournamentSettings) -> tuple[Pairing, ...]:
        """Seat the challenger with everybody in turn."""
        assert settings.challenger is not None
        others = [bot for bot in settings.bots if bot != settings.challenger]
        return gauntlet(settings.challenger, others, settings.games[0].sizes.preferred, seed=settings.seed)


def gauntlet(challenger: str, opponents: Sequence[str], seats: int, *, seed: int, laps: int = 1) -> tuple[Pairing, ...]:
    """Let one bot meet all others, a table a round: in every lap each opponent at least once, and at most one more.

    The opponents are drawn anew for every lap; the last table is filled from the head of the lap.
    """
    check_entrants(opponents, seats - 1, least=MIN_SEATS - 1)
    if challenger in opponents:
        raise ValueError(f"{challenger} cannot be its own opponent")
    rounds = []
    for lap in range(laps):
        entrants = drawn(opponents, seed, lap)
        for first in range(0, len(entrants), seats - 1):
            group = (entrants + entrants)[first : first + seats - 1]
            rounds.append(numbered([(challenger, *group)]))
    return tuple(rounds)
