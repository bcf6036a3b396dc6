"""Ratings by increments: what an option changes is counted again, the rest of the position as it was before.

The drawn tile is laid on one place after another of a copy of the state, only its features are joined, and it is taken
up again. An option after which points are scored, a tile is drawn or the game ends is tried out in full: the next tile
is drawn quietly, if it certainly fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city.boundary import BESIDE, RUNS, next_side, taken_around
from referee.games.carcassonne_city.components import (
    END_WHEN_GAP_BELOW,
    HALF_PARTS,
    MARKETS,
    PART_MARKET_BITS,
    PART_SIDES,
    SIDE_PARTS,
    STREETS,
    STRIDE,
)
from referee.games.carcassonne_city.features import (
    ONES,
    add_parts,
    find,
    join_areas,
    join_sides,
    neighbours,
    node_on_side,
)
from referee.games.carcassonne_city.followers import CROWD_BITS
from referee.games.carcassonne_city.game import GAME
from referee.games.carcassonne_city.grid import AROUND, cell_at, side_at
from referee.games.carcassonne_city.placing import FITTING
from referee.games.carcassonne_city.promises import (
    Areas,
    Promises,
    absence,
    at_hand,
    feature_points,
    lead,
    look_along,
    promises,
    worths,
)
from referee.games.carcassonne_city.state import HOLE, NOBODY, NOTHING, State, clone
from referee.games.carcassonne_city.steps import AskWall
from referee.games.carcassonne_city.walls import gap, wall_supply


class Account:
    """The parts of a position's worth, for positions that differ from it by a tile, a wall or a guard.

    A feature's promises are looked up when they are first needed, and kept unless the difference touches it.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.areas: Areas = {}
        parents = state.features.parents
        self.holders = [find(parents, node) for node in state.follower_nodes]  # the feature of every follower
        self.roots = list(set(self.holders))  # in the order of counting
        self.promised: dict[int, Promises] = {}
        self.start = at_hand(state)
        self.guards = guards_seen(state)
        self.totals: list[float] = []  # once the promises of all features are known

    def count(self, changed: dict[int, Promises], from_start: bool = False) -> list[float]:
        """Return every seat's points if these features promise something else, by root.

        `from_start` says that more is different: there are other roots, or guards see more.
        """
        promised = self.promised
        if len(promised) < len(self.roots):
            parents = self.state.features.parents
            for root in self.roots:
                if root not in promised and root not in changed and parents[root] == root:
                    promised[root] = promises(self.state, root, self.areas)
        if from_start or len(promised) < len(self.roots):
            return self.count_all(changed)
        if not self.totals:
            self.totals = self.count_all({})
        if not changed:
            return self.totals
        totals, crowds = self.totals[:], self.state.features.crowds
        concerned = 0
        for root in changed:
            concerned |= crowds[root]
        for seat in range(self.state.seats):
            if concerned >> CROWD_BITS * seat & 15:
                totals[seat] = self.count_seat(seat, changed)
        return totals

    def count_all(self, changed: dict[int, Promises]) -> list[float]:
        """Return every seat's points, counted from the start."""
        parents = self.state.features.parents
        totals = self.start[:]
        for root in {find(parents, holder) for holder in self.holders}:
            for seat, points in changed[root] if root in changed else self.promised[root]:
                totals[seat] += points
        for seat, seen in self.guards:
            totals[seat] += seen
        return totals

    def count_seat(self, seat: int, changed: dict[int, Promises]) -> float:
        """Return one seat's points, where no root is another."""
        total = self.start[seat]
        for root in self.roots:
            for owner, points in changed[root] if root in changed else self.promised[root]:
                if owner == seat:
                    total += points
        for guard, seen in self.guards:
            if guard == seat:
                total += seen
        return total


def guards_seen(state: State) -> list[tuple[int, int]]:
    """C12.6: the seat of every guard and what it sees, in the order of the walls."""
    board, wall = state.board, state.wall
    return [
        (seat, look_along(board, side)[0]) for side, seat in zip(wall.sides, wall.guards, strict=True) if seat != NOBODY
    ]


def row_ends(state: State) -> set[int]:
    """C9.2: the unoccupied cells at which the rows of guards end."""
    board, wall = state.board, state.wall
    return {look_along(board, side)[1] for side, seat in zip(wall.sides, wall.guards, strict=True) if seat != NOBODY}


@dataclass(slots=True)
class Beside:
    """A feature beside a cell, as it is without the tile."""

    root: int
    size: int
    open_sides: int
    tile_bits: int
    market_bits: int
    crowd: int
    first: int


