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

from referee.game import AnyGame, Decision
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
        self.carry_out = game.apply_checked  # every move comes from a list of legal ones
        self.heuristic, self.scale = game.heuristic(), game.scale
        self.explore, self.breadth = (EXPLORE, BREADTH) if self.heuristic else (BLIND_EXPLORE, BLIND_BREADTH)
        self.worlds: list[Any] = []
        self.root = Node()
        self.ranked = self.rank(self.world(0), seat, options)

    def world(self, number: int) -> Any:
        """Return a copy of an imagined world."""
        while len(self.worlds) <= number:
            self.worlds.append(self.game.imagine(self.view, self.seat, self.rng.fork(f"world {len(self.worlds)}")))
        return self.game.clone(self.worlds[number])

    def rank(self, state: Any, seat: int, options: Sequence[Any]) -> list[tuple[Any, float]]:
        """Return the options as the heuristic rates them, the best first, and how far each is behind it."""
        if self.heuristic is None:
            return [(option, 0.0) for option in options]
        ratings = self.heuristic.rate(state, seat, options)
        order = sorted(range(len(options)), key=lambda index: -ratings[index])
        most = ratings[order[0]]
        return [(options[index], (most - ratings[index]) / self.scale.lead) for index in order]

    def run(self, nodes: int, is_over: Callable[[], bool] = lambda: False) -> None:
        """Look at a number of nodes, or until the time is over."""
        for _ in range(nodes):
            if is_over():
                return
            self.iterate()

    def best(self) -> int:
        """Return the index of the move visited most, the better one among equals."""
        if not self.root.children:
            return self.options.index(self.ranked[0][0])
        move = max(self.root.children.items(), key=lambda item: (item[1].visits, item[1].total))[0]
        return self.options.index(move)

    def iterate(self) -> None:
        """Walk down the tree through one world, add a node, play on from there, and credit the way."""
        game, node = self.game, self.root
        move = self.select(node, self.ranked)
        number = node.children[move].visits if move in node.children else 0
        state, dice = self.world(number), self.rng.fork(f"dice {number}")
        mover, path = self.seat, []
        while True:
            node.visits += 1
            node = node.children.setdefault(move, Node())
            path.append((mover, node))
            self.apply(state, mover, move, dice)
            decisions = self.skip_forced(state)
            if node.visits < PATIENCE or not decisions:
                break
            mover = self.mover(decisions)
            move = self.select(node, self.rank(state, mover, game.legal_actions(state, mover)))
        node.visits += 1
        rewards = self.rewards(self.play_on(state, dice))
        for mover, visited in path:
            visited.total += rewards[mover]

    def select(self, node: Node, ranked: list[tuple[Any, float]]) -> Any:
        """Return the move to look at next: the best-ranked ones in turn, then the highest confidence bound.

        A move that looked bad greedily is held back until its visits say otherwise.
        """
        breadth = self.breadth + int(sqrt(node.visits) / 2)
        best, highest = ranked[0][0], -inf
        for move, behind in ranked[:breadth]:
            child = node.children.get(move)
            if child is None or not child.visits:
                return move
            bound = child.total / child.visits + self.explore * sqrt(log(node.visits + 1) / child.visits)
            bound -= TRUST * min(behind, 1.0) / child.visits
            if bound > highest:
                best, highest = move, bound
        return best

    def mover(self, decisions: Sequence[Decision]) -> int:
        """Return whose decision the tree follows when several seats decide together: ours, else the first."""
        seats = [decision.seat for decision in decisions]
        return self.seat if self.seat in seats else seats[0]

    def apply(self, state: Any, mover: int, move: Any, dice: Rng) -> None:
        """Carry out a move; seats that decide at the same time play greedily."""
        choices = {mover: move}
        for decision in self.game.pending(state):
            if decision.seat != mover:
                choices[decision.seat] = self.greedy(state, decision.seat, dice)
        self.carry_out(state, choices)

    def skip_forced(self, state: Any) -> Sequence[Decision]:
        """Play moves without a choice, and return the decisions that have one; none if the game is over."""
        while decisions := self.game.pending(state):
            options = [self.game.legal_actions(state, decision.seat) for decision in decisions]
            if any(len(listed) > 1 for listed in options):
                return decisions
            self.carry_out(
                state, {decision.seat: listed[0] for decision, listed in zip(decisions, options, strict=True)}
            )
        return ()

    def greedy(self, state: Any, seat: int, dice: Rng) -> Any:
        """Return the move that the heuristic rates best, of a sample if there are many; any without one."""
        options = self.game.legal_actions(state, seat)
        if len(options) == 1:
            return options[0]
        if self.heuristic is None:
            return options[dice.index(len(options))]
        if len(options) > self.scale.max_rated:
            options = [options[dice.index(len(options))] for _ in range(self.scale.max_rated)]
        ratings = self.heuristic.rate(state, seat, options)
        return options[ratings.index(max(ratings))]

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
