"""T8.5, step b: by how much games of a block agree more than independent games would."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ratings.finishes import Floats, Integers, Played, present

AT_ONCE = 4096
"""Blocks whose matrices are written down at the same time: as many as a processor keeps at hand."""


def overdispersion(
    played: Played, strengths: Floats, covariance: Floats, free: Integers, layout: BlockLayout | None = None
) -> float:
    """T8.5, step b: phi = max(1, [sum |r_b|^2 + sum trace(W_b V W_b)] / sum trace(W_b)), over free bots.

    r_b is the gradient and W_b the Hessian of minus the log-likelihood of block b.
    """
    bots = len(played.bots)
    is_free = np.zeros(bots, dtype=bool)
    is_free[free] = True
    layout = layout or BlockLayout.of(played)
    slopes: list[Floats] = []
    # A Laplacian: the weights between the bots of a block say everything.
    cells: list[Integers] = []
    weights: list[Floats] = []
    for finish, slots in zip(played.finishes, layout.slots, strict=True):
        pattern = finish.pattern
        values = strengths[finish.bots]
        powers = np.exp(values - values.max(axis=0))
        own = np.repeat(-np.array(pattern.linear)[:, None], values.shape[1], axis=1)
        pairs: dict[tuple[int, int], Floats] = {}
        for positions, weight in pattern.terms:
            chosen = list(positions)
            shares = powers[chosen] / powers[chosen].sum(axis=0)
            own[chosen] += weight * shares
            for at, one in enumerate(positions):
                for beside, other in enumerate(positions[:at]):
                    product = weight * shares[at] * shares[beside]
                    pairs[other, one] = pairs[other, one] + product if (other, one) in pairs else product
        slopes.append(own.ravel())
        for (one, other), linked in pairs.items():
            cells.append(layout.cell(slots, one, other))
            weights.append(linked)
    where = np.concatenate([slots.ravel() for slots in layout.slots])
    gradient = np.bincount(where, weights=np.concatenate(slopes), minlength=len(layout.members))
    found = np.bincount(np.concatenate(cells), weights=np.concatenate(weights), minlength=layout.cells)
    links = found.astype(np.float64, copy=False)  # the same array: numpy's types do not know of weights
    gradient[~is_free[layout.members]] = 0
    agreement, information = layout.traces(links, covariance, is_free)
    return max(1.0, (float(gradient @ gradient) + agreement) / information) if information > 0 else 1.0


class BlockLayout:
    """Where the bots and the pairs of bots of every block stand in flat arrays; blocks lie one after the other."""

    def __init__(self, keys: Integers, slots: Sequence[Integers], bots: int) -> None:
        """`keys` are the number of a block times all bots plus that of a bot, `slots` where each stands among them."""
        self.keys = keys
        self.slots = tuple(slots)
        """By way of finishing, position and match."""
        self.members = keys % bots
        blocks = keys // bots
        self.starts = np.flatnonzero(np.diff(blocks, prepend=-1))
        self.sizes = np.diff(self.starts, append=len(keys))
        """By the rank of a block: where its bots begin, and how many they are."""
        self.block = np.repeat(np.arange(len(self.starts)), self.sizes)
        ends = np.cumsum(self.sizes**2)
        self.corners = ends - self.sizes**2
        self.cells = int(ends[-1])

    @classmethod
    def of(cls, played: Played) -> BlockLayout:
        """Lay out the blocks of matches."""
        bots = len(played.bots)
        parts = [finish.blocks * bots + finish.bots for finish in played.finishes]
        keys, inverse = np.unique(np.concatenate([part.ravel() for part in parts]), return_inverse=True)
        borders = [0, *accumulate(part.size for part in parts)]
        slots = [
            inverse[begin : begin + part.size].reshape(part.shape) for begin, part in zip(borders, parts, strict=False)
        ]
        return cls(keys, slots, bots)

    def played_on(self, before: Played, more: Played, whole: Played) -> BlockLayout:
        """Lay out further blocks after these; from the beginning if some of their matches are of old blocks."""
        added = BlockLayout.of(more)
        if added.keys[0] <= self.keys[-1]:
            return BlockLayout.of(whole)
        slots = {finish.ranking: [part] for finish, part in zip(before.finishes, self.slots, strict=True)}
        for finish, part in zip(more.finishes, added.slots, strict=True):
            slots.setdefault(finish.ranking, []).append(part + len(self.keys))
        return BlockLayout(
            np.concatenate([self.keys, added.keys]),
            [np.concatenate(slots[finish.ranking], axis=1) for finish in whole.finishes],
            len(whole.bots),
        )

    def cell(self, slots: Integers, one: int, other: int) -> Integers:
        """The cell of two positions in the upper triangle of their block's matrix."""
        first, second = np.minimum(slots[one], slots[other]), np.maximum(slots[one], slots[other])
        block = self.block[first]
        start = self.starts[block]
        found: Integers = self.corners[block] + (first - start) * self.sizes[block] + (second - start)
        return found

    def traces(
        self, links: Floats, covariance: Floats, is_free: np.ndarray[tuple[int], np.dtype[np.bool_]]
    ) -> tuple[float, float]:
        """The sums over blocks of trace(W V W) and of trace(W), over free bots."""
        agreement = information = 0.0
        flat = covariance.ravel()
        for size in present(self.sizes):
            of_size = np.flatnonzero(self.sizes == size)
            for begin in range(0, len(of_size), AT_ONCE):
                chosen = of_size[begin : begin + AT_ONCE]
                rows = self.members[self.starts[chosen] + np.arange(size)[:, None]]
                upper = links[self.corners[chosen] + np.arange(size * size)[:, None]].reshape(size, size, -1)
                hessian = -(upper + upper.swapaxes(0, 1))
                for at in range(size):
                    hessian[at, at] = -hessian[at].sum(axis=0)
                held = ~is_free[rows]
                if held.any():
                    for at in range(size):
                        hessian[at][:, held[at]] = 0
                        hessian[:, at][:, held[at]] = 0
                for one in range(size):
                    information += float(hessian[one, one].sum())
                    for other in range(one, size):
                        # W is symmetric, and so is V: both halves of the sum are the same.
                        square = np.einsum("ij,ij->j", hessian[one], hessian[other])
                        shared = flat[rows[one] * len(covariance) + rows[other]]
                        agreement += (1 if one == other else 2) * float(shared @ square)
        return agreement, information
