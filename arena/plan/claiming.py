"""T16: the claims about the order of a tournament's bots that its closed rounds allow, game by game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.store.rows import StoredMatch, StoredRound
from ratings.sequential.claims import Claims, ClaimWord, neighbour_claims
from ratings.sequential.evidence import CountedBlock, block_by_seat
from referee.order import Ending

ALL_PLACES = 0
"""T16.3: the value of `top` that asks for every place."""


@dataclass(slots=True)
class TournamentClaims:
    """T16.1: the claims of every game of a tournament; rounds go through the games in turn."""

    games: int
    by_game: dict[int, Claims] = field(default_factory=dict)

    def of_round(self, number: int) -> Claims | None:
        """Return the claims of the game that a round plays; None before its first round is closed."""
        return self.by_game.get((number - 1) % self.games)

    def close(self, stored: StoredRound, matches: Sequence[StoredMatch], entrants: Iterable[str]) -> None:
        """T16.1: add a round at its close; `entrants` are those of round 1 (T19.10)."""
        game = (stored.number - 1) % self.games
        if game not in self.by_game:
            first = next(iter(self.by_game.values()), None)
            self.by_game[game] = Claims(tuple(sorted(entrants)) if first is None else first.entrants)
        self.by_game[game].close(stored.number, _blocks(stored, matches))


def _blocks(stored: StoredRound, matches: Sequence[StoredMatch]) -> Iterable[CountedBlock]:
    """T19.2: the complete blocks of a round as they stood at its close: later corrections do not change them."""
    found = {(match.table, match.game_number): match for match in matches if match.ending is not Ending.VOIDED}
    for table in stored.tables:
        games = [found.get((table.table, rotation)) for rotation in range(len(table.seats))]
        played = [match.places_before or match.places for match in games if match is not None]
        if len(played) == len(table.seats):
            yield block_by_seat(table.seats, played)


def claims_between(order: Sequence[str], claims: Claims, top: int) -> tuple[ClaimWord, ...]:
    """T16.3: the claims between neighbours of a list, or of its first places."""
    return neighbour_claims(order, claims, None if top == ALL_PLACES else top)
