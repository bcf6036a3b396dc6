"""Carcassonne: The City: tiles with streets and markets, followers, the wall with its gate, guards and towers."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from referee.drawing import Drawing, Figure, Panel, many, words
from referee.game import Seat
from referee.games import carcassonne_city
from referee.games.carcassonne_city.actions import Arm
from referee.games.carcassonne_city.components import HALF_NAMES, SIDE_LETTERS, TILE_NAMES, FeatureKind
from referee.games.carcassonne_city.view import View
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
    points,
    polygon,
    rectangle,
    seat_label,
    tag,
    title,
)

SIZE = 60.0
HALF = SIZE / 2
MARKET_DEPTH = 0.34
"""How far a market on one side reaches into its tile."""

MIDDLES: tuple[Point, ...] = ((0, -HALF), (HALF, 0), (0, HALF), (-HALF, 0))
CORNERS: tuple[Point, ...] = ((-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF))
QUARTER = HALF / 2
HALF_SIDES: tuple[Point, ...] = (
    (-QUARTER, -HALF), (QUARTER, -HALF), (HALF, -QUARTER), (HALF, QUARTER),
    (QUARTER, HALF), (-QUARTER, HALF), (-HALF, QUARTER), (-HALF, -QUARTER),
)  # fmt: skip
LEGEND = tuple((kind, f"{kind} market") for kind in ("fish", "grain", "livestock"))


@cache
def tile_types() -> list[dict[str, Any]]:
    """C1.11: the tiles as the component file describes them, in rotation 0."""
    text = files(carcassonne_city.__name__).joinpath("components.toml").read_text(encoding="utf-8")
    types: list[dict[str, Any]] = tomllib.loads(text)["tile"]
    return types


def _mean(places: list[Point], share: float = 1.0) -> Point:
    return (share * sum(x for x, _ in places) / len(places), share * sum(y for _, y in places) / len(places))


def _market_shape(sides: list[str]) -> list[Point]:
    """A market on one side is a strip; on several it reaches to the middle."""
    numbers = [SIDE_LETTERS.index(side) for side in sides]
    if len(numbers) == 1:
        start, end = CORNERS[numbers[0]], CORNERS[(numbers[0] + 1) % 4]
        inner = 1 - 2 * MARKET_DEPTH
        dx, dy = MIDDLES[numbers[0]][0] * inner, MIDDLES[numbers[0]][1] * inner
        along = ((end[0] - start[0]) * 0.32, (end[1] - start[1]) * 0.32)
        return [start, end, (dx + along[0], dy + along[1]), (dx - along[0], dy - along[1])]
    shape: list[Point] = []
    for number in range(4):
        if number in numbers:
            shape += [CORNERS[number], CORNERS[(number + 1) % 4]]
        elif len(numbers) == 3:
            shape.append((MIDDLES[number][0] * 0.35, MIDDLES[number][1] * 0.35))
        else:
            shape.append((0, 0))
    return shape


def _market_sign(sides: list[str]) -> Point:
    """Where the icon of a market stands: off the middle of its sides, which is for a follower."""
    number = SIDE_LETTERS.index(sides[0])
    return _mean([MIDDLES[number], CORNERS[number]], 0.86)


def _street_path(street: dict[str, Any]) -> str:
    ends = [MIDDLES[SIDE_LETTERS.index(side)] for side in street["sides"]]
    if len(ends) == 2:
        return f"M{points(ends[:1])} Q0,0 {points(ends[1:])}"
    reach = 0.3 if street["inner"].startswith("market") else 0.0
    return f"M{points(ends)} L{points([(ends[0][0] * reach, ends[0][1] * reach)])}"


def _feature_place(tile: dict[str, Any], kind: FeatureKind, index: int) -> Point:
    """Where a follower on a feature stands, in rotation 0."""
    if kind is FeatureKind.STREET:
        ends = [MIDDLES[SIDE_LETTERS.index(side)] for side in tile["streets"][index]["sides"]]
        return _mean(ends, 0.5)
    if kind is FeatureKind.MARKET:
        sides = [MIDDLES[SIDE_LETTERS.index(side)] for side in tile["markets"][index]["sides"]]
        return _mean(sides, 0.72)
    halves = [HALF_SIDES[HALF_NAMES.index(name)] for name in tile["residential"][index]["halves"]]
    x, y = _mean(halves, 0.72) if halves else (0.0, 0.0)
    # A whole court would put its follower under the building in the middle.
    return (x, y) if abs(x) + abs(y) > 4 else (-HALF * 0.5, HALF * 0.5)


def turned(place: Point, rotation: int) -> Point:
    """C1.5: a place on a tile after a number of quarter turns clockwise."""
    x, y = place
    for _ in range(rotation):
        x, y = -y, x
    return (x, y)


@cache
def _tile_pieces(number: int) -> Markup:
    """A tile in rotation 0 around the origin."""
    tile = tile_types()[number]
    pieces = [rectangle((-HALF, -HALF), SIZE, SIZE, "tile", title(f"{tile['id']}, {tile['name']}"))]
    pieces += [
        polygon(_market_shape(market["sides"]), f"market market-{market['kind']}", title(f"{market['kind']} market"))
        for market in tile["markets"]
    ]
    pieces += [icon(market["kind"], _market_sign(market["sides"]), 13) for market in tile["markets"]]
    pieces += [tag("path", d=_street_path(street), cls="street-edge") for street in tile["streets"]]
    pieces += [tag("path", d=_street_path(street), cls="street") for street in tile["streets"]]
    if any(street["inner"] in ("crossing", "dead_end") for street in tile["streets"]):
        pieces.append(circle((0, 0), 5, "street-end"))
    if tile["public"]:
        pieces.append(polygon([(8, 18), (8, 10), (14, 5), (20, 10), (20, 18)], "building", title("public building")))
    if tile["historic"]:
        pieces.append(
            polygon(
                [(6, 20), (6, 8), (9, 8), (9, 3), (14, -3), (19, 3), (19, 8), (22, 8), (22, 20)],
                "building-historic",
                title(tile["historic"]),
            )
        )
    return group(pieces)


def _centre(x: int, y: int) -> Point:
    return (x * SIZE, y * SIZE)


def _tiles(view: View) -> Iterator[Markup]:
    for number, x, y, rotation in zip(
        view.board_tiles, view.board_xs, view.board_ys, view.board_rotations, strict=True
    ):
        cx, cy = _centre(x, y)
        laid = group([_tile_pieces(number)], transform=f"translate({cx:g} {cy:g}) rotate({90 * rotation})")
        yield place((f"({x}, {y})",), [piece(f"tile-{x}-{y}", [laid])])
    if view.board_tiles:
        cx, cy = _centre(view.board_xs[-1], view.board_ys[-1])
        yield rectangle((cx - HALF, cy - HALF), SIZE, SIZE, "tile-last")


def _followers(view: View) -> Iterator[Markup]:
    laid = {
        (x, y): (number, rotation)
        for number, x, y, rotation in zip(
            view.board_tiles, view.board_xs, view.board_ys, view.board_rotations, strict=True
        )
    }
    followers = zip(
        view.follower_seats, view.follower_kinds, view.follower_xs, view.follower_ys, view.follower_indices, strict=True
    )
    for seat, kind, x, y, index in followers:
        number, rotation = laid[x, y]
        dx, dy = turned(_feature_place(tile_types()[number], kind, index), rotation)
        cx, cy = _centre(x, y)
        figure = follower((cx + dx, cy + dy), seat, f"follower of seat {seat} on a {words(kind.name)} feature")
        yield piece(f"follower-{seat}-{x}-{y}-{kind.name.lower()}-{index}", [figure])


def follower(at: Point, seat: Seat, about: str) -> Markup:
    """A little figure."""
    x, y = at
    body = [(x - 8, y + 9), (x - 4, y - 2), (x + 4, y - 2), (x + 8, y + 9)]
    head = circle((x, y - 4), 4.2, f"piece seat-{seat}")
    return group([polygon(body, f"piece seat-{seat}", title(about)), head, seat_label((x, y + 3.6), seat, "is-small")])


def side_ends(x: int, y: int, side: int) -> tuple[Point, Point]:
    """The two ends of a side of a cell, clockwise as seen from inside."""
    cx, cy = _centre(x, y)
    (sx, sy), (ex, ey) = CORNERS[side], CORNERS[(side + 1) % 4]
    return (cx + sx, cy + sy), (cx + ex, cy + ey)


def _walls(view: View) -> Iterator[Markup]:
    if view.gate is not None:
        start, end = side_ends(view.gate.x, view.gate.y, view.gate.side)
        gate = [line(start, end, "city-wall"), line(_way(start, end, 0.3), _way(start, end, 0.7), "gate")]
        yield piece("gate", gate)
    walls = zip(view.wall_xs, view.wall_ys, view.wall_sides, view.wall_builders, strict=True)
    for x, y, side, _builder in walls:
        wall = piece(f"wall-{x}-{y}-{side}", [line(*side_ends(x, y, side), "city-wall")])
        yield place((f"({x}, {y}, {SIDE_LETTERS[side]})",), [wall])
    for at, guard in enumerate(view.wall_guards):
        if guard >= 0:
            start, end = side_ends(view.wall_xs[at], view.wall_ys[at], view.wall_sides[at])
            figure = follower(_way(start, end, 0.5), guard, f"guard of seat {guard} on wall {at + 1}")
            yield piece(f"guard-{at}", [figure])
    for seat, arm, where in zip(view.tower_seats, view.tower_arms, view.tower_places, strict=True):
        spot = _tower_place(view, arm, where)
        if spot is not None:
            left, top = spot[0] - 8, spot[1] - 8
            tower = rectangle((left, top), 16, 16, f"piece seat-{seat}", title(f"tower of seat {seat}"), radius=2)
            yield piece(f"tower-{arm.name.lower()}-{where}", [tower, seat_label(spot, seat)])


def _way(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def _tower_place(view: View, arm: Arm, place: int) -> Point | None:
    """C10: the far end of the last wall that the arm had when the tower was built."""
    walls = [at for at, each in enumerate(view.wall_arms) if each is arm][:place]
    if not walls:
        return None
    ends = side_ends(view.wall_xs[walls[-1]], view.wall_ys[walls[-1]], view.wall_sides[walls[-1]])
    # Walked clockwise with the city on the right, a side ends where its second corner is.
    return ends[1] if arm is Arm.CW else ends[0]


def _rulers(box: tuple[float, float, float, float]) -> Iterator[Markup]:
    """The coordinates of columns and rows along two edges, as words name them."""
    left, top, width, height = box
    for x in range(round((left + HALF) / SIZE), round((left + width - HALF) / SIZE) + 1):
        yield label((x * SIZE, top + 10), x, "label label-place label-ruler")
    for y in range(round((top + HALF) / SIZE), round((top + height - HALF) / SIZE) + 1):
        yield label((left + 12, y * SIZE), y, "label label-place label-ruler")


def city(view: View) -> Markup:
    """All tiles that were laid, and what stands on them."""
    xs, ys = (*view.board_xs, 0), (*view.board_ys, 0)
    left, top = (min(xs) - 1) * SIZE, (min(ys) - 1) * SIZE
    box = (left, top, (max(xs) + 1) * SIZE - left, (max(ys) + 1) * SIZE - top)
    about = f"The city: {len(view.board_tiles)} tiles, {len(view.wall_xs)} walls, {len(view.tower_seats)} towers."
    pieces = [*_rulers(box), *_tiles(view), *_walls(view), *_followers(view)]
    return picture(box, pieces, about, "board board-city")


def _drawn(view: View) -> tuple[Figure, ...]:
    if view.drawn_tile is None:
        return ()
    box = (-HALF - 4, -HALF - 4, SIZE + 8, SIZE + 8)
    name = TILE_NAMES[view.drawn_tile]
    return (
        Figure(
            f"Drawn: {name}", picture(box, [_tile_pieces(view.drawn_tile)], f"The tile that was drawn: {name}."), "tiny"
        ),
    )


def draw(view: View, _seats: Mapping[Seat, View]) -> Drawing:
    """Draw a position; nothing of it is hidden from anybody (C14)."""
    facts = [
        ("tiles left", " + ".join(map(str, view.pile_counts))),
        ("walls left", str(view.wall_supply)),
        ("perimeter", str(view.perimeter)),
    ]
    if view.gap is not None:
        facts.append(("gap in the wall", str(view.gap)))
    if view.ending is not None:
        facts.append(("ended", words(view.ending.name)))
    panels = tuple(
        Panel(
            seat,
            (
                ("points", str(view.scores[seat])),
                ("followers left", str(view.follower_supplies[seat])),
                ("towers left", str(view.towers_left[seat])),
            ),
            (),
            "on turn" if seat == view.active_seat and view.decision is not None else "",
            many(view.scores[seat], "point"),
        )
        for seat in range(view.seat_count)
    )
    return Drawing((Figure("The city", city(view), legend=LEGEND), *_drawn(view)), tuple(facts), panels)
