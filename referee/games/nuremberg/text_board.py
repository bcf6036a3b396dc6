"""The view as text: the roads as lines of characters, the seats in a table, then everything else by name."""

from __future__ import annotations

from referee.games.nuremberg import components as box
from referee.games.nuremberg.components import Corner, Resource, Road
from referee.games.nuremberg.describe import amounts, landscape_name
from referee.games.nuremberg.view import View
from referee.view_text import facts, table

BOARD = (
    "site_owners", "bar_owners", "corner_owners", "wayrights", "hand", "card_counts", "golds", "prestiges", "points",
    "colors", "bank", "council", "counted_cards", "least_cards", "starting_sites", "robber",
)  # fmt: skip
COUNCIL = ("seven", "small", "great")


def draw(view: View) -> str:
    """Return the roads and the seats as the viewer sees them (N10)."""
    lines = ["Roads from Nuremberg outwards: a digit is the seat that owns a settlement, . is an empty site;"]
    lines += ["=digit= is a toll bar of that seat on the segment before a site, --- one without.", ""]
    for road in Road:
        drawn = "".join(
            ("---" if view.bar_owners[site] == box.NOBODY else f"={view.bar_owners[site]}=")
            + ("." if view.site_owners[site] == box.NOBODY else str(view.site_owners[site]))
            for site in box.ROAD_SITES[road]
        )
        right = "nobody" if view.wayrights[road] == box.NOBODY else f"seat {view.wayrights[road]}"
        city = f"to {box.ROAD_CITIES[road]}, " if box.ROAD_CITIES[road] else ""
        lines.append(f"{road.name:>3} {drawn}  {city}wayright: {right}")
    lines += ["", f"the robber is at {landscape_name(view.robber)}"]
    lines += [
        f"site {box.site_name(site)} of seat {owner} touches {', '.join(landscape_name(at + 1) for at in landscapes)}"
        for site, (owner, landscapes) in enumerate(zip(view.site_owners, box.SITE_LANDSCAPES, strict=True))
        if owner != box.NOBODY
    ]
    workshops = [
        f"{Corner(at).name} seat {owner}" for at, owner in enumerate(view.corner_owners) if owner != box.NOBODY
    ]
    lines.append(f"workshops: {', '.join(workshops) or 'none'}")
    holders = ("nobody" if seat == box.NOBODY else f"seat {seat}" for seat in view.council)
    lines.append("council: " + ", ".join(f"{card} {who}" for card, who in zip(COUNCIL, holders, strict=True)))
    names = [resource.name.lower() for resource in Resource]
    bank = zip([*names, "gold"], view.bank, strict=True)
    lines += ["bank: " + ", ".join(f"{count} {name}" for name, count in bank), ""]
    rows = []
    for seat in range(view.seat_count):
        counted = view.counted_cards[box.RESOURCE_COUNT * seat : box.RESOURCE_COUNT * (seat + 1)]
        least = view.least_cards[box.RESOURCE_COUNT * seat : box.RESOURCE_COUNT * (seat + 1)]
        start = box.site_name(view.starting_sites[seat]) if view.starting_sites[seat] != box.NOBODY else "–"
        rows.append(
            (
                seat, view.colors[seat].name.lower(), view.points[seat], view.prestiges[seat], view.card_counts[seat],
                view.golds[seat], start, "/".join(map(str, counted)), "/".join(map(str, least)),
            )
        )  # fmt: skip
    heads = ("seat", "color", "points", "prestige", "cards", "gold", "start", f"counted {'/'.join(names)}", "least")
    lines += table(heads, rows)
    if view.hand:
        lines.append(f"your hand: {amounts(view.hand)}")
    return "\n".join([*lines, "", *facts(view, BOARD)])
