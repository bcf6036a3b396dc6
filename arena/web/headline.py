"""The headline of a match: who won, by what, what decided it, who failed, and the step at which to open it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.analysis.judgement import JudgedDecision, Judgement
from arena.bots.label import name_of
from arena.reports.faults import BotFault
from arena.reports.judgement import text_of
from arena.store.rows import StoredMatch
from arena.web.rendering import score_of
from arena.web.replays import Replay

SURE = 2.0
"""A turn of the curve that is smaller than this many of its errors is not said to have decided a match."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Something said about a step."""

    step: int
    seat: int | None
    words: str


@dataclass(frozen=True, slots=True)
class Headline:
    """The head of a match page."""

    result: str
    """Who won and by what."""
    decided: Pointer | None
    """What decided it, as far as somebody who sees everything can say."""
    failures: tuple[Pointer, ...]
    opening: int
    """The step to show first."""


def headline_of(
    match: StoredMatch,
    replay: Replay,
    judgement: Judgement | None,
    faults: Mapping[int, Sequence[BotFault]],
    *,
    is_open: bool,
) -> Headline:
    """Return the headline; with `is_open` false it says only what every spectator knows."""
    failures = tuple(
        Pointer(min(step, replay.steps), fault.seat, fault.what)
        for step, found in sorted(faults.items())
        for fault in found
        if fault.is_forfeit
    )
    decided = _decided(match, replay, judgement) if is_open else None
    if decided is not None:
        opening = decided.step
    else:
        opening = failures[0].step if failures else replay.steps
    return Headline(result_of(match), decided, failures, opening)


def result_of(match: StoredMatch) -> str:
    """Say who won and by what."""
    places = match.shown_places
    if match.is_void or not any(places):
        return "The match is void" if match.is_void else "The match has no result"
    order = sorted((seat for seat in range(len(places)) if places[seat]), key=lambda seat: (places[seat] or 0, seat))
    winners = [seat for seat in order if places[seat] == places[order[0]]]
    names = " and ".join(name_of(match.seating[seat]) for seat in winners)
    score = score_of(match.game, match.scores[winners[0]])
    if len(winners) > 1:
        return f"{names} shared the win with {score}"
    rest = [seat for seat in order if seat not in winners]
    if not rest:
        return f"{names} won with {score}"
    return f"{names} won with {score}, ahead of {name_of(match.seating[rest[0]])} with {_behind(match, rest[0])}"


def _behind(match: StoredMatch, seat: int) -> str:
    return score_of(match.game, match.scores[seat])


def _decided(match: StoredMatch, replay: Replay, judgement: Judgement | None) -> Pointer | None:
    if judgement is not None:
        return _costliest(match, judgement.blunders()) or _turn(match, judgement)
    return _lead(match, replay)


def _costliest(match: StoredMatch, blunders: Sequence[JudgedDecision]) -> Pointer | None:
    """The costliest blunder of a bot that did not win, or else of any."""
    lost = [each for each in blunders if match.shown_places[each.seat] != 1]
    for each in (lost or blunders)[:1]:
        cost = text_of(each.gain, each.error, is_signed=False)
        return Pointer(each.step, each.seat, f"{name_of(match.seating[each.seat])} gave away {cost} points of 100")
    return None


def _turn(match: StoredMatch, judgement: Judgement) -> Pointer | None:
    """The largest turn between two points of the curve, in errors."""
    turn = judgement.sharpest_turn
    if turn is None or turn.in_errors < SURE:
        return None
    name, change = name_of(match.seating[turn.seat]), round(abs(turn.change))
    return Pointer(turn.step, turn.seat, f"{name} {'gained' if turn.change > 0 else 'lost'} {change} points of 100")


def _lead(match: StoredMatch, replay: Replay) -> Pointer | None:
    """The step at which the winner took the lead for good."""
    winners = [seat for seat, place in enumerate(match.shown_places) if place == 1]
    step = replay.lead_since(winners[0]) if len(winners) == 1 else None
    if step is None:
        return None
    return Pointer(step, winners[0], f"{name_of(match.seating[winners[0]])} took the lead for good")
