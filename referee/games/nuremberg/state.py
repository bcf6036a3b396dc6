"""The state of a match: plain data, the steps that can stand on its agenda, copying and fingerprint."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from referee.agenda import Agenda
from referee.clone import Untold, cloner, digester
from referee.game import Seat
from referee.games.nuremberg.actions import Bundle, SeatNumber
from referee.games.nuremberg.components import COMMODITY_COUNT, RESOURCE_COUNT, Cost
from referee.rng import Rng
from referee.setting import option


class SetUp(IntEnum):
    """N2.1: the fixed set-up for beginners, or free placement."""

    BEGINNER = 0
    ADVANCED = 1


@dataclass(frozen=True, slots=True)
class Options:
    """N2.1: how a match can differ from the standard game; the number of players and the seed belong to the match."""

    setup: SetUp = option(  # noqa: RUF009 - declares a field
        SetUp.BEGINNER, "the fixed set-up for beginners, or free placement of settlements"
    )
    start_player: str = option(
        "auto", "who begins: drawn (auto) or a seat number", choices=("auto", "0", "1", "2", "3")
    )
    colors: str = option(
        "white,red,blue,orange", "the colours of seats 0, 1, 2, …; with three players orange is left out of the list"
    )


class Ending(IntEnum):
    """N7: how a match ended."""

    VICTORY = 1
    TIME = 2


class ReplyKind(IntEnum):
    """N5.17: how an opponent answered a proposal."""

    DECLINE = 0
    ACCEPT = 1
    COUNTER = 2


@dataclass(frozen=True, slots=True)
class Reply:
    """N5.17: one opponent's answer; the bundles are those of the trade it stands for (empty when declined)."""

    seat: SeatNumber
    kind: ReplyKind
    give: Bundle
    want: Bundle


@dataclass(frozen=True, slots=True)
class AskPlacement:
    """N2.6: a seat places a toll bar and a settlement; the second one will pay its starting cards."""

    seat: Seat
    is_second: bool


@dataclass(frozen=True, slots=True)
class FinishSetup:
    """N2.7, N2.8: deal the starting cards and the wayrights."""


@dataclass(frozen=True, slots=True)
class StartTurn:
    """N3.1: the active player's turn begins."""


@dataclass(frozen=True, slots=True)
class OfferFreeWall:
    """N4.4: a seat may build a wall without brick, if it can pay."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskDiscards:
    """N4.6.1: these seats hold too many cards and discard together."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class AskRobberMove:
    """N4.6.2: the active player moves the robber."""


@dataclass(frozen=True, slots=True)
class AskRobbery:
    """N4.6.3: the active player may rob an opponent."""


@dataclass(frozen=True, slots=True)
class MainPhase:
    """N3.7: the active player takes main actions until it ends its turn."""


@dataclass(frozen=True, slots=True)
class AskReply:
    """N5.17: an opponent answers the open proposal, knowing the earlier replies."""

    seat: Seat
    give: Bundle
    want: Bundle
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class AskPick:
    """N5.18: the active player picks among the replies."""

    give: Bundle
    want: Bundle
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class GrantChips:
    """N6.2: a seat receives prestige chips, one at a time."""

    seat: Seat
    chip_count: int


@dataclass(frozen=True, slots=True)
class AskCouncilSwap:
    """N6.2.2: a seat may exchange council cards with a player who has fewer chips."""

    seat: Seat


