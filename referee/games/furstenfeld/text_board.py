"""The view as text: breweries, estates and the own cards in tables, then everything else by name."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.furstenfeld.components import BREWERY_NAMES, GOOD_COUNT, NAME_OF, Card, Good
from referee.games.furstenfeld.view import View
from referee.view_text import facts, table

BOARD = (
    "demands", "placed_goods", "prices", "estates", "hand_cards", "unseen_cards", "tail_cards", "scrapped_cards",
)  # fmt: skip


def draw(view: View) -> str:
    """Return the table as the viewer sees it (F13)."""
    goods = [good.name.lower() for good in Good]
    rows = [
        (
            f"{number + 1} {BREWERY_NAMES[number]}",
            *(
                f"{view.prices[at]} ({view.placed_goods[at]} of {view.demands[at]})"
                for at in range(GOOD_COUNT * number, GOOD_COUNT * (number + 1))
            ),
        )
        for number in range(len(view.prices) // GOOD_COUNT)
    ]
    lines = table(("brewery: price (placed of demand)", *goods), rows)
    lines.append("")
    lines += table(
        ("seat", "money", "income", "marker", *goods, "hand", "deck", "never drawn", "scrapped"),
        [
            (
                seat, estate.money, estate.income, estate.marker, *estate.goods, estate.hand_count, estate.deck_count,
                estate.unseen_count, estate.scrapped_count,
            )
            for seat, estate in enumerate(view.estates)
        ],
    )  # fmt: skip
    for seat, estate in enumerate(view.estates):
        lots = ", ".join(f"{number} {_name(card)}" for number, card in enumerate(estate.lots, start=1))
        lines.append(f"seat {seat} lots: {lots}; covered: {_names(estate.covered_cards)}")
    if view.seat is not None:
        lines += [
            "",
            f"your hand: {_names(view.hand_cards)}",
            f"on top of your deck, in unknown order: {_names(view.unseen_cards)}",
            f"below, in this order: {_names(view.tail_cards)}",
            f"scrapped by you: {_names(view.scrapped_cards)}",
        ]
    return "\n".join([*lines, "", *facts(view, BOARD)])


def _name(card: Card) -> str:
    # Several cards have one name, and are told apart by their numbers.
    return f"{NAME_OF[card.value]} (#{card.value})"


def _names(cards: Sequence[Card]) -> str:
    return ", ".join(map(_name, cards)) or "none"
