"""T8.5, step b: the overdispersion phi: how much more the games of a block agree than independent ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ratings.points.finishes import Finish, Floats, Integers, Pattern, Played, present

CHUNK = 8192
"""Blocks processed together: their matrices fit into the cache."""


def overdispersion(
    played: Played, strengths: Floats, covariance: Floats, free: Integers, layout: BlockLayout | None = None
) -> float:
    """T8.5, step b: phi = max(1, [sum |r_b|^2 + sum trace(W_b V W_b)] / sum trace(W_b)), over free bots.

    r_b is the gradient and W_b the Hessian of minus the log-likelihood of block b.
    """
    layout = layout or BlockLayout.of(played)
    found = _Sums(covariance, free)
    for finish, alone in zip(played.finishes, layout.alone, strict=True):
        _add_matches(found, finish, alone, strengths)
    if len(layout.keys):
        _add_blocks(found, played, layout, strengths)
    return max(1.0, (found.slopes + found.agreement) / found.information) if found.information > 0 else 1.0


class _Sums:
    """Sums over all blocks."""

    def __init__(self, covariance: Floats, free: Integers) -> None:
        self.bots = len(covariance)
        self.flat = covariance.ravel()
        self.is_free = np.zeros(self.bots, dtype=bool)
        self.is_free[free] = True
        self.slopes = 0.0
        """|r_b|^2."""
        self.agreement = 0.0
        """trace(W_b V W_b)."""
        self.information = 0.0
        """trace(W_b)."""

    def add_slopes(self, rows: Integers, slopes: Floats) -> None:
        """Add the gradients of blocks, overwriting them, for the bots in these rows."""
        slopes[~self.is_free[rows]] = 0
        self.slopes += float(np.vdot(slopes, slopes))

    def add_links(self, rows: Integers, hessian: Floats) -> None:
        """Add the Hessians of blocks of one size, overwriting them; their diagonals are not filled in yet.

        They are Laplacians: the off-diagonal weights determine them.
        """
        size = len(rows)
        for at in range(size):
            hessian[at, at] = -hessian[at].sum(axis=0)
        held = ~self.is_free[rows]
        if held.any():
            for at in range(size):
                hessian[at][:, held[at]] = 0
                hessian[:, at][:, held[at]] = 0
        for one in range(size):
            self.information += float(hessian[one, one].sum())
            for other in range(one, size):
                # W and V are symmetric, so both halves of the sum are equal.
                square = np.einsum("ij,ij->j", hessian[one], hessian[other])
                shared = self.flat[rows[one] * self.bots + rows[other]]
                self.agreement += (1 if one == other else 2) * float(shared @ square)


def _add_matches(found: _Sums, finish: Finish, alone: Integers, strengths: Floats) -> None:
    """Add the matches that are their own blocks."""
    size = len(finish.ranking)
    for begin in range(0, len(alone), CHUNK):
        rows = finish.bots[:, alone[begin : begin + CHUNK]]
        slopes, links = match_derivatives(finish.pattern, strengths[rows])
        hessian = np.zeros((size, size, rows.shape[1]))
        for (one, other), linked in links.items():
            hessian[one, other] -= linked
            hessian[other, one] -= linked
        found.add_slopes(rows, slopes)
        found.add_links(rows, hessian)


def _add_blocks(found: _Sums, played: Played, layout: BlockLayout, strengths: Floats) -> None:
    """Add the blocks of several matches."""
    slopes: list[Floats] = []
    cells: list[Integers] = []
    weights: list[Floats] = []
    for finish, together, slots in zip(played.finishes, layout.together, layout.slots, strict=True):
        own, links = match_derivatives(finish.pattern, strengths[finish.bots[:, together]])
        slopes.append(own.ravel())
        for (one, other), linked in links.items():
            cells.append(layout.cell(slots, one, other))
            weights.append(linked)
    where = np.concatenate([slots.ravel() for slots in layout.slots])
    gradient = np.bincount(where, weights=np.concatenate(slopes), minlength=len(layout.members))
    between = np.bincount(np.concatenate(cells), weights=np.concatenate(weights), minlength=layout.cells)
    # The same arrays: numpy's type of bincount lacks weights.
    found.add_slopes(layout.members, gradient.astype(np.float64, copy=False))
    upper_cells = between.astype(np.float64, copy=False)
    for size in present(layout.sizes):
        of_size = np.flatnonzero(layout.sizes == size)
        for begin in range(0, len(of_size), CHUNK):
            chosen = of_size[begin : begin + CHUNK]
            rows = layout.members[layout.starts[chosen] + np.arange(size)[:, None]]
            upper = upper_cells[layout.corners[chosen] + np.arange(size * size)[:, None]].reshape(size, size, -1)
            found.add_links(rows, -(upper + upper.swapaxes(0, 1)))


def match_derivatives(pattern: Pattern, values: Floats) -> tuple[Floats, dict[tuple[int, int], Floats]]:
    """The gradients of matches with one finish, and minus their Hessians above the diagonal, by position."""
    powers = np.exp(values - values.max(axis=0))
    slopes = np.repeat(-np.array(pattern.linear)[:, None], values.shape[1], axis=1)
    links: dict[tuple[int, int], Floats] = {}
    for positions, weight in pattern.terms:
        chosen = list(positions)
        shares = powers[chosen] / powers[chosen].sum(axis=0)
        slopes[chosen] += weight * shares
        for at, one in enumerate(positions):
            for beside, other in enumerate(positions[:at]):
                product = weight * shares[at] * shares[beside]
                links[other, one] = links[other, one] + product if (other, one) in links else product
    return slopes, links


class BlockLayout:
    """The matches that are their own block, and for the others the offsets of every block's bots and pairs."""

    def __init__(
        self,
        count: int,
        alone: Sequence[Integers],
        together: Sequence[Integers],
        keys: Integers,
        slots: Sequence[Integers],
        bots: int,
    ) -> None:
        """`keys` are block * bots + bot, `slots` their positions."""
        self.count = count
        """All block numbers are below it."""
        self.alone = tuple(alone)
        self.together = tuple(together)
        """By finish: the matches that are their own block, and those that share one."""
        self.keys = keys
        self.slots = tuple(slots)
        """By finish, position and match that shares its block."""
        self.members = keys % bots
        blocks = keys // bots
        self.starts = np.flatnonzero(np.diff(blocks, prepend=-1))
        self.sizes = np.diff(self.starts, append=len(keys))
        """By rank of the block: the offset and number of its bots."""
        self.block = np.repeat(np.arange(len(self.starts)), self.sizes)
        self.corners = np.cumsum(self.sizes**2) - self.sizes**2
        self.cells = int(self.sizes @ self.sizes)

    @classmethod
    def of(cls, played: Played) -> BlockLayout:
        """Lay out the blocks of matches."""
        bots = len(played.bots)
        matches = np.bincount(np.concatenate([finish.blocks for finish in played.finishes]))
        is_alone = [matches[finish.blocks] == 1 for finish in played.finishes]
        together = [np.flatnonzero(~each) for each in is_alone]
        parts = [
            finish.blocks[chosen] * bots + finish.bots[:, chosen]
            for finish, chosen in zip(played.finishes, together, strict=True)
        ]
        keys, inverse = np.unique(np.concatenate([part.ravel() for part in parts]), return_inverse=True)
        borders = [0, *accumulate(part.size for part in parts)]
        slots = [
            inverse[begin : begin + part.size].reshape(part.shape) for begin, part in zip(borders, parts, strict=False)
        ]
        return cls(len(matches), [np.flatnonzero(each) for each in is_alone], together, keys, slots, bots)

    def played_on(self, before: Played, more: Played, whole: Played) -> BlockLayout:
        """Lay out further blocks after these; all blocks again if a new match is in an old block."""
        if min(int(finish.blocks.min()) for finish in more.finishes) < self.count:
            return BlockLayout.of(whole)
        added = BlockLayout.of(more)
        pieces: dict[tuple[int, ...], list[tuple[Integers, Integers, Integers]]] = {}
        for finish, alone, together, slots in zip(before.finishes, self.alone, self.together, self.slots, strict=True):
            pieces[finish.ranking] = [(alone, together, slots)]
        known = {finish.ranking: len(finish.blocks) for finish in before.finishes}
        for finish, alone, together, slots in zip(more.finishes, added.alone, added.together, added.slots, strict=True):
            first = known.get(finish.ranking, 0)
            found = (alone + first, together + first, slots + len(self.keys))
            pieces.setdefault(finish.ranking, []).append(found)
        all_alone, all_together, all_slots = (
            [np.concatenate([piece[at] for piece in pieces[finish.ranking]], axis=-1) for finish in whole.finishes]
            for at in range(3)
        )
        keys = np.concatenate([self.keys, added.keys])
        return BlockLayout(added.count, all_alone, all_together, keys, all_slots, len(whole.bots))

    def cell(self, slots: Integers, one: int, other: int) -> Integers:
        """The cell of two positions in the upper triangle of their block's matrix."""
        first, second = np.minimum(slots[one], slots[other]), np.maximum(slots[one], slots[other])
        block = self.block[first]
        start = self.starts[block]
        found: Integers = self.corners[block] + (first - start) * self.sizes[block] + (second - start)
        return found
