"""What a search knows of a game: moves as numbers where the rules have them, ratings, and values of positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from referee.game import AnyGame, Seat
from referee.heuristic import NOISE, TO_THE_END, Heuristic, liked
from referee.rng import Rng
from referee.search.style import Style
from referee.search.worth import by_lead, by_leads, by_place

MoveKey: TypeAlias = Any
"""The code of an action where codes last, else the action itself; hashable either way."""
Ranked: TypeAlias = Sequence[tuple[MoveKey, float]]
"""Moves, the best rated first, and how far each is behind it, in leads of the game's scale and at most 1."""


class Moves:
    """A game as a search plays it."""

    def __init__(self, game: AnyGame, heuristic: Heuristic | None, style: Style, *, trades: bool = False) -> None:
        self.game, self.heuristic, self.style = game, heuristic, style
        rate = None if heuristic is None else (trades and heuristic.rate_trading) or heuristic.rate
        rate_codes = None if heuristic is None or (trades and heuristic.rate_trading) else heuristic.rate_codes
        # Every move comes from a list, and is the code of an action where that is the same in every world.
        self.is_coded = game.has_lasting_codes and (rate is None or rate_codes is not None)
        self.pending = game.pending
        self.list: Callable[[Any, Seat], Sequence[MoveKey]] = game.codes if self.is_coded else game.legal_actions
        self.carry_out: Callable[[Any, Mapping[Seat, MoveKey]], object] = (
            game.apply_codes if self.is_coded else game.apply_checked
        )
        self.rate: Callable[[Any, Seat, Sequence[MoveKey]], list[float]] | None = rate_codes if self.is_coded else rate
        # Rollouts by other weights than the game's own give every seat its heuristic and dice, and so do noisy ones.
        self.seats = game.table_sizes[-1]
        self._own = None if heuristic is None or heuristic is game.heuristic() else [heuristic] * self.seats
        self.has_seat_dice = heuristic is not None and (style.is_noisy or self._own is not None)
        self.lead, self.max_rated = game.scale.lead, game.scale.max_rated
        reach = game.scale.horizon if game.scale.horizon >= TO_THE_END else round(style.reach * game.scale.horizon)
        self.reach = TO_THE_END if heuristic is None else reach  # only an end says anything without one

    def of(self, state: Any, seat: Seat, options: Sequence[Any]) -> list[MoveKey]:
        """Return options as moves."""
        return [self.game.code_of(state, seat, option) for option in options] if self.is_coded else list(options)

    def rank(self, state: Any, seat: Seat, moves: Sequence[MoveKey]) -> Ranked:
        """Return moves as the heuristic rates them; in their own order without one."""
        if self.rate is None:
            return [(move, 0.0) for move in moves]
        ratings, lead = self.rate(state, seat, moves), self.lead
        order = sorted(range(len(ratings)), key=[-rating for rating in ratings].__getitem__)
        most = ratings[order[0]]
        return [(moves[at], min(1.0, (most - ratings[at]) / lead)) for at in order]

    def guess(self, state: Any, seat: Seat, moves: Sequence[MoveKey], dice: Rng) -> MoveKey:
        """Return what another seat is taken to play: what it likes best or, modelled with noise, sometimes the next."""
        count = len(moves)
        if count == 1:
            return moves[0]
        if self.rate is None:
            return moves[dice.index(count)]
        if count > self.max_rated:
            moves = [moves[dice.index(count)] for _ in range(self.max_rated)]
        ratings = self.rate(state, seat, moves)
        below = NOISE[dice.index(len(NOISE))] if self.style.models_others else 0
        if not below:
            return moves[ratings.index(max(ratings))]
        order = liked(ratings)
        return moves[order[min(below, len(order) - 1)]]

    def play_on(self, state: Any, dice: Rng, seat_dice: Sequence[int], seat: Seat) -> None:
        """Play a state on in place, up to the horizon or to its end; by turns up to one of this seat's."""
        streams = [Rng(word) for word in seat_dice]
        turns = self.style.turns
        if not turns or self.reach >= TO_THE_END:
            self._play_steps(state, dice, streams, self.reach)
            return
        was_ours = self._is_asked(state, seat)
        while turns and self._play_steps(state, dice, streams, 1):
            is_ours = self._is_asked(state, seat)
            turns -= is_ours and not was_ours
            was_ours = is_ours

    def _is_asked(self, state: Any, seat: Seat) -> bool:
        return any(decision.seat == seat for decision in self.pending(state))

    def _play_steps(self, state: Any, dice: Rng, streams: Sequence[Rng], steps: int) -> int:
        """Play some steps, and return the number of choices made; no dice start again."""
        if not self.has_seat_dice:
            return self.game.playout(state, dice, steps, greedy=True)
        if self._own is None:
            return self.game.playout_by_seat(state, streams, steps, noisy=True)
        return self.game.playout_by_heuristics(state, streams, self._own, steps, noisy=self.style.is_noisy)

    def values(self, state: Any) -> list[float]:
        """Return what a position is worth to every seat, from 0 to 1."""
        outcome, heuristic = self.game.outcome(state), self.heuristic
        if outcome is None:
            if heuristic is None:
                return [0.5] * self.seats
            worths = heuristic.worths(state)
            return by_leads(worths, self.lead) if self.style.counts_shares else by_lead(worths, self.lead)
        beaten = by_place(outcome.ranks)
        if heuristic is None or not self.style.counts_shares:
            return beaten
        # Half by leads, so that a search that has won, or lost, still plays on.
        return [(place + lead) / 2 for place, lead in zip(beaten, by_leads(outcome.scores, self.lead), strict=True)]
