"""The search: moves race at the root through imagined worlds, and below them one tree grows for all worlds.

The n-th visit of a move at the root meets the n-th world with the same dice, so that luck cancels out between moves
that were visited equally often, and only such visits are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2, sqrt
from typing import Any

from referee.game import AnyGame, Seat, can_imagine
from referee.heuristic import Heuristic
from referee.rng import Rng
from referee.search.budget import SearchBudget
from referee.search.moves import MoveKey, Moves
from referee.search.style import BLIND, Style
from referee.search.tree import TreeNode

STYLE = Style()
MIN_RACERS = 2


class Search:
    """The search for one decision: `run` it, then ask for the `best` option."""

    def __init__(
        self, game: AnyGame, imagine: Callable[[Rng], Any], seat: Seat, options: Sequence[Any], rng: Rng,
        style: Style | None = None, heuristic: Heuristic | None = None, *, trades: bool = False,
    ) -> None:  # fmt: skip
        """`imagine` returns a world that the seat cannot tell from the real one, for some dice; none other is seen."""
        heuristic = heuristic or game.heuristic()
        self.style = BLIND if heuristic is None else style or STYLE
        self.game, self.seat, self.rng = game, seat, rng
        self.rules = Moves(game, heuristic, self.style, trades=trades)
        self.root = TreeNode()
        self.values: dict[MoveKey, list[float]] = {}
        self._imagine = imagine
        self._worlds: list[tuple[Any, int, list[int]]] = []
        start = self._world(0)[0]
        self.moves = self.rules.of(start, seat, options)
        self.ranked = self.rules.rank(start, seat, self.moves)
        self._found = self.ranked[0][0]

    def run(self, budget: SearchBudget) -> None:
        """Spend a budget."""
        if self.style.races:
            self._race(budget)
            return
        while budget.take():
            self._visit(self.root.select(self.ranked, self.style))
        if self.root.children:
            self._found = max(self.root.children.items(), key=lambda item: (item[1].visits, item[1].total))[0]

    def best(self) -> int:
        """Return the index of the best option so far; without any visits that is the one rated best."""
        return self.moves.index(self._found)

    def value(self) -> float:
        """Return what the best option seems to be worth to the seat, from 0 to 1; one half before any visit."""
        node = self.root.children.get(self._found)
        return node.total / node.visits if node is not None and node.visits else 0.5

    def _race(self, budget: SearchBudget) -> None:
        """Visit all racers in turn, and after each lap only the better half of them."""
        racers = [move for move, _ in self.ranked[:MIN_RACERS]]
        while not budget.is_estimated and self._visit_all(racers, budget):
            pass
        count = max(MIN_RACERS, int(self.style.width * sqrt(budget.nodes)))
        racers = [move for move, _ in self.ranked[:count]]
        laps = max(1, ceil(log2(len(racers))))
        for lap in range(1, laps + 1):
            while budget.share < lap / laps and self._visit_all(racers, budget):
                pass
            racers = self._sorted(racers)
            self._found = racers[0]
            racers = racers[: (len(racers) + 1) // 2]

    def _visit_all(self, racers: Sequence[MoveKey], budget: SearchBudget) -> bool:
        """Bring all racers to the number of visits that the most visited one has, or else one further."""
        values = self.values
        fewest = min(len(values.get(move, ())) for move in racers)
        for move in racers:
            if len(values.get(move, ())) == fewest:
                if not budget.take():
                    return False
                values.setdefault(move, []).append(self._visit(move))
        return True

    def _sorted(self, racers: Sequence[MoveKey]) -> list[MoveKey]:
        """Return racers by what their common worlds say and, for some visits, the heuristic: the best first."""
        common = min(len(self.values.get(move, ())) for move in racers)
        if not common:
            return list(racers)
        behind = dict(self.ranked)
        return sorted(racers, key=lambda move: self.style.trust * behind[move] - sum(self.values[move][:common]))

    def _world(self, number: int) -> tuple[Any, int, list[int]]:
        """Return a copy of an imagined world, with the state of the dice in it and of those of every seat."""
        while len(self._worlds) <= number:
            fork = self.rng.fork(f"world {len(self._worlds)}")
            dice = self.rng.fork(f"dice {len(self._worlds)}")
            seats = range(self.rules.seats) if self.rules.has_seat_dice else ()
            self._worlds.append((self._imagine(fork), dice.word, [dice.fork(f"seat {seat}").word for seat in seats]))
        state, word, words = self._worlds[number]
        return self.game.clone(state), word, words

    def _visit(self, move: MoveKey) -> float:
        """Walk down the tree through the next world of a move, play on from there, and credit the way."""
        rules, style, seat = self.rules, self.style, self.seat
        node = self.root
        state, word, seat_dice = self._world(node.child(move).visits)
        dice, mover, path = Rng(word), seat, []
        offered: dict[Seat, Sequence[MoveKey]] = {
            each.seat: () if each.seat == seat else rules.list(state, each.seat) for each in rules.pending(state)
        }
        while True:
            node.visits += 1
            node = node.child(move)
            path.append((mover, node))
            rules.carry_out(
                state,
                {
                    each: move if each == mover else rules.guess(state, each, moves, dice)
                    for each, moves in offered.items()
                },
            )
            offered = self._next_choice(state, dice)
            if node.visits < style.patience or not offered:
                break
            mover = seat if seat in offered else next(iter(offered))
            move = node.select(rules.rank(state, mover, offered[mover]), style)
        node.visits += 1
        values = self._valued(state, dice, seat_dice, is_over=not offered)
        for mover, visited in path:
            visited.total += values[mover]
        return values[seat]

    def _next_choice(self, state: Any, dice: Rng) -> dict[Seat, Sequence[MoveKey]]:
        """Play moves that the tree does not choose, and return what can be chosen then; nothing if the game is over.

        If several decide together, the tree follows our decision, or else that of the first.
        """
        rules, seat = self.rules, self.seat
        while decisions := rules.pending(state):
            offered = {decision.seat: rules.list(state, decision.seat) for decision in decisions}
            if self.style.models_others:
                if len(offered.get(seat, ())) > 1:
                    return offered
            elif any(len(moves) > 1 for moves in offered.values()):
                return offered
            rules.carry_out(state, {each: rules.guess(state, each, moves, dice) for each, moves in offered.items()})
        return {}

    def _valued(self, state: Any, dice: Rng, seat_dice: Sequence[int], *, is_over: bool) -> list[float]:
        """Return what a leaf is worth to every seat, by playing on, by the heuristic, or by both."""
        rules, weight = self.rules, self.style.leaf_weight
        if is_over or not rules.reach:
            return rules.values(state)
        early = rules.values(state) if weight else ()
        rules.play_on(state, dice, seat_dice, self.seat)
        late = rules.values(state)
        if not weight:
            return late
        return [weight * one + (1 - weight) * other for one, other in zip(early, late, strict=True)]


def choose(
    game: AnyGame, imagine: Callable[[Rng], Any], seat: Seat, options: Sequence[Any], rng: Rng, budget: SearchBudget,
    style: Style | None = None, heuristic: Heuristic | None = None, *, trades: bool = False,
) -> int:  # fmt: skip
    """Return the index of the option that a search finds best; in a game that imagines nothing that of any option."""
    if len(options) == 1:
        return 0
    if not can_imagine(game):
        return rng.index(len(options))
    search = Search(game, imagine, seat, options, rng, style, heuristic, trades=trades)
    search.run(budget)
    return search.best()
