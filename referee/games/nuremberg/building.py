"""N5.2 to N5.7: toll bars, settlements, workshops, walls and towers."""

from __future__ import annotations

from referee.game import IllegalActionError
from referee.games.nuremberg import actions as act
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import is_index
from referee.games.nuremberg.bundles import Amounts, bundle_in, covers
from referee.games.nuremberg.codes import (
    BUILD_SETTLEMENT,
    BUILD_TOLL_BAR,
    BUILD_TOWER,
    BUILD_WALL,
    BUILD_WORKSHOP,
    SETTLEMENT_BUILT,
    TOLL_BAR_BUILT,
    TOWER_BUILT,
    WALL_BUILT,
    WORKSHOP_BUILT,
    Choice,
    argument_of,
    choice_of,
)
from referee.games.nuremberg.components import Commodity, Corner, Road
from referee.games.nuremberg.council import settle_wayright
from referee.games.nuremberg.setup import check_site, is_site_free, lay_bar, settle
from referee.games.nuremberg.state import GRANT_CHIPS, State, do_next, pay, purse_of
from referee.games.nuremberg.tables import (
    SETTLEMENT_PRICE,
    TOLL_BAR_PRICE,
    TOWER_PRICE,
    WALL_PRICE,
    WORKSHOP_PRICE,
    crossing_of,
    first_site,
    open_tower_sites,
    road_length,
    road_of,
)
from referee.rows import Events, Int, Listing, bit_count, total


def price_text(cost: int) -> str:
    """N1.4: a cost in words."""
    amounts = enumerate(bundle_in(cost))
    return ", ".join([f"{amount} {Commodity(kind).name.lower()}" for kind, amount in amounts if amount])


def check_payment(state: State, seat: Int, cost: Amounts, clause: str, what: str) -> None:
    """N5.2: building pays its whole cost to the bank."""
    if not covers(purse_of(state, seat), cost):
        raise IllegalActionError(clause, f"{what} costs {price_text(cost)}")


def has_bar_left(state: State, seat: Int) -> bool:
    """N1.1: a toll bar is left in stock."""
    return total(state.bars, seat * box.ROAD_COUNT, (seat + 1) * box.ROAD_COUNT) < box.BARS_PER_PLAYER


def toll_bar_options(state: State, seat: Int, listing: Listing) -> None:
    """N5.3: any road with a free segment, if a bar is left in stock (N1.1)."""
    if not has_bar_left(state, seat):
        return
    for road in range(box.ROAD_COUNT):
        if state.bar_counts[road] < road_length(road):
            listing.add(choice_of(BUILD_TOLL_BAR, road))


def check_toll_bar(state: State, seat: Int, action: act.BuildTollBar) -> None:
    """N5.3: the road has fewer bars than segments, and the seat has a bar and its price."""
    road = action.road
    if not is_index(road, box.ROAD_COUNT):
        raise IllegalActionError("N5.3", f"there is no road {road!r}; expected 0 to {box.ROAD_COUNT - 1}")
    if state.bar_counts[road] >= box.ROAD_LENGTHS[road]:
        raise IllegalActionError("N5.3", f"all {box.ROAD_LENGTHS[road]} segments of road {Road(road).name} have a bar")
    if not has_bar_left(state, seat):
        raise IllegalActionError("N1.1", f"all {box.BARS_PER_PLAYER} toll bars are built")
    check_payment(state, seat, TOLL_BAR_PRICE, "N5.3", "a toll bar")


