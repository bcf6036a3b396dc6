"""Toy as figures: the prize that is turned up, and the cards that the seats shown hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena_toy.game import View
from markupsafe import Markup

from referee.drawing import Drawing, Figure, Panel, many
from referee.markup import label, picture, rectangle

WIDTH, HEIGHT = 40.0, 60.0


def cards(values: Sequence[int], about: str) -> Markup:
    """Return cards in a row."""
    pieces: list[Markup] = []
    for place, value in enumerate(values):
        pieces.append(rectangle((place * WIDTH, 0), WIDTH, HEIGHT, "card card-ground"))
        pieces.append(label(((place + 0.5) * WIDTH, HEIGHT / 2), value))
    return picture((0, 0, WIDTH * max(1, len(values)), HEIGHT), pieces, about)


def draw(view: View, seats: Mapping[int, View]) -> Drawing:
    """Draw the prize, and the hand of every seat whose view is given."""
    prize = Figure("The prize", cards((view.prize,) if view.prize else (), f"a prize of {view.prize}"), "small")
    hands = [
        Figure(f"Hand of seat {seat}", cards(own.hand, f"the cards of seat {seat}"), "half")
        for seat, own in seats.items()
    ]
    panels = [
        Panel(seat, (("points", str(points)), ("cards", many(count, "card"))), score=many(points, "point"))
        for seat, (points, count) in enumerate(zip(view.points, view.hand_counts, strict=True))
    ]
    facts = (("round", f"{view.round_number} of {view.rounds}"), ("stock", many(view.stock_count, "card")))
    return Drawing((prize, *hands), facts, tuple(panels))
