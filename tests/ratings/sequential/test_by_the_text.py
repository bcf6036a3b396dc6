"""T14 to T16 written down a second time from their text, with whole fractions and 60 digits, and compared at random."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from math import floor, isqrt
from random import Random

import pytest

from ratings.points.points import UNIT
from ratings.sequential.claims import Claims, claim_bound
from ratings.sequential.compare import compare
from ratings.sequential.evidence import CountedBlock
from ratings.sequential.forecast import games_needed
from ratings.sequential.link import elo_of_mean, mean_of_elo
from ratings.sequential.test import Verdict, judge, terms
from ratings.sequential.test_table import block_seating

DIGITS = 60
TABLES = ((2, 1), (3, 1), (4, 1), (5, 1), (4, 2), (5, 2))


def ln(value: Fraction) -> Decimal:
    return (Decimal(value.numerator) / Decimal(value.denominator)).ln()


def mu(elo: Decimal, k: int, copies: int) -> int:
    """T14.3, T14.9: the link, by exponentials instead of tanh."""
    d = elo * Decimal(10).ln() / 400

    def tanh(x: Decimal) -> Decimal:
        return 1 - 2 / ((2 * x).exp() + 1)

    g = (copies * tanh(d / 2) + (k - 2 * copies) * tanh(d / 4)) / (k - 1)
    return int((g * 10**6).quantize(Decimal(1), ROUND_HALF_UP))


def evidence(ds: list[int], k: int, mu0: int, mu1: int, copies: int) -> list[tuple[int, int]]:
    """T14.4: the evidence for both after every block, each sum kept as the text has it."""
    found = []
    s = 10**6 * k * UNIT
    j = (mu1 - mu0) * k * UNIT
    start = 10 * s * s * (k + 1) // (6 * (k - 1) ** 2 * copies)
    sides = [
        {"null": mu0, "n": 10, "A": 0, "Q": start, "evidence": 0},
        {"null": mu1, "n": 10, "A": 0, "Q": start, "evidence": 0},
    ]
    for d in ds:
        outcomes = (10**6 * d - mu0 * k * UNIT, mu1 * k * UNIT - 10**6 * d)
        for side, z in zip(sides, outcomes, strict=True):
            cap = 2**20 * 9 * 10**6 // (10 * (10**6 + abs(side["null"])))
            weight = min(cap, max(j * side["n"], side["A"] - isqrt(side["Q"])) * s * 2**20 // side["Q"])
            gain = ln(1 + Fraction(weight * z, 2**20 * s)) * 10**6
            side["evidence"] += floor(gain)
            side["A"] += z
            side["Q"] += z * z
            side["n"] += 1
        found.append((sides[0]["evidence"], sides[1]["evidence"]))
    return found


def log_k(ds: list[tuple[int, int]], side: int, means: dict[int, Fraction]) -> Decimal:
    """T15.2: 10^6 ln K, block by block."""
    total = Decimal(0)
    for weight in (Fraction(9, 10 * 2**j) for j in range(5)):
        product = Fraction(1)
        for k, d in ds:
            m = means[k]
            product *= 1 + side * weight * (Fraction(d, k * UNIT) - m) / (1 + abs(m))
        total += Decimal(product.numerator) / Decimal(product.denominator) / 5
    return total.ln() * 10**6


def ceil_ln(value: Fraction) -> int:
    return -floor(-(ln(value) * 10**6))


def random_ds(random: Random, k: int, copies: int, blocks: int) -> list[int]:
    """Differences as blocks give them, around a mean of their own."""
    step = UNIT // 2 // (k - 1) // copies
    most = k * UNIT * (k - copies) // (k - 1) // step
    lean = random.choice((-0.5, 0, 0, 0.3, 0.8))
    return [step * max(-most, min(most, round(random.gauss(lean * most / 3, most / 4)))) for _ in range(blocks)]


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with localcontext() as context:
        context.prec = DIGITS
        yield


def test_T14_the_link_and_the_evidence_are_those_of_the_text_at_random() -> None:
    random = Random(18)
    for number in range(60):
        k, copies = TABLES[number % len(TABLES)]
        elo0 = Decimal(random.randint(-300, 300)) / 10
        elo1 = elo0 + Decimal(random.randint(1, 600)) / 10
        alpha, beta = (Decimal(random.randint(1, 300)) / 1000 for _ in range(2))
        agreed = terms(k, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, copies=copies, max_blocks=60)
        assert (agreed.mu0, agreed.mu1) == (mu(elo0, k, copies), mu(elo1, k, copies))
        bounds = ceil_ln(1 / Fraction(alpha)), ceil_ln(1 / Fraction(beta))
        assert (agreed.better_bound, agreed.not_better_bound) == bounds
        ds = random_ds(random, k, copies, 60)
        found = evidence(ds, k, agreed.mu0, agreed.mu1, copies)
        at, verdict = 60, Verdict.INCONCLUSIVE
        for block, (better, not_better) in enumerate(found, start=1):
            if better >= bounds[0] or not_better >= bounds[1]:
                at, verdict = block, Verdict.BETTER if better >= bounds[0] else Verdict.NOT_BETTER
                break
        progress = judge(agreed, ds)
        assert (progress.verdict, progress.blocks) == (verdict, at)
        assert (progress.for_better.micronats, progress.for_not_better.micronats) == found[at - 1]


def test_T14_3_the_elo_of_a_mean_is_the_root_of_the_text() -> None:
    random = Random(3)
    for _ in range(40):
        k, copies = random.choice(TABLES)
        mean = Fraction(random.randint(-900, 900), 1000) * Fraction(k - copies, k - 1)
        elo = elo_of_mean(mean, k, copies)
        assert elo is not None
        t = (elo * Decimal(10).ln() / 400 / 4 * 2).exp()
        t = (t - 1) / (t + 1)  # tanh(d/4)
        left = 2 * copies * t / (1 + t * t) + (k - 2 * copies) * t
        assert abs(left - (k - 1) * Decimal(mean.numerator) / Decimal(mean.denominator)) < Decimal("1e-40")


def test_T15_the_interval_and_how_sure_are_those_of_the_text_at_random() -> None:
    random = Random(15)
    for k in (2, 3, 4, 5):
        for alpha in (Decimal("0.05"), Decimal("0.2")):
            ds = random_ds(random, k, 1, random.randint(5, 25))
            found = compare(ds, k, alpha)
            bound = ceil_ln(2 / Fraction(alpha))
            blocks = [(k, d) for d in ds]

            def is_out(side: int, tenths: int, blocks: list[tuple[int, int]] = blocks, bound: int = bound) -> bool:
                means = {k: Fraction(tenths, 10_000)}  # noqa: B023  # called before the next k
                return floor(log_k(blocks, side, means)) >= bound

            lower, upper = found.interval.lower, found.interval.upper
            assert lower == -10_000 or is_out(1, lower)
            assert not is_out(1, lower + 1)
            assert upper == 10_000 or is_out(-1, upper)
            assert not is_out(-1, upper - 1)
            nought = {k: Fraction(0)}
            most = [
                max([0, *(floor(log_k(blocks[:look], side, nought)) for look in range(1, len(ds) + 1))])
                for side in (1, -1)
            ]
            assert (found.certainty.for_a, found.certainty.for_b) == tuple(most)
            sure = max(Decimal(0), 1 - 2 / (Decimal(max(most)) / 10**6).exp()) if most[0] != most[1] else Decimal(0)
            assert found.certainty.sure == floor(sure * 1000)


def test_T16_1_claims_are_those_of_the_text_at_random() -> None:
    """Pairs of three bots over tables of two sizes, round by round, until one is claimed."""
    random = Random(16)
    bots = ("a", "b", "c")
    bound = ceil_ln(Fraction(6) / Fraction("0.05"))
    assert claim_bound(3) == bound
    words = set()
    for spread in (0.0, 0.15, 0.6, 0.9):
        claims = Claims(bots)
        seen: dict[tuple[str, str], list[tuple[int, int]]] = {}
        made: dict[tuple[str, str], tuple[str, str, str, int]] = {}
        for number in range(1, 41):
            table = bots if number % 2 else bots[:2]
            k = len(table)
            # The stronger one is ahead with some probability, and level where there is no difference at all.
            games = []
            for _ in range(k):
                keys = (
                    [index if random.random() < spread else random.random() * k for index in range(k)]
                    if spread
                    else [0] * k
                )
                games.append(tuple(1 + sum(other < key for other in keys) for key in keys))
            claims.close(number, [CountedBlock(table, tuple(games))])
            for one in range(k):
                for two in range(one + 1, k):
                    pair = (table[one], table[two])
                    points = [
                        sum(
                            Fraction(
                                2 * sum(p > places[me] for p in places) + places.count(places[me]) - 1, 2 * (k - 1)
                            )
                            for places in games
                        )
                        for me in (one, two)
                    ]
                    seen.setdefault(pair, []).append((k, int((points[0] - points[1]) * UNIT)))
                    if pair in made:
                        continue
                    up, down = (floor(log_k(seen[pair], side, dict.fromkeys((2, 3), Fraction(0)))) for side in (1, -1))
                    gap = {k: Fraction(mu(Decimal(25), k, 1), 10**6) for k in (2, 3)}
                    turned = [(k, -d) for k, d in seen[pair]]
                    if up >= bound:
                        made[pair] = (*pair, ">", number)
                    elif down >= bound:
                        made[pair] = (pair[1], pair[0], ">", number)
                    elif all(floor(log_k(each, -1, gap)) >= bound for each in (seen[pair], turned)):
                        made[pair] = (*pair, "=", number)
        assert {pair: (c.first, c.second, c.word.value, c.round) for pair, c in claims.made.items()} == made
        words |= {each[2] for each in made.values()}
    assert ">" in words


def test_T14_1_the_table_of_a_block_is_drawn_by_the_keys_of_the_text() -> None:
    def key(what: str, block: int, bot: str) -> tuple[str, str]:
        return hashlib.sha256(f"{what}|test|{block}|{bot}".encode()).hexdigest(), bot

    fillers = [f"f{number}" for number in range(6)]
    for block in range(1, 40):
        chosen = sorted(fillers, key=lambda bot: key("fill", block, bot))[:2]  # called immediately
        wanted = sorted(["new", "old", *chosen], key=lambda bot: key("seat", block, bot))  # likewise
        assert list(block_seating("test", block, "new", "old", fillers, 4)) == wanted


def test_T16_5_the_forecast_is_that_of_the_text_at_random() -> None:
    random = Random(165)
    for _ in range(50):
        k, n = random.randint(2, 5), random.randint(2, 40)
        gaps = [random.uniform(-80, 80) for _ in range(random.randint(1, n))]
        v = random.uniform(0.01, 0.5)
        slope = float(Decimal(10).ln()) / 1600 * k / (k - 1)
        need = float((Decimal(n * (n - 1)) / Decimal("0.05")).ln()) + 1.2
        wanted = 1.5 * k / (k - 1) * sum(2 * need * v / (slope * max(abs(gap), 12.5)) ** 2 for gap in gaps)
        assert games_needed(gaps, n, k, v) == pytest.approx(wanted, abs=1)


def test_T14_3_mu_is_odd_and_the_worked_one_is_right() -> None:
    assert mu(Decimal(20), 4, 1) == mean_of_elo(Decimal(20), 4) == 38_350
