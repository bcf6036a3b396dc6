"""Die Siedler von Nürnberg: the surroundings with their roads, and the city with its walls and towers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import sqrt

from markupsafe import Markup

from referee.drawing import Drawing, Figure, Panel, counted, many, words
from referee.game import Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.components import Commodity, CouncilCard, Resource, Road
from referee.games.nuremberg.describe import COUNCIL_NAMES
from referee.games.nuremberg.view import View
from referee.icons import icon
from referee.markup import (
    Point,
    circle,
    group,
    label,
    line,
    picture,
    piece,
    place,
    polygon,
    rectangle,
    seat_label,
    title,
)

SIZE = 46.0
"""From the middle of a hexagon to its corners."""

MARGIN = 24.0
TERRAIN_RESOURCES = {"forest": "wood", "pasture": "wool", "field": "grain", "hill": "brick", "mountain": "ore"}
RESOURCE_NAMES = tuple(words(kind.name) for kind in Resource)
COMMODITY_NAMES = tuple(words(kind.name) for kind in Commodity)
WARE_NAMES = {ware["id"]: ware["name"] for ware in box.DATA["ware"]} | {"hauptmarkt": "main market", "bauhof": "yard"}
LEGEND = tuple((resource, f"{resource}: {terrain}") for terrain, resource in TERRAIN_RESOURCES.items())


def middle(q: int, r: int) -> Point:
    """N1.10: the middle of a hexagon."""
    return (SIZE * sqrt(3) * (q + r / 2), SIZE * 1.5 * r)


def vertex(name: str) -> Point:
    """N1.10: the point called `q,r,N` or `q,r,S`."""
    column, row, end = name.split(",")
    x, y = middle(int(column), int(row))
    return (x, y - SIZE if end == "N" else y + SIZE)


def hexagon(centre: Point, size: float = SIZE) -> list[Point]:
    """The six corners around a point."""
    x, y = centre
    half = size * sqrt(3) / 2
    left, right, upper, lower = x - half, x + half, y - size / 2, y + size / 2
    return [(x, y - size), (right, upper), (right, lower), (x, y + size), (left, lower), (left, upper)]


def between(start: Point, end: Point, share: float) -> Point:
    """The point on the way from one to another."""
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def box_around(centres: list[Point]) -> tuple[float, float, float, float]:
    """What has to be shown so that these hexagons are."""
    wide, high = SIZE * sqrt(3) / 2 + MARGIN, SIZE + MARGIN
    left, right = min(x for x, _ in centres) - wide, max(x for x, _ in centres) + wide
    top, bottom = min(y for _, y in centres) - high, max(y for _, y in centres) + high
    return (left, top, right - left, bottom - top)


def corner_names(corner: str) -> tuple[str, ...]:
    """What words call a corner of the city."""
    return (f"corner {corner}",)


@cache
def road_points() -> tuple[tuple[Point, ...], ...]:
    """N1.11: the vertices of every road, its origin first."""
    return tuple(tuple(vertex(name) for name in road["vertices"]) for road in box.DATA["road"])


def house(at: Point, seat: Seat, about: str, *, is_starting: bool) -> Markup:
    """A settlement."""
    x, y = at
    shape = [(x - 9, y + 8), (x - 9, y - 3), (x, y - 12), (x + 9, y - 3), (x + 9, y + 8)]
    star = [label((x + 11, y - 10), "★", "label label-tiny label-outside")] if is_starting else []
    return group([polygon(shape, f"piece seat-{seat}", title(about)), seat_label((x, y + 2), seat), *star])


def _landscapes(view: View) -> Iterator[Markup]:
    for number, land in enumerate(box.DATA["landscape"], start=1):
        centre = middle(land["q"], land["r"])
        about = f"L{number:02d}, {land['terrain']}" + (f", number {land['number']}" if land["number"] else "")
        yield place((f"L{number:02d}",), [polygon(hexagon(centre), f"hex terrain-{land['terrain']}", title(about))])
        x, y = centre
        yield label((x, y + 34), f"L{number:02d}", "label label-place")
        if (glyph := TERRAIN_RESOURCES.get(land["terrain"])) is not None:
            yield icon(glyph, (x, y - 27), 15)
        if land["number"]:
            is_drawn = land["number"] == view.event_number
            yield circle(centre, 15, "token token-drawn" if is_drawn else "token")
            yield label(centre, land["number"], "token-number")
        else:
            # The robber begins at the castle and must not hide its name.
            x, y = centre
            name, at = ("Nürnberg", centre) if land["terrain"] == "city" else ("castle", (x, y - 12))
            yield label(at, name, "label label-small")
        if number == view.robber:
            robber = polygon([(10, 26), (17, 4), (24, 26)], "robber", title(f"the robber on L{number:02d}"))
            yield piece("robber", [robber, circle((17, 3), 6, "robber")], centre)


def _roads(view: View) -> Iterator[Markup]:
    for road, places in zip(Road, road_points(), strict=True):
        for start, end in pairwise(places):
            yield line(start, end, "road")
        for at, end in enumerate(places[1:]):
            site = box.ROAD_STARTS[road] + at
            yield place((box.site_name(site),), [circle(end, 4, "site", title(f"site {box.site_name(site)}"))])
            yield label((end[0] - 7, end[1] + 9), at + 1, "label label-place")
            owner = view.bar_owners[site]
            if owner != box.NOBODY:
                start = places[at]
                bar = [
                    line(between(start, end, 0.2), between(start, end, 0.8), "bar-edge"),
                    line(between(start, end, 0.22), between(start, end, 0.78), f"bar seat-line-{owner}"),
                    seat_label(between(start, end, 0.5), owner),
                ]
                yield piece(f"bar-{site}", bar)
    for road, places in zip(Road, road_points(), strict=True):
        holder = view.wayrights[road]
        cls = "wayright" if holder == box.NOBODY else f"wayright seat-{holder}"
        held = "nobody holds its wayright" if holder == box.NOBODY else f"seat {holder} holds its wayright"
        right = [
            circle(places[0], 11, cls, title(f"road {road.name}: {held}")),
            label(places[0], road.name, "numeral" if holder == box.NOBODY else f"numeral seat-ink-{holder}"),
        ]
        if holder != box.NOBODY:
            right.append(label((places[0][0] + 14, places[0][1] + 8), holder, "label label-tiny label-outside"))
        yield place((f"road {road.name}",), [piece(f"wayright-{road.name}", right)])


def _destinations() -> Iterator[Markup]:
    for road, places in zip(Road, road_points(), strict=True):
        city = box.DATA["road"][road]["city"]
        if city:
            x, y = places[-1]
            yield label((x, y + (18 if y > 0 else -15)), f"to {city}", "label label-small label-outside")


def _settlements(view: View) -> Iterator[Markup]:
    for road, places in zip(Road, road_points(), strict=True):
        for at, spot in enumerate(places[1:]):
            site = box.ROAD_STARTS[road] + at
            owner = view.site_owners[site]
            if owner != box.NOBODY:
                about = f"settlement of seat {owner} on {box.site_name(site)}"
                built = house(spot, owner, about, is_starting=view.starting_sites[owner] == site)
                yield piece(f"settlement-{site}", [built])


def surroundings(view: View) -> Markup:
    """The 31 landscapes with roads, toll bars, settlements and the robber."""
    frame = box_around([middle(land["q"], land["r"]) for land in box.DATA["landscape"]])
    built = sum(owner != box.NOBODY for owner in view.site_owners)
    bars = sum(owner != box.NOBODY for owner in view.bar_owners)
    about = f"The surroundings of Nürnberg: {built} settlements and {bars} toll bars on five roads."
    return picture(frame, [*_landscapes(view), *_roads(view), *_settlements(view), *_destinations()], about)


def _quarters() -> Iterator[Markup]:
    for quarter in box.DATA["city_hex"]:
        centre = middle(quarter["q"], quarter["r"])
        kind = quarter["kind"]
        yield polygon(hexagon(centre), f"hex ware-{kind}", title(WARE_NAMES[kind]))
        yield label(centre, WARE_NAMES[kind], "label label-small")


def _workshops(view: View) -> Iterator[Markup]:
    for number, site in enumerate(box.DATA["workshop_site"]):
        x, y = vertex(site["vertex"])
        owner = view.corner_owners[number]
        market = f", market {site['market']}" if "market" in site else ""
        if owner == box.NOBODY:
            free = circle((x, y), 7, "site", title(f"workshop corner {site['id']}{market}: free"))
            yield place(corner_names(site["id"]), [free])
        else:
            about = f"workshop of seat {owner} on {site['id']}{market}"
            shop = rectangle((x - 9, y - 9), 18, 18, f"piece seat-{owner}", title(about), radius=2)
            built = piece(f"workshop-{number}", [shop, seat_label((x, y), owner)])
            yield place(corner_names(site["id"]), [built])
        # Around the main market the names of its markets stand on the inside.
        below = -14 if site["id"] in ("M-N", "M-NE", "M-NW") else 15
        yield label((x, y + below), site["id"], "label label-place")
        if "market" in site:
            # Market symbols stand inside the main market, on the way to its middle.
            at = between((x, y), middle(0, 0), 0.38)
            yield label(at, site["market"], "label label-tiny")


def _walls(view: View) -> Iterator[Markup]:
    for wall in box.DATA["wall"]:
        is_built = wall["id"] <= view.walls
        ends = vertex(wall["from"]), vertex(wall["to"])
        yield piece(f"wall-{wall['id']}", [line(*ends, "city-wall" if is_built else "city-wall-place")])
    for tower in box.DATA["tower"]:
        is_built = tower["id"] <= view.towers
        about = (
            f"tower {tower['id']}"
            if is_built
            else f"tower site {tower['id']}, open"
            if max(tower["walls"]) <= view.walls
            else f"tower site {tower['id']}"
        )
        x, y = vertex(tower["vertex"])
        if is_built:
            yield piece(
                f"tower-{tower['id']}", [rectangle((x - 8, y - 10), 16, 20, "city-tower", title(about), radius=2)]
            )
        else:
            yield circle((x, y), 4, "site", title(about))


def city(view: View) -> Markup:
    """The twelve quarters with workshops, walls in building order, and towers."""
    frame = box_around([middle(quarter["q"], quarter["r"]) for quarter in box.DATA["city_hex"]])
    about = f"The city: {view.walls} of 26 walls and {view.towers} of 16 towers are built."
    return picture(frame, [*_quarters(), *_walls(view), *_workshops(view)], about)


def _panel(view: View, seat: Seat, own: View | None) -> Panel:
    facts = [
        ("points", str(view.points[seat])),
        ("prestige", str(view.prestiges[seat])),
        ("cards", str(view.card_counts[seat])),
        ("gold", str(view.golds[seat])),
    ]
    rights = [road.name for road in Road if view.wayrights[road] == seat]
    if rights:
        facts.append(("wayrights", ", ".join(rights)))
    cards = [COUNCIL_NAMES[card] for card in CouncilCard if card < len(view.council) and view.council[card] == seat]
    if cards:
        facts.append(("council", ", ".join(cards)))
    hidden = (("hand", counted(own.hand, RESOURCE_NAMES)),) if own is not None else ()
    note = "on turn" if seat == view.active and view.ending is None else ""
    return Panel(seat, tuple(facts), hidden, note, many(view.points[seat], "point"))


def draw(view: View, seats: Mapping[Seat, View]) -> Drawing:
    """Draw a position."""
    event = (
        "none yet"
        if view.event_card == 0
        else f"E{view.event_card:02d}: {words(view.event.name)}"
        + (f", harvest {view.event_number}" if view.event_number else "")
    )
    facts = [
        ("year", str(view.year)),
        ("turn", str(view.turn)),
        ("event card", event),
        ("event deck", many(view.deck_count, "card")),
        ("bank", counted(view.bank, COMMODITY_NAMES)),
    ]
    if view.trade is not None:
        facts.append(
            ("on offer", f"{counted(view.trade.give, COMMODITY_NAMES)} for {counted(view.trade.want, COMMODITY_NAMES)}")
        )
    return Drawing(
        (Figure("The surroundings", surroundings(view), "half", LEGEND), Figure("The city", city(view), "half")),
        tuple(facts),
        tuple(_panel(view, seat, seats.get(seat)) for seat in range(view.seat_count)),
    )
