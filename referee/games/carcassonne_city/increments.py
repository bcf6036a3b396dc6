"""Ratings by increments: what an option changes is counted again, the rest of the position as it was before.

The drawn tile is laid on one place after another of a copy of the state, only its features are joined, and it is taken
up again. An option after which points are scored, a tile is drawn or the game ends is tried out in full: the next tile
is drawn quietly, if it certainly fits.
"""

from __future__ import annotations

from typing import Annotated

from referee.games.carcassonne_city.boundary import BESIDE, COUNTS, RUNS, next_side, taken_around
from referee.games.carcassonne_city.codes import PLACE_GATE, POST_GUARD, Choice, argument_of, kind_of_choice
from referee.games.carcassonne_city.components import END_WHEN_GAP_BELOW, MAX_SEATS, STRIDE, WALLS
from referee.games.carcassonne_city.counting_order import features_in_order
from referee.games.carcassonne_city.features import (
    add_parts,
    find,
    join_areas,
    join_sides,
    make_alone,
    node_on_side,
    note,
)
from referee.games.carcassonne_city.followers import followers_in
from referee.games.carcassonne_city.grid import AROUND, PLACES, STEP
from referee.games.carcassonne_city.guards import end_of_row
from referee.games.carcassonne_city.placing import CONTACTS, FITTING
from referee.games.carcassonne_city.promises import (
    Areas,
    absence,
    add_worths,
    feature_points,
    fill_in_hands,
    lead,
    points_in_row,
    promise,
)
from referee.games.carcassonne_city.state import (
    FEATURES,
    FRONTIER,
    HOLE,
    NOBODY,
    NOTHING,
    State,
    clone,
    gap,
    number_at,
    standing_of,
    wall_supply,
)
from referee.games.carcassonne_city.steps import ASK_WALL, kind_of_step
from referee.games.carcassonne_city.tiles import FIRST_AREAS, NODES, PART_COUNTS, part_on_half, part_on_side
from referee.games.carcassonne_city.turns import play_on, resolve
from referee.games.carcassonne_city.weights import Weights
from referee.rows import Doubles, Events, Float, Int, Ints, Listing, Shorts, Smalls, Struct, Words

MAX_BESIDE = 12  # features beside a cell: four streets or markets, eight areas
PROMISES = FEATURES + MAX_BESIDE


