"""Fürstenfeld: the nine decisions, and which chapter of the rules answers for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import assert_never

from referee.game import Decision, Outcome, PackagedGame, Seat, Types, check_seats, no_action, not_asked
from referee.games.furstenfeld import building, discarding, events, imagine, rounds, scoring, selling, setup, view
from referee.games.furstenfeld.actions import CHOOSE_NONE, STOP, Action
from referee.games.furstenfeld.components import MAX_PLAYERS, MIN_PLAYERS
from referee.games.furstenfeld.events import Event
from referee.games.furstenfeld.state import (
    AskBrewery,
    AskBuild,
    AskDiscard,
    AskExchange,
    AskOfficeBonus,
    AskScrap,
    AskSellAmount,
    AskSetupBottom,
    AskStore,
    EndRound,
    Options,
    StartRound,
    State,
    Step,
    TakeTurn,
    clone,
    digest,
)
from referee.games.furstenfeld.view import ASKED, Question, View
from referee.heuristic import TO_THE_END, Scale
from referee.rng import Rng
from referee.setting import parse_options

CLAUSES: dict[Question, str] = {
    Question.SETUP_BOTTOM: "F2.8",
    Question.EXCHANGE: "F6.1",
    Question.BREWERY: "F6.2",
    Question.SELL_AMOUNT: "F6.3",
    Question.OFFICE_BONUS: "F6.5",
    Question.BUILD: "F7.1",
    Question.SCRAP: "F8.1",
    Question.DISCARD: "F8.3",
    Question.STORE: "F8.6",
}


class Furstenfeld(PackagedGame[State, Action, View, Event, Options]):
    """F12: the rules as the referee calls them."""

    slug = "furstenfeld"
    title = "Fürstenfeld"
    rules_version = 1
    table_sizes = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    preferred_seats = 4
    max_options = 61  # F12.1: the longest list of the table of decisions
    summary = (
        "Each player has a farm of six lots that yields hops, barley and water. Every round goods are sold to"
        " breweries, which pay less the more is placed with them, and cards are built from the hand onto lots. Palace"
        " parts cost most and cover what earned money. Six palace parts win; money breaks ties."
    )
    scale = Scale(lead=20.0, drift=4.0, horizon=60, sights=(15, 60, TO_THE_END), near=120)
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """F2.1: the variant, basic unless told otherwise."""
        return parse_options(Options, mapping)

    def begin(self, seats: int, seed: int, options: Options) -> tuple[State, Sequence[Event]]:
        """F2, F3.2: the state at the first decision, and what happened before it: in the basic game a round began."""
        check_seats(self, seats)
        state = setup.new_state(seats, seed, options.variant)
        happened: list[Event] = []
        rounds.advance(state, happened)
        return state, happened

    def pending(self, state: State) -> tuple[Decision, ...]:
        """F12.1: the open decisions: one, or one for every seat in the set-up of the advanced game."""
        steps = state.agenda.steps
        if not steps:
            return ()
        question, _phase = ASKED[type(steps[-1])]
        return _decisions(question, view.asked(state, steps[-1]))

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """F12.1: all options, in the order of the table of decision points."""
        step = _asked_step(state, seat)
        match step:
            case AskExchange():
                return selling.exchange_options(state, step)
            case AskBrewery():
                return selling.brewery_options(state, step)
            case AskSellAmount():
                return selling.sell_amount_options(state, step)
            case AskOfficeBonus():
                return selling.office_bonus_options(step)
            case AskBuild():
                return building.build_options(state, step)
            case AskScrap():
                return discarding.scrap_options(state, step)
            case AskDiscard():
                return discarding.discard_options(state, step)
            case AskStore():
                return discarding.store_options(state, step)
            case AskSetupBottom():
                return setup.setup_bottom_options(state, seat)
            case StartRound() | TakeTurn() | EndRound():
                raise _nothing_asked(step)
            case _:
                assert_never(step)

    def default_action(self, state: State, seat: Seat) -> Action:
        """F12.4: the default of the table of decision points."""
        step = _asked_step(state, seat)
        match step:
            case AskExchange():
                return CHOOSE_NONE
            case AskBrewery():
                return selling.default_brewery(state, step)
            case AskSellAmount():
                return selling.sell_amount_options(state, step)[-1]
            case AskOfficeBonus():
                return selling.default_office_bonus(step)
            case AskBuild() | AskScrap():
                return STOP
            case AskDiscard():
                return discarding.discard_options(state, step)[0]
            case AskStore():
                return discarding.store_options(state, step)[-1]
            case AskSetupBottom():
                return setup.setup_bottom_options(state, seat)[0]
            case StartRound() | TakeTurn() | EndRound():
                raise _nothing_asked(step)
            case _:
                assert_never(step)

    def check(self, state: State, seat: Seat, action: object) -> None:
        """F12.1: an action is legal if and only if it is listed; otherwise the clause it breaks is named."""
        step = _asked_step(state, seat)
        if not isinstance(action, Action):
            raise no_action("F12.1", action)
        if action in self.legal_actions(state, seat):
            return
        match step:
            case AskExchange():
                raise selling.refuse_exchange(state, step, action)
            case AskBrewery():
                raise selling.refuse_brewery(state, action)
            case AskSellAmount():
                raise selling.refuse_sell_amount(state, step, action)
            case AskOfficeBonus():
                raise selling.refuse_office_bonus(action)
            case AskBuild():
                raise building.refuse_build(state, step, action)
            case AskScrap():
                raise discarding.refuse_scrap(action)
            case AskDiscard():
                raise discarding.refuse_discard(state, step, action)
            case AskStore():
                raise discarding.refuse_store(state, step, action)
            case AskSetupBottom():
                raise setup.refuse_setup_bottom(action)
            case StartRound() | TakeTurn() | EndRound():
                raise _nothing_asked(step)
            case _:
                assert_never(step)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        """F12.1: carry out choices that are known to be legal."""
        happened = self._resolve(state, choices)
        rounds.advance(state, happened)
        return happened

    def _resolve(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        step = state.agenda.now()
        match step:
            case AskExchange(seat):
                return selling.resolve_exchange(state, step, choices[seat])
            case AskBrewery(seat):
                return selling.resolve_brewery(state, step, choices[seat])
            case AskSellAmount(seat):
                return selling.resolve_sell_amount(state, step, choices[seat])
            case AskOfficeBonus(seat):
                return selling.resolve_office_bonus(state, step, choices[seat])
            case AskBuild(seat):
                return building.resolve_build(state, step, choices[seat])
            case AskScrap(seat):
                return discarding.resolve_scrap(state, step, choices[seat])
            case AskDiscard(seat):
                return discarding.resolve_discard(state, step, choices[seat])
            case AskStore(seat):
                return discarding.resolve_store(state, step, choices[seat])
            case AskSetupBottom():
                return setup.resolve_setup_bottom(state, choices)
            case StartRound() | TakeTurn() | EndRound():
                raise _nothing_asked(step)
            case _:
                assert_never(step)

    def observe(self, state: State, seat: Seat | None) -> View:
        """F13: what the seat may know; None is a spectator."""
        return view.observe(state, seat)

    def witness(self, event: Event, seat: Seat | None) -> Event:
        """F13.4: the event with what is hidden from the seat left out."""
        return events.witness(event, seat)

    def score_text(self, score: int) -> str:
        """F11.6: a score in words: palace parts and money, which are one number when compared."""
        return scoring.score_text(score)

    def scores_so_far(self, state: State) -> tuple[int, ...]:
        """F11.6: palace parts and money of every seat now, as one number."""
        return scoring.scores(state)

    def outcome(self, state: State) -> Outcome | None:
        """F11: the ranking, once the game is over."""
        return scoring.outcome(state)

    def clone(self, state: State) -> State:
        """Return a copy that shares nothing mutable."""
        return clone(state)

    def digest(self, state: State) -> str:
        """F14.12: a fingerprint of the whole state; there is no chance left in it after set-up (F2.9)."""
        return digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """F13: a state this seat cannot tell from the real one."""
        return imagine.imagine(view, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """F13.2: a copy in which the cards that their owners have never seen lie in another order."""
        return imagine.redraw(state, rng)


def _asked_step(state: State, seat: Seat) -> Step:
    """F12.1: the step that asks this seat; any other seat is refused."""
    if state.agenda.steps:
        step = state.agenda.steps[-1]
        match step:
            case AskSetupBottom():
                if seat in range(len(state.players)):
                    return step
            case StartRound() | EndRound():
                raise _nothing_asked(step)
            case _:
                if step.seat == seat:
                    return step
    raise not_asked("F12.1", seat)


@cache
def _decisions(question: Question, seats: tuple[Seat, ...]) -> tuple[Decision, ...]:
    return tuple(Decision(seat, question.name.lower(), CLAUSES[question]) for seat in seats)


def _nothing_asked(step: Step) -> RuntimeError:
    """F3.2: steps without a question are carried out immediately, so that `new` and `apply` never rest on it."""
    return RuntimeError(f"{step} asks nobody and should have been carried out")


GAME = Furstenfeld()
