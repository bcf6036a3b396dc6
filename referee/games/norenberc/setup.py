"""B2 Set-up: the houses, the players and the guest pile at the start of a match."""

from __future__ import annotations

from referee.game import Seat
from referee.games.norenberc import components as box
from referee.games.norenberc.pile import draw_guest
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.state import ASK_PLAN, State, do_next
from referee.rng import seeded
from referee.rows import Int


def set_up(seats: int, seed: int) -> State:
    """B2.10: lay out a match; chance falls in the order citizens, turn order, shops, guest pile.

    What is not named here is 0 and empty.
    """
    root = seeded(seed)
    houses = box.GUILDS_BY_SEATS[seats]
    citizens, boxed = _deal_citizens(seats, seed)
    track: list[Seat] = list(range(seats))
    root.fork("turn_order").shuffle(track)  # B2.4
    shops, pile = _deal_shops(houses, seed)
    pile += citizens  # B2.6
    rng = root.fork("guest_pile")
    rng.shuffle(pile)
    state = State(
        word=rng.word,
        seats=seats,
        houses=houses,
        round=1,
        turn=1,
        called=-1,
        prestige_house=-1,
        prestige_stock=box.PRESTIGE_BLAZONS,
        track=track,
        talers=[box.START_TALERS] * seats,
        known_talers=[box.START_TALERS] * seats,
        supply=[box.START_AGENTS] * seats,
        reserve=[box.AGENTS_PER_PLAYER - box.START_AGENTS] * seats,
        loose=[box.START_GOODS] * (seats * houses),
        shops=shops,
        stores=_fill_stores(seats, houses),
        stacks=[box.BLAZONS_PER_GUILD] * houses,
        pile_count=len(pile),
        pile=pile,
        boxed_count=len(boxed),
        boxed=boxed,
    )
    do_next(state, ASK_PLAN)
    _fill_lodgings(state)
    name_prestige_guild(state)
    return state


def _deal_citizens(seats: int, seed: int) -> tuple[list[int], list[int]]:
    """B2.2: draw citizens unseen; return those in play and those put into the box."""
    citizens = list(box.CITIZENS)
    seeded(seed).fork("citizens").shuffle(citizens)
    drawn = box.CITIZENS_BY_SEATS[seats]
    return citizens[:drawn], citizens[drawn:]


def _deal_shops(houses: int, seed: int) -> tuple[list[int], list[int]]:
    """B2.5: five artisans for every shop, as S1 S2 S3 S4 U; return the shops and the artisans left over.

    The fourth draw lies under the fifth: it is U, and the fifth is S4.
    """
    shops: list[int] = []
    rest: list[int] = []
    for house in range(houses):
        artisans = list(box.ARTISANS[house])
        seeded(seed).fork(f"shop_{house + 1}").shuffle(artisans)
        first, second, third, under, fourth = artisans[: box.SHOP_TILES]
        shops += [first, second, third, fourth, under]
        rest += artisans[box.SHOP_TILES :]
    return shops, rest


def _fill_stores(seats: int, houses: int) -> list[int]:
    """B2.3: every storehouse holds its guild's goods but for those that the players start with."""
    stores = [0] * (houses * houses)
    for house in range(houses):
        stores[house * houses + house] = box.GOODS_PER_GUILD - seats * box.START_GOODS
    return stores


def _fill_lodgings(state: State) -> None:
    """B2.7: three guests into the windows B, C and D of every guild; A stays empty in round 1."""
    for house in range(state.houses):
        for pane in box.FIRST_PANES:
            window: Int = house * box.PANES + pane
            state.lodgings[window] = draw_guest(state)
