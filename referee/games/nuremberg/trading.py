"""N5.15 to N5.22: trading with players, a bounded protocol of proposal, replies and pick.

Only the active player trades (N5.15), and nothing agreed binds beyond the exchange (N5.19).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from referee.game import IllegalActionError, Seat
from referee.games.nuremberg import actions as act
from referee.games.nuremberg import components as box
from referee.games.nuremberg import events as happenings
from referee.games.nuremberg.actions import Action, Bundle, is_index
from referee.games.nuremberg.components import Commodity, Cost
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.state import AskPick, AskReply, Reply, ReplyKind, State, can_pay, note_offer

DECLINE = act.DeclineTrade()
ACCEPT = act.AcceptTrade()
PICK_NOBODY = act.PickNobody()
PICKS = tuple(act.PickReply(seat) for seat in range(4))
DECLINED = tuple(Reply(seat, ReplyKind.DECLINE, (), ()) for seat in range(4))
GOLD_OFFERS = (1, 2, 3)  # N5.20: the amounts k of the families F4 and F5


def bundle(*units: tuple[int, int]) -> Bundle:
    """N0.3: the bundle with these (commodity, amount) pairs and nothing else."""
    amounts = [0] * box.COMMODITY_COUNT
    for kind, amount in units:
        amounts[kind] += amount
    return tuple(amounts)


def as_cost(amounts: Bundle) -> Cost:
    """A bundle as the pairs (commodity, amount) that are in it."""
    return tuple((kind, amount) for kind, amount in enumerate(amounts) if amount)


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


def check_proposal(state: State, seat: Seat, action: act.ProposeTrade) -> None:
    """N5.16, N8.3: a lawful pair of bundles, the give side held, and a proposal left this turn."""
    if state.proposals >= box.PROPOSALS_PER_TURN:
        raise IllegalActionError("N5.16", f"all {box.PROPOSALS_PER_TURN} proposals of this turn are made")
    check_bundles(action.give, action.want)
    if not can_pay(state, seat, as_cost(action.give)):
        raise IllegalActionError("N5.16", "you do not hold what you offer")


def propose(state: State, seat: Seat, action: act.ProposeTrade, events: list[Event]) -> None:
    """N5.16: the proposal is public; the opponents reply in turn order."""
    state.proposals += 1
    note_offer(state, seat, action.give)
    events.append(happenings.TradeProposed(seat, action.give, action.want))
    state.agenda.steps.append(AskReply((seat + 1) % state.seats, action.give, action.want, ()))


def _families() -> Iterator[act.ProposeTrade]:
    """N5.20: the eight families F1 to F8, inside a family X, then Z, then k, then Y ascending."""
    resources = range(box.RESOURCE_COUNT)
    for give_amount in (1, 2):  # F1, F2
        for x in resources:
            yield from (_offer(bundle((x, give_amount)), y) for y in resources if y != x)
    for x in resources:  # F3
        for z in range(x + 1, box.RESOURCE_COUNT):
            yield from (_offer(bundle((x, 1), (z, 1)), y) for y in resources if y not in (x, z))
    for k in GOLD_OFFERS:  # F4
        yield from (_offer(bundle((box.GOLD, k)), y) for y in resources)
    for x in resources:  # F5
        yield from (act.ProposeTrade(bundle((x, 1)), bundle((box.GOLD, k))) for k in GOLD_OFFERS)
    for give_amount in (1, 2):  # F6, F7
        for x in resources:
            yield from (_offer(bundle((x, give_amount), (box.GOLD, 1)), y) for y in resources if y != x)
    for x in resources:  # F8
        yield from (act.ProposeTrade(bundle((x, 1)), bundle((y, 2))) for y in resources if y != x)


def _offer(give: Bundle, wanted: int) -> act.ProposeTrade:
    return act.ProposeTrade(give, bundle((wanted, 1)))


CANONICAL_PROPOSALS: tuple[act.ProposeTrade, ...] = tuple(_families())
_PROPOSAL_NEEDS: tuple[Cost, ...] = tuple(as_cost(proposal.give) for proposal in CANONICAL_PROPOSALS)


# No canonical proposal gives more of a commodity than this, so purses above it list the same proposals.
_MAX_GIVEN: Bundle = tuple(
    max(proposal.give[kind] for proposal in CANONICAL_PROPOSALS) for kind in range(box.COMMODITY_COUNT)
)


def listed_proposals(purse: Bundle) -> tuple[act.ProposeTrade, ...]:
    """N5.20: the canonical proposals whose give side is in the purse."""
    return _listed_proposals(tuple(map(min, purse, _MAX_GIVEN)))


@cache
def _listed_proposals(purse: Bundle) -> tuple[act.ProposeTrade, ...]:
    return tuple(
        proposal
        for proposal, needs in zip(CANONICAL_PROPOSALS, _PROPOSAL_NEEDS, strict=True)
        if all(purse[kind] >= amount for kind, amount in needs)
    )


@dataclass(frozen=True, slots=True)
class CounterList:
    """N5.21: the canonical counters to one proposal, each group with what its want side asks of the responder."""

    wanted: Cost  # what accepting, and every counter that raises the give side (C1), takes
    raised: tuple[act.CounterTrade, ...]  # C1
    lowered: tuple[tuple[Cost, act.CounterTrade], ...]  # C2, C3


@lru_cache(maxsize=8192)
def canonical_counters(give: Bundle, want: Bundle) -> CounterList:
    """N5.21: C1 one unit more, C2 one unit wanted less, C3 another single resource wanted; commodities ascending."""
    raised = tuple(
        act.CounterTrade(_plus(give, kind, 1), want)
        for kind in range(box.COMMODITY_COUNT)
        if not want[kind] and sum(give) < box.UNITS_PER_SIDE
    )
    lowered: list[Bundle] = []
    if sum(want) >= 2:
        lowered = [_plus(want, kind, -1) for kind in range(box.COMMODITY_COUNT) if want[kind]]
    else:
        lowered = [bundle((kind, 1)) for kind in range(box.RESOURCE_COUNT) if not give[kind] and not want[kind]]
    return CounterList(as_cost(want), raised, tuple((as_cost(less), act.CounterTrade(give, less)) for less in lowered))


def _plus(amounts: Bundle, kind: int, change: int) -> Bundle:
    return (*amounts[:kind], amounts[kind] + change, *amounts[kind + 1 :])


def holds_anything(state: State, seat: Seat) -> bool:
    """N5.22: a seat that holds a card or gold has a legal counter, listed or not; that he does is public (N10.1)."""
    base = seat * box.COMMODITY_COUNT
    return any(state.hands[base : base + box.COMMODITY_COUNT])


def reply_options(state: State, step: AskReply, seat: Seat) -> list[Action]:
    """N9 trade_reply: decline; accept if held; the canonical counters that the seat can honour."""
    base = seat * box.COMMODITY_COUNT
    purse = state.hands[base : base + box.COMMODITY_COUNT]
    counters = canonical_counters(step.give, step.want)
    options: list[Action] = [DECLINE]
    for kind, amount in counters.wanted:
        if purse[kind] < amount:
            break
    else:
        options.append(ACCEPT)
        options += counters.raised
    for needs, counter in counters.lowered:
        for kind, amount in needs:
            if purse[kind] < amount:
                break
        else:
            options.append(counter)
    return options


def check_reply(state: State, step: AskReply, seat: Seat, action: Action) -> None:
    """N5.17: accepting needs what is wanted; a counter obeys N5.16, differs, and its want side is held."""
    match action:
        case act.DeclineTrade():
            return
        case act.AcceptTrade():
            if not can_pay(state, seat, as_cost(step.want)):
                raise IllegalActionError("N5.17", "you do not hold what is wanted")
        case act.CounterTrade(give, want):
            check_bundles(give, want)
            if (give, want) == (step.give, step.want):
                raise IllegalActionError("N5.17", "a counter differs from the proposal; accept it instead")
            if not can_pay(state, seat, as_cost(want)):
                raise IllegalActionError("N5.17", "you do not hold what your counter would hand over")
        case _:
            raise IllegalActionError("N5.17", "expected DeclineTrade, AcceptTrade or CounterTrade")


def resolve_reply(state: State, step: AskReply, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N5.17: the reply is public; the next opponent answers, or the active player picks."""
    seat = step.seat
    action = choices[seat]
    if isinstance(action, act.CounterTrade):
        note_offer(state, seat, action.want)
        reply = Reply(seat, ReplyKind.COUNTER, action.give, action.want)
        events.append(happenings.TradeCountered(seat, action.give, action.want))
    elif isinstance(action, act.AcceptTrade):
        note_offer(state, seat, step.want)
        reply = Reply(seat, ReplyKind.ACCEPT, step.give, step.want)
        events.append(happenings.TradeAccepted(seat))
    else:
        reply = DECLINED[seat]
        events.append(happenings.TradeDeclined(seat))
    replies = (*step.replies, reply)
    following = (seat + 1) % state.seats
    if following == state.active:
        state.agenda.steps[-1] = AskPick(step.give, step.want, replies)
    else:
        state.agenda.steps[-1] = AskReply(following, step.give, step.want, replies)


