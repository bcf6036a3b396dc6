"""The state of a match: numbers and flat rows of numbers, and the steps of its agenda as codes.

Rows over seats and guilds are flat: the entry for a seat and a house (B2.1: guild number - 1) stands at
`seat * houses + house`. A row has room for the largest table; what is used of it depends on seats, houses and counts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, NewType

from referee.fingerprint import fingerprint_of, told
from referee.games.norenberc.components import PANES, SHOP_TILES, value_of
from referee.rows import Dice, Int, Shorts, Smalls, cloner, packed

SEATS = 5
HOUSES = 6
TILES = 96  # room for all tiles of the box
AGENDA = 16  # room for the steps to come

Step = NewType("Step", int)
"""What happens in a step of the agenda: one of the following."""

ASK_PLAN = Step(0)  # B4.3: every active seat plans, all at the same time
ASK_ACTION = Step(1)  # B5.4: a seat chooses what it does in the called guild
ASK_PURCHASE = Step(2)  # B5.8: a seat chooses the goods that it buys
ASK_PAYMENT = Step(3)  # B5.11: a seat chooses the goods that it pays for a guest
ASK_THEFT = Step(4)  # B6.4: a seat chooses what its Thief takes
ASK_SWAP = Step(5)  # B6.6: a seat chooses the artisans that its Guard swaps
ASK_STORED_GOOD = Step(6)  # B6.7: a seat chooses the good that it puts on its Pedlar
ASK_MAYOR_GUILD = Step(7)  # B6.9: a seat chooses the roof for the Mayor
ASK_TURN_ORDER = Step(8)  # B5.19: a seat that hired may move to the first place of the track
CALL_GUILDS = Step(9)  # B5.1: the next planned guild is called; with none left this step is over
LET_ACT = Step(10)  # B5.3: the next seat with an agent on its card acts; with none left this step is over
GIVE_BONUS = Step(11)  # B5.18: a seat that hired gets its bonus, and may move up on the track if it is not first
SEND_TO_ROOF = Step(12)  # B5.20: the agent of a seat that hired goes from the card to the roof
END_TURN = Step(13)  # B7.1: seats without agents finish; another turn begins or the round ends
END_ROUND = Step(14)  # B8: the steps at the end of a round
FIRST_AUTOMATIC = CALL_GUILDS  # the steps before it ask
IN_A_HOUSE = (ASK_ACTION, ASK_PURCHASE, ASK_PAYMENT, GIVE_BONUS, SEND_TO_ROOF)
OF_NO_SEAT = (ASK_PLAN, CALL_GUILDS, LET_ACT, END_TURN, END_ROUND)
STEP_NAMES = (
    "AskPlan", "AskAction", "AskPurchase", "AskPayment", "AskTheft", "AskSwap", "AskStoredGood", "AskMayorGuild",
    "AskTurnOrder", "CallGuilds", "LetAct", "GiveBonus", "SendToRoof", "EndTurn", "EndRound",
)  # fmt: skip


class State(Dice):
    """Everything there is to know about a match, hidden things included; its dice shuffle the guest pile.

    B0.2: an agent is in its owner's reserve or supply, on a card or on a roof. B0.4: what is in the box stays there.
    """

    seats: Int
    houses: Int
    round: Int  # 1 … 4
    turn: Int  # from 1 in each round (B3.5)
    called: Int  # the house that was called last in this turn, -1 before the first
    revealed_count: Int  # how many revealed the card of the called guild (B5.9)
    guest_in_use: Int  # the citizen whose decision is open: it has left its window and is nowhere else yet
    prestige_house: Int  # the prestige guild of this round
    prestige_placed: Int  # 1 while the prestige blazon lies at the prestige guild
    prestige_stock: Int
    prestige_boxed: Int
    track: Annotated[Smalls, SEATS]  # seats, first place first
    finished: Annotated[Smalls, SEATS]  # per seat, 1 when the token shows the moon
    talers: Annotated[Shorts, SEATS]  # per seat
    known_talers: Annotated[Shorts, SEATS]  # per seat, the last total that everybody saw
    known_rounds: Annotated[Smalls, SEATS]  # per seat, the round at whose end that was, 0 for the set-up
    supply: Annotated[Smalls, SEATS]  # per seat: agents ready to be used
    reserve: Annotated[Smalls, SEATS]  # per seat: agents not yet acquired
    on_card: Annotated[Smalls, SEATS]  # per seat: agents on the revealed card
    on_roofs: Annotated[Smalls, SEATS * HOUSES]  # seat x house: agents
    planned: Annotated[Smalls, SEATS]  # per seat: cards planned this turn
    plans: Annotated[Smalls, SEATS]  # per seat: bit set of the houses planned and not yet called
    loose: Annotated[Smalls, SEATS * HOUSES]  # seat x house: goods that lie on no Pedlar (B0.3)
    pedlars: Annotated[Smalls, SEATS * HOUSES]  # seat x house: Pedlars, each with one good of that type stored on it
    owned_count: Int
    owned_tiles: Annotated[Shorts, TILES]  # artisans and citizens in front of players, in the order they were taken
    owned_by: Annotated[Smalls, TILES]  # the seat that owns each of them
    blazons: Annotated[Smalls, SEATS * HOUSES]  # seat x house: guild blazons owned
    prestige: Annotated[Smalls, SEATS]  # per seat: prestige blazons owned
    shops: Annotated[Shorts, HOUSES * SHOP_TILES]  # house x (S1 S2 S3 S4 U)
    lodgings: Annotated[Shorts, HOUSES * PANES]  # house x (A B C D)
    stores: Annotated[Smalls, HOUSES * HOUSES]  # house x good: goods in the storehouses
    stacks: Annotated[Smalls, HOUSES]  # per house: guild blazons left
    mayors: Annotated[Smalls, HOUSES]  # per house: Mayors on the roof
    pile_count: Int
    pile: Annotated[Shorts, TILES]  # the guest pile, its top last
    returned_count: Int
    returned: Annotated[Shorts, TILES]  # citizens that everybody knows to be in the pile, as they came back (B12.2)
    discard_count: Int
    discards: Annotated[Shorts, TILES]  # tiles that went to the box face up
    boxed_count: Int
    boxed: Annotated[Shorts, TILES]  # citizens put into the box unseen at set-up
    agenda_count: Int
    agenda: Annotated[Smalls, AGENDA]  # the steps to come, the next one last
    step_houses: Annotated[Smalls, AGENDA]  # the house that each concerns, or 0
    step_seats: Annotated[Smalls, AGENDA]  # the seat that each concerns, or 0
    step_panes: Annotated[Smalls, AGENDA]  # the window that is paid for, or 0


clone = cloner(State)


def do_next(state: State, step: Step, house: Int = 0, seat: Int = 0, pane: Int = 0) -> None:
    """Put a step before everything else."""
    place = state.agenda_count
    state.agenda[place] = step
    state.step_houses[place] = house
    state.step_seats[place] = seat
    state.step_panes[place] = pane
    state.agenda_count = place + 1


@lru_cache(maxsize=4096)
def step_name(step: int, house: int, seat: int, pane: int) -> str:
    """Return a step as its fingerprint has it; there are few, so each is spelt once."""
    parts = []
    if step in IN_A_HOUSE:
        parts.append(f"house={house}")
    if step not in OF_NO_SEAT:
        parts.append(f"seat={seat}")
    if step == ASK_PAYMENT:
        parts.append(f"pane={pane}")
    return f"{STEP_NAMES[step]}({', '.join(parts)})"


def digest(state: State) -> str:
    """Return a fingerprint of the whole state: its fields, each as long as it is used."""
    seats: Int = state.seats
    houses: Int = state.houses
    numbers = [
        state.seats,
        state.houses,
        state.round,
        state.turn,
        state.called,
        state.revealed_count,
        state.guest_in_use,
        state.prestige_house,
        state.prestige_placed,
        state.prestige_stock,
        state.prestige_boxed,
        packed(state.track, 0, seats),
        packed(state.finished, 0, seats),
        packed(state.talers, 0, seats),
        packed(state.known_talers, 0, seats),
        packed(state.known_rounds, 0, seats),
        packed(state.supply, 0, seats),
        packed(state.reserve, 0, seats),
        packed(state.on_card, 0, seats),
        packed(state.on_roofs, 0, seats * houses),
        packed(state.planned, 0, seats),
        packed(state.plans, 0, seats),
        packed(state.loose, 0, seats * houses),
        packed(state.pedlars, 0, seats * houses),
        packed(state.owned_tiles, 0, state.owned_count),
        packed(state.owned_by, 0, state.owned_count),
        packed(state.blazons, 0, seats * houses),
        packed(state.prestige, 0, seats),
        packed(state.shops, 0, houses * SHOP_TILES),
        packed(state.lodgings, 0, houses * PANES),
        packed(state.stores, 0, houses * houses),
        packed(state.stacks, 0, houses),
        packed(state.mayors, 0, houses),
        packed(state.pile, 0, state.pile_count),
        packed(state.returned, 0, state.returned_count),
        packed(state.discards, 0, state.discard_count),
        packed(state.boxed, 0, state.boxed_count),
    ]
    agenda = [
        step_name(state.agenda[at], state.step_houses[at], state.step_seats[at], state.step_panes[at])
        for at in range(state.agenda_count)
    ]
    return fingerprint_of(f"({told(id(state), numbers)}, {agenda!r}, {state.word})")


def master(state: State, house: Int) -> Int:
    """B2.5: the guild master of this round, S_r."""
    return state.shops[house * SHOP_TILES + state.round - 1]


def price(state: State, house: Int) -> Int:
    """B5.5: what one good of any type costs and brings in a guild now."""
    return value_of(state.shops[house * SHOP_TILES + state.round - 1])


def goods_count(state: State, seat: Int) -> Int:
    """B0.8: how many loose goods a seat has."""
    total = 0
    for place in range(seat * state.houses, seat * state.houses + state.houses):
        total += state.loose[place]
    return total


def agents_on_roof(state: State, house: Int) -> Int:
    """B5.18: how many agents, of all players, stand on a guild's roof."""
    total = 0
    for seat in range(state.seats):
        total += state.on_roofs[seat * state.houses + house]
    return total


def take_tile(state: State, seat: Int, tile: Int) -> None:
    """B5.16: put a tile in front of a player."""
    state.owned_tiles[state.owned_count] = tile
    state.owned_by[state.owned_count] = seat
    state.owned_count += 1


def discard(state: State, tile: Int) -> None:
    """B8.6: put a tile into the box, face up."""
    state.discards[state.discard_count] = tile
    state.discard_count += 1
