"""T8.7: the figures of a fit as shown to people."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from ratings.fit.fit import FittedRating
from ratings.fit.intransitivity import Intransitivity
from ratings.fit.seat_effects import SeatEffect


def shown_rating(rating: float) -> str:
    """T8.7: a rating in whole Elo."""
    return str(round(rating))


def shown_error(error: float) -> str:
    """T8.7: half of an interval in whole Elo, rounded up: no interval is shown narrower than it is."""
    return str(ceil(error))


def shown_interval(rating: float, error: float) -> str:
    """T8.7: both ends of an interval in whole Elo, rounded outwards."""
    return f"{floor(rating - error)} to {ceil(rating + error)}"


def shown_los(los: float) -> str:
    """T8.7: a likelihood of superiority in whole percent, rounded toward 50: it never claims too much."""
    percent = 100 * los
    return f"{floor(percent) if percent >= 50 else ceil(percent)} %"


def shown_places(line: FittedRating) -> str:
    """T8.9: the interval of a bot's place, such as 2-5; empty for anchors."""
    if line.places is None:
        return ""
    first, last = line.places
    return f"{first}" if first == last else f"{first}-{last}"


def shown_diagnostics(effects: Sequence[SeatEffect], doubt: Intransitivity) -> list[str]:
    """T8.11, T8.12: seat effects and intransitivity in sentences, of which none begins with the name of a bot.

    Lists write them with a capital, and names are case-sensitive.
    """
    said = []
    for seats in sorted({effect.seats for effect in effects}):
        at_table = sorted((effect for effect in effects if effect.seats == seats), key=lambda effect: effect.seat)
        worth = ", ".join(f"{effect.elo:+.0f}" for effect in at_table)
        widest = shown_error(max(effect.error for effect in at_table))
        said.append(f"the seats of a table of {seats} are worth {worth} Elo, each ±{widest}")
    if doubt.is_flagged:
        said.append(f"strength is not one number here (p = {doubt.p:.3f})")
    if doubt.cycle is not None:
        first, second, third = doubt.cycle.bots
        said.append(f"the clearest cycle: {first} beats {second} beats {third} beats {first} (z = {doubt.cycle.z:.1f})")
    said += [
        f"one surprise: {each.one} scored {each.score:g} of {each.games} against {each.other};"
        f" {each.expected:.1f} were expected"
        for each in doubt.surprises
    ]
    return said
