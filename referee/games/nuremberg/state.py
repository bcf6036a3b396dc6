"""The state of a match: numbers and flat rows of numbers, and the steps of its agenda as codes.

Rows over seats and commodities are flat: the entry for a seat and a kind stands at `seat * COMMODITY_COUNT + kind`, and
likewise for seats and roads. A row has room for four seats; three use the first part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, NewType

from referee.fingerprint import fingerprint_of, told
from referee.game import Seat
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Bundle, SeatNumber
from referee.games.nuremberg.bundles import ALL_AMOUNTS, MAX_COMPARED, SPARE_BITS, Amounts, bundle_in
from referee.games.nuremberg.components import CARD_COUNT, COMMODITY_COUNT, RESOURCE_COUNT, ROAD_COUNT
from referee.rows import Dice, Int, Ints, Shorts, Smalls, Word, cloner, copy_part, index, listed, packed, total
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


SEATS = 4
AGENDA = 16  # room for the steps to come
PASSES = len(box.RESHUFFLE_YEARS) + 1  # N8.1: through the deck of events
# N4.5, N4.6.3: in one pass every robber knight draws one card, and every settlement pays its road's toll once.
MAX_DRAWS = PASSES * (box.CARD_EVENTS.count(box.EventKind.ROBBER_KNIGHT) + SEATS * box.SETTLEMENTS_PER_PLAYER)
REPLY_KINDS = tuple(ReplyKind)
UNDECIDED = 0  # the ending of a match that goes on; the others are those of `Ending`, as numbers
BY_VICTORY = int(Ending.VICTORY)
BY_TIME = int(Ending.TIME)

Step = NewType("Step", int)
"""What happens in a step of the agenda: one of the following."""

ASK_PLACEMENT = Step(0)  # N2.6: a seat places a toll bar and a settlement; the second one will pay its starting cards
MAIN_PHASE = Step(1)  # N3.7: the active player takes main actions until it ends its turn
ASK_REPLY = Step(2)  # N5.17: an opponent answers the open proposal, knowing the earlier replies
ASK_PICK = Step(3)  # N5.18: the active player picks among the replies
OFFER_FREE_WALL = Step(4)  # N4.4: a seat may build a wall without brick, if it can pay
ASK_DISCARDS = Step(5)  # N4.6.1: the seats of a bit set hold too many cards and discard together
ASK_ROBBER_MOVE = Step(6)  # N4.6.2: the active player moves the robber
ASK_ROBBERY = Step(7)  # N4.6.3: the active player may rob an opponent
ASK_COUNCIL_SWAP = Step(8)  # N6.2.2: a seat may exchange council cards with a player who has fewer chips
FINISH_SETUP = Step(9)  # N2.7, N2.8: deal the starting cards and the wayrights
START_TURN = Step(10)  # N3.1: the active player's turn begins
GRANT_CHIPS = Step(11)  # N6.2: a seat receives prestige chips, one at a time
STEP_NAMES = (
    "AskPlacement", "MainPhase", "AskReply", "AskPick", "OfferFreeWall", "AskDiscards", "AskRobberMove", "AskRobbery",
    "AskCouncilSwap", "FinishSetup", "StartTurn", "GrantChips",
)  # fmt: skip


# N9: whether a step asks the seat that it concerns; the other questions are asked of the active seat, or of several.
ASKS_ITS_SEAT: Smalls = [
    int(step in (ASK_REPLY, ASK_PLACEMENT, OFFER_FREE_WALL, ASK_COUNCIL_SWAP)) for step in range(len(STEP_NAMES))
]


class State(Dice):
    """Everything there is; its dice draw cards out of hands. Owners are seats, -1 stands for nobody.

    The draws and `lows` are what the table remembers (N10.5): views depend on them, play does not.
    """

    seats: Int
    setup: Int  # a `SetUp`
    deck_word: Word  # of the generator that shuffles the event deck
    first_seat: Int
    active: Int
    turn: Int  # turns begun
    year: Int  # field of the time track, 0 for the start
    card: Int  # the event card drawn last, -1 before the first
    robber: Int  # landscape
    walls: Int
    towers: Int
    main_actions: Int  # N8.2: taken this turn
    proposals: Int  # N8.3: made this turn
    ending: Int  # an `Ending`, or 0
    drawn_count: Int
    cards: Annotated[Smalls, CARD_COUNT]  # the event cards drawn, the last one last; then the deck, its top first
    colors: Annotated[Smalls, SEATS]  # N2.1: the colour of each seat
    bank: Annotated[Shorts, COMMODITY_COUNT]
    hands: Annotated[Shorts, SEATS * COMMODITY_COUNT]  # seat x commodity
    bar_owners: Annotated[Smalls, box.SITE_COUNT]  # segments of road I, then II, …
    bar_counts: Annotated[Smalls, ROAD_COUNT]  # bars lying on each road
    bars: Annotated[Smalls, SEATS * ROAD_COUNT]  # seat x road
    site_owners: Annotated[Smalls, box.SITE_COUNT]  # sites of road I, then II, …
    starting_sites: Annotated[Smalls, SEATS]  # per seat: the site that pays its starting cards, -1 until it is placed
    settlements: Annotated[Smalls, SEATS]  # built, per seat
    workshops: Annotated[Shorts, SEATS]  # corners of each seat as bits
    wayrights: Annotated[Smalls, ROAD_COUNT]  # holder for each road
    council: Annotated[Smalls, len(box.COUNCIL_POINTS)]  # holder of each council card
    prestige: Annotated[Smalls, SEATS]  # chips of each seat
    trade_give: Int  # N5.16: the bundles of the open proposal
    trade_want: Int
    reply_count: Int
    reply_seats: Annotated[Smalls, SEATS]  # N5.17: who has replied to it, in turn order
    reply_kinds: Annotated[Smalls, SEATS]  # a `ReplyKind`
    reply_gives: Annotated[Ints, SEATS]  # the bundles of the trade that the reply stands for
    reply_wants: Annotated[Ints, SEATS]
    draw_count: Int
    draw_victims: Annotated[Smalls, MAX_DRAWS]  # N10.5: whose hand each card was drawn from, the last one last
    draw_takers: Annotated[Smalls, MAX_DRAWS]
    draw_kinds: Annotated[Smalls, MAX_DRAWS]
    draw_hands: Annotated[Ints, MAX_DRAWS]  # the resources of the victim just before
    draw_victim_lows: Annotated[Ints, MAX_DRAWS]  # its entries of `lows` just before
    draw_taker_lows: Annotated[Ints, MAX_DRAWS]
    # As `hands`: the least each was since its seat's last draw, less what was then offered.
    lows: Annotated[Shorts, SEATS * COMMODITY_COUNT]
    agenda_count: Int
    agenda: Annotated[Smalls, AGENDA]  # the steps to come, the next one last
    step_seats: Annotated[Smalls, AGENDA]  # the seat that each concerns, or 0
    step_counts: Annotated[Smalls, AGENDA]  # the chips it brings, the seats it asks as bits, 1 for a second placement


clone = cloner(State)


def do_next(state: State, step: Step, seat: Int = 0, count: Int = 0) -> None:
    """Put a step before everything else."""
    place = state.agenda_count
    state.agenda[place] = step
    state.step_seats[place] = seat
    state.step_counts[place] = count
    state.agenda_count = place + 1


def replies_of(state: State) -> tuple[Reply, ...]:
    """N5.17: the replies to the open proposal as values."""
    return tuple(
        [
            Reply(
                state.reply_seats[at],
                REPLY_KINDS[state.reply_kinds[at]],
                bundle_in(state.reply_gives[at]) if state.reply_kinds[at] else (),
                bundle_in(state.reply_wants[at]) if state.reply_kinds[at] else (),
            )
            for at in range(state.reply_count)
        ]
    )


def step_text(state: State, place: Int) -> str:
    """Return a step as its fingerprint has it: its name and plain values."""
    step = state.agenda[place]
    if step in (ASK_REPLY, ASK_PICK):
        replies = [(each.seat, int(each.kind), each.give, each.want) for each in replies_of(state)]
        seat = (state.step_seats[place],) if step == ASK_REPLY else ()
        return repr((STEP_NAMES[step], *seat, bundle_in(state.trade_give), bundle_in(state.trade_want), replies))
    return plain_step_text(step, state.step_seats[place], state.step_counts[place])


@lru_cache(maxsize=1024)
def plain_step_text(step: int, seat: int, count: int) -> str:
    """Return a step other than one of a trade as its fingerprint has it; there are few, so each is spelt once."""
    name = STEP_NAMES[step]
    if step == ASK_PLACEMENT:
        return repr((name, seat, count == 1))
    if step == GRANT_CHIPS:
        return repr((name, seat, count))
    if step in (OFFER_FREE_WALL, ASK_COUNCIL_SWAP):
        return repr((name, seat))
    if step == ASK_DISCARDS:
        return repr((name, seats_in(count)))
    return repr((name,))


def seats_in(bits: int) -> tuple[Seat, ...]:
    """Return the seats of a bit set."""
    return tuple([seat for seat in range(SEATS) if bits >> seat & 1])


def digest(state: State) -> str:
    """Return a fingerprint of the whole state, but for what the table remembers (N10.5)."""
    seats: Int = state.seats
    ending: Int = state.ending
    setting = [state.seats, SetUp(state.setup).name, tuple(listed(state.colors, 0, seats))]
    agenda = [step_text(state, place) for place in range(state.agenda_count)]
    numbers = [
        state.deck_word,
        state.word,
        state.first_seat,
        state.active,
        state.turn,
        state.year,
        state.card,
        state.robber,
        state.walls,
        state.towers,
        state.main_actions,
        state.proposals,
        Ending(ending).name if ending else None,
        packed(state.cards, state.drawn_count, CARD_COUNT),
        packed(state.cards, 0, state.drawn_count),
        packed(state.bank, 0, COMMODITY_COUNT),
        packed(state.hands, 0, seats * COMMODITY_COUNT),
        packed(state.bar_owners, 0, box.SITE_COUNT),
        packed(state.bar_counts, 0, ROAD_COUNT),
        packed(state.bars, 0, seats * ROAD_COUNT),
        packed(state.site_owners, 0, box.SITE_COUNT),
        packed(state.starting_sites, 0, seats),
        packed(state.settlements, 0, seats),
        packed(state.workshops, 0, seats),
        packed(state.wayrights, 0, ROAD_COUNT),
        packed(state.council, 0, len(box.COUNCIL_POINTS)),
        packed(state.prestige, 0, seats),
    ]
    told_setting, told_numbers = told(id(state), setting), told(id(state) + 1, numbers)
    return fingerprint_of(f"({told_setting}, [{', '.join(agenda)}], {told_numbers})")


def purse_of(state: State, seat: Int) -> Amounts:
    """N5: what a seat holds, as far as anything can cost it: up to 15 units of each commodity."""
    first = seat * COMMODITY_COUNT
    cards = (
        state.hands[first]
        | state.hands[first + 1] << 5
        | state.hands[first + 2] << 10
        | state.hands[first + 3] << 15
        | state.hands[first + 4] << 20
    )
    many = cards & SPARE_BITS  # 16 to 19 cards of a kind, the most that there are
    gold = state.hands[first + box.GOLD]
    return Amounts((cards | many - (many >> 4)) & ALL_AMOUNTS | (gold if gold < MAX_COMPARED else MAX_COMPARED) << 25)


def pay(state: State, seat: Int, cost: Amounts) -> None:
    """N0.5: everything paid goes to the bank."""
    left: Int = cost
    kind = 0
    while left:
        if left & 31:
            give_back(state, seat, kind, left & 31)
        left >>= 5
        kind += 1


def give_back(state: State, seat: Int, kind: Int, amount: Int) -> None:
    """N0.5: units of one commodity go to the bank."""
    place = seat * COMMODITY_COUNT + kind
    left = state.hands[place] - amount
    state.hands[place] = left
    if left < state.lows[place]:
        state.lows[place] = left
    state.bank[kind] += amount


def note_offer(state: State, seat: Int, offer: Amounts) -> None:
    """N10.5: a seat that offers something is seen to hold it (N5.16, N5.17)."""
    left: Int = offer
    place = seat * COMMODITY_COUNT
    while left:
        if left & 31:
            low = state.hands[place] - (left & 31)
            if low < state.lows[place]:
                state.lows[place] = low
        left >>= 5
        place += 1


def card_count(state: State, seat: Int) -> Int:
    """N0.4: how many resource cards a seat holds; gold is none of them."""
    return total(state.hands, seat * COMMODITY_COUNT, seat * COMMODITY_COUNT + RESOURCE_COUNT)


def cards_of(row: Shorts, seat: Int) -> Amounts:
    """N0.4: the five resources of a seat, out of a row of a seat's commodities."""
    cards = 0
    for kind in range(RESOURCE_COUNT):
        cards |= row[seat * COMMODITY_COUNT + kind] << 5 * kind
    return Amounts(cards)


