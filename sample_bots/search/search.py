"""Determinised Monte-Carlo tree search, the same for every game.

What a seat cannot know is imagined: the n-th visit of every move at the root meets the n-th imagined world, so
that moves are compared under the same chance. Inside a world the game is played on down a tree of decisions (the moves
that look best greedily first, then by upper confidence bounds), from its leaf greedily for a while, and the position
reached is rated for every seat by the game's heuristic. All worlds share one tree, and the most visited move is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, inf, log, sqrt
from typing import Any

from referee.game import AnyGame
from referee.rng import Rng

EXPLORE, BREADTH = 0.05, 4  # the weight of the confidence bound; moves that a node looks at before it is visited
# Without a heuristic nothing is known of any move: all are looked at, in random rollouts to the end.
BLIND_EXPLORE, BLIND_BREADTH = 0.7, 1000
PATIENCE = 5  # visits before the tree grows beyond a node; until then the game is played on greedily from there
TRUST = 2.0  # the weight of the heuristic, in visits
# The heuristics lie outside the directory whose hash is the bot's version: when one changes, this number goes up.
HEURISTICS = 2


@dataclass(slots=True)
class Node:
    """A decision in the tree: the number of visits and the total reward of the seat that moved here."""

    visits: int = 0
    total: float = 0.0
    children: dict[Any, Node] = field(default_factory=dict)


class Search:
    """The search for one decision: `run` it as long as there is time, then ask for the `best` option."""

    def __init__(self, game: AnyGame, view: Any, seat: int, options: Sequence[Any], rng: Rng) -> None:
        self.game, self.view, self.seat, self.options, self.rng = game, view, seat, options, rng
        self.heuristic, self.scale = game.heuristic(), game.scale
        self.explore, self.breadth = (EXPLORE, BREADTH) if self.heuristic else (BLIND_EXPLORE, BLIND_BREADTH)
        rate = rate_codes = None
        if self.heuristic is not None:
            rate, rate_codes = self.heuristic.rate, self.heuristic.rate_codes
        # A move is the code of an action where that is the same in every world; every move comes from a list.
        is_coded = game.has_lasting_codes and (rate is None or rate_codes is not None)
        self.list_moves: Callable[[Any, int], Sequence[Any]] = game.codes if is_coded else game.legal_actions
        self.carry_out: Callable[[Any, dict[int, Any]], Any] = game.apply_codes if is_coded else game.apply_checked
        self.rate = rate_codes if is_coded else rate
        self.worlds: list[Any] = []
        self.root = Node()
        start = self.world(0)
        self.moves = [game.code_of(start, seat, option) for option in options] if is_coded else options
        self.ranked = self.rank(start, seat, self.moves)

    def world(self, number: int) -> Any:
        """Return a copy of an imagined world."""
        while len(self.worlds) <= number:
            self.worlds.append(self.game.imagine(self.view, self.seat, self.rng.fork(f"world {len(self.worlds)}")))
        return self.game.clone(self.worlds[number])

    def rank(self, state: Any, seat: int, options: Sequence[Any]) -> list[tuple[Any, float]]:
        """Return the options as the heuristic rates them, the best first, and how far each is behind it."""
        if self.rate is None:
            return [(option, 0.0) for option in options]
        ratings, lead = self.rate(state, seat, options), self.scale.lead
        order = sorted(range(len(ratings)), key=[-rating for rating in ratings].__getitem__)
        most = ratings[order[0]]
        return [(options[index], (most - ratings[index]) / lead) for index in order]

    def run(self, nodes: int, is_over: Callable[[], bool] = lambda: False) -> None:
        """Look at a number of nodes, or until the time is over."""
        for _ in range(nodes):
            if is_over():
                return
            self.iterate()

    def best(self) -> int:
        """Return the index of the move visited most, the better one among equals."""
        if not self.root.children:
            return self.moves.index(self.ranked[0][0])
        move = max(self.root.children.items(), key=lambda item: (item[1].visits, item[1].total))[0]
        return self.moves.index(move)

    def iterate(self) -> None:
        """Walk down the tree through one world, add a node, play on from there, and credit the way."""
        node = self.root
        move = self.select(node, self.ranked)
        number = node.children[move].visits if move in node.children else 0
        state, dice = self.world(number), self.rng.fork(f"dice {number}")
        mover, path = self.seat, []
        offered = {
            seat: () if seat == mover else self.list_moves(state, seat)
            for seat in (decision.seat for decision in self.game.pending(state))
        }
        while True:
            node.visits += 1
            node = node.children.setdefault(move, Node())
            path.append((mover, node))
            self.carry_out(
                state,
                {
                    seat: move if seat == mover else self.greedy(state, seat, moves, dice)
                    for seat, moves in offered.items()
                },
            )
            offered = self.skip_forced(state)
            if node.visits < PATIENCE or not offered:
                break
            mover = self.seat if self.seat in offered else next(iter(offered))
            move = self.select(node, self.rank(state, mover, offered[mover]))
        node.visits += 1
        rewards = self.rewards(self.play_on(state, dice))
        for mover, visited in path:
            visited.total += rewards[mover]

    def select(self, node: Node, ranked: list[tuple[Any, float]]) -> Any:
        """Return the move to look at next: the best-ranked ones in turn, then the highest confidence bound.

        A move that looked bad greedily is held back until its visits say otherwise.
        """
        breadth, explore, children = self.breadth + int(sqrt(node.visits) / 2), self.explore, node.children
        best, highest, growth = ranked[0][0], -inf, log(node.visits + 1)
        for move, behind in ranked[:breadth]:
            child = children.get(move)
            if child is None or not child.visits:
                return move
            visits = child.visits
            bound = child.total / visits + explore * sqrt(growth / visits)
            bound -= TRUST * (behind if behind < 1.0 else 1.0) / visits
            if bound > highest:
                best, highest = move, bound
        return best

    def skip_forced(self, state: Any) -> dict[int, Sequence[Any]]:
        """Play moves without a choice, and return what the seats asked can choose from; nothing if the game is over.

        If several decide together, the tree follows our decision, or else that of the first.
        """
        while decisions := self.game.pending(state):
            offered = {decision.seat: self.list_moves(state, decision.seat) for decision in decisions}
            if any(len(moves) > 1 for moves in offered.values()):
                return offered
            self.carry_out(state, {seat: moves[0] for seat, moves in offered.items()})
        return {}

    def greedy(self, state: Any, seat: int, moves: Sequence[Any], dice: Rng) -> Any:
        """Return the move that the heuristic rates best, of a sample if there are many; any without one."""
        if len(moves) == 1:
            return moves[0]
        if self.rate is None:
            return moves[dice.index(len(moves))]
        if len(moves) > self.scale.max_rated:
            moves = [moves[dice.index(len(moves))] for _ in range(self.scale.max_rated)]
        ratings = self.rate(state, seat, moves)
        return moves[ratings.index(max(ratings))]

    def play_on(self, state: Any, dice: Rng) -> Any:
        """Play greedily for all seats, up to the horizon or the end."""
        self.game.playout(state, dice, self.scale.horizon, greedy=True)
        return state

    def rewards(self, state: Any) -> list[float]:
        """Return for every seat how nearly it has won: by its place if the game is over, else by its lead."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            last = len(outcome.ranks)
            return [(last - rank) / (last - 1) for rank in outcome.ranks]
        if self.heuristic is None:
            return [0.5] * 8
        worths = self.heuristic.worths(state)
        leads = [worth - max(worths[:seat] + worths[seat + 1 :]) for seat, worth in enumerate(worths)]
        return [1 / (1 + exp(-max(-30.0, min(30.0, lead / self.scale.lead)))) for lead in leads]