Step: TypeAlias = (
    AskPlacement | FinishSetup | StartTurn | OfferFreeWall | AskDiscards | AskRobberMove | AskRobbery | MainPhase
    | AskReply | AskPick | GrantChips | AskCouncilSwap
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Draw:
    """N10.5: a card drawn from a hand, with what these two hands must have held until then; all amounts are five."""

    victim: Seat
    taker: Seat
    kind: int
    victim_hand: tuple[int, ...]  # just before
    victim_lows: tuple[int, ...]  # its entries of `lows` just before
    taker_lows: tuple[int, ...]


@dataclass(slots=True)
class State:
    """Everything there is; owners are seats, -1 stands for nobody.

    `draws` and `lows` are what the table remembers (N10.5): views depend on them, play does not.
    """

    seats: int
    setup: SetUp
    colors: tuple[int, ...]  # N2.1: the colour of each seat
    agenda: Agenda[Step]
    deck_rng: Rng  # shuffles of the event deck
    card_rng: Rng  # random cards out of hands
    first_seat: Seat
    active: Seat
    turn: int  # turns begun
    year: int  # field of the time track, 0 for the start
    card: int  # the event card drawn last, -1 before the first
    robber: int  # landscape
    walls: int
    towers: int
    main_actions: int  # N8.2: taken this turn
    proposals: int  # N8.3: made this turn
    ending: Ending | None
    deck: list[int]  # the first is drawn next
    discard: list[int]  # the last was drawn last
    bank: list[int]  # six commodities
    hands: list[int]  # six commodities for each seat
    bar_owners: list[int]  # segments of road I, then II, …
    bar_counts: list[int]  # bars lying on each road
    bars: list[int]  # bars of each seat on each road: five for each seat
    site_owners: list[int]  # sites of road I, then II, …
    starting_sites: list[int]  # per seat: the site that pays its starting cards, -1 until it is placed
    settlements: list[int]  # built, per seat
    workshops: list[int]  # corners of each seat as bits
    wayrights: list[int]  # holder for each road
    council: list[int]  # holder of each council card
    prestige: list[int]  # chips of each seat
    draws: Untold[list[Draw]]  # all cards drawn from hands, the last one last
    lows: Untold[list[int]]  # as `hands`: the least each was since its seat's last draw, less what was then offered


def _plain(step: Step) -> tuple[object, ...]:
    """A step as its name and plain values, so that its fingerprint is the same in every Python."""
    name = type(step).__name__
    match step:
        case AskReply(seat, give, want, replies):
            return (name, seat, give, want, _plain_replies(replies))
        case AskPick(give, want, replies):
            return (name, give, want, _plain_replies(replies))
        case AskPlacement(seat, is_second):
            return (name, seat, is_second)
        case GrantChips(seat, chip_count):
            return (name, seat, chip_count)
        case OfferFreeWall(seat) | AskCouncilSwap(seat):
            return (name, seat)
        case AskDiscards(seats):
            return (name, seats)
        case _:
            return (name,)


def _plain_replies(replies: tuple[Reply, ...]) -> list[tuple[object, ...]]:
    return [(reply.seat, int(reply.kind), reply.give, reply.want) for reply in replies]


clone = cloner(State)
digest = digester(State, _plain, exact=True)


def can_pay(state: State, seat: Seat, cost: Cost) -> bool:
    """N5: whether a seat holds what something costs."""
    hands, base = state.hands, seat * COMMODITY_COUNT
    for kind, amount in cost:  # noqa: SIM110 - a generator would cost more than the loop it replaces
        if hands[base + kind] < amount:
            return False
    return True


def pay(state: State, seat: Seat, cost: Cost) -> None:
    """N0.5: everything paid goes to the bank."""
    base, hands, lows = seat * COMMODITY_COUNT, state.hands, state.lows
    for kind, amount in cost:
        left = hands[base + kind] = hands[base + kind] - amount
        if left < lows[base + kind]:
            lows[base + kind] = left
        state.bank[kind] += amount


def note_offer(state: State, seat: Seat, offer: Bundle) -> None:
    """N10.5: a seat that offers something is seen to hold it (N5.16, N5.17)."""
    base, hands, lows = seat * COMMODITY_COUNT, state.hands, state.lows
    for kind, amount in enumerate(offer):
        if amount and hands[base + kind] - amount < lows[base + kind]:
            lows[base + kind] = hands[base + kind] - amount


def hand_of(state: State, seat: Seat) -> list[int]:
    """N0.4: the resource cards of a seat, by kind; gold is none of them."""
    base = seat * COMMODITY_COUNT
    return state.hands[base : base + RESOURCE_COUNT]


def draw_random_card(state: State, victim: Seat, taker: Seat) -> int:
    """N8.4: move one card, uniformly drawn from the hand in canonical order, and return its kind."""
    hand = hand_of(state, victim)
    position = state.card_rng.index(sum(hand))
    kind = 0
    while position >= hand[kind]:
        position -= hand[kind]
        kind += 1
    hands, lows = state.hands, state.lows
    given, taken = victim * COMMODITY_COUNT, taker * COMMODITY_COUNT
    victim_lows = tuple(lows[given : given + RESOURCE_COUNT])
    taker_lows = tuple(lows[taken : taken + RESOURCE_COUNT])
    state.draws.append(Draw(victim, taker, kind, tuple(hand), victim_lows, taker_lows))
    hands[given + kind] -= 1
    hands[taken + kind] += 1
    for base in (given, taken):
        lows[base : base + RESOURCE_COUNT] = hands[base : base + RESOURCE_COUNT]
    return kind


def in_turn_order(state: State, first: Seat) -> tuple[Seat, ...]:
    """N0.1: all seats clockwise from the first."""
    return tuple((first + offset) % state.seats for offset in range(state.seats))


_SEATED_STEPS = (AskReply, AskPlacement, OfferFreeWall, AskCouncilSwap)


def deciders(state: State) -> tuple[Seat, ...]:
    """N9: the seats that decide now, in seat order."""
    if not state.agenda.steps:
        return ()
    step = state.agenda.steps[-1]
    if isinstance(step, _SEATED_STEPS):
        return (step.seat,)
    if isinstance(step, AskDiscards):
        return step.seats
    return (state.active,)