class Laying:
    """The drawn tile on one place after another, of a copy of the state in which nothing else happens."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.tile = clone(state), seat, state.drawn
        board, features = self.state.board, self.state.features
        self.has_follower = state.supply[seat] > 0
        self.absence = absence(state, seat) if self.has_follower else 0.0
        self.takers: list[int] = []  # without a follower at hand: the free cells that take the next tile
        if not self.has_follower:
            fitting = FITTING[self.state.deck.pop()]
            self.takers = [
                cell for cell, contact in zip(board.frontier, board.contacts, strict=True) if fitting[contact]
            ]
        self.account = Account(self.state)
        self.unextended = self.account.guards
        self.watched = row_ends(self.state)
        self.cell = NOTHING
        self.neighbours: list[tuple[int, int, int]] = []
        self.beside: list[Beside] = []
        self.has_resident = False  # beside the cell: otherwise areas do not matter
        self.number = len(board.tiles)
        self.base, self.end = STRIDE * self.number, STRIDE * (self.number + 1)
        self.nodes = list(range(self.base, self.end))
        self.bits = [1 << self.number] * STRIDE
        board.tiles.append(self.tile)
        board.cells.append(NOTHING)
        board.rotations.append(NOTHING)
        add_parts(features, self.number, self.tile, 0)

    def go_to(self, cell: int) -> None:
        """Look at what is beside a cell: tiles, features and the guards whose rows end there."""
        state, account = self.state, self.account
        board, parents, crowds = state.board, state.features.parents, state.features.crowds
        if self.cell != NOTHING:
            del board.numbers[self.cell]
        board.numbers[cell] = self.number
        board.cells[self.number] = cell
        self.cell, self.neighbours = cell, neighbours(board, cell)
        sides: list[int] = []
        areas: list[int] = []
        for direction, base, turned in self.neighbours:
            opposite = direction + 2 & 3
            part, halves = SIDE_PARTS[turned][opposite], HALF_PARTS[turned]
            if part >= 0:
                sides.append(find(parents, base + part))
            if halves[2 * opposite] >= 0:
                areas.append(find(parents, base + halves[2 * opposite]))
                areas.append(find(parents, base + halves[2 * opposite + 1]))
        self.has_resident = False
        for root in areas:
            if root in crowds:
                self.has_resident = True
        if self.has_resident:
            sides += areas
        self.beside = [self.as_it_is(root) for root in dict.fromkeys(sides)]
        account.guards = guards_seen(state) if cell in self.watched else self.unextended

    def as_it_is(self, root: int) -> Beside:
        """Return a feature as it is now."""
        features = self.state.features
        return Beside(
            root, features.sizes[root], features.open_sides[root], features.tile_bits[root],
            features.market_bits[root], features.crowds.get(root, 0), features.firsts[root],
        )  # fmt: skip

    def lay(self, rotation: int) -> None:
        """C6.1, C6.2: join the features of the tile with those beside the cell."""
        features, base, turned = self.state.features, self.base, 4 * self.tile + rotation
        self.state.board.rotations[self.number] = rotation
        features.firsts[base : self.end] = range(STRIDE * self.cell, STRIDE * self.cell + STRIDE)
        for direction, base_there, turned_there in self.neighbours:
            join_sides(features, base, turned, direction, base_there, turned_there)
            if self.has_resident:
                join_areas(features, base, turned, direction, base_there, turned_there)

    def take_up(self) -> None:
        """Make the features what they were."""
        features, base, end = self.state.features, self.base, self.end
        parents, sizes, open_sides = features.parents, features.sizes, features.open_sides
        tile_bits, market_bits, crowds, firsts = (
            features.tile_bits, features.market_bits, features.crowds, features.firsts,
        )  # fmt: skip
        for was in self.beside:
            root = was.root
            new = find(parents, root)
            if new >= base and new in crowds:
                del crowds[new]
        for was in self.beside:
            root = was.root
            parents[root] = root
            sizes[root], open_sides[root] = was.size, was.open_sides
            tile_bits[root], market_bits[root], firsts[root] = was.tile_bits, was.market_bits, was.first
            if was.crowd:
                crowds[root] = was.crowd
            elif root in crowds:
                del crowds[root]
        parents[base:end], tile_bits[base:end] = self.nodes, self.bits
        sizes[base:end], open_sides[base:end] = ONES, PART_SIDES[self.tile]
        market_bits[base:end] = PART_MARKET_BITS[self.tile]

    def rating(self) -> float:
        """Return the lead with the tile as it lies, and what a follower on one of its streets and markets would add."""
        state, features = self.state, self.state.features
        changed: dict[int, Promises] = {}
        from_start = self.cell in self.watched
        for was in self.beside:
            if was.crowd:
                root = find(features.parents, was.root)
                from_start = from_start or root != was.root
                if root not in changed:
                    changed[root] = promises(state, root, self.account.areas)
        rating = lead(self.account.count(changed, from_start), self.seat)
        best = 0.0
        if self.has_follower:
            for part in range(STREETS[self.tile] + MARKETS[self.tile]):
                root = find(features.parents, self.base + part)
                if features.open_sides[root] and root not in features.crowds:
                    best = max(best, feature_points(state, root) - self.absence)
        return rating + best

    def is_scoring(self) -> bool:
        """C6.4: return whether the tile completes a street or market with followers."""
        features = self.state.features
        for was in self.beside:
            if was.crowd and was.open_sides and not features.open_sides[find(features.parents, was.root)]:
                return True
        return False

    def passes_turn(self) -> bool:
        """C3.1, C11.3: return whether a tile on the cell, if it scores nothing, surely leads to the next tile.

        The next tile needs a free cell that this one does not touch, which it can neither take nor shut. The boundary
        changes by the sides of the tile alone, unless it closes a pocket; this is not looked into.
        """
        board, cell = self.state.board, self.cell
        if self.state.wall.gate != NOTHING:
            left = gap(self.state)
            if not board.standing.get(cell, 0) & HOLE:
                around = taken_around(board.numbers, cell)
                if len(RUNS[around]) > 1:
                    return False
                left += 4 - 2 * (around & BESIDE).bit_count()
            if left < END_WHEN_GAP_BELOW:
                return False
        return any(other != cell and other - cell not in AROUND for other in self.takers)


def rate_places(state: State, seat: int, options: Sequence[act.PlaceTile]) -> list[float]:
    """Rate the places of the drawn tile.

    With a follower at hand, the seat is asked for him next, and nothing else has happened. Without, the turn ends; what
    it may bring beside the next tile is tried out.
    """
    if not state.supply[seat] and not state.deck:
        return tried_all(state, seat, options)
    laying = Laying(state, seat)
    is_plain = True
    ratings: list[float] = []
    for option in options:
        cell = cell_at(option.x, option.y)
        if cell != laying.cell:
            laying.go_to(cell)
            is_plain = laying.has_follower or laying.passes_turn()
        laying.lay(option.rotation)
        if is_plain and (laying.has_follower or not laying.is_scoring()):
            ratings.append(laying.rating())
        else:
            ratings.append(tried(state, seat, option, laying.account.areas))
        laying.take_up()
    return ratings


def rate_pieces(state: State, seat: int, options: Sequence[act.PlaceGate | act.BuildWall]) -> list[float]:
    """Rate the sides for the gate or a wall, which is closed by it; a score is tried out, and the end of the phase."""
    is_wall_next = any(isinstance(step, AskWall) for step in state.agenda.steps[:-1])
    if not is_wall_next or gap(state) < 2 or wall_supply(state) < 2:
        return tried_all(state, seat, options)
    after = clone(state)
    features, account = after.features, Account(after)
    ratings: list[float] = []
    for option in options:
        node = node_on_side(after.board, side_of(state, option))
        root = find(features.parents, node) if node >= 0 else NOTHING
        if root not in features.crowds:
            ratings.append(lead(account.count({}), seat))
        elif features.open_sides[root] == 1:
            ratings.append(tried(state, seat, option, account.areas))
        else:
            features.open_sides[root] -= 1
            ratings.append(lead(account.count({root: promises(after, root, account.areas)}), seat))
            features.open_sides[root] += 1
    return ratings


def side_of(state: State, option: act.PlaceGate | act.BuildWall) -> int:
    """C7.5, C7.7: the side on which the gate or a wall is put."""
    if isinstance(option, act.PlaceGate):
        return side_at(option.x, option.y, option.side)
    return next_side(state.board.numbers, state.wall.ends[option.arm.value], option.arm.value)


def rate_guard(state: State, seat: int, options: Sequence[act.PostGuard | act.Decline]) -> list[float]:
    """Rate a guard on the wall built last, or none, while more walls follow."""
    is_wall_next = any(isinstance(step, AskWall) for step in state.agenda.steps[:-1])
    if not is_wall_next or gap(state) < 1 or wall_supply(state) < 1:
        return tried_all(state, seat, options)
    after = clone(state)
    account = Account(after)
    without = lead(account.count({}), seat)
    after.wall.guards[after.wall.last_walls[seat]] = seat
    after.supply[seat] -= 1
    account.start, account.guards = at_hand(after), guards_seen(after)
    posted = lead(account.count({}, from_start=True), seat)
    return [posted if isinstance(option, act.PostGuard) else without for option in options]


def tried_all(state: State, seat: int, options: Sequence[act.Action]) -> list[float]:
    """Return the lead after each option."""
    areas: Areas = {}
    return [tried(state, seat, option, areas) for option in options]


def tried(state: State, seat: int, option: act.Action, areas: Areas) -> float:
    """Return the lead after an option and all that follows until the next decision."""
    after = clone(state)
    GAME.apply_checked(after, {seat: option})  # every option comes from a list of legal ones
    return lead(worths(after, areas), seat)
