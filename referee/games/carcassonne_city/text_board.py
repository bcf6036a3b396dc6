"""The view as text: the tiles on their cells in characters, then everything else by name."""

from __future__ import annotations

from referee.games.carcassonne_city.components import MARKET_SIDE, RESIDENTIAL_SIDE, SIDES, STREET_SIDE
from referee.games.carcassonne_city.view import View
from referee.view_text import facts, table

SIGNS = {STREET_SIDE: "=", MARKET_SIDE: "M", RESIDENTIAL_SIDE: "r"}
BOARD = (
    "board_tiles", "board_xs", "board_ys", "board_rotations",
    "follower_seats", "follower_kinds", "follower_xs", "follower_ys", "follower_indices",
    "follower_supplies", "towers_left", "scores", "piece_counts", "last_walls",
)  # fmt: skip
BLANK = "       "


def draw(view: View) -> str:
    """Return the city and everything else that is public (C14)."""
    lines = [
        *_city(view),
        "",
        "Each tile: its sides (= street, M market, r residential area), its type in the middle.",
        "",
    ]
    lines += _tiles(view)
    lines += ["", *_followers(view), ""]
    seats = range(view.seat_count)
    rows = [
        (seat, view.scores[seat], view.follower_supplies[seat], view.towers_left[seat], view.piece_counts[seat],
         view.last_walls[seat])
        for seat in seats
    ]  # fmt: skip
    lines += table(("seat", "score", "followers at hand", "towers left", "pieces to put up", "last wall"), rows)
    return "\n".join([*lines, "", *facts(view, BOARD)])


def _city(view: View) -> list[str]:
    """Return the board from the north to the south, three lines a row of cells; x runs east, y runs south."""
    tiles = {
        (x, y): (tile, rotation)
        for x, y, tile, rotation in zip(
            view.board_xs, view.board_ys, view.board_tiles, view.board_rotations, strict=True
        )
    }
    if not tiles:
        return ["The board is empty."]
    columns = range(min(view.board_xs), max(view.board_xs) + 1)
    lines = ["      " + "".join(f"{f'x={x}':^7}" for x in columns)]
    for y in range(min(view.board_ys), max(view.board_ys) + 1):
        top, middle, bottom = "", "", ""
        for x in columns:
            if (x, y) not in tiles:
                top, middle, bottom = top + BLANK, middle + BLANK, bottom + BLANK
                continue
            tile, rotation = tiles[x, y]
            north, east, south, west = (SIGNS[side] for side in SIDES[4 * tile + rotation])
            top, bottom = f"{top}+--{north}--+", f"{bottom}+--{south}--+"
            middle += f"{west}{tile:^5}{east}"
        lines += [f"      {top}", f"{f'y={y}':<6}{middle}", f"      {bottom}"]
    return [line.rstrip() for line in lines]


def _tiles(view: View) -> list[str]:
    """Return the tiles in the order of laying, as the rules number them."""
    laid = zip(view.board_tiles, view.board_xs, view.board_ys, view.board_rotations, strict=True)
    named = ", ".join(f"{t} at ({x}, {y}) turned {r}" for t, x, y, r in laid)
    return [f"tiles in the order of laying: {named or 'none'}"]


def _followers(view: View) -> list[str]:
    placed = zip(
        view.follower_seats, view.follower_kinds, view.follower_xs, view.follower_ys, view.follower_indices, strict=True
    )
    return [
        f"seat {seat} has a follower on {kind.name.lower()} {index} of the tile at ({x}, {y})"
        for seat, kind, x, y, index in placed
    ] or ["No follower is on the board."]
