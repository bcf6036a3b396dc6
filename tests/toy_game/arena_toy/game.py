"""Toy: the whole game in one module, to read beside `docs/howto/add_a_game.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from referee.agenda import Agenda
from referee.clone import cloner, digester
from referee.drawing import Drawing
from referee.game import (
    Decision,
    Game,
    IllegalActionError,
    Outcome,
    PerSeat,
    Seat,
    Types,
    Within,
    check_choices,
    check_seats,
    no_such_seat,
    not_asked,
)
from referee.heuristic import Heuristic, Scale
from referee.ranges import check_type
from referee.rng import Rng, seeded
from referee.setting import option, parse_options

HAND_SIZE = 5
CARDS = tuple(value for value in range(1, 11) for _ in range(4))
PRIZES = tuple(range(1, 11))

Card: TypeAlias = Annotated[int, Within(1, 10)]


@dataclass(frozen=True, slots=True)
class Options:
    """How long the game lasts."""

    rounds: int = option(5, "prizes to bid for", min=1, max=5)


@dataclass(frozen=True, slots=True)
class Bid:
    """T3: put one card of the hand face down."""

    card: Card


@dataclass(frozen=True, slots=True)
class LetPass:
    """T5: keep the veto."""


@dataclass(frozen=True, slots=True)
class Spend:
    """T5: spend the veto; the prize is lost."""


Action: TypeAlias = Bid | LetPass | Spend


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """T3: all bids, by seat."""

    bids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PrizeWon:
    """T4: a seat takes the prize."""

    seat: int
    prize: int


@dataclass(frozen=True, slots=True)
class PrizeLost:
    """T4, T5: nobody takes the prize; `vetoed_by` says whose veto it was, if it was one."""

    prize: int
    vetoed_by: int | None


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """T6: a seat draws; only the seat itself sees which card."""

    seat: int
    card: int | None


Event: TypeAlias = BidsRevealed | PrizeWon | PrizeLost | CardDrawn


@dataclass(frozen=True, slots=True)
class View:
    """What one seat may know; a spectator's hand is empty."""

    seats: int
    rounds: int
    round_number: int
    prize: Annotated[int, Within(0, 10)]  # 0 when the game is over
    prizes_gone: tuple[int, ...]
    hand: tuple[Card, ...]
    hand_counts: PerSeat[int]
    stock_count: int
    discards: tuple[int, ...]
    points: PerSeat[int]
    vetoes: PerSeat[bool]
    winner: int | None
    runner_up: int | None


@dataclass(frozen=True, slots=True)
class AskBids:
    """T3: everybody bids."""


@dataclass(frozen=True, slots=True)
class AskVeto:
    """T5: the runner-up may interrupt the award to the winner."""

    winner: Seat
    runner_up: Seat


Step: TypeAlias = AskBids | AskVeto


@dataclass(slots=True)
class State:
    """The whole table: hands sorted, stock and prizes drawn from the end."""

    rounds: int
    round_number: int
    hands: list[list[int]]
    stock: list[int]
    prizes: list[int]
    gone: list[int]
    discards: list[int]
    points: list[int]
    vetoes: list[bool]
    agenda: Agenda[Step]


copy_of = cloner(State)
digest_of = digester(State, lambda step: (step.winner, step.runner_up) if isinstance(step, AskVeto) else ())

BIDS = tuple(Bid(card) for card in range(11))
LET_PASS, SPEND = LetPass(), Spend()


