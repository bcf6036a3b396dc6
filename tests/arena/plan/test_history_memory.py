"""What a long tournament keeps of its rounds is shared where it is equal."""

from __future__ import annotations

import json

from arena.plan.rounds import played_round
from arena.plan.swiss import Entrant, PlayedRound, advance
from arena.store.rows import RoundState, StoredMatch, StoredRound
from arena.store.tournaments import paired
from referee.order import Ending

ENTRY = json.dumps(
    {
        "tables": [{"table": 1, "seats": ["ann@0123456789ab", "bob@0123456789ab"], "seeds": [1, 2], "games": 2}],
        "byes": [], "scores": {},
    }
)  # fmt: skip


def closed(number: int) -> tuple[StoredRound, PlayedRound]:
    """A round as it is read from the ledger, and as pairing remembers it."""
    stored = paired(number, "toy", False, json.loads(ENTRY), RoundState.CLOSED, 1.0)
    (table,) = stored.tables
    matches = [
        StoredMatch(
            id=f"{number}.{game}", tournament="cup", round=number, table=1, game_number=game, attempt=0, game="toy",
            seed=game, seating=table.seats[game:] + table.seats[:game], ending=Ending.COMPLETED, reason="",
            places=(1, 2), scores=(5, 3), seat_endings=(Ending.COMPLETED,) * 2, record_digest="",
        )
        for game in range(2)
    ]  # fmt: skip
    return stored, played_round(stored, matches, with_scores=True)


def test_equal_games_names_and_mates_of_many_rounds_are_one_object_each() -> None:
    rounds = [closed(number)[1] for number in (1, 2)]
    (first,), (second,) = (played.tables for played in rounds)
    assert first == second
    assert all(one is other for one, other in zip(first.bots, second.bots, strict=True))
    assert all(one is other for one, other in zip(first.games, second.games, strict=True))
    entrants = {bot: Entrant(bot) for bot in first.bots}
    for played in rounds:
        entrants = advance(entrants, played, preferred=2)
    for entrant in entrants.values():
        assert entrant.mates[0] is entrant.mates[1]
