"""N5.15 to N5.22: trading with players, a bounded protocol of proposal, replies and pick.

Only the active player trades (N5.15), and nothing agreed binds beyond the exchange (N5.19).
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import IllegalActionError
from referee.games.nuremberg import actions as act
from referee.games.nuremberg import components as box
from referee.games.nuremberg.actions import Action, is_index
from referee.games.nuremberg.bundles import NOTHING, Amounts, amount_of, amounts_of, covers, unit_count
from referee.games.nuremberg.codes import (
    ACCEPT_TRADE,
    COUNTER_WITH_LESS,
    COUNTER_WITH_MORE,
    DECLINE_TRADE,
    PICK_NOBODY,
    PICK_REPLY,
    PROPOSE_TRADE,
    TRADE_ACCEPTED,
    TRADE_COUNTERED,
    TRADE_DECLINED,
    TRADE_LAPSED,
    TRADE_MADE,
    TRADE_PROPOSED,
    Choice,
    argument_of,
    choice_of,
    give_of,
    kind_of_choice,
    lowered,
    raised,
    want_of,
)
from referee.games.nuremberg.components import Commodity
from referee.games.nuremberg.proposals import CANONICAL_PROPOSALS, FAMILIES
from referee.games.nuremberg.state import ASK_PICK, ASK_REPLY, ReplyKind, State, do_next, note_offer, purse_of
from referee.games.nuremberg.tables import starts
from referee.rows import Events, Int, Ints, Listing, total

DECLINED = int(ReplyKind.DECLINE)  # as rows have them
ACCEPTED = int(ReplyKind.ACCEPT)
COUNTERED = int(ReplyKind.COUNTER)
GIVES: Ints = [amounts_of(proposal.give) for proposal in CANONICAL_PROPOSALS]
WANTS: Ints = [amounts_of(proposal.want) for proposal in CANONICAL_PROPOSALS]


def proposal_give(proposal: Int) -> Amounts:
    """N5.20: what the active player gives in a canonical proposal."""
    return Amounts(GIVES[proposal])


def proposal_want(proposal: Int) -> Amounts:
    """N5.20: what the active player wants in a canonical proposal."""
    return Amounts(WANTS[proposal])


def is_given_by(proposal: act.ProposeTrade, kinds: int) -> bool:
    """N5.20: whether the resources that a proposal gives are all in a bit set."""
    return not any(proposal.give[kind] and not kinds >> kind & 1 for kind in range(box.RESOURCE_COUNT))


def offered_of(family: Sequence[act.ProposeTrade], kinds: int) -> list[int]:
    """N5.20: the choices of a family, for a player who has enough of the resources of a bit set."""
    places = {id(proposal): place for place, proposal in enumerate(CANONICAL_PROPOSALS)}
    return [choice_of(PROPOSE_TRADE, places[id(proposal)]) for proposal in family if is_given_by(proposal, kinds)]


# By family, and by the resources of which the player has what the family gives of each.
KIND_SETS = 1 << box.RESOURCE_COUNT
ALL_KINDS = KIND_SETS - 1
GOLD_FAMILY = 3  # F4
_OFFERED = [offered_of(family, kinds) for family in FAMILIES for kinds in range(KIND_SETS)]
OFFERED: Ints = [choice for part in _OFFERED for choice in part]
OFFERED_STARTS: Ints = starts(_OFFERED)
MAX_GOLD_GIVEN = max(proposal.give[box.GOLD] for proposal in CANONICAL_PROPOSALS)
GOLD_OFFERED = len(FAMILIES[GOLD_FAMILY]) // MAX_GOLD_GIVEN  # proposals of F4 for each amount


def check_bundles(give: object, want: object) -> None:
    """N5.16: six whole amounts a side, both sides non-empty, nothing on both, at most ten units each."""
    for side in (give, want):
        if not isinstance(side, tuple) or len(side) != box.COMMODITY_COUNT:
            raise IllegalActionError(
                "N5.16", f"a bundle has {box.COMMODITY_COUNT} amounts: wood, wool, grain, brick, ore, gold"
            )
        if any(type(amount) is not int or amount < 0 for amount in side):
            raise IllegalActionError("N5.16", "the amounts of a bundle are whole numbers from 0 up")
        if not any(side):
            raise IllegalActionError("N5.16", "both sides of a trade must hold something: there are no gifts")
        if sum(side) > box.UNITS_PER_SIDE:
            raise IllegalActionError("N5.16", f"a side has {sum(side)} units; expected at most {box.UNITS_PER_SIDE}")
    assert isinstance(give, tuple)
    assert isinstance(want, tuple)
    for kind in range(box.COMMODITY_COUNT):
        if give[kind] and want[kind]:
            raise IllegalActionError("N5.16", f"{Commodity(kind).name.lower()} is on both sides")


def check_proposal(state: State, seat: Int, action: act.ProposeTrade) -> None:
    """N5.16, N8.3: a lawful pair of bundles, the give side held, and a proposal left this turn."""
    if state.proposals >= box.PROPOSALS_PER_TURN:
        raise IllegalActionError("N5.16", f"all {box.PROPOSALS_PER_TURN} proposals of this turn are made")
    check_bundles(action.give, action.want)
    if not covers(purse_of(state, seat), amounts_of(action.give)):
        raise IllegalActionError("N5.16", "you do not hold what you offer")


def propose(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.16: the proposal is public; the opponents reply in turn order."""
    if kind_of_choice(choice) == PROPOSE_TRADE:
        give = proposal_give(argument_of(choice))
        want = proposal_want(argument_of(choice))
    else:
        give = give_of(argument_of(choice))
        want = want_of(argument_of(choice))
    state.proposals += 1
    note_offer(state, seat, give)
    events.tell(TRADE_PROPOSED, seat, give, want)
    state.trade_give = give
    state.trade_want = want
    state.reply_count = 0
    do_next(state, ASK_REPLY, (seat + 1) % state.seats)


