"""Fürstenfeld: the nine decisions, and which chapter of the rules answers for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from referee.game import Decision, Outcome, PackagedGame, Seat, Types, check_seats, no_action, not_asked
from referee.games.furstenfeld import building, discarding, events, imagine, rounds, scoring, selling, setup, view
from referee.games.furstenfeld import state as states
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.components import MAX_PLAYERS, MIN_PLAYERS
from referee.games.furstenfeld.events import Event
from referee.games.furstenfeld.state import AskSetupBottom, Options, State
from referee.games.furstenfeld.view import ASKED, Question, View
from referee.heuristic import TO_THE_END, Scale
from referee.rng import Rng
from referee.setting import parse_options


def first_option(state: State, step: Any, seat: Seat) -> Action:
    """F12.4: the default where the table names the first option: `none`, `stop` or the lowest card."""
    return CHAPTERS[type(step)].options(state, step, seat)[0]


def last_option(state: State, step: Any, seat: Seat) -> Action:
    """F12.4: the default where the table names the last option: all that can be sold or stored."""
    return CHAPTERS[type(step)].options(state, step, seat)[-1]


@dataclass(frozen=True, slots=True)
class Chapter:
    """F12.1: one row of the table of decision points: its clause, what may be chosen, and what comes of it.

    Each function takes its own kind of step, which a table of chapters cannot say more precisely than `Any`.
    """

    clause: str
    options: Callable[[State, Any, Seat], Sequence[Action]]
    refuse: Callable[[State, Any, Action], Exception]
    resolve: Callable[[State, Any, Any], list[Event]]
    default: Callable[[State, Any, Seat], Action] = first_option


CHAPTERS: Mapping[type, Chapter] = {
    states.AskSetupBottom: Chapter(
        "F2.8", setup.setup_bottom_options, setup.refuse_setup_bottom, setup.resolve_setup_bottom
    ),
    states.AskExchange: Chapter("F6.1", selling.exchange_options, selling.refuse_exchange, selling.resolve_exchange),
    states.AskBrewery: Chapter(
        "F6.2", selling.brewery_options, selling.refuse_brewery, selling.resolve_brewery, selling.default_brewery
    ),
    states.AskSellAmount: Chapter(
        "F6.3", selling.sell_amount_options, selling.refuse_sell_amount, selling.resolve_sell_amount, last_option
    ),
    states.AskOfficeBonus: Chapter(
        "F6.5",
        selling.office_bonus_options,
        selling.refuse_office_bonus,
        selling.resolve_office_bonus,
        selling.default_office_bonus,
    ),
    states.AskBuild: Chapter("F7.1", building.build_options, building.refuse_build, building.resolve_build),
    states.AskScrap: Chapter("F8.1", discarding.scrap_options, discarding.refuse_scrap, discarding.resolve_scrap),
    states.AskDiscard: Chapter(
        "F8.3", discarding.discard_options, discarding.refuse_discard, discarding.resolve_discard
    ),
    states.AskStore: Chapter(
        "F8.6", discarding.store_options, discarding.refuse_store, discarding.resolve_store, last_option
    ),
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
        step = steps[-1]
        question, _phase = ASKED[type(step)]
        return _decisions(question, CHAPTERS[type(step)].clause, view.asked(state, step))

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """F12.1: all options, in the order of the table of decision points."""
        step = _asked_step(state, seat)
        return CHAPTERS[type(step)].options(state, step, seat)

    def default_action(self, state: State, seat: Seat) -> Action:
        """F12.4: the default of the table of decision points."""
        step = _asked_step(state, seat)
        return CHAPTERS[type(step)].default(state, step, seat)

    def check(self, state: State, seat: Seat, action: object) -> None:
        """F12.1: an action is legal if and only if it is listed; otherwise the clause it breaks is named."""
        step = _asked_step(state, seat)
        if not isinstance(action, Action):
            raise no_action("F12.1", action)
        chapter = CHAPTERS[type(step)]
        if action not in chapter.options(state, step, seat):
            raise chapter.refuse(state, step, action)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        """F12.1: carry out choices that are known to be legal."""
        step: Any = state.agenda.now()
        resolve = CHAPTERS[type(step)].resolve
        happened = resolve(state, step, choices if isinstance(step, AskSetupBottom) else choices[step.seat])
        rounds.advance(state, happened)
        return happened

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
        return states.clone(state)

    def digest(self, state: State) -> str:
        """F14.12: a fingerprint of the whole state; there is no chance left in it after set-up (F2.9)."""
        return states.digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """F13: a state this seat cannot tell from the real one."""
        return imagine.imagine(view, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """F13.2: a copy in which the cards that their owners have never seen lie in another order."""
        return imagine.redraw(state, rng)


def _asked_step(state: State, seat: Seat) -> Any:
    """F12.1: the step that asks this seat; any other seat is refused."""
    steps = state.agenda.steps
    if not steps or seat not in view.asked(state, steps[-1]):
        raise not_asked("F12.1", seat)
    return steps[-1]


@cache
def _decisions(question: Question, clause: str, seats: tuple[Seat, ...]) -> tuple[Decision, ...]:
    return tuple(Decision(seat, question.name.lower(), clause) for seat in seats)


GAME = Furstenfeld()
