"""T8.2: the prior of the strengths, up to its width sigma, which is learned."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ratings.points.finishes import Floats, Integers

LINEAGE = 4.0
"""A new version has half of sigma around its parent: four times the precision."""


@dataclass(frozen=True, slots=True)
class Prior:
    """T8.2: the matrix Q0: roots around their own mean, and every free child around its parent."""

    bots: int
    free: Integers
    """The bots that are fitted; the others are anchors."""
    roots: Integers
    """Free bots without a parent in the pool."""
    children: Integers
    parents: Integers
    """The parent of each of the children."""

    @classmethod
    def of(cls, bots: Sequence[str], parents: Mapping[str, str], held: Collection[str] = ()) -> Prior:
        """T20.5: the child sum runs over free children only; a parent without a match in the pool does not count."""
        index = {bot: at for at, bot in enumerate(bots)}
        free = [at for at, bot in enumerate(bots) if bot not in held]
        above = {at: index[parents[bots[at]]] for at in free if parents.get(bots[at]) in index}
        return cls(
            len(bots),
            np.array(free, dtype=np.int64),
            np.array([at for at in free if at not in above], dtype=np.int64),
            np.array(list(above), dtype=np.int64),
            np.array(list(above.values()), dtype=np.int64),
        )

    @property
    def is_anchored(self) -> bool:
        """Anchors fix the level."""
        return len(self.free) < self.bots

    @property
    def is_flat(self) -> bool:
        """All bots are roots: Q0 = I - 11'/N."""
        return len(self.roots) == self.bots

    @property
    def freedom(self) -> int:
        """nu: the number of free bots, minus one if the mean of roots is unknown."""
        return len(self.free) - 1 if len(self.roots) else len(self.free)

    def times(self, values: Floats) -> Floats:
        """Q0 times a vector."""
        found = np.zeros(self.bots)
        if len(self.roots):
            found[self.roots] = values[self.roots] - values[self.roots].mean()
        step = LINEAGE * (values[self.children] - values[self.parents])
        np.add.at(found, self.children, step)
        np.add.at(found, self.parents, -step)
        return found

    def trace(self, covariance: Floats) -> float:
        """trace(Q0 V)."""
        variances = covariance.diagonal()
        found = 0.0
        if len(self.roots):
            among_roots = covariance[np.ix_(self.roots, self.roots)] if len(self.roots) < self.bots else covariance
            found += float(variances[self.roots].sum() - among_roots.sum() / len(self.roots))
        gaps = variances[self.children] + variances[self.parents] - 2 * covariance[self.children, self.parents]
        return found + LINEAGE * float(gaps.sum())

    def add_to(self, matrix: Floats, scale: float) -> None:
        """Add Q0 times a number to a matrix of all bots."""
        roots = self.roots
        if len(roots) == self.bots:
            matrix -= scale / len(roots)
        elif len(roots):
            matrix[np.ix_(roots, roots)] -= scale / len(roots)
        matrix[roots, roots] += scale
        for one, other, sign in (
            (self.children, self.children, 1),
            (self.parents, self.parents, 1),
            (self.children, self.parents, -1),
            (self.parents, self.children, -1),
        ):
            np.add.at(matrix, (one, other), sign * scale * LINEAGE)
