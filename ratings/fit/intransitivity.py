"""T8.12: whether one rating per bot is enough: every pair's score against the fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ratings.fit.blocks import match_derivatives
from ratings.fit.fit import Fit
from ratings.fit.matches import Matches
from ratings.fit.newton import one_blas_thread
from ratings.points.finishes import Floats, Integers, Played, played
from ratings.points.result import Result

FLAGGED = 0.05
"""T8.12: a pool with at most this p is flagged."""

FEWEST_BOTS, FEWEST_BLOCKS, FEWEST_PAIRS = 4, 8, 3
"""T8.12: of a smaller pool nothing is said."""

LARGEST_OWN = 0.75
"""T8.12: a pair whose own games fix its difference by a larger share does not count."""

SURPRISING = 4.0
"""T8.12: pairs with a larger |e|/sqrt(v) are listed."""

FEWEST_GAMES = 8
"""T8.12: pairs with fewer games are not listed."""

DRAWS, LARGE_DRAWS = 999, 199
LARGE = 1000
"""T20.11: the number of blocks beyond which fewer signs are drawn, from one digest per block."""

LARGEST_HOLD = 0.75
"""T8.12: the most that a block's own weight in the fit counts for."""

MAX_EXACT = 128
"""T20.11: the number of bots beyond which singular values come from Lanczos steps."""

LANCZOS_STEPS = 32

CELLS = 2_000_000
"""Numbers that are worked on together."""


@dataclass(frozen=True, slots=True)
class Surprise:
    """A pair whose score deviates from its ratings."""

    one: str
    other: str
    games: int
    score: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three bots, each of which beats the next, and the last the first, more often than their ratings say."""

    bots: tuple[str, str, str]
    z: float


@dataclass(frozen=True, slots=True)
class Intransitivity:
    """T8.12: what the scores of pairs say against one rating per bot."""

    p: float | None
    """None in a pool of which nothing is said."""
    cycle: Cycle | None
    """The clearest cycle; None where the pool is not flagged."""
    surprises: tuple[Surprise, ...]

    @property
    def is_flagged(self) -> bool:
        """T8.12: strength is not one number in this pool."""
        return self.p is not None and self.p <= FLAGGED


@dataclass(frozen=True)
class Residuals:
    """T8.12: the scores of pairs less what the ratings expect, for every block and added up."""

    bots: int
    phi: float
    covariance: Floats
    left: Integers
    right: Integers
    """By pair that met: its bots, the one with the smaller number first."""
    games: Integers
    scores: Floats
    """By pair: the points of the first."""
    excess: Floats
    """By pair: e."""
    weights: Floats
    """By pair: w."""
    apart: Floats
    """By pair: d, the variance of the difference of strengths."""
    own: Floats
    """By pair: w R, the share of its own games in what all games say about its difference."""
    hold: Floats
    """By block: h, the share of its own evidence that the fit has taken up."""
    names: tuple[str, ...]
    """By block: its name in the text that its signs come from."""
    pair_cells: _Cells
    """r by block and pair."""
    bot_cells: _Cells
    """The gradient of log L by block and bot."""

    @property
    def variances(self) -> Floats:
        """By pair: v = w (phi - w d)."""
        found: Floats = np.maximum(self.weights * (self.phi - self.weights * self.apart), 1e-12)
        return found

    @cached_property
    def counts(self) -> NDArray[np.bool_]:
        """T8.12: by pair, whether it is not fixed by its own games."""
        found: NDArray[np.bool_] = self.own <= LARGEST_OWN
        return found

    @property
    def largest(self) -> float:
        """Lambda, the largest singular value of E."""
        return float(self.singular(self.excess[None])[0])

    def singular(self, excess: Floats) -> Floats:
        """The largest singular value of every skew-symmetric matrix, each a row of its entries by pair that counts."""
        matrices = np.zeros((len(excess), self.bots, self.bots))
        left, right = self.left[self.counts], self.right[self.counts]
        matrices[:, left, right] = excess[:, self.counts]
        matrices[:, right, left] = -excess[:, self.counts]
        return largest_singular(matrices)

    def flipped(self, first: int, last: int) -> Floats:
        """Lambda* of the draws `first` to `last`: the signs of whole blocks at random."""
        signs = self._large_signs[first - 1 : last] if self.is_large else small_signs(self.names, first, last)
        factors = signs / np.sqrt(1 - self.hold)
        moved = self.bot_cells.added_up(factors, self.bots) @ self.covariance
        shift = self.weights / self.phi * (moved[:, self.left] - moved[:, self.right])
        return self.singular(self.pair_cells.added_up(factors, len(self.left)) - shift)

    @property
    def is_large(self) -> bool:
        """T20.11: whether fewer signs are drawn."""
        return len(self.names) > LARGE

    @property
    def draws(self) -> int:
        """The number of draws."""
        return LARGE_DRAWS if self.is_large else DRAWS

    @cached_property
    def _large_signs(self) -> NDArray[np.int8]:
        return large_signs(self.names)

    def all_flipped(self) -> Iterator[float]:
        """All lambda* in order, some of them worked out together."""
        together = max(1, min(25, CELLS // max(self.bots**2, len(self.pair_cells.values))))
        for first in range(1, self.draws + 1, together):
            yield from self.flipped(first, min(self.draws, first + together - 1)).tolist()


@dataclass(frozen=True)
class _Cells:
    """Values by block and column (a pair or a bot), in the order of the columns."""

    blocks: Integers
    values: Floats
    columns: Integers
    """The columns that occur, in order."""
    starts: Integers
    """Where each of them begins."""

    @classmethod
    def of(cls, blocks: Integers, columns: Integers, count: int, *values: Floats) -> list[_Cells]:
        """Add up some values by block and column; `count` is the number of blocks."""
        keys, inverse = np.unique(columns * count + blocks, return_inverse=True)
        present, starts = np.unique(keys // count, return_index=True)
        return [cls(keys % count, _added(inverse, each), present, starts) for each in values]

    def added_up(self, factors: Floats, width: int) -> Floats:
        """For every row of factors by block: the values times the factor of their block, by column."""
        found = np.zeros((len(factors), width))
        found[:, self.columns] = np.add.reduceat(factors[:, self.blocks] * self.values, self.starts, axis=1)
        return found


def _added(where: Integers, values: Floats, count: int = 0) -> Floats:
    # numpy's type of bincount lacks weights.
    return np.bincount(where, weights=values, minlength=count).astype(np.float64, copy=False)


def small_signs(names: Sequence[str], first: int, last: int) -> NDArray[np.int8]:
    """T8.12: the signs of blocks in some draws: by draw and block, from one digest each."""
    return np.array(
        [
            [1 if sha256(f"flip|{draw}|{name}".encode()).digest()[0] < 128 else -1 for name in names]
            for draw in range(first, last + 1)
        ],
        dtype=np.int8,
    )


def large_signs(names: Sequence[str]) -> NDArray[np.int8]:
    """T20.11: the signs of many blocks: by draw and block, each block's from the bits of one digest."""
    digests = b"".join(sha256(f"flip|{name}".encode()).digest() for name in names)
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(len(names), -1), axis=1)
    return 1 - 2 * bits[:, :LARGE_DRAWS].T.astype(np.int8)


