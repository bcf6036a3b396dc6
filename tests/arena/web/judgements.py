"""Judgements as the judge would write them, made up so that no test of a page has to wait for one."""

from __future__ import annotations

from collections.abc import Sequence

from arena.analysis.judgement import JUDGE, CurvePoint, JudgedDecision, Judgement, Phase, SeatJudgement, Worlds
from arena.store.rows import StoredMatch
from referee.games import GAMES

CURVE_POINTS = 20


def decision(step: int, seat: int, **changes: object) -> JudgedDecision:
    """Return a decision that cost nothing, or what the changes say."""
    plain: dict[str, object] = {
        "step": step, "seat": seat, "kind": "ACT", "clause": "B5.4", "phase": Phase.OPENING, "how": "answered",
        "options": 5, "worlds": 6, "own": 0.5, "own_error": 1.0, "gain": 1.0, "error": 2.0, "action": "Act",
        "chosen": "", "better": "", "usual": "Act",
    }  # fmt: skip
    return JudgedDecision(**(plain | changes))  # type: ignore[arg-type] # each of its own type


def judgement(match: StoredMatch, decisions: Sequence[JudgedDecision] = (), swing: float = 30.0) -> Judgement:
    """Return a judgement of a match whose first seat rises by some points in the middle, at the cost of the rest."""
    seats, steps = len(match.seating), match.decisions
    rises = (50.0 + swing, *(50.0 - swing / (seats - 1),) * (seats - 1))
    curve = [
        CurvePoint(
            steps * at // CURVE_POINTS, rises if 2 * at > CURVE_POINTS else (50.0,) * seats, (1.0,) * seats
        )
        for at in range(CURVE_POINTS + 1)
    ]  # fmt: skip
    return Judgement(
        judge=JUDGE, digest=match.record_digest, game=match.game, rules_version=GAMES[match.game].rules_version,
        worlds=Worlds.KNEW, effort=1, is_weak=False, steps=steps,
        seats=tuple(
            SeatJudgement(seat, bot, 50.0, 50.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0) for seat, bot in enumerate(match.seating)
        ),
        curve=tuple(curve), decisions=tuple(decisions),
    )  # fmt: skip