def offer_family(family: Int, kinds: Int, listing: Listing) -> None:
    """N5.20: offer a family of proposals to a player who has enough of the resources of a bit set."""
    place = family * KIND_SETS + kinds
    listing.add_all(OFFERED, OFFERED_STARTS[place], OFFERED_STARTS[place + 1])


def proposal_options(state: State, seat: Int, listing: Listing) -> None:
    """N5.20: the canonical proposals whose give side is held, of each family and amount of gold in turn."""
    key = purse_key(state, seat)
    one = key & ALL_KINDS
    two = key >> box.RESOURCE_COUNT & ALL_KINDS
    gold = key >> 2 * box.RESOURCE_COUNT
    offer_family(0, one, listing)
    offer_family(1, two, listing)
    offer_family(2, one, listing)
    first = OFFERED_STARTS[GOLD_FAMILY * KIND_SETS]
    listing.add_all(OFFERED, first, first + GOLD_OFFERED * gold)
    offer_family(4, one, listing)
    if gold:
        offer_family(5, one, listing)
        offer_family(6, two, listing)
    offer_family(7, one, listing)


def purse_key(state: State, seat: Int) -> Int:
    """N5.20: what of a purse matters to canonical proposals: the resources held once, and twice, as bits; gold."""
    key = 0
    bit = 1
    for held in state.hands[seat * box.COMMODITY_COUNT : seat * box.COMMODITY_COUNT + box.RESOURCE_COUNT]:
        if held:
            key |= bit if held == 1 else bit * (KIND_SETS + 1)
        bit += bit
    gold = state.hands[seat * box.COMMODITY_COUNT + box.GOLD]
    return key | (gold if gold < MAX_GOLD_GIVEN else MAX_GOLD_GIVEN) << 2 * box.RESOURCE_COUNT


def holds_anything(state: State, seat: Int) -> bool:
    """N5.22: a seat that holds a card or gold has a legal counter, listed or not; that he does is public (N10.1)."""
    first = seat * box.COMMODITY_COUNT
    return state.hands[first + box.GOLD] > 0 or total(state.hands, first, first + box.RESOURCE_COUNT) > 0


def reply_options(state: State, seat: Int, listing: Listing) -> None:
    """N9 trade_reply: decline; accept if held; the canonical counters that the seat can honour."""
    purse = purse_of(state, seat)
    give = Amounts(state.trade_give)
    want = Amounts(state.trade_want)
    listing.add(DECLINE_TRADE)
    if covers(purse, want):
        listing.add(ACCEPT_TRADE)
        raised_counters(give, want, listing)
    lowered_counters(give, want, purse, listing)


def raised_counters(give: Amounts, want: Amounts, listing: Listing) -> None:
    """N5.21, C1: one unit more of what the proposal gives; commodities ascending."""
    if unit_count(give) < box.UNITS_PER_SIDE:
        for kind in range(box.COMMODITY_COUNT):
            if not want >> 5 * kind & 31:
                listing.add(choice_of(COUNTER_WITH_MORE, kind))


def lowered_counters(give: Amounts, want: Amounts, purse: Amounts, listing: Listing) -> None:
    """N5.21: C2 one unit wanted less, C3 another resource wanted, as far as it is held; commodities ascending."""
    if unit_count(want) >= 2:
        for kind in range(box.COMMODITY_COUNT):
            if amount_of(want, kind) and covers(purse, lowered(want, kind)):
                listing.add(choice_of(COUNTER_WITH_LESS, kind))
    else:
        traded = give | want
        for kind in range(box.RESOURCE_COUNT):
            if purse >> 5 * kind & 31 and not traded >> 5 * kind & 31:
                listing.add(choice_of(COUNTER_WITH_LESS, kind))


def check_reply(state: State, seat: Int, action: Action) -> None:
    """N5.17: accepting needs what is wanted; a counter obeys N5.16, differs, and its want side is held."""
    match action:
        case act.DeclineTrade():
            return
        case act.AcceptTrade():
            if not covers(purse_of(state, seat), Amounts(state.trade_want)):
                raise IllegalActionError("N5.17", "you do not hold what is wanted")
        case act.CounterTrade(give, want):
            check_bundles(give, want)
            if amounts_of(give) == state.trade_give and amounts_of(want) == state.trade_want:
                raise IllegalActionError("N5.17", "a counter differs from the proposal; accept it instead")
            if not covers(purse_of(state, seat), amounts_of(want)):
                raise IllegalActionError("N5.17", "you do not hold what your counter would hand over")
        case _:
            raise IllegalActionError("N5.17", "expected DeclineTrade, AcceptTrade or CounterTrade")