class Toy(Game[State, Action, View, Event, Options]):
    """The contract, kept by functions of a few lines each."""

    slug = "toy"
    title = "Toy"
    rules_version = 1
    table_sizes = range(2, 6)
    preferred_seats = 4
    compares_scores = True
    summary = "Bid a card for each prize: the highest single bid wins it, unless the next one spends a veto."
    scale = Scale(lead=5.0)
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        return parse_options(Options, mapping)

    def new(self, seats: int, seed: int, options: Options) -> State:
        """T2: shuffle and deal."""
        check_seats(self, seats)
        chance = seeded(seed)
        stock, prizes = list(CARDS), list(PRIZES)
        chance.fork("stock").shuffle(stock)
        chance.fork("prizes").shuffle(prizes)
        hands = [sorted(stock.pop() for _ in range(HAND_SIZE)) for _ in range(seats)]
        return State(options.rounds, 1, hands, stock, prizes, [], [], [0] * seats, [True] * seats, Agenda([AskBids()]))

    def pending(self, state: State) -> tuple[Decision, ...]:
        if state.agenda.is_empty():
            return ()
        step = state.agenda.now()
        if isinstance(step, AskVeto):
            return (Decision(step.runner_up, "VETO", "T5"),)
        return tuple([Decision(seat, "BID", "T3") for seat in range(len(state.hands))])

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        require_asked(state, seat)
        if isinstance(state.agenda.now(), AskVeto):
            return (LET_PASS, SPEND)
        return [BIDS[card] for card in sorted(set(state.hands[seat]))]

    def default_action(self, state: State, seat: Seat) -> Action:
        require_asked(state, seat)
        return LET_PASS if isinstance(state.agenda.now(), AskVeto) else BIDS[state.hands[seat][0]]

    def check(self, state: State, seat: Seat, action: Action) -> None:
        require_asked(state, seat)
        check_type("T3", action, Action)
        if isinstance(state.agenda.now(), AskVeto):
            if isinstance(action, Bid):
                raise IllegalActionError("T5", "a bid does not answer a veto question; expected LetPass or Spend")
        elif not isinstance(action, Bid):
            raise IllegalActionError("T3", "a veto does not answer a bid question; expected Bid")
        elif action.card not in state.hands[seat]:
            raise IllegalActionError("T3", f"seat {seat} does not hold the card {action.card}")

    def apply(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        check_choices(self, state, choices)
        step = state.agenda.done()
        if isinstance(step, AskVeto):
            return resolve_veto(state, step, choices[step.runner_up])
        return resolve_bids(state, [choices[seat] for seat in range(len(state.hands))])

    def observe(self, state: State, seat: Seat | None) -> View:
        if seat is not None and seat not in range(len(state.hands)):
            raise no_such_seat(seat, len(state.hands))
        step = None if state.agenda.is_empty() else state.agenda.now()
        return View(
            seats=len(state.hands),
            rounds=state.rounds,
            round_number=state.round_number,
            prize=0 if step is None else state.prizes[-1],
            prizes_gone=tuple(state.gone),
            hand=() if seat is None else tuple(state.hands[seat]),
            hand_counts=tuple([len(hand) for hand in state.hands]),
            stock_count=len(state.stock),
            discards=tuple(state.discards),
            points=tuple(state.points),
            vetoes=tuple(state.vetoes),
            winner=step.winner if isinstance(step, AskVeto) else None,
            runner_up=step.runner_up if isinstance(step, AskVeto) else None,
        )

    def witness(self, event: Event, seat: Seat | None) -> Event:
        if isinstance(event, CardDrawn) and event.seat != seat:
            return CardDrawn(event.seat, None)
        return event

    def describe(self, item: Action | Event) -> str:
        match item:
            case Bid(card):
                return f"bid {card}"
            case LetPass():
                return "keep the veto"
            case Spend():
                return "spend the veto"
            case BidsRevealed(bids):
                return "the bids are " + ", ".join(map(str, bids))
            case PrizeWon(seat, prize):
                return f"seat {seat} wins the prize of {prize}"
            case PrizeLost(prize, vetoed_by):
                why = "nobody bid alone" if vetoed_by is None else f"seat {vetoed_by} spends its veto"
                return f"the prize of {prize} is lost: {why}"
            case CardDrawn(seat, card):
                return f"seat {seat} draws " + ("a card" if card is None else f"a {card}")

    def outcome(self, state: State) -> Outcome | None:
        """T7: equal points share a rank."""
        if not state.agenda.is_empty():
            return None
        points = tuple(state.points)
        return Outcome(
            tuple(1 + sum(other > mine for other in points) for mine in points), points, "all prizes are gone"
        )

    def clone(self, state: State) -> State:
        return copy_of(state)

    def digest(self, state: State) -> str:
        return digest_of(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        unseen = list(CARDS)
        for card in (*view.hand, *view.discards):
            unseen.remove(card)
        rng.shuffle(unseen)
        hands = [
            list(view.hand) if owner == seat else sorted(unseen.pop() for _ in range(count))
            for owner, count in enumerate(view.hand_counts)
        ]
        prizes = [prize for prize in PRIZES if prize not in view.prizes_gone and prize != view.prize]
        rng.shuffle(prizes)
        if view.prize:
            prizes.append(view.prize)
        steps: list[Step] = []
        if view.winner is not None and view.runner_up is not None:
            steps = [AskVeto(view.winner, view.runner_up)]
        elif view.prize:
            steps = [AskBids()]
        return State(
            view.rounds, view.round_number, hands, unseen, prizes, list(view.prizes_gone), list(view.discards),
            list(view.points), list(view.vetoes), Agenda(steps),
        )  # fmt: skip

    def redraw(self, state: State, rng: Rng) -> State:
        world = copy_of(state)
        rng.shuffle(world.stock)
        turned_up = [] if world.agenda.is_empty() else [world.prizes.pop()]
        rng.shuffle(world.prizes)
        world.prizes += turned_up
        return world

    def heuristic(self) -> Heuristic:
        from arena_toy.heuristic import HEURISTIC

        return HEURISTIC

    def board(self, view: View, seats: Mapping[Seat, View]) -> Drawing:
        from arena_toy.board import draw

        return draw(view, seats)


def require_asked(state: State, seat: Seat) -> None:
    """T3, T5: everybody bids, the runner-up alone is asked for its veto, and at the end nobody is asked."""
    step = None if state.agenda.is_empty() else state.agenda.now()
    if step is None or seat not in range(len(state.hands)) or (isinstance(step, AskVeto) and seat != step.runner_up):
        raise not_asked("T3" if isinstance(step, AskBids) else "T5", seat)


def resolve_bids(state: State, bids: list[Action]) -> list[Event]:
    """T4: the highest single bid is about to win; the next single bid may interrupt."""
    cards = [bid.card for bid in bids if isinstance(bid, Bid)]
    for seat, card in enumerate(cards):
        state.hands[seat].remove(card)
        state.discards.append(card)
    single = sorted(
        (seat for seat in range(len(cards)) if cards.count(cards[seat]) == 1), key=lambda seat: -cards[seat]
    )
    events: list[Event] = [BidsRevealed(tuple(cards))]
    if len(single) > 1 and state.vetoes[single[1]]:
        state.agenda.then(AskVeto(single[0], single[1]))
        return events
    return events + award(state, single[0] if single else None, None)


def resolve_veto(state: State, step: AskVeto, action: Action) -> list[Event]:
    """T5: a spent veto takes the prize away from the winner."""
    if isinstance(action, Spend):
        state.vetoes[step.runner_up] = False
        return award(state, None, step.runner_up)
    return award(state, step.winner, None)


def award(state: State, winner: Seat | None, vetoed_by: Seat | None) -> list[Event]:
    """T4, T6: give or lose the prize, draw, and turn up the next prize."""
    prize = state.prizes.pop()
    state.gone.append(prize)
    events: list[Event] = []
    if winner is None:
        events.append(PrizeLost(prize, vetoed_by))
    else:
        state.points[winner] += prize
        events.append(PrizeWon(winner, prize))
    for seat, hand in enumerate(state.hands):
        if state.stock:
            card = state.stock.pop()
            hand.append(card)
            hand.sort()
            events.append(CardDrawn(seat, card))
    if state.round_number < state.rounds:
        state.round_number += 1
        state.agenda.then(AskBids())
    return events


GAME = Toy()