class Account(Struct):
    """The parts of a position's worth, for positions that differ from it by a tile, a wall or a guard.

    A feature's promises are looked up when they are first needed, and kept unless the difference touches it.
    """

    holders: Annotated[Shorts, FEATURES]  # the feature of every follower
    holder_count: Int
    features: Annotated[Shorts, FEATURES]  # each of these once, in the order of counting
    feature_count: Int
    promised_count: Int
    is_promised: Annotated[Smalls, FEATURES]
    changed: Annotated[Shorts, MAX_BESIDE]  # the features that promise something else now
    changed_count: Int
    places: Annotated[Smalls, NODES]  # by feature: 1 + its place among the promises; those of changed ones come last
    wins: Annotated[Doubles, PROMISES * MAX_SEATS]
    gains: Annotated[Doubles, PROMISES * MAX_SEATS]
    start: Annotated[Doubles, MAX_SEATS]  # at hand, by seat
    guard_count: Int
    guard_seats: Annotated[Smalls, WALLS]  # in the order of the walls
    guard_points: Annotated[Smalls, WALLS]
    is_counted: Int
    whole: Annotated[Doubles, MAX_SEATS]  # every seat's points without changes, once they were counted
    totals: Annotated[Doubles, MAX_SEATS]  # every seat's points, as they were counted last

    def open(self, state: State, weights: Weights) -> None:
        """Look at a position, and at no earlier one any more."""
        for place in range(self.feature_count):
            self.places[self.features[place]] = 0
            self.is_promised[place] = 0
        self.promised_count = 0
        self.holder_count = state.follower_count
        for place in range(state.follower_count):
            self.holders[place] = find(state, state.follower_nodes[place])
        self.feature_count = features_in_order(state, self.holders, self.holder_count, self.features)
        for place in range(self.feature_count):
            self.places[self.features[place]] = place + 1
        fill_in_hands(state, self.start, weights)
        self.look_along(state)

    def look_along(self, state: State) -> None:
        """C12.6: note the seat of every guard and what it sees."""
        self.guard_count = 0
        self.is_counted = 0
        for wall in range(state.wall_count):
            if state.wall_guards[wall] != NOBODY:
                self.guard_seats[self.guard_count] = state.wall_guards[wall]
                self.guard_points[self.guard_count] = points_in_row(state, state.wall_sides[wall])
                self.guard_count += 1

    def change(self, state: State, root: Int, areas: Areas, weights: Weights) -> None:
        """Count a feature as it is now, once."""
        if self.places[root] > FEATURES:
            return
        place = FEATURES + self.changed_count
        self.changed[self.changed_count] = root
        self.changed_count += 1
        self.places[root] = place + 1
        promise(state, root, areas, self.wins, self.gains, place * MAX_SEATS, weights)

    def forget_changes(self) -> None:
        """Count all features as they were."""
        for place in range(self.changed_count):
            self.places[self.changed[place]] = 0
        for place in range(self.feature_count if self.changed_count else 0):
            self.places[self.features[place]] = place + 1
        self.changed_count = 0

    def count(self, state: State, areas: Areas, is_joined: bool, weights: Weights) -> None:
        """Work out every seat's points, with the changes, which may have joined features."""
        if self.promised_count < self.feature_count:
            for place in range(self.feature_count):
                root = self.features[place]
                if not self.is_promised[place] and self.places[root] == place + 1 and state.parents[root] == root:
                    promise(state, root, areas, self.wins, self.gains, place * MAX_SEATS, weights)
                    self.is_promised[place] = 1
                    self.promised_count += 1
        if is_joined:
            roots: Annotated[Shorts, FEATURES] = [0] * FEATURES
            count = features_in_order(state, self.holders, self.holder_count, roots)
            for seat in range(state.seats):
                self.totals[seat] = self.counted(seat, roots, count, weights)
            return
        if not self.is_counted and self.promised_count == self.feature_count and not self.changed_count:
            for seat in range(state.seats):
                self.whole[seat] = self.counted(seat, self.features, self.feature_count, weights)
            self.is_counted = 1
        concerned = 0
        for place in range(self.changed_count):
            concerned |= state.crowds[self.changed[place]]
        for seat in range(state.seats):
            if self.is_counted and not followers_in(concerned, seat):
                self.totals[seat] = self.whole[seat]
            else:
                self.totals[seat] = self.counted(seat, self.features, self.feature_count, weights)

    def counted(self, seat: Int, roots: Shorts, count: Int, weights: Weights) -> Float:
        """Return a seat's points, counted from the start."""
        total = self.start[seat]
        places: Smalls = self.places
        wins: Doubles = self.wins
        gains: Doubles = self.gains
        for root in roots[:count]:
            promised = (places[root] - 1) * MAX_SEATS + seat
            total += wins[promised]
            total += gains[promised]
        for guard in range(self.guard_count):
            if self.guard_seats[guard] == seat:
                total += weights.guard * self.guard_points[guard]
        return total


