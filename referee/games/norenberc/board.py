"""Norenberc: a house for every guild, with its roof, shop, lodgings and storehouse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from referee.drawing import Drawing, Figure, Panel, counted, many, words
from referee.game import Seat
from referee.games.norenberc import components as box
from referee.games.norenberc.components import CitizenKind
from referee.games.norenberc.view import Phase, View
from referee.icons import icon
from referee.markup import Point, circle, label, picture, piece, place, polygon, rectangle, seat_label, title

WIDTH, ROOF, WALL = 250.0, 74.0, 212.0
TILE = 40.0
SHORT_NAMES = {
    CitizenKind.COUNCILLOR: "Counc.",
    CitizenKind.THIEF: "Thief",
    CitizenKind.GUARD: "Guard",
    CitizenKind.MUSICIAN: "Mus.",
    CitizenKind.PEDLAR: "Pedlar",
    CitizenKind.MAYOR: "Mayor",
    CitizenKind.NOBLEMAN: "Noble",
    CitizenKind.TAX_COLLECTOR: "Tax",
    CitizenKind.ENGRAVER: "Engr.",
    CitizenKind.FOREMAN: "Fore.",
    CitizenKind.APPRENTICE: "Appr.",
}


def tile_name(tile: int) -> str:
    """What is printed on a tile, in words."""
    if box.is_artisan(tile):
        return f"{box.GUILD_NAMES[box.guild_of(tile) - 1]} artisan {box.value_of(tile)}" + (
            " with agent +" if box.has_agent_plus(tile) else ""
        )
    name = CitizenKind(box.kind_of(tile)).name.replace("_", " ").capitalize()
    return f"{name} {box.number_of(tile)}" if box.number_of(tile) else name


def short_name(tile: int) -> str:
    """What is printed on a tile, in a few letters."""
    if box.is_artisan(tile):
        return f"{box.value_of(tile)}+" if box.has_agent_plus(tile) else str(box.value_of(tile))
    return f"{SHORT_NAMES[CitizenKind(box.kind_of(tile))]} {box.number_of(tile) or ''}".strip()


def tile_face(corner: Point, tile: int, empty: str) -> Iterator[Markup]:
    """A tile, or the empty place for one."""
    x, y = corner
    middle = (x + TILE / 2, y + TILE / 2)
    if tile == box.NO_TILE:
        yield rectangle(corner, TILE, TILE, "place", title(f"{empty}: empty"), radius=4)
        yield label(middle, empty, "label label-tiny quiet-mark")
        return
    is_guest = not box.is_artisan(tile)
    cls = "tile-citizen" if is_guest else f"guild guild-{box.guild_of(tile)}"
    yield rectangle(corner, TILE, TILE, cls, title(f"{empty}: {tile_name(tile)}"), radius=4)
    yield label(middle, short_name(tile), "tile-mark tile-mark-small" if is_guest else "tile-mark")


def _roof(view: View, house: int) -> Iterator[Markup]:
    is_called = view.called_guild == house + 1 and view.phase is not Phase.GAME_OVER
    roof = [(2, ROOF), (WIDTH / 2, 4), (WIDTH - 2, ROOF)]
    shape = polygon(
        roof, "roof roof-called" if is_called else "roof", title(f"the roof of the {box.GUILD_NAMES[house]}")
    )
    yield piece(f"roof-{house}", [shape])
    agents = [seat for seat in range(view.seat_count) for _ in range(view.roof_counts[seat * view.guild_count + house])]
    # Agents stand in rows from the eaves up, as wide as the roof is there.
    row, left = 0, 0
    stood = [0] * view.seat_count
    per_row = (9, 6, 4, 2)
    for seat in agents:
        if left == per_row[min(row, 3)]:
            row, left = row + 1, 0
        share = per_row[min(row, 3)]
        x = WIDTH / 2 + (left - (share - 1) / 2) * 20
        agent = [circle((0, 0), 7, f"piece seat-{seat}", title(f"agent of seat {seat}")), seat_label((0, 0), seat)]
        yield piece(f"agent-{house}-{seat}-{stood[seat]}", agent, (x, ROOF - 12 - row * 17))
        stood[seat] += 1
        left += 1
    if view.mayors[house]:
        yield label((WIDTH / 2, 22), "♛" * view.mayors[house], "label label-strong")


def _house(view: View, house: int) -> Iterator[Markup]:
    yield from _roof(view, house)
    yield rectangle((12, ROOF), WIDTH - 24, WALL - 4, "sheet")
    yield label((WIDTH / 2, ROOF + 14), f"{box.GUILD_NAMES[house]}", "label label-strong")
    shop = view.shops[house * box.SHOP_TILES : (house + 1) * box.SHOP_TILES]
    yield label((20, ROOF + 32), "shop", "label label-tiny", anchor="start")
    for at, tile in enumerate(shop):
        name = "U" if at == box.UNDER_TILE else f"S{at + 1}"
        face = list(tile_face((20 + at * (TILE + 3), ROOF + 40), tile, name))
        yield piece(f"tile-{house}-{name}", face)
    yield label((20, ROOF + 92), "lodgings", "label label-tiny", anchor="start")
    lodgings = view.lodgings[house * box.PANES : (house + 1) * box.PANES]
    for at, tile in enumerate(lodgings):
        face = list(tile_face((20 + at * (TILE + 3), ROOF + 100), tile, box.WINDOW_NAMES[at]))
        yield piece(f"tile-{house}-{box.WINDOW_NAMES[at]}", face)
    yield label((20, ROOF + 154), "storehouse", "label label-tiny", anchor="start")
    store = view.storehouses[house * view.guild_count : (house + 1) * view.guild_count]
    for good, count in enumerate(store):
        x = 32 + good * 34
        cls = f"guild guild-{good + 1}" if count else "place"
        stock = [
            circle((x, ROOF + 174), 13, cls, title(f"{count} {box.GOOD_NAMES[good]} in the storehouse")),
            icon(box.GOOD_NAMES[good], (x, ROOF + 174), 20),
            label((x, ROOF + 174), count, "tile-mark" if count else "label label-tiny quiet-mark"),
        ]
        yield piece(f"store-{house}-{good}", stock)
    prestige = "  ✦ prestige" if view.prestige_guild == house + 1 and view.has_prestige_blazon else ""
    blazons = f"{many(view.blazon_stacks[house], 'blazon')}{prestige}"
    yield piece(f"blazons-{house}", [label((20, ROOF + 198), blazons, "label label-small", anchor="start")])


def guild_house(view: View, house: int) -> Figure:
    """One guild: who stands on its roof, who works and lodges there, and what is in store."""
    master = view.shops[house * box.SHOP_TILES]
    store = counted(_store(view, house), box.GOOD_NAMES[: view.guild_count])
    about = f"The house of the {box.GUILD_NAMES[house]}: {store} in store; "
    about += f"the first artisan in the shop is {tile_name(master)}." if master else "the shop is empty at the front."
    return Figure(
        f"{box.GUILD_NAMES[house]}: {box.GOOD_NAMES[house]}",
        picture((0, 0, WIDTH, ROOF + WALL), [place((box.GUILD_NAMES[house],), list(_house(view, house)))], about),
        "small",
    )


def _store(view: View, house: int) -> Sequence[int]:
    return view.storehouses[house * view.guild_count : (house + 1) * view.guild_count]


def _of_seat(values: Sequence[int], view: View, seat: Seat) -> Sequence[int]:
    return values[seat * view.guild_count : (seat + 1) * view.guild_count]


def _owned(view: View, seat: Seat) -> str:
    tiles = sorted(tile for tile, owner in zip(view.owned_tiles, view.tile_owners, strict=True) if owner == seat)
    by_guild: dict[str, list[str]] = {}
    for tile in tiles:
        name = box.GUILD_NAMES[box.guild_of(tile) - 1] if box.is_artisan(tile) else "citizens"
        by_guild.setdefault(name, []).append(short_name(tile) if box.is_artisan(tile) else tile_name(tile))
    return "; ".join(f"{name} {', '.join(values)}" for name, values in by_guild.items()) or "none"


def _panel(view: View, seat: Seat, own: View | None) -> Panel:
    guilds = box.GUILD_NAMES[: view.guild_count]
    facts = [
        ("talers", str(view.counted_talers[seat])),
        ("agents", f"{view.supply_counts[seat]} ready, {view.reserve_counts[seat]} in reserve"),
        ("goods", counted(_of_seat(view.loose_goods, view, seat), box.GOOD_NAMES[: view.guild_count])),
        ("tiles", _owned(view, seat)),
        ("blazons", counted(_of_seat(view.blazons, view, seat), guilds)),
    ]
    stored = counted(_of_seat(view.stored_goods, view, seat), box.GOOD_NAMES[: view.guild_count])
    if stored != "none":
        facts.append(("on Pedlars", stored))
    if view.prestige_blazons[seat]:
        facts.append(("prestige blazons", str(view.prestige_blazons[seat])))
    if view.planned_counts[seat]:
        facts.append(
            ("planned", f"{many(view.planned_counts[seat], 'card')}, {view.uncalled_counts[seat]} not called yet")
        )
    hidden: list[tuple[str, str]] = []
    if own is not None and own.planned_guilds:
        hidden.append(("plans", ", ".join(box.GUILD_NAMES[guild - 1] for guild in own.planned_guilds)))
    notes = [*(["acting"] if seat == view.acting_seat else []), *(["passed"] if view.finished_flags[seat] else [])]
    blazons = sum(_of_seat(view.blazons, view, seat)) + view.prestige_blazons[seat]
    return Panel(seat, tuple(facts), tuple(hidden), ", ".join(notes), many(blazons, "blazon"))


def draw(view: View, seats: Mapping[Seat, View]) -> Drawing:
    """Draw a position."""
    called = "none" if view.called_guild is None else box.GUILD_NAMES[view.called_guild - 1]
    facts = (
        ("round", f"{view.round_number} of {box.ROUNDS}, turn {view.turn_number}"),
        ("phase", words(view.phase.name)),
        ("called guild", called),
        ("turn order", ", ".join(f"seat {seat}" for seat in view.track_seats)),
        ("guest pile", many(view.pile_count, "tile")),
    )
    figures = tuple(guild_house(view, house) for house in range(view.guild_count))
    return Drawing(figures, facts, tuple(_panel(view, seat, seats.get(seat)) for seat in range(view.seat_count)))
