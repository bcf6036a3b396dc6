"""Fürstenfeld: the breweries with their demands and price tracks, and the estate of every seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from referee.drawing import Drawing, Figure, Panel, counted, many, words
from referee.game import Seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.view import Estate, Phase, View
from referee.icons import ICONS, icon
from referee.markup import Point, circle, group, label, moved, picture, piece, place, rectangle, tag, title

GOOD_NAMES = tuple(words(good.name) for good in box.GOODS)
CELL = 26.0
ROW = 34.0
BREWERY = (206.0, 148.0)
LOT = (104.0, 66.0)
LINE_LENGTH = 15
"""Letters that fit on one line of a card."""

LONG_NAME = 22
"""A brewery whose name has more letters gets it in smaller ones."""


def kind_of(card: Card) -> str:
    """What a card is drawn as: the good of a field, a palace, a building, or bare ground."""
    harvest = box.HARVEST_OF[card.value]
    if any(harvest):
        return GOOD_NAMES[max(range(box.GOOD_COUNT), key=lambda good: harvest[good])]
    if card is Card.BARE_GROUND:
        return "ground"
    return "palace" if box.IS_PALACE[card.value] else "building"


def _good(at: Point, good: int, is_filled: bool) -> Markup:
    about = f"{GOOD_NAMES[good]}: {'delivered' if is_filled else 'wanted'}"
    shape = circle(at, 7.5, f"good good-{GOOD_NAMES[good]}" + ("" if is_filled else " good-wanted"), title(about))
    return group([shape, tag("path", d=ICONS[GOOD_NAMES[good]], cls="good-sign", transform=f"{moved(at)} scale(.6)")])


def _brewery(view: View, number: int) -> Iterator[Markup]:
    yield rectangle((1, 1), BREWERY[0] - 2, BREWERY[1] - 2, "sheet", radius=6)
    name = box.BREWERY_NAMES[number]
    yield label((BREWERY[0] / 2, 18), name, "label label-strong" if len(name) <= LONG_NAME else "label label-long")
    for good in range(box.GOOD_COUNT):
        at, y = box.GOOD_COUNT * number + good, 50 + good * ROW
        yield icon(GOOD_NAMES[good], (10, y), 11)
        yield label((18, y), GOOD_NAMES[good], "label label-small", anchor="start")
        width, height = CELL * 0.85, CELL - 4
        for step, price in enumerate(range(box.PRICE_MIN, box.PRICE_MAX + 1)):
            yield rectangle((54 + step * width, y - CELL / 2 + 2), width - 2, height, "price", radius=3)
            yield label((54 + (step + 0.5) * width - 1, y), price, "price-number")
        now = (54 + (view.prices[at] - box.PRICE_MIN) * width, y)
        about = f"{GOOD_NAMES[good]} costs {view.prices[at]}"
        marker = [
            rectangle((0, 2 - CELL / 2), width - 2, height, "price price-now", title(about), radius=3),
            label((width / 2 - 1, 0), view.prices[at], "price-number-now"),
        ]
        yield piece(f"price-{at}", marker, now)
        wanted, placed = view.demands[at], view.placed_goods[at]
        for space in range(max(wanted, placed)):
            mark = _good((154 + space * 18, y), good, space < placed)
            yield piece(f"good-{at}-{space}", [mark]) if space < placed else mark


def brewery(view: View, number: int) -> Figure:
    """One brewery: for each good its price and its demand."""
    prices = counted(view.prices[box.GOOD_COUNT * number :][: box.GOOD_COUNT], [f"for {name}" for name in GOOD_NAMES])
    about = f"Brewery {box.BREWERY_NAMES[number]}, prices: {prices}."
    return Figure(f"Brewery {number + 1}", picture((0, 0, *BREWERY), [_named(view, number)], about), "quarter")


def _named(view: View, number: int) -> Markup:
    names = (f"brewery {number + 1} ({box.BREWERY_NAMES[number]})", f"brewery {number + 1}")
    return place(names, list(_brewery(view, number)))


def _lines(name: str) -> list[str]:
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= LINE_LENGTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines[:2]


def card_face(corner: Point, card: Card, about: str) -> Iterator[Markup]:
    """A card: its name, and what it costs or yields."""
    x, y = corner
    yield rectangle((x + 2, y + 2), LOT[0] - 4, LOT[1] - 4, f"card card-{kind_of(card)}", title(about), radius=5)
    lines = _lines(box.NAME_OF[card.value])
    for number, text in enumerate(lines):
        yield label((x + LOT[0] / 2, y + 18 + 14 * number), text, "label label-small card-name")
    harvest = box.HARVEST_OF[card.value]
    if any(harvest):
        amount, good = max((count, good) for good, count in enumerate(harvest))
        for number in range(amount):
            yield circle(
                (x + LOT[0] / 2 + (number - (amount - 1) / 2) * 15, y + 50), 5.5, f"good good-{GOOD_NAMES[good]}"
            )
    elif box.COST_OF[card.value]:
        yield icon("palace" if box.IS_PALACE[card.value] else "building", (x + LOT[0] - 16, y + 52), 12)
        yield label((x + LOT[0] / 2, y + 52), f"cost {box.COST_OF[card.value]}", "label label-tiny card-name")


def estate(view: View, seat: Seat, cards: Sequence[Card]) -> Figure:
    """The six lots of a seat."""
    pieces: list[Markup] = []
    for number, card in enumerate(cards):
        corner = (number % 3 * LOT[0], number // 3 * LOT[1])
        face = [*card_face(corner, card, f"lot {number + 1}: {box.NAME_OF[card.value]}")]
        face.append(label((corner[0] + 12, corner[1] + LOT[1] - 11), number + 1, "label label-place"))
        names = (f"lot {number + 1} of seat {seat}", f"lot {number + 1}")
        pieces.append(place(names, [piece(f"lot-{seat}-{number + 1}", face)]))
    parts = palace_parts(view.estates[seat])
    about = f"The estate of seat {seat}: " + ", ".join(box.NAME_OF[card.value] for card in cards) + "."
    body = picture((0, 0, 3 * LOT[0], 2 * LOT[1]), pieces, about)
    return Figure(f"Estate of seat {seat}: {parts} of {box.PARTS_TO_WIN} palace parts", body, "pair")


def palace_parts(shown: Estate) -> int:
    """F9: the parts of the palace that stand."""
    return sum(box.IS_PALACE[card.value] for card in shown.lots)


def _names(cards: Sequence[Card]) -> str:
    return ", ".join(box.NAME_OF[card.value] for card in cards) or "none"


def _panel(view: View, seat: Seat, own: View | None) -> Panel:
    shown = view.estates[seat]
    facts = (
        ("money", str(shown.money)),
        ("income", str(shown.income)),
        ("goods", counted(shown.goods, GOOD_NAMES)),
        ("palace parts", str(palace_parts(shown))),
        ("hand", many(shown.hand_count, "card")),
        ("deck", many(shown.deck_count, "card")),
    )
    hidden: list[tuple[str, str]] = []
    if own is not None:
        hidden.append(("in hand", _names(own.hand_cards)))
        if own.tail_cards:
            hidden.append(("known end of the deck", _names(own.tail_cards)))
    score = f"{palace_parts(shown)} of {box.PARTS_TO_WIN} parts"
    return Panel(seat, facts, tuple(hidden), "on turn" if seat in view.asked_seats else "", score)


def draw(view: View, seats: Mapping[Seat, View]) -> Drawing:
    """Draw a position."""
    palace = (
        "none left"
        if view.palace_price is None
        else f"{view.palace_price} ({many(view.palace_price_markers, 'marker')})"
    )
    facts = (
        ("round", str(view.round_number)),
        ("phase", words(view.phase.name) if view.phase is not Phase.OVER else "the game is over"),
        ("turn order", ", ".join(f"seat {seat}" for seat in view.turn_order)),
        ("price of a palace part", palace),
    )
    open_breweries = len(view.prices) // box.GOOD_COUNT
    figures = [brewery(view, number) for number in range(open_breweries)]
    figures += [estate(view, seat, shown.lots) for seat, shown in enumerate(view.estates)]
    return Drawing(
        tuple(figures), facts, tuple(_panel(view, seat, seats.get(seat)) for seat in range(len(view.estates)))
    )