def largest_singular(matrices: Floats) -> Floats:
    """T20.11: the largest singular value of each of some skew-symmetric matrices.

    Few bots: exactly, from E'E = -E E. Many: from the Krylov space of E'E, without reorthogonalising, which repeats
    eigenvalues and does not move the largest.
    """
    count, bots = matrices.shape[:2]
    if bots <= MAX_EXACT:
        return _largest_root(-(matrices @ matrices))
    here = np.tile(np.cos(np.arange(bots) ** 2.0), (count, 1))
    here /= np.linalg.norm(here, axis=1, keepdims=True)
    before, beta = np.zeros_like(here), np.zeros((count, 1))
    tridiagonal = np.zeros((count, LANCZOS_STEPS, LANCZOS_STEPS))
    for step in range(LANCZOS_STEPS):
        image = -(matrices @ (matrices @ here[:, :, None]))[:, :, 0] - beta * before
        alpha = (image * here).sum(axis=1, keepdims=True)
        image -= alpha * here
        tridiagonal[:, step, step] = alpha[:, 0]
        before, beta = here, np.linalg.norm(image, axis=1, keepdims=True)
        if step + 1 < LANCZOS_STEPS:
            tridiagonal[:, step + 1, step] = beta[:, 0]
            here = image / np.maximum(beta, 1e-300)
    return _largest_root(tridiagonal)


def _largest_root(squares: Floats) -> Floats:
    """The root of the largest eigenvalue of every symmetric matrix."""
    found: Floats = np.sqrt(np.maximum(np.linalg.eigvalsh(squares)[:, -1], 0.0))
    return found