class Laying(Struct):
    """The drawn tile on one place after another, of a copy of the state in which nothing else happens."""

    seat: Int
    tile: Int
    number: Int
    base: Int  # its first node
    has_follower: Int
    absence: Float
    taker_count: Int
    takers: Annotated[Shorts, FRONTIER]  # without a follower at hand: the free cells that take the next tile
    watched_count: Int
    watched: Annotated[Ints, WALLS]  # C9.2: the unoccupied cells at which the rows of guards end
    is_watched: Int  # whether the cell is one of these
    cell: Int
    spot: Int  # what stood in `State.spots` for the cell
    neighbours: Annotated[Smalls, 4]  # by direction: the number of the tile beside the cell, or NOTHING
    has_resident: Int  # beside the cell: otherwise areas do not matter
    beside_count: Int  # the features beside the cell, as they are without the tile:
    roots: Annotated[Ints, MAX_BESIDE]
    sizes: Annotated[Shorts, MAX_BESIDE]
    nexts: Annotated[Shorts, MAX_BESIDE]
    open_sides: Annotated[Smalls, MAX_BESIDE]
    early_tiles: Annotated[Words, MAX_BESIDE]
    late_tiles: Annotated[Shorts, MAX_BESIDE]
    market_kinds: Annotated[Smalls, MAX_BESIDE]
    crowds: Annotated[Shorts, MAX_BESIDE]
    firsts: Annotated[Ints, MAX_BESIDE]

    def open(self, state: State, seat: Int, account: Account, weights: Weights) -> None:
        """Take the drawn tile, and, if the turn ends with it, the next one; the state is a copy for this alone."""
        self.seat = seat
        self.taker_count = 0
        self.watched_count = 0
        self.is_watched = 0
        self.tile = state.drawn
        self.has_follower = 1 if state.supply[seat] > 0 else 0
        if self.has_follower:
            self.absence = absence(state, seat, 1.0, weights)
        else:
            state.deck_count -= 1
            next_tile = state.deck[state.deck_count]
            for entry in state.frontier[: state.frontier_count]:
                if FITTING[next_tile * CONTACTS + (entry & 255)]:
                    self.takers[self.taker_count] = entry >> 8
                    self.taker_count += 1
        account.open(state, weights)
        for wall in range(state.wall_count):
            if state.wall_guards[wall] != NOBODY:
                self.watched[self.watched_count] = end_of_row(state, state.wall_sides[wall])
                self.watched_count += 1
        self.cell = NOTHING
        self.number = state.tile_count
        self.base = state.node_count
        state.tile_count += 1
        state.turned[self.number] = 4 * self.tile
        add_parts(state, self.number, self.tile, 0)

    def go_to(self, state: State, cell: Int, account: Account) -> None:
        """Look at what is beside a cell: tiles, features and the guards whose rows end there."""
        if self.cell != NOTHING:
            state.spots[self.cell % PLACES] = self.spot
        self.cell = cell
        self.spot = state.spots[cell % PLACES]
        state.spots[cell % PLACES] = self.number + 1
        state.cells[self.number] = cell
        areas: Annotated[Ints, MAX_BESIDE] = [0] * MAX_BESIDE
        area_count = 0
        self.beside_count = 0
        self.has_resident = 0
        for direction in range(4):
            there = number_at(state, cell + STEP[direction])
            self.neighbours[direction] = there
            if there >= 0:
                turned = state.turned[there]
                base = state.first_nodes[there]
                opposite = direction + 2 & 3
                part = part_on_side(turned, opposite)
                if part >= 0:
                    self.beside_count = note(self.roots, self.beside_count, find(state, base + part))
                if part_on_half(turned, 2 * opposite) >= 0:
                    for half in range(2 * opposite, 2 * opposite + 2):
                        area = find(state, base + part_on_half(turned, half))
                        area_count = note(areas, area_count, area)
                        if state.crowds[area]:
                            self.has_resident = 1
        if self.has_resident:
            for place in range(area_count):
                self.beside_count = note(self.roots, self.beside_count, areas[place])
        for place in range(self.beside_count):
            self.remember(state, place)
        was_watched = self.is_watched
        self.is_watched = 0
        for place in range(self.watched_count):
            if self.watched[place] == cell:
                self.is_watched = 1
        if self.is_watched or was_watched:
            account.look_along(state)

    def remember(self, state: State, place: Int) -> None:
        """Keep a feature as it is now."""
        root = self.roots[place]
        self.sizes[place] = state.sizes[root]
        self.nexts[place] = state.nexts[root]
        self.open_sides[place] = state.open_sides[root]
        self.early_tiles[place] = state.early_tiles[root]
        self.late_tiles[place] = state.late_tiles[root]
        self.market_kinds[place] = state.market_kinds[root]
        self.crowds[place] = state.crowds[root]
        self.firsts[place] = state.firsts[root]

    def lay(self, state: State, rotation: Int) -> None:
        """C6.1, C6.2: join the features of the tile with those beside the cell."""
        turned = 4 * self.tile + rotation
        state.turned[self.number] = turned
        for part in range(PART_COUNTS[self.tile]):
            state.firsts[self.base + part] = STRIDE * self.cell + part
        for direction in range(4):
            there = self.neighbours[direction]
            if there >= 0:
                first = state.first_nodes[there]
                join_sides(state, self.base, turned, direction, first, state.turned[there])
                if self.has_resident:
                    join_areas(state, self.base, turned, direction, first, state.turned[there])

    def take_up(self, state: State) -> None:
        """Make the features what they were."""
        for place in range(self.beside_count):
            root = self.roots[place]
            state.parents[root] = root
            state.sizes[root] = self.sizes[place]
            state.nexts[root] = self.nexts[place]
            state.open_sides[root] = self.open_sides[place]
            state.early_tiles[root] = self.early_tiles[place]
            state.late_tiles[root] = self.late_tiles[place]
            state.market_kinds[root] = self.market_kinds[place]
            state.crowds[root] = self.crowds[place]
            state.firsts[root] = self.firsts[place]
        for part in range(PART_COUNTS[self.tile]):
            make_alone(state, self.base + part, self.number, self.tile, part)

    def rating(self, state: State, account: Account, areas: Areas, weights: Weights) -> Float:
        """Return the lead with the tile as it lies, and what a follower on one of its streets and markets would add."""
        is_joined = False
        for place in range(self.beside_count):
            if self.crowds[place]:
                root = find(state, self.roots[place])
                if root != self.roots[place]:
                    is_joined = True
                account.change(state, root, areas, weights)
        account.count(state, areas, is_joined, weights)
        account.forget_changes()
        best = 0.0
        if self.has_follower:
            for part in range(FIRST_AREAS[self.tile]):
                root = find(state, self.base + part)
                if state.open_sides[root] and not state.crowds[root]:
                    best = max(best, feature_points(state, root, weights) - self.absence)
        return lead(account.totals, state.seats, self.seat, weights) + best

    def is_scoring(self, state: State) -> bool:
        """C6.4: return whether the tile completes a street or market with followers."""
        for place in range(self.beside_count):
            if self.crowds[place] and self.open_sides[place] and not state.open_sides[find(state, self.roots[place])]:
                return True
        return False

    def passes_turn(self, state: State) -> bool:
        """C3.1, C11.3: return whether a tile on the cell, if it scores nothing, surely leads to the next tile.

        The next tile needs a free cell that this one does not touch, which it can neither take nor shut. The boundary
        changes by the sides of the tile alone, unless it closes a pocket; this is not looked into.
        """
        if state.gate != NOTHING:
            left = gap(state)
            if not standing_of(self.spot) & HOLE:
                around = taken_around(state.spots, self.cell)
                if COUNTS[RUNS[around]] > 1:
                    return False
                left += 4 - 2 * COUNTS[around & BESIDE]
            if left < END_WHEN_GAP_BELOW:
                return False
        place = 0
        while place < self.taker_count and not is_apart(self.takers[place] - self.cell):
            place += 1
        return place < self.taker_count


