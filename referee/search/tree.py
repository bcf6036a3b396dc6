"""The tree of decisions that all imagined worlds share, so that no choice depends on what its seat cannot know."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log, sqrt

from referee.search.moves import MoveKey, Ranked
from referee.search.style import Style


@dataclass(slots=True)
class TreeNode:
    """A line of decisions: the number of visits and the total value to the seat that moved here."""

    visits: int = 0
    total: float = 0.0
    children: dict[MoveKey, TreeNode] = field(default_factory=dict)

    def child(self, move: MoveKey) -> TreeNode:
        """Return the node that a move leads to."""
        found = self.children.get(move)
        if found is None:
            found = self.children[move] = TreeNode()
        return found

    def select(self, ranked: Ranked, style: Style) -> MoveKey:
        """Return the move to look at next: the best rated in turn, then the highest confidence bound.

        The more visits, the more moves take part; one that is rated low is held back until its visits say otherwise.
        """
        children, explore, trust = self.children, style.explore, style.trust
        best, highest, growth = ranked[0][0], -inf, log(self.visits + 1)
        for move, behind in ranked[: style.breadth + int(sqrt(self.visits) / 2)]:
            child = children.get(move)
            if child is None or not child.visits:
                return move
            visits = child.visits
            bound = (child.total - trust * behind) / visits + explore * sqrt(growth / visits)
            if bound > highest:
                best, highest = move, bound
        return best