def build_toll_bar(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.3: the bar goes on the lowest free segment; then the wayright is settled (N6.1)."""
    road = argument_of(choice)
    pay(state, seat, TOLL_BAR_PRICE)
    segment = lay_bar(state, seat, road)
    events.tell(TOLL_BAR_BUILT, seat, road, segment)
    settle_wayright(state, seat, road, events)


def settlement_options(state: State, seat: Int, listing: Listing) -> None:
    """N5.4: free sites on roads with an own toll bar, if a settlement is left in stock (N1.1)."""
    if state.settlements[seat] >= box.SETTLEMENTS_PER_PLAYER:
        return
    for road in range(box.ROAD_COUNT):
        if state.bars[seat * box.ROAD_COUNT + road]:
            for site in range(first_site(road), first_site(road + 1)):
                if is_site_free(state, site):
                    listing.add(choice_of(BUILD_SETTLEMENT, site))


def check_settlement(state: State, seat: Int, action: act.BuildSettlement) -> None:
    """N5.4: a site of a road with an own bar, at its distance from every settlement of the same road."""
    check_site(state, action.road, action.crossing)
    if not state.bars[seat * box.ROAD_COUNT + action.road]:
        raise IllegalActionError("N5.4", f"you have no toll bar on road {Road(action.road).name}")
    if state.settlements[seat] >= box.SETTLEMENTS_PER_PLAYER:
        raise IllegalActionError("N1.1", f"all {box.SETTLEMENTS_PER_PLAYER} settlements are built")
    check_payment(state, seat, SETTLEMENT_PRICE, "N5.4", "a settlement")


def build_settlement(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.4: the settlement earns from the next harvest on."""
    site = argument_of(choice)
    pay(state, seat, SETTLEMENT_PRICE)
    settle(state, seat, site)
    events.tell(SETTLEMENT_BUILT, seat, road_of(site), crossing_of(site))


def workshop_options(state: State, seat: Int, listing: Listing) -> None:
    """N5.5: every free corner, if a workshop is left in stock (N1.1)."""
    if bit_count(state.workshops[seat]) >= box.WORKSHOPS_PER_PLAYER:
        return
    taken = taken_corners(state)
    for corner in range(box.CORNER_COUNT):
        if not taken >> corner & 1:
            listing.add(choice_of(BUILD_WORKSHOP, corner))


def taken_corners(state: State) -> Int:
    """N5.5: bit set of the corners with a workshop."""
    taken = 0
    for seat in range(state.seats):
        taken |= state.workshops[seat]
    return taken


def check_workshop(state: State, seat: Int, action: act.BuildWorkshop) -> None:
    """N5.5: the corner is free; there is no distance rule."""
    if not is_index(action.corner, box.CORNER_COUNT):
        raise IllegalActionError("N5.5", f"there is no corner {action.corner!r}; expected 0 to {box.CORNER_COUNT - 1}")
    if taken_corners(state) >> action.corner & 1:
        raise IllegalActionError("N5.5", f"corner {Corner(action.corner).name} is taken")
    if bit_count(state.workshops[seat]) >= box.WORKSHOPS_PER_PLAYER:
        raise IllegalActionError("N1.1", f"all {box.WORKSHOPS_PER_PLAYER} workshops are built")
    check_payment(state, seat, WORKSHOP_PRICE, "N5.5", "a workshop")


def build_workshop(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.5, N5.2: the workshop works immediately."""
    corner = argument_of(choice)
    pay(state, seat, WORKSHOP_PRICE)
    state.workshops[seat] |= 1 << corner
    events.tell(WORKSHOP_BUILT, seat, corner)


def wall_options(state: State, listing: Listing) -> None:
    """N5.6: one wall, if there is a place."""
    if has_wall_place(state):
        listing.add(BUILD_WALL)


def has_wall_place(state: State) -> bool:
    """N5.6: fewer walls stand than there are places."""
    return state.walls < box.WALL_PLACES


def check_wall(state: State, seat: Int, action: act.BuildWall) -> None:
    """N5.6: a place is left and the price is held; no workshop is needed."""
    if not has_wall_place(state):
        raise IllegalActionError("N5.6", f"all {box.WALL_PLACES} walls stand")
    check_payment(state, seat, WALL_PRICE, "N5.6", "a wall")


def build_wall(state: State, seat: Int, events: Events) -> None:
    """N5.6: the next wall in order, for prestige."""
    pay(state, seat, WALL_PRICE)
    state.walls += 1
    events.tell(WALL_BUILT, seat, state.walls, 0)
    do_next(state, GRANT_CHIPS, seat, box.WALL_PRESTIGE)


def tower_options(state: State, seat: Int, listing: Listing) -> None:
    """N5.7: one tower, if there is a site for this seat."""
    if has_tower_site(state, seat):
        listing.add(BUILD_TOWER)


def has_tower_site(state: State, seat: Int) -> bool:
    """N5.7: the seat has a workshop at the building yard, and an open tower site is empty."""
    return state.workshops[seat] & box.BUILDING_YARD_CORNERS != 0 and open_tower_sites(state.walls) > state.towers


def check_tower(state: State, seat: Int, action: act.BuildTower) -> None:
    """N5.7: a workshop at the building yard, an open site, the price."""
    if not state.workshops[seat] & box.BUILDING_YARD_CORNERS:
        raise IllegalActionError("N5.7", "a tower needs a workshop on a corner of the building yard")
    if open_tower_sites(state.walls) <= state.towers:
        raise IllegalActionError("N5.7", f"{state.walls} walls leave no open tower site empty")
    check_payment(state, seat, TOWER_PRICE, "N5.7", "a tower")


def build_tower(state: State, seat: Int, events: Events) -> None:
    """N5.7, N1.17: the lowest open empty site; sites are numbered as they open, so it is the next number."""
    pay(state, seat, TOWER_PRICE)
    state.towers += 1
    events.tell(TOWER_BUILT, seat, state.towers)
    do_next(state, GRANT_CHIPS, seat, box.TOWER_PRESTIGE)
