"""The state of a match: flat lists of integers, and the steps of its agenda.

Lists over seats and guilds are flat: the entry for a seat and a house (B2.1: guild number - 1) stands at
`seat * houses + house`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from referee.agenda import Agenda
from referee.clone import cloner, digester
from referee.game import Seat
from referee.games.norenberc.components import GUILD_NAMES, PANES, SHOP_TILES, TABLE_SIZES, value_of
from referee.rng import Rng


@dataclass(frozen=True, slots=True)
class AskPlan:
    """B4.3: every active seat plans, all at the same time."""


@dataclass(frozen=True, slots=True)
class CallGuilds:
    """B5.1: the next planned guild is called; with none left this step is over."""


@dataclass(frozen=True, slots=True)
class LetAct:
    """B5.3: the next seat with an agent on its card acts; with none left this step is over."""


@dataclass(frozen=True, slots=True)
class AskAction:
    """B5.4: a seat chooses what it does in the called guild."""

    house: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AskPurchase:
    """B5.8: a seat chooses the goods that it buys."""

    house: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AskPayment:
    """B5.11: a seat chooses the goods that it pays for a guest."""

    house: int
    seat: Seat
    pane: int


@dataclass(frozen=True, slots=True)
class AskTheft:
    """B6.4: a seat chooses what its Thief takes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskSwap:
    """B6.6: a seat chooses the artisans that its Guard swaps."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskStoredGood:
    """B6.7: a seat chooses the good that it puts on its Pedlar."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskMayorGuild:
    """B6.9: a seat chooses the roof for the Mayor."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GiveBonus:
    """B5.18: a seat that hired gets its bonus, and may move up on the track if it is not first."""

    house: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class AskTurnOrder:
    """B5.19: a seat that hired may move to the first place of the track."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SendToRoof:
    """B5.20: the agent of a seat that hired goes from the card to the roof."""

    house: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class EndTurn:
    """B7.1: seats without agents finish; another turn begins or the round ends."""


@dataclass(frozen=True, slots=True)
class EndRound:
    """B8: the steps at the end of a round."""


SeatStep: TypeAlias = (
    AskAction | AskPurchase | AskPayment | AskTheft | AskSwap | AskStoredGood | AskMayorGuild | AskTurnOrder
)
AskStep: TypeAlias = AskPlan | SeatStep
AutomaticStep: TypeAlias = CallGuilds | LetAct | GiveBonus | SendToRoof | EndTurn | EndRound
Step: TypeAlias = AskStep | AutomaticStep


# Steps recur all the time, so each is made once: those of one seat by seat, those in a house by house and seat.
SEATS = range(TABLE_SIZES[-1])
HOUSES = range(len(GUILD_NAMES))
ASK_PLAN = AskPlan()
CALL_GUILDS = CallGuilds()
LET_ACT = LetAct()
END_TURN = EndTurn()
END_ROUND = EndRound()
ASK_TURN_ORDER = tuple([AskTurnOrder(seat) for seat in SEATS])
ASK_ACTION = tuple([tuple([AskAction(house, seat) for seat in SEATS]) for house in HOUSES])
ASK_PURCHASE = tuple([tuple([AskPurchase(house, seat) for seat in SEATS]) for house in HOUSES])
GIVE_BONUS = tuple([tuple([GiveBonus(house, seat) for seat in SEATS]) for house in HOUSES])
SEND_TO_ROOF = tuple([tuple([SendToRoof(house, seat) for seat in SEATS]) for house in HOUSES])


@dataclass(slots=True)
class State:
    """Everything there is to know about a match, hidden things included.

    B0.2: an agent is in its owner's reserve or supply, on a card or on a roof. B0.4: what is in the box stays there.
    """

    seats: int
    houses: int
    round: int  # 1 … 4
    turn: int  # from 1 in each round (B3.5)
    called: int  # the house that was called last in this turn, -1 before the first
    revealed_count: int  # how many revealed the card of the called guild (B5.9)
    guest_in_use: int  # the citizen whose decision is open: it has left its window and is nowhere else yet
    prestige_house: int  # the prestige guild of this round
    prestige_placed: int  # 1 while the prestige blazon lies at the prestige guild
    prestige_stock: int
    prestige_boxed: int
    track: list[int]  # seats, first place first
    finished: list[int]  # per seat, 1 when the token shows the moon
    talers: list[int]  # per seat
    known_talers: list[int]  # per seat, the last total that everybody saw
    known_rounds: list[int]  # per seat, the round at whose end that was, 0 for the set-up
    supply: list[int]  # per seat: agents ready to be used
    reserve: list[int]  # per seat: agents not yet acquired
    on_card: list[int]  # per seat: agents on the revealed card
    on_roofs: list[int]  # seat x house: agents
    planned: list[int]  # per seat: cards planned this turn
    plans: list[int]  # per seat: bit set of the houses planned and not yet called
    loose: list[int]  # seat x house: goods that lie on no Pedlar (B0.3)
    pedlars: list[int]  # seat x house: Pedlars, each with one good of that type stored on it
    owned_tiles: list[int]  # artisans and citizens in front of players, in the order they were taken
    owned_by: list[int]  # the seat that owns each of them
    blazons: list[int]  # seat x house: guild blazons owned
    prestige: list[int]  # per seat: prestige blazons owned
    shops: list[int]  # house x (S1 S2 S3 S4 U)
    lodgings: list[int]  # house x (A B C D)
    stores: list[int]  # house x good: goods in the storehouses
    stacks: list[int]  # per house: guild blazons left
    mayors: list[int]  # per house: Mayors on the roof
    pile: list[int]  # the guest pile, its top last
    returned: list[int]  # citizens that everybody knows to be in the pile, as they came back (B12.2)
    discards: list[int]  # tiles that went to the box face up
    boxed: list[int]  # citizens put into the box unseen at set-up
    agenda: Agenda[Step]
    rng: Rng  # shuffles the guest pile


@lru_cache(maxsize=4096)
def step_name(step: Step) -> str:
    """Return a step as its fingerprint has it; there are few, so each is spelt once."""
    return repr(step)


clone = cloner(State)
digest = digester(State, step_name, exact=True)


def master(state: State, house: int) -> int:
    """B2.5: the guild master of this round, S_r."""
    return state.shops[house * SHOP_TILES + state.round - 1]


def price(state: State, house: int) -> int:
    """B5.5: what one good of any type costs and brings in a guild now."""
    return value_of(state.shops[house * SHOP_TILES + state.round - 1])


def goods_of(state: State, seat: Seat) -> list[int]:
    """B0.8: the goods vector of a seat's loose goods."""
    start = seat * state.houses
    return state.loose[start : start + state.houses]


def store_of(state: State, house: int) -> list[int]:
    """B1.2: the goods vector of a guild's storehouse."""
    start = house * state.houses
    return state.stores[start : start + state.houses]


def lodging_of(state: State, house: int) -> list[int]:
    """B1.2: the guests in the windows A … D of a guild."""
    start = house * PANES
    return state.lodgings[start : start + PANES]


def agents_on_roof(state: State, house: int) -> int:
    """B5.18: how many agents, of all players, stand on a guild's roof."""
    return sum(state.on_roofs[house :: state.houses])


def gain_agent(state: State, seat: Seat) -> bool:
    """B5.17: move one agent from reserve to supply; return whether there was one."""
    if not state.reserve[seat]:
        return False
    state.reserve[seat] -= 1
    state.supply[seat] += 1
    return True
