"""C11 and C12: the end of the game, the closing, the final scoring and the ranking."""

from __future__ import annotations

from referee.game import Outcome
from referee.games.carcassonne_city import components as box
from referee.games.carcassonne_city.boundary import outer_boundary
from referee.games.carcassonne_city.components import FeatureKind
from referee.games.carcassonne_city.events import AreaScored, Ending, Event, FollowersRemoved, GameEnded, GuardScored
from referee.games.carcassonne_city.features import find
from referee.games.carcassonne_city.followers import followers_in, take_followers
from referee.games.carcassonne_city.grid import STEPS, x_of, y_of
from referee.games.carcassonne_city.guards import row
from referee.games.carcassonne_city.scoring import kind_of, majority, place_of, score_complete
from referee.games.carcassonne_city.state import NOBODY, NOTHING, State
from referee.games.carcassonne_city.walls import close_sides, gap, wall_supply


def ending_now(state: State) -> Ending | None:
    """C11.1 - C11.4: the first reason that holds at the end of a turn, if any."""
    if wall_supply(state) == 0:
        return Ending.WALLS_EXHAUSTED
    if state.wall.gate != NOTHING and gap(state) < box.END_WHEN_GAP_BELOW:
        return Ending.RING_NEARLY_CLOSED
    if not state.deck:
        return Ending.TILES_EXHAUSTED
    return None


def finish(state: State, reason: Ending) -> list[Event]:
    """C11.5, C12.1: close the ring and score what is left."""
    state.ending = reason
    events: list[Event] = [GameEnded(reason)]
    for chapter in (close_ring, remove_followers, score_residents, score_guards):
        events += chapter(state)
    return events


def close_ring(state: State) -> list[Event]:
    """C11.6: what is complete once the whole outer boundary counts as walled is scored, all together."""
    return score_complete(state, close_boundary(state))


def close_boundary(state: State) -> list[int]:
    """C11.6: close all sides of the outer boundary without a piece; return the streets and markets that reach them."""
    pieces = state.wall.pieces
    return close_sides(state, [side for side in outer_boundary(state.board) if side not in pieces])


def remove_followers(state: State) -> list[Event]:
    """C11.7: travellers and merchants still on the board leave it without points."""
    parents = state.features.parents
    unfinished = dict.fromkeys(
        find(parents, node) for node in state.follower_nodes if kind_of(state, node) is not FeatureKind.RESIDENTIAL
    )
    removed = [take_followers(state, root) for root in unfinished]
    if not removed:
        return []
    return [FollowersRemoved(tuple(map(sum, zip(*removed, strict=True))))]


def touching_markets(state: State) -> dict[int, dict[int, None]]:
    """C12.4: by residential area, the markets that touch it (all as roots)."""
    board, parents = state.board, state.features.parents
    touching: dict[int, dict[int, None]] = {}

    def touch(area: int, market: int) -> None:
        touching.setdefault(find(parents, area), {})[find(parents, market)] = None

    for number, (tile, cell, rotation) in enumerate(zip(board.tiles, board.cells, board.rotations, strict=True)):
        for area, market in box.TOUCHES[tile]:
            touch(box.STRIDE * number + area, box.STRIDE * number + market)
        turned = 4 * tile + rotation
        for direction in range(4):
            there = board.numbers.get(cell + STEPS[direction], NOTHING)
            if there == NOTHING or box.SIDES[turned][direction] != box.RESIDENTIAL_SIDE:
                continue
            turned_there = 4 * board.tiles[there] + board.rotations[there]
            opposite = direction + 2 & 3
            if box.SIDES[turned_there][opposite] == box.MARKET_SIDE:
                area = box.STRIDE * number + box.HALF_PARTS[turned][2 * direction]
                touch(area, box.STRIDE * there + box.SIDE_PARTS[turned_there][opposite])
    return touching


def score_residents(state: State) -> list[Event]:
    """C12.2, C12.3: the owners of each area with residents are paid for every different market that touches it."""
    features = state.features
    areas = list(dict.fromkeys(find(features.parents, node) for node in state.follower_nodes))
    areas.sort(key=lambda root: features.firsts[root])
    touching = touching_markets(state)
    events: list[Event] = []
    for area in areas:
        markets = len(touching.get(area, {}))
        points = box.RESIDENT_POINTS * markets
        owners = majority(followers_in(features.crowds[area], state.seats))
        for seat in owners:
            state.scores[seat] += points
        events.append(AreaScored(*place_of(state, area), markets, points, owners))
    return events


def score_guards(state: State) -> list[Event]:
    """C12.6: each guard is paid for the public and historic buildings in its row, in the order of building."""
    board = state.board
    events: list[Event] = []
    for side, seat in zip(state.wall.sides, state.wall.guards, strict=True):
        if seat != NOBODY:
            tiles = [board.tiles[board.numbers[cell]] for cell in row(board, side)]
            public = sum(box.IS_PUBLIC[tile] for tile in tiles)
            historic = sum(box.IS_HISTORIC[tile] for tile in tiles)
            points = box.GUARD_PUBLIC * public + box.GUARD_HISTORIC * historic
            state.scores[seat] += points
            cell = side >> 2
            events.append(GuardScored(seat, x_of(cell), y_of(cell), side & 3, public, historic, points))
    return events


def outcome(state: State) -> Outcome | None:
    """C12.7: a seat's rank is one more than the number of seats with more points."""
    if state.ending is None:
        return None
    scores = tuple(state.scores)
    ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
    return Outcome(ranks, scores, state.ending.name.lower())
