"""N5.2 to N5.7: toll bars, settlements, workshops, walls and towers."""

from __future__ import annotations

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import actions as act
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import is_index
from referee.games.nuremberg.components import Commodity, Corner, Cost, Road
from referee.games.nuremberg.council import settle_wayright
from referee.games.nuremberg.events import Event, SettlementBuilt, TollBarBuilt, TowerBuilt, WallBuilt, WorkshopBuilt
from referee.games.nuremberg.setup import check_site, is_site_free, lay_bar, settle
from referee.games.nuremberg.state import GrantChips, State, can_pay, pay

TOLL_BARS = tuple(act.BuildTollBar(road) for road in Road)
SETTLEMENTS = tuple(
    act.BuildSettlement(Road(road), crossing) for road, crossing in zip(box.SITE_ROADS, box.SITE_CROSSINGS, strict=True)
)
WORKSHOPS = tuple(act.BuildWorkshop(corner) for corner in Corner)
WALL = act.BuildWall()
TOWER = act.BuildTower()


def price_text(cost: Cost) -> str:
    """N1.4: a cost in words."""
    return ", ".join(f"{amount} {Commodity(kind).name.lower()}" for kind, amount in cost)


def check_payment(state: State, seat: Seat, cost: Cost, clause: str, what: str) -> None:
    """N5.2: building pays its whole cost to the bank."""
    if not can_pay(state, seat, cost):
        raise IllegalActionError(clause, f"{what} costs {price_text(cost)}")


def toll_bar_options(state: State, seat: Seat) -> list[act.BuildTollBar]:
    """N5.3: any road with a free segment, if a bar is left in stock (N1.1)."""
    bars = state.bars[seat * box.ROAD_COUNT : (seat + 1) * box.ROAD_COUNT]
    if sum(bars) >= box.BARS_PER_PLAYER:
        return []
    return [TOLL_BARS[road] for road in range(box.ROAD_COUNT) if state.bar_counts[road] < box.ROAD_LENGTHS[road]]


def check_toll_bar(state: State, seat: Seat, action: act.BuildTollBar) -> None:
    """N5.3: the road has fewer bars than segments, and the seat has a bar and its price."""
    road = action.road
    if not is_index(road, box.ROAD_COUNT):
        raise IllegalActionError("N5.3", f"there is no road {road!r}; expected 0 to {box.ROAD_COUNT - 1}")
    if state.bar_counts[road] >= box.ROAD_LENGTHS[road]:
        raise IllegalActionError("N5.3", f"all {box.ROAD_LENGTHS[road]} segments of road {Road(road).name} have a bar")
    if sum(state.bars[seat * box.ROAD_COUNT : (seat + 1) * box.ROAD_COUNT]) >= box.BARS_PER_PLAYER:
        raise IllegalActionError("N1.1", f"all {box.BARS_PER_PLAYER} toll bars are built")
    check_payment(state, seat, box.TOLL_BAR_COST, "N5.3", "a toll bar")


def build_toll_bar(state: State, seat: Seat, action: act.BuildTollBar, events: list[Event]) -> None:
    """N5.3: the bar goes on the lowest free segment; then the wayright is settled (N6.1)."""
    pay(state, seat, box.TOLL_BAR_COST)
    segment = lay_bar(state, seat, action.road)
    events.append(TollBarBuilt(seat, Road(action.road), segment))
    settle_wayright(state, seat, action.road, events)


def settlement_options(state: State, seat: Seat) -> list[act.BuildSettlement]:
    """N5.4: free sites on roads with an own toll bar, if a settlement is left in stock (N1.1)."""
    if state.settlements[seat] >= box.SETTLEMENTS_PER_PLAYER:
        return []
    return [
        SETTLEMENTS[site]
        for road in range(box.ROAD_COUNT)
        if state.bars[seat * box.ROAD_COUNT + road]
        for site in box.ROAD_SITES[road]
        if is_site_free(state, site)
    ]


def check_settlement(state: State, seat: Seat, action: act.BuildSettlement) -> None:
    """N5.4: a site of a road with an own bar, at its distance from every settlement of the same road."""
    check_site(state, action.road, action.crossing)
    if not state.bars[seat * box.ROAD_COUNT + action.road]:
        raise IllegalActionError("N5.4", f"you have no toll bar on road {Road(action.road).name}")
    if state.settlements[seat] >= box.SETTLEMENTS_PER_PLAYER:
        raise IllegalActionError("N1.1", f"all {box.SETTLEMENTS_PER_PLAYER} settlements are built")
    check_payment(state, seat, box.SETTLEMENT_COST, "N5.4", "a settlement")