def residuals(whole: Played, fitted: Fit) -> Residuals | None:
    """T8.12: the residuals of a pool at its ratings; None where it is too small, or too large for a covariance."""
    names = tuple("|".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in whole.blocks)
    if len(whole.bots) < FEWEST_BOTS or len(names) < FEWEST_BLOCKS or fitted.covariance is None:
        return None
    bots, blocks, theta = len(whole.bots), len(names), fitted.strengths
    keys, gained, where = [], [], []
    slopes, owners, own_blocks = [], [], []
    for finish in whole.finishes:
        own, _ = match_derivatives(finish.pattern, theta[finish.bots])
        slopes.append(-own.ravel())
        owners.append(finish.bots.ravel())
        own_blocks.append(np.tile(finish.blocks, len(finish.ranking)))
        for one, other in combinations(range(len(finish.ranking)), 2):
            left, right = finish.bots[one], finish.bots[other]
            # Positions are in order of places: the first is better, unless both are tied.
            points = 0.5 if finish.ranking[one] == finish.ranking[other] else 1.0
            is_upright = left < right
            keys.append(np.where(is_upright, left * bots + right, right * bots + left))
            gained.append(np.where(is_upright, points, 1 - points))
            where.append(finish.blocks)
    pairs, inverse, games = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    left, right = pairs // bots, pairs % bots
    chance = 1 / (1 + np.exp(theta[right] - theta[left]))
    scores, block_of = np.concatenate(gained), np.concatenate(where)
    variances = fitted.covariance.diagonal()
    apart = variances[left] + variances[right] - 2 * fitted.covariance[left, right]
    rest, weight = scores - chance[inverse], (chance * (1 - chance))[inverse]
    pair_cells, weight_cells = _Cells.of(block_of, inverse, blocks, rest, weight)
    (bot_cells,) = _Cells.of(np.concatenate(own_blocks), np.concatenate(owners), blocks, np.concatenate(slopes))
    pair_of_cell = np.repeat(weight_cells.columns, np.diff(weight_cells.starts, append=len(weight_cells.values)))
    squares = _added(weight_cells.blocks, weight_cells.values**2 * apart[pair_of_cell], blocks)
    hold = np.minimum(LARGEST_HOLD, squares / (fitted.phi * _added(weight_cells.blocks, weight_cells.values, blocks)))
    weights = _added(inverse, weight)
    own = weights * resistances(left, right, weights, fitted.components)
    return Residuals(
        bots, fitted.phi, fitted.covariance, left, right, games, _added(inverse, scores), _added(inverse, rest),
        weights, apart, own, hold, names, pair_cells, bot_cells,
    )  # fmt: skip


def resistances(left: Integers, right: Integers, weights: Floats, components: Sequence[int]) -> Floats:
    """T8.12: by pair, R between its bots, where every pair is a wire of conductance w."""
    part = np.array(components)
    together = part[:, None] == part
    laplacian = together / together.sum(axis=1)  # lifts the zero eigenvalue of every part, and R stays as it is
    laplacian[left, right] -= weights
    laplacian[right, left] -= weights
    np.add.at(laplacian, (left, left), weights)
    np.add.at(laplacian, (right, right), weights)
    inverse = np.linalg.inv(laplacian)
    found: Floats = inverse[left, left] + inverse[right, right] - 2 * inverse[left, right]
    return found


def intransitivity(results: Sequence[Result] | Matches, fitted: Fit) -> Intransitivity:
    """T8.12: hold the largest singular value of the residuals against sign flips of whole blocks."""
    whole = results.played if isinstance(results, Matches) else played(results)
    with one_blas_thread():
        found = residuals(whole, fitted)
    if found is None:
        return Intransitivity(None, None, ())
    with one_blas_thread():
        p = _p(found) if found.counts.sum() >= FEWEST_PAIRS else None
    cycle = _cycle(found, whole.bots) if p is not None and p <= FLAGGED else None
    return Intransitivity(p, cycle, _surprises(found, whole.bots))


def _p(found: Residuals) -> float:
    """T8.12, T20.11: the share of draws that reach lambda; no more are made once it is above 0.05."""
    largest = found.largest
    enough = round(FLAGGED * (found.draws + 1))
    reached = 0
    for draw, flipped in enumerate(found.all_flipped(), start=1):
        reached += flipped >= largest
        if reached == enough:
            return enough / draw
    return (1 + reached) / (found.draws + 1)


def _cycle(found: Residuals, bots: Sequence[str]) -> Cycle | None:
    """T8.12: the cycle with the largest z; None where no three pairs met."""
    excess, variance = np.zeros((found.bots, found.bots)), np.full((found.bots, found.bots), np.inf)
    excess[found.left, found.right], excess[found.right, found.left] = found.excess, -found.excess
    variance[found.left, found.right] = variance[found.right, found.left] = found.variances
    best: tuple[float, int, int, int] | None = None
    for first in range(found.bots):
        # The first of a cycle is the one with the smallest number.
        mates = np.flatnonzero(np.isfinite(variance[first]))
        mates = mates[mates > first]
        if len(mates) < 2:
            continue
        square = np.ix_(mates, mates)
        sums = excess[first, mates][:, None] + excess[square] + excess[mates, first]
        z = sums / np.sqrt(variance[first, mates][:, None] + variance[square] + variance[mates, first])
        at = int(np.argmax(z))
        top = float(z.flat[at])
        if top > 0 and (best is None or top > best[0]):
            second, third = divmod(at, len(mates))
            best = (top, first, int(mates[second]), int(mates[third]))
    return None if best is None else Cycle((bots[best[1]], bots[best[2]], bots[best[3]]), best[0])


def _surprises(found: Residuals, bots: Sequence[str]) -> tuple[Surprise, ...]:
    z = found.excess / np.sqrt(found.variances)
    surprises = [
        Surprise(
            bots[found.left[at]],
            bots[found.right[at]],
            int(found.games[at]),
            float(found.scores[at]),
            float(found.scores[at] - found.excess[at]),
            float(z[at]),
        )
        for at in np.flatnonzero((np.abs(z) > SURPRISING) & (found.games >= FEWEST_GAMES))
    ]
    return tuple(sorted(surprises, key=lambda each: (-abs(each.z), each.one, each.other)))
