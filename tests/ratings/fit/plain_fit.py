"""T8 and T20 again, slowly: lists, loops and every subset written out; no array, no merging, no clever search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, log, sqrt

from ratings.points.result import Result

Vector = list[float]
Matrix = list[list[float]]


@dataclass(frozen=True)
class PlainFit:
    """Ratings and standard errors in Elo by bot, and the rest as T8 names it."""

    ratings: dict[str, float]
    errors: dict[str, float]
    covariance: Matrix
    sigma: float
    phi: float
    tau: float
    pairing: Vector
    is_rough: bool


@dataclass(frozen=True)
class Term:
    """One log S over a set R with its weight c."""

    members: tuple[int, ...]
    weight: float


def terms_of(result: Result, index: Mapping[str, int]) -> list[Term]:
    """T20.1: G_g, B_g and every non-empty A in G_g."""
    found = []
    for place in sorted(set(result.places)):
        group = [index[bot] for bot, own in zip(result.bots, result.places, strict=True) if own == place]
        below = [index[bot] for bot, own in zip(result.bots, result.places, strict=True) if own > place]
        for size in range(1, len(group) + 1):
            for subset in combinations(group, size):
                found.append(Term((*subset, *below), 1 / comb(len(group), size)))
    return found


def shares(term: Term, theta: Vector) -> Vector:
    top = max(theta[i] for i in term.members)
    powers = [exp(theta[i] - top) for i in term.members]
    return [power / sum(powers) for power in powers]


def solve(matrix: Matrix, columns: Matrix) -> Matrix:
    """Gauss and Jordan with row pivots; `columns` holds right-hand sides as rows of the same length."""
    size = len(matrix)
    rows = [[*matrix[i], *columns[i]] for i in range(size)]
    for i in range(size):
        best = max(range(i, size), key=lambda j: abs(rows[j][i]))
        rows[i], rows[best] = rows[best], rows[i]
        pivot = rows[i][i]
        rows[i] = [cell / pivot for cell in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


def identity(size: int) -> Matrix:
    return [[float(i == j) for j in range(size)] for i in range(size)]


class Plain:
    """One pool."""

    def __init__(self, results: Sequence[Result], anchors: Mapping[str, float], parents: Mapping[str, str]) -> None:
        self.bots = sorted({bot for result in results for bot in result.bots})
        index = {bot: at for at, bot in enumerate(self.bots)}
        self.size = len(self.bots)
        self.matches = [(result, terms_of(result, index)) for result in results]
        self.index = index
        self.held = {index[bot]: (rating - 1500) * log(10) / 400 for bot, rating in anchors.items() if bot in index}
        self.free = [at for at in range(self.size) if at not in self.held]
        self.above = {at: index[parents[self.bots[at]]] for at in self.free if parents.get(self.bots[at]) in index}
        self.roots = [at for at in self.free if at not in self.above]
        self.freedom = len(self.free) - 1 if self.roots else len(self.free)
        self.third_order = True
        self.theta = [self.held.get(at, 0.0) for at in range(self.size)]

    def prior(self) -> Matrix:
        """Q0."""
        found = [[0.0] * self.size for _ in range(self.size)]
        for i in self.roots:
            found[i][i] += 1
            for j in self.roots:
                found[i][j] -= 1 / len(self.roots)
        for child, parent in self.above.items():
            found[child][child] += 4
            found[parent][parent] += 4
            found[child][parent] -= 4
            found[parent][child] -= 4
        return found

    def centred(self, theta: Vector) -> Vector:
        mean = 0.0 if self.held else sum(theta) / self.size
        return [value - mean for value in theta]

    def gradient_and_hessian(
        self, theta: Vector, matches: Sequence[tuple[Result, list[Term]]]
    ) -> tuple[Vector, Matrix]:
        """Of -logL over some matches, and over all bots."""
        gradient = [0.0] * self.size
        hessian = [[0.0] * self.size for _ in range(self.size)]
        for result, terms in matches:
            for bot in result.bots:
                gradient[self.index[bot]] -= 1
            for term in terms:
                p = shares(term, theta)
                for a, i in enumerate(term.members):
                    gradient[i] += term.weight * p[a]
                    hessian[i][i] += term.weight * p[a]
                    for b, j in enumerate(term.members):
                        hessian[i][j] -= term.weight * p[a] * p[b]
        return gradient, hessian

    def mode(self, sigma: float, phi: float) -> tuple[Vector, Matrix]:
        """The mode and V, by damped Newton steps of at most one nat."""
        q0 = self.prior()
        theta = self.theta
        for _ in range(2000):
            gradient, hessian = self.gradient_and_hessian(theta, self.matches)
            pull = [sum(q0[i][j] * theta[j] for j in range(self.size)) / sigma**2 for i in range(self.size)]
            total = [gradient[i] / phi + pull[i] for i in self.free]
            matrix = [
                [hessian[i][j] / phi + q0[i][j] / sigma**2 + (0 if self.held else 1 / self.size) for j in self.free]
                for i in self.free
            ]
            if max(abs(each) for each in total) < 1e-11 * (1 + len(self.matches)):
                break
            step = [row[0] for row in solve(matrix, [[each] for each in total])]
            length = min(1.0, 1 / max(abs(each) for each in step))
            theta = list(theta)
            for i, each in zip(self.free, step, strict=True):
                theta[i] -= length * each
            theta = self.centred(theta)
        self.theta = theta
        inverse = solve(matrix, identity(len(self.free)))
        whole = [[0.0] * self.size for _ in range(self.size)]
        for a, i in enumerate(self.free):
            for b, j in enumerate(self.free):
                whole[i][j] = inverse[a][b]
        if not self.held:
            rows = [sum(row) / self.size for row in whole]
            middle = sum(rows) / self.size
            whole = [[whole[i][j] - rows[i] - rows[j] + middle for j in range(self.size)] for i in range(self.size)]
        return theta, whole

    def node(self, ln_sigma: float, phi: float) -> tuple[float, Vector, Matrix]:
        """G, m and V."""
        sigma = exp(ln_sigma)
        theta, v = self.mode(sigma, phi)
        t = [0.0] * self.size
        if self.third_order:
            for _, terms in self.matches:
                for term in terms:
                    p, members = shares(term, theta), term.members
                    vp = [sum(v[i][j] * p[b] for b, j in enumerate(members)) for i in members]
                    pvp = sum(p[a] * vp[a] for a in range(len(members)))
                    q = [v[i][i] - 2 * vp[a] + pvp for a, i in enumerate(members)]
                    mean = sum(p[a] * q[a] for a in range(len(members)))
                    for a, i in enumerate(members):
                        t[i] += term.weight * p[a] * (q[a] - mean)
        m = [theta[i] - sum(v[i][j] * t[j] for j in range(self.size)) / (2 * phi) for i in range(self.size)]
        m = self.centred(m)
        q0 = self.prior()
        spread = sum(q0[i][j] * (m[i] * m[j] + v[i][j]) for i in range(self.size) for j in range(self.size))
        return spread / sigma**2 - self.freedom - ln_sigma, m, v

    def root(self, phi: float) -> float:
        """Walk from 0 in G's sign until it turns, then bisect."""
        here, sign = 0.0, 1 if self.node(0.0, phi)[0] > 0 else -1
        while True:
            there = min(max(here + sign * 0.1, -4.0), 3.0)
            if self.node(there, phi)[0] * sign <= 0:
                break
            if there in (-4.0, 3.0):
                return there
            here = there
        while abs(there - here) > 1e-7:
            middle = (here + there) / 2
            if self.node(middle, phi)[0] * sign > 0:
                here = middle
            else:
                there = middle
        return (here + there) / 2

    def overdispersion(self, m: Vector, v: Matrix) -> float:
        """Step b."""
        blocks: dict[object, list[tuple[Result, list[Term]]]] = {}
        for number, match in enumerate(self.matches):
            blocks.setdefault(number if match[0].block is None else match[0].block, []).append(match)
        above = below = 0.0
        for matches in blocks.values():
            r, w = self.gradient_and_hessian(m, matches)
            above += sum(r[i] ** 2 for i in self.free)
            for i in self.free:
                below += w[i][i]
                above += sum(w[i][j] * v[j][k] * w[k][i] for j in self.free for k in self.free)
        return max(1.0, above / below)

    def fit(self) -> PlainFit:
        """Steps a to e."""
        at = self.root(1.0)
        if at == 3.0:
            self.third_order = False
            at = self.root(1.0)
        _, pairing, v = self.node(at, 1.0)
        phi = self.overdispersion(pairing, v)
        if phi > 1:
            at = self.root(phi)
        slope = (self.node(at + 0.1, phi)[0] - self.node(at - 0.1, phi)[0]) / 0.2
        tau = 1 / sqrt(max(1.0, -slope))
        nodes = [(2 / 3, at), (1 / 6, at - sqrt(3) * tau), (1 / 6, at + sqrt(3) * tau)]
        found = [(weight, *self.node(x, phi)[1:]) for weight, x in nodes]
        size = range(self.size)
        theta = [sum(weight * m[i] for weight, m, _ in found) for i in size]
        whole = [
            [sum(w * (v[i][j] + (m[i] - theta[i]) * (m[j] - theta[j])) for w, m, v in found) for j in size]
            for i in size
        ]
        elo = 400 / log(10)
        return PlainFit(
            {bot: 1500 + elo * theta[i] for i, bot in enumerate(self.bots)},
            {bot: elo * sqrt(max(0.0, whole[i][i])) for i, bot in enumerate(self.bots)},
            whole,
            exp(at),
            phi,
            tau,
            pairing,
            not self.third_order,
        )


def plain_fit(
    results: Sequence[Result], anchors: Mapping[str, float] | None = None, parents: Mapping[str, str] | None = None
) -> PlainFit:
    """T8 word for word, for pools of a handful of bots."""
    found = Plain(results, anchors or {}, parents or {}).fit()
    if any(abs(rating - 1500) > 4000 for rating in found.ratings.values()):
        again = Plain(results, anchors or {}, parents or {})
        again.third_order = False
        return again.fit()
    return found
