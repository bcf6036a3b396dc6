"""N5.20: the canonical proposals as values, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.nuremberg.actions import Bundle, ProposeTrade
from referee.games.nuremberg.components import COMMODITY_COUNT, GOLD, RESOURCE_COUNT

GOLD_OFFERS = (1, 2, 3)  # N5.20: the amounts k of the families F4 and F5


def bundle(*units: tuple[int, int]) -> Bundle:
    """N0.3: the bundle with these (commodity, amount) pairs and nothing else."""
    amounts = [0] * COMMODITY_COUNT
    for kind, amount in units:
        amounts[kind] += amount
    return tuple(amounts)


def _families() -> Iterator[list[ProposeTrade]]:
    """N5.20: the eight families F1 to F8, inside a family X, then Z, then k, then Y ascending."""
    resources = range(RESOURCE_COUNT)
    for give_amount in (1, 2):  # F1, F2
        yield [_offer(bundle((x, give_amount)), y) for x in resources for y in resources if y != x]
    yield [  # F3
        _offer(bundle((x, 1), (z, 1)), y)
        for x in resources
        for z in range(x + 1, RESOURCE_COUNT)
        for y in resources
        if y not in (x, z)
    ]
    yield [_offer(bundle((GOLD, k)), y) for k in GOLD_OFFERS for y in resources]  # F4
    yield [ProposeTrade(bundle((x, 1)), bundle((GOLD, k))) for x in resources for k in GOLD_OFFERS]  # F5
    for give_amount in (1, 2):  # F6, F7
        yield [_offer(bundle((x, give_amount), (GOLD, 1)), y) for x in resources for y in resources if y != x]
    yield [ProposeTrade(bundle((x, 1)), bundle((y, 2))) for x in resources for y in resources if y != x]  # F8


def _offer(give: Bundle, wanted: int) -> ProposeTrade:
    return ProposeTrade(give, bundle((wanted, 1)))


FAMILIES: tuple[tuple[ProposeTrade, ...], ...] = tuple(map(tuple, _families()))
CANONICAL_PROPOSALS: tuple[ProposeTrade, ...] = tuple(proposal for family in FAMILIES for proposal in family)