ACCOUNTS: list[Account] = []  # that nobody uses just now
LAYINGS: list[Laying] = []  # likewise
AREAS_KEPT: list[Areas] = []  # likewise
TRIED: list[Events] = []  # likewise


def is_apart(step: Int) -> bool:
    """C1.4: whether a step leads to a cell that is neither the same nor one of the eight around it."""
    for near in AROUND:
        if step == near:
            return False
    return step != 0


def rate_places(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Rate the places of the drawn tile.

    With a follower at hand, the seat is asked for him next, and nothing else has happened. Without, the turn ends; what
    it may bring beside the next tile is tried out.
    """
    if not state.supply[seat] and not state.deck_count:
        try_all(state, seat, listing, ratings, weights)
        return
    after = clone(state)
    areas: Areas = AREAS_KEPT.pop() if AREAS_KEPT else Areas()
    areas.forget()
    events: Events = TRIED.pop() if TRIED else Events()
    account: Account = ACCOUNTS.pop() if ACCOUNTS else Account()
    laying: Laying = LAYINGS.pop() if LAYINGS else Laying()
    laying.open(after, seat, account, weights)
    is_plain = True
    for place in range(listing.count):
        choice = Choice(listing.codes[place])
        cell = argument_of(choice) >> 2
        if cell != laying.cell:
            laying.go_to(after, cell, account)
            is_plain = laying.has_follower > 0 or laying.passes_turn(after)
        laying.lay(after, argument_of(choice) & 3)
        if is_plain and (laying.has_follower or not laying.is_scoring(after)):
            ratings[place] = laying.rating(after, account, areas, weights)
        else:
            ratings[place] = tried(state, seat, choice, areas, events, weights)
        laying.take_up(after)
    AREAS_KEPT.append(areas)
    TRIED.append(events)
    ACCOUNTS.append(account)
    LAYINGS.append(laying)


def is_wall_next(state: State) -> bool:
    """C8.5: whether more walls follow after the open decision."""
    walls = 0
    for place in range(state.agenda_count - 1):
        walls += 1 if kind_of_step(state.agenda[place]) == ASK_WALL else 0
    return walls > 0


def rate_pieces(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Rate the sides for the gate or a wall, which is closed by it; a score is tried out, and the end of the phase."""
    if not is_wall_next(state) or gap(state) < 2 or wall_supply(state) < 2:
        try_all(state, seat, listing, ratings, weights)
        return
    after = clone(state)
    areas: Areas = AREAS_KEPT.pop() if AREAS_KEPT else Areas()
    areas.forget()
    events: Events = TRIED.pop() if TRIED else Events()
    account: Account = ACCOUNTS.pop() if ACCOUNTS else Account()
    account.open(after, weights)
    for place in range(listing.count):
        choice = Choice(listing.codes[place])
        node = node_on_side(after, side_of(state, choice))
        root = find(after, node) if node >= 0 else NOTHING
        if root == NOTHING or not after.crowds[root]:
            account.count(after, areas, False, weights)
            ratings[place] = lead(account.totals, after.seats, seat, weights)
        elif after.open_sides[root] == 1:
            ratings[place] = tried(state, seat, choice, areas, events, weights)
        else:
            after.open_sides[root] -= 1
            account.change(after, root, areas, weights)
            account.count(after, areas, False, weights)
            account.forget_changes()
            ratings[place] = lead(account.totals, after.seats, seat, weights)
            after.open_sides[root] += 1
    AREAS_KEPT.append(areas)
    TRIED.append(events)
    ACCOUNTS.append(account)


def side_of(state: State, choice: Choice) -> Int:
    """C7.5, C7.7: the side on which the gate or a wall is put."""
    if kind_of_choice(choice) == PLACE_GATE:
        return argument_of(choice)
    return next_side(state, state.ends[argument_of(choice)], argument_of(choice))


def rate_guard(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Rate a guard on the wall built last, or none, while more walls follow."""
    if not is_wall_next(state) or gap(state) < 1 or wall_supply(state) < 1:
        try_all(state, seat, listing, ratings, weights)
        return
    after = clone(state)
    areas: Areas = AREAS_KEPT.pop() if AREAS_KEPT else Areas()
    areas.forget()
    account: Account = ACCOUNTS.pop() if ACCOUNTS else Account()
    account.open(after, weights)
    account.count(after, areas, False, weights)
    without = lead(account.totals, after.seats, seat, weights)
    after.wall_guards[after.last_walls[seat]] = seat
    after.supply[seat] -= 1
    fill_in_hands(after, account.start, weights)
    account.look_along(after)
    account.count(after, areas, False, weights)
    posted = lead(account.totals, after.seats, seat, weights)
    for place in range(listing.count):
        ratings[place] = posted if kind_of_choice(Choice(listing.codes[place])) == POST_GUARD else without
    AREAS_KEPT.append(areas)
    ACCOUNTS.append(account)


def try_all(state: State, seat: Int, listing: Listing, ratings: Doubles, weights: Weights) -> None:
    """Fill in the lead after each option."""
    areas: Areas = AREAS_KEPT.pop() if AREAS_KEPT else Areas()
    areas.forget()
    events: Events = TRIED.pop() if TRIED else Events()
    for place in range(listing.count):
        ratings[place] = tried(state, seat, Choice(listing.codes[place]), areas, events, weights)
    AREAS_KEPT.append(areas)
    TRIED.append(events)


def tried(state: State, seat: Int, choice: Choice, areas: Areas, events: Events, weights: Weights) -> Float:
    """Return the lead after an option and all that follows until the next decision."""
    totals: Annotated[Doubles, MAX_SEATS] = [0.0] * MAX_SEATS
    after = clone(state)
    events.count = 0
    resolve(after, choice, events)  # every option comes from a list of legal ones
    play_on(after, events)
    add_worths(after, areas, totals, weights)
    return lead(totals, after.seats, seat, weights)
