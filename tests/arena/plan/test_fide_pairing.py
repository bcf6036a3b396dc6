"""T7: pairings of two beside those of a FIDE engine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from arena.plan.swiss import Entrant, PlayedGame, PlayedRound, PlayedTable, advance, pair
from tests.arena.swiss_playing import TWO

NEEDED = "needs py4swiss: there is no wheel of it for this machine"
engines, trf, codes, results, sections = (
    pytest.importorskip(f"py4swiss.{module}", reason=NEEDED)
    for module in ("engines", "trf", "trf.codes", "trf.results", "trf.sections")
)

TOKENS = {0: results.ResultToken.LOSS, 1: results.ResultToken.DRAW, 2: results.ResultToken.WIN}
PLACES = {0: (2, 1), 1: (1, 1), 2: (1, 2)}


def fide_pairs(played: Sequence[list[Any]], half_points: Sequence[int]) -> list[tuple[int, int]]:
    """The next round by the Dutch system."""
    players = [
        sections.PlayerSection(
            code=codes.PlayerCode.PLAYER,
            starting_number=number + 1,
            points_times_ten=5 * half_points[number],
            rank=number + 1,
            results=played[number],
        )
        for number in range(len(played))
    ]
    parsed = trf.ParsedTrf(player_sections=players, x_section=sections.XSection(number_of_rounds=20))
    return [(paired.white - 1, paired.black - 1) for paired in engines.DutchEngine.generate_pairings(parsed)]


def floats_a_round(bots: int, rounds: int, seed: int) -> tuple[float, float]:
    """Play a tournament with our pairings; how many tables mix scores in ours, and in the FIDE engine's instead."""
    random = Random(seed)
    entrants = {str(number): Entrant(str(number)) for number in range(bots)}
    histories: list[list[Any]] = [[] for _ in range(bots)]
    half_points = [0] * bots
    ours = theirs = 0
    for number in range(rounds):
        pairing = pair(entrants.values(), TWO, seed=seed, round_number=number + 1, is_block=False)
        played = [(int(table.bots[0]), int(table.bots[1])) for table in pairing.tables]
        ours += sum(half_points[one] != half_points[other] for one, other in played)
        theirs += sum(half_points[one] != half_points[other] for one, other in fide_pairs(histories, half_points))
        tables = []
        for one, other in played:
            gained = 1 if random.random() < 0.3 else 2 * (random.random() < 0.5 + (other - one) / 2 / bots)
            tables.append(PlayedTable((str(one), str(other)), (PlayedGame(0, PLACES[gained]),)))
            half_points[one] += gained
            half_points[other] += 2 - gained
            histories[one].append(
                results.RoundResult(id=other + 1, color=results.ColorToken.WHITE, result=TOKENS[gained])
            )
            histories[other].append(
                results.RoundResult(id=one + 1, color=results.ColorToken.BLACK, result=TOKENS[2 - gained])
            )
        entrants = advance(entrants, PlayedRound(tuple(tables)), preferred=2)
    return ours / rounds, theirs / rounds


def test_T7_two_seats_float_no_more_than_in_the_fide_system() -> None:
    ours, theirs = floats_a_round(bots=70, rounds=6, seed=1)
    assert theirs > 2
    assert ours <= 1.05 * theirs