def build_settlement(state: State, seat: Seat, action: act.BuildSettlement, events: list[Event]) -> None:
    """N5.4: the settlement earns from the next harvest on."""
    pay(state, seat, box.SETTLEMENT_COST)
    settle(state, seat, box.ROAD_STARTS[action.road] + action.crossing - 1)
    events.append(SettlementBuilt(seat, Road(action.road), action.crossing))


def workshop_options(state: State, seat: Seat) -> list[act.BuildWorkshop]:
    """N5.5: every free corner, if a workshop is left in stock (N1.1)."""
    if state.workshops[seat].bit_count() >= box.WORKSHOPS_PER_PLAYER:
        return []
    taken = _taken_corners(state)
    return [WORKSHOPS[corner] for corner in range(box.CORNER_COUNT) if not taken >> corner & 1]


def _taken_corners(state: State) -> int:
    taken = 0
    for corners in state.workshops:
        taken |= corners
    return taken


def check_workshop(state: State, seat: Seat, action: act.BuildWorkshop) -> None:
    """N5.5: the corner is free; there is no distance rule."""
    if not is_index(action.corner, box.CORNER_COUNT):
        raise IllegalActionError("N5.5", f"there is no corner {action.corner!r}; expected 0 to {box.CORNER_COUNT - 1}")
    if _taken_corners(state) >> action.corner & 1:
        raise IllegalActionError("N5.5", f"corner {Corner(action.corner).name} is taken")
    if state.workshops[seat].bit_count() >= box.WORKSHOPS_PER_PLAYER:
        raise IllegalActionError("N1.1", f"all {box.WORKSHOPS_PER_PLAYER} workshops are built")
    check_payment(state, seat, box.WORKSHOP_COST, "N5.5", "a workshop")


def build_workshop(state: State, seat: Seat, action: act.BuildWorkshop, events: list[Event]) -> None:
    """N5.5, N5.2: the workshop works immediately."""
    pay(state, seat, box.WORKSHOP_COST)
    state.workshops[seat] |= 1 << action.corner
    events.append(WorkshopBuilt(seat, Corner(action.corner)))


def has_wall_place(state: State) -> bool:
    """N5.6: fewer walls stand than there are places."""
    return state.walls < box.WALL_PLACES


def check_wall(state: State, seat: Seat, action: act.BuildWall) -> None:
    """N5.6: a place is left and the price is held; no workshop is needed."""
    if not has_wall_place(state):
        raise IllegalActionError("N5.6", f"all {box.WALL_PLACES} walls stand")
    check_payment(state, seat, box.WALL_COST, "N5.6", "a wall")


def build_wall(state: State, seat: Seat, action: act.BuildWall, events: list[Event]) -> None:
    """N5.6: the next wall in order, for prestige."""
    pay(state, seat, box.WALL_COST)
    state.walls += 1
    events.append(WallBuilt(seat, state.walls, is_free_of_brick=False))
    state.agenda.then(GrantChips(seat, box.WALL_PRESTIGE))


def has_tower_site(state: State, seat: Seat) -> bool:
    """N5.7: the seat has a workshop at the building yard, and an open tower site is empty."""
    return bool(state.workshops[seat] & box.BUILDING_YARD_CORNERS) and box.OPEN_TOWER_SITES[state.walls] > state.towers


def check_tower(state: State, seat: Seat, action: act.BuildTower) -> None:
    """N5.7: a workshop at the building yard, an open site, the price."""
    if not state.workshops[seat] & box.BUILDING_YARD_CORNERS:
        raise IllegalActionError("N5.7", "a tower needs a workshop on a corner of the building yard")
    if box.OPEN_TOWER_SITES[state.walls] <= state.towers:
        raise IllegalActionError("N5.7", f"{state.walls} walls leave no open tower site empty")
    check_payment(state, seat, box.TOWER_COST, "N5.7", "a tower")


def build_tower(state: State, seat: Seat, action: act.BuildTower, events: list[Event]) -> None:
    """N5.7, N1.17: the lowest open empty site; sites are numbered as they open, so it is the next number."""
    pay(state, seat, box.TOWER_COST)
    state.towers += 1
    events.append(TowerBuilt(seat, state.towers))
    state.agenda.then(GrantChips(seat, box.TOWER_PRESTIGE))