def resolve_reply(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.17: the reply is public; the next opponent answers, or the active player picks."""
    if choice == DECLINE_TRADE:
        note_reply(state, seat, DECLINED, NOTHING, NOTHING)
        events.tell(TRADE_DECLINED, seat)
    elif choice == ACCEPT_TRADE:
        note_offer(state, seat, Amounts(state.trade_want))
        note_reply(state, seat, ACCEPTED, Amounts(state.trade_give), Amounts(state.trade_want))
        events.tell(TRADE_ACCEPTED, seat)
    else:
        give = countered_give(state, choice)
        want = countered_want(state, choice)
        note_offer(state, seat, want)
        note_reply(state, seat, COUNTERED, give, want)
        events.tell(TRADE_COUNTERED, seat, give, want)
    following = (seat + 1) % state.seats
    if following == state.active:
        do_next(state, ASK_PICK)
    else:
        do_next(state, ASK_REPLY, following)


def countered_give(state: State, choice: Choice) -> Amounts:
    """N5.17: what the active player would give by a counter."""
    kind = kind_of_choice(choice)
    if kind == COUNTER_WITH_MORE:
        return raised(Amounts(state.trade_give), argument_of(choice))
    return Amounts(state.trade_give) if kind == COUNTER_WITH_LESS else give_of(argument_of(choice))


def countered_want(state: State, choice: Choice) -> Amounts:
    """N5.17: what the active player would get by a counter."""
    kind = kind_of_choice(choice)
    if kind == COUNTER_WITH_LESS:
        return lowered(Amounts(state.trade_want), argument_of(choice))
    return Amounts(state.trade_want) if kind == COUNTER_WITH_MORE else want_of(argument_of(choice))


def note_reply(state: State, seat: Int, kind: Int, give: Amounts, want: Amounts) -> None:
    """N5.17: keep a reply to the open proposal, with the trade that it stands for."""
    at = state.reply_count
    state.reply_seats[at] = seat
    state.reply_kinds[at] = kind
    state.reply_gives[at] = give
    state.reply_wants[at] = want
    state.reply_count = at + 1


def pick_options(state: State, seat: Int, listing: Listing) -> None:
    """N9 trade_pick: none, then the choosable replies in turn order."""
    purse = purse_of(state, seat)
    listing.add(PICK_NOBODY)
    for at in range(state.reply_count):
        if state.reply_kinds[at] != DECLINED and covers(purse, Amounts(state.reply_gives[at])):
            listing.add(choice_of(PICK_REPLY, state.reply_seats[at]))


def reply_place(state: State, partner: Int) -> Int:
    """N5.18: the place of a seat's reply among those to the open proposal, -1 without one."""
    for at in range(state.reply_count):
        if state.reply_seats[at] == partner:
            return at
    return -1


def check_pick(state: State, seat: Int, action: Action) -> None:
    """N5.18: an acceptance, or a counter whose give side is held."""
    match action:
        case act.PickNobody():
            return
        case act.PickReply(partner):
            at = reply_place(state, partner) if is_index(partner, state.seats) else -1
            if at < 0 or state.reply_kinds[at] == DECLINED:
                raise IllegalActionError("N5.18", f"seat {partner!r} offers no trade")
            if not covers(purse_of(state, seat), Amounts(state.reply_gives[at])):
                raise IllegalActionError("N5.18", f"you do not hold what the counter of seat {partner} asks for")
        case _:
            raise IllegalActionError("N5.18", "expected PickNobody or PickReply")


def resolve_pick(state: State, seat: Int, choice: Choice, events: Events) -> None:
    """N5.18: the chosen exchange happens immediately; all other replies lapse; the main phase goes on."""
    if kind_of_choice(choice) != PICK_REPLY:
        events.tell(TRADE_LAPSED, seat)
        return
    partner = argument_of(choice)
    at = reply_place(state, partner)
    give = Amounts(state.reply_gives[at])
    want = Amounts(state.reply_wants[at])
    # What is given is a cost to the table's memory: a seat that gives has held it.
    note_offer(state, seat, give)
    note_offer(state, partner, want)
    exchange(state, seat, partner, give, want)
    events.tell(TRADE_MADE, seat, partner, give, want)


def exchange(state: State, seat: Int, partner: Int, give: Amounts, want: Amounts) -> None:
    """N5.18: the two bundles of a trade change hands."""
    for kind in range(box.COMMODITY_COUNT):
        if (give | want) >> 5 * kind & 31:
            change = amount_of(want, kind) - amount_of(give, kind)
            state.hands[seat * box.COMMODITY_COUNT + kind] += change
            state.hands[partner * box.COMMODITY_COUNT + kind] -= change