def pick_options(state: State, step: AskPick, seat: Seat) -> list[Action]:
    """N9 trade_pick: none, then the choosable replies in turn order."""
    options: list[Action] = [PICK_NOBODY]
    for reply in step.replies:
        if reply.kind and can_pay(state, seat, as_cost(reply.give)):
            options.append(PICKS[reply.seat])
    return options


def check_pick(state: State, step: AskPick, seat: Seat, action: Action) -> None:
    """N5.18: an acceptance, or a counter whose give side is held."""
    match action:
        case act.PickNobody():
            return
        case act.PickReply(partner):
            reply = next((reply for reply in step.replies if reply.seat == partner), None)
            if not is_index(partner, state.seats) or reply is None or reply.kind is ReplyKind.DECLINE:
                raise IllegalActionError("N5.18", f"seat {partner!r} offers no trade")
            if not can_pay(state, seat, as_cost(reply.give)):
                raise IllegalActionError("N5.18", f"you do not hold what the counter of seat {partner} asks for")
        case _:
            raise IllegalActionError("N5.18", "expected PickNobody or PickReply")


def resolve_pick(state: State, step: AskPick, choices: Mapping[Seat, Action], events: list[Event]) -> None:
    """N5.18: the chosen exchange happens immediately; all other replies lapse; the main phase goes on."""
    state.agenda.done()
    seat = state.active
    action = choices[seat]
    if not isinstance(action, act.PickReply):
        events.append(happenings.TradeLapsed(seat))
        return
    reply = next(reply for reply in step.replies if reply.seat == action.seat)
    # What is given is a cost to the table's memory: a seat that gives has held it.
    note_offer(state, seat, reply.give)
    note_offer(state, action.seat, reply.want)
    own, other = seat * box.COMMODITY_COUNT, action.seat * box.COMMODITY_COUNT
    for kind in range(box.COMMODITY_COUNT):
        change = reply.want[kind] - reply.give[kind]
        state.hands[own + kind] += change
        state.hands[other + kind] -= change
    events.append(happenings.TradeMade(seat, action.seat, reply.give, reply.want))
