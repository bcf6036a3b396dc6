"""B2 Set-up: the houses, the players and the guest pile at the start of a match."""

from __future__ import annotations

from typing import Annotated

from referee.games.norenberc.components import (
    AGENTS_PER_PLAYER,
    ARTISAN_TILES,
    ARTISANS_OF_A_GUILD,
    BLAZONS_PER_GUILD,
    CITIZEN_COUNT,
    CITIZEN_TILES,
    CITIZENS_BY_SEATS,
    FIRST_PANES,
    GOODS_PER_GUILD,
    GUILDS_BY_SEATS,
    PANES,
    PRESTIGE_BLAZONS,
    SHOP_TILES,
    START_AGENTS,
    START_GOODS,
    START_TALERS,
    UNDER_TILE,
)
from referee.games.norenberc.pile import draw_guest
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.state import ASK_PLAN, SEATS, TILES, State, do_next
from referee.rng import Rng, seeded
from referee.rows import Dice, Int, Shorts, shuffle_part

LAST_SHOP_TILE = SHOP_TILES - 2  # S4


def set_up(seats: int, seed: int) -> State:
    """B2.10: lay out a match; chance falls in the order citizens, turn order, shops, guest pile.

    What is not named here is 0 and empty.
    """
    root = seeded(seed)
    state = State()
    state.seats = seats
    state.houses = GUILDS_BY_SEATS[seats]
    state.round = 1
    state.turn = 1
    state.called = -1
    state.prestige_house = -1
    state.prestige_stock = PRESTIGE_BLAZONS
    equip_seats(state)
    fill_stores(state)
    lay_track(state, root)
    deal_shops(state, root)
    deal_citizens(state, CITIZENS_BY_SEATS[seats], root)
    state.word = root.fork("guest_pile").word
    shuffle_part(state.pile, 0, state.pile_count, state)  # B2.6
    do_next(state, ASK_PLAN)
    fill_lodgings(state)
    name_prestige_guild(state)
    return state


def equip_seats(state: State) -> None:
    """B2.8: what every player starts with."""
    for seat in range(state.seats):
        state.talers[seat] = START_TALERS
        state.known_talers[seat] = START_TALERS
        state.supply[seat] = START_AGENTS
        state.reserve[seat] = AGENTS_PER_PLAYER - START_AGENTS
    for place in range(state.seats * state.houses):
        state.loose[place] = START_GOODS


def fill_stores(state: State) -> None:
    """B2.3: every storehouse holds its guild's goods but for those that the players start with."""
    for house in range(state.houses):
        state.stores[house * state.houses + house] = GOODS_PER_GUILD - state.seats * START_GOODS
        state.stacks[house] = BLAZONS_PER_GUILD


def lay_track(state: State, root: Rng) -> None:
    """B2.4: the order of the seats is drawn."""
    seats: Annotated[Shorts, SEATS] = [0] * SEATS
    for seat in range(state.seats):
        seats[seat] = seat
    shuffle_named(seats, state.seats, root, "turn_order")
    for seat in range(state.seats):
        state.track[seat] = seats[seat]


def deal_shops(state: State, root: Rng) -> None:
    """B2.5: five artisans for every shop, as S1 S2 S3 S4 U; the others are in the guest pile.

    The fourth draw lies under the fifth: it is U, and the fifth is S4.
    """
    artisans: Annotated[Shorts, TILES] = [0] * TILES
    for house in range(state.houses):
        for place in range(ARTISANS_OF_A_GUILD):
            artisans[place] = ARTISAN_TILES[house * ARTISANS_OF_A_GUILD + place]
        shuffle_named(artisans, ARTISANS_OF_A_GUILD, root, f"shop_{house + 1}")
        for place in range(LAST_SHOP_TILE):
            state.shops[house * SHOP_TILES + place] = artisans[place]
        state.shops[house * SHOP_TILES + UNDER_TILE] = artisans[LAST_SHOP_TILE]
        state.shops[house * SHOP_TILES + LAST_SHOP_TILE] = artisans[LAST_SHOP_TILE + 1]
        for place in range(SHOP_TILES, ARTISANS_OF_A_GUILD):
            state.pile[state.pile_count] = artisans[place]
            state.pile_count += 1


def deal_citizens(state: State, drawn: Int, root: Rng) -> None:
    """B2.2: draw citizens unseen for the guest pile; the others are put into the box."""
    citizens: Annotated[Shorts, TILES] = [0] * TILES
    for place in range(CITIZEN_COUNT):
        citizens[place] = CITIZEN_TILES[place]
    shuffle_named(citizens, CITIZEN_COUNT, root, "citizens")
    for place in range(drawn):
        state.pile[state.pile_count] = citizens[place]
        state.pile_count += 1
    for place in range(drawn, CITIZEN_COUNT):
        state.boxed[state.boxed_count] = citizens[place]
        state.boxed_count += 1


def shuffle_named(tiles: Shorts, count: Int, root: Rng, name: str) -> None:
    """B2.10: put the first numbers of a row into a random order, by dice that are forked by this name."""
    dice = Dice()
    dice.word = root.fork(name).word
    shuffle_part(tiles, 0, count, dice)


def fill_lodgings(state: State) -> None:
    """B2.7: three guests into the windows B, C and D of every guild; A stays empty in round 1."""
    for house in range(state.houses):
        for pane in FIRST_PANES:
            window: Int = house * PANES + pane
            state.lodgings[window] = draw_guest(state)