def draw_random_card(state: State, victim: Int, taker: Int) -> Int:
    """N8.4: move one card, uniformly drawn from the hand in canonical order, and return its kind."""
    given = victim * COMMODITY_COUNT
    taken = taker * COMMODITY_COUNT
    position = index(state, card_count(state, victim))
    kind = 0
    while position >= state.hands[given + kind]:
        position -= state.hands[given + kind]
        kind += 1
    note_draw(state, victim, taker, kind)
    state.hands[given + kind] -= 1
    state.hands[taken + kind] += 1
    copy_part(state.hands, given, given + RESOURCE_COUNT, state.lows, given)
    copy_part(state.hands, taken, taken + RESOURCE_COUNT, state.lows, taken)
    return kind


def note_draw(state: State, victim: Int, taker: Int, kind: Int) -> None:
    """N10.5: remember a draw, with what these two hands must have held until then; there is room for every match."""
    at = state.draw_count
    if at < MAX_DRAWS:
        state.draw_victims[at] = victim
        state.draw_takers[at] = taker
        state.draw_kinds[at] = kind
        state.draw_hands[at] = cards_of(state.hands, victim)
        state.draw_victim_lows[at] = cards_of(state.lows, victim)
        state.draw_taker_lows[at] = cards_of(state.lows, taker)
        state.draw_count = at + 1


def asked_seats(state: State) -> Int:
    """N9: bit set of the seats that decide now."""
    if not state.agenda_count:
        return 0
    now = state.agenda_count - 1
    step = state.agenda[now]
    if ASKS_ITS_SEAT[step]:
        return 1 << state.step_seats[now]
    if step == ASK_DISCARDS:
        return state.step_counts[now]
    return 1 << state.active
