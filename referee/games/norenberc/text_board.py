"""The view as text: the guild houses and the seats in tables, then everything else by name."""

from __future__ import annotations

from referee.games.norenberc.components import GOOD_NAMES, GUILD_NAMES, NO_TILE, PANES, SHOP_TILES, WINDOW_NAMES
from referee.games.norenberc.describe import tile_name
from referee.games.norenberc.view import HIDDEN, View
from referee.view_text import facts, table

BOARD = (
    "shops", "lodgings", "storehouses", "blazon_stacks", "mayors", "talers", "shown_talers", "shown_rounds",
    "supply_counts", "reserve_counts", "card_counts", "roof_counts", "planned_counts", "uncalled_counts",
    "loose_goods", "stored_goods", "owned_tiles", "tile_owners", "blazons", "prestige_blazons", "counted_talers",
    "finished_flags", "returned_citizens", "discards",
)  # fmt: skip
SHOP_PLACES = ("S1", "S2", "S3", "S4", "U")


def draw(view: View) -> str:
    """Return the town as the viewer sees it (B12)."""
    guilds, seats = range(view.guild_count), range(view.seat_count)
    lines: list[str] = []
    for guild in guilds:
        prestige = ", prestige guild" if guild + 1 == view.prestige_guild else ""
        blazons = f"{view.blazon_stacks[guild]} blazons, {view.mayors[guild]} Mayors on the roof"
        lines.append(f"guild {guild + 1}, {GUILD_NAMES[guild]} ({GOOD_NAMES[guild]}): {blazons}{prestige}")
        shop = view.shops[SHOP_TILES * guild : SHOP_TILES * (guild + 1)]
        lines.append("  shop: " + "; ".join(f"{at} {_tile(tile)}" for at, tile in zip(SHOP_PLACES, shop, strict=True)))
        guests = view.lodgings[PANES * guild : PANES * (guild + 1)]
        lines.append(
            "  lodging: " + "; ".join(f"{at} {_tile(tile)}" for at, tile in zip(WINDOW_NAMES, guests, strict=True))
        )
        store = view.storehouses[view.guild_count * guild : view.guild_count * (guild + 1)]
        lines.append("  storehouse: " + ", ".join(f"{count} {GOOD_NAMES[good]}" for good, count in enumerate(store)))
    lines.append("")
    lines += table(
        ("seat", "talers", "shown", "in round", "counted", "agents", "reserve", "on card", "planned", "uncalled",
         "prestige", "finished"),
        [
            (
                seat, "hidden" if view.talers[seat] == HIDDEN else view.talers[seat], view.shown_talers[seat],
                view.shown_rounds[seat], view.counted_talers[seat], view.supply_counts[seat],
                view.reserve_counts[seat], view.card_counts[seat], view.planned_counts[seat],
                view.uncalled_counts[seat], view.prestige_blazons[seat], "yes" if view.finished_flags[seat] else "no",
            )
            for seat in seats
        ],
    )  # fmt: skip
    for seat in seats:
        of_seat = slice(view.guild_count * seat, view.guild_count * (seat + 1))
        for what, counts in (
            ("goods", view.loose_goods),
            ("goods on Pedlars", view.stored_goods),
            ("blazons", view.blazons),
            ("agents on roofs", view.roof_counts),
        ):
            by_guild = ", ".join(f"{GUILD_NAMES[at]} {count}" for at, count in enumerate(counts[of_seat]) if count)
            if by_guild:
                lines.append(f"seat {seat} {what}: {by_guild}")
        owned = [_tile(tile) for tile, owner in zip(view.owned_tiles, view.tile_owners, strict=True) if owner == seat]
        if owned:
            lines.append(f"seat {seat} tiles: {', '.join(owned)}")
    lines.append(f"citizens known to be in the guest pile: {', '.join(map(_tile, view.returned_citizens)) or 'none'}")
    lines.append(f"in the box, face up: {', '.join(map(_tile, view.discards)) or 'none'}")
    return "\n".join([*lines, "", *facts(view, BOARD)])


def _tile(tile: int) -> str:
    return "–" if tile == NO_TILE else tile_name(tile).partition(" ")[2]
