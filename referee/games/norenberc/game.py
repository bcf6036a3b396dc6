"""Norenberc as a table of contents: which chapter answers for which step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.game import Decision, Outcome, PackagedGame, Seat, Types, check_seats, no_action, not_asked
from referee.games.norenberc import citizens, closing, dealing, hiring, planning
from referee.games.norenberc import state as states
from referee.games.norenberc.actions import Action
from referee.games.norenberc.components import TABLE_SIZES
from referee.games.norenberc.events import Event
from referee.games.norenberc.imagine import imagine, redraw
from referee.games.norenberc.refusals import is_well_formed, refuse
from referee.games.norenberc.scoring import final_outcome, scores
from referee.games.norenberc.setup import set_up
from referee.games.norenberc.state import AskPlan, AskStep, State
from referee.games.norenberc.view import PHASES, View, observe
from referee.heuristic import TO_THE_END, Scale
from referee.rng import Rng
from referee.setting import parse_options


@dataclass(frozen=True, slots=True)
class Options:
    """The base game has no variants (B1.11: the promotional citizens are not used)."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """B10.2: one row of the decision table: its clause, what may be chosen, and what comes of it.

    Each function takes its own kind of step, which a table of chapters cannot say more precisely than `Any`.
    """

    clause: str
    options: Callable[[State, Any, Seat], tuple[Action, ...]]
    resolve: Callable[[State, Any, Any, list[Event]], None]


CHAPTERS: Mapping[type[AskStep], Chapter] = {
    AskPlan: Chapter("B4.1", planning.plan_options, planning.resolve_plan),
    states.AskAction: Chapter("B5.4", dealing.act_options, dealing.resolve_action),
    states.AskPayment: Chapter("B5.13", hiring.payment_options, hiring.resolve_payment),
    states.AskPurchase: Chapter("B5.8", dealing.purchase_options, dealing.resolve_purchase),
    states.AskTheft: Chapter("B6.4", citizens.theft_options, citizens.resolve_theft),
    states.AskSwap: Chapter("B6.6", lambda state, _step, _seat: citizens.swap_options(state), citizens.resolve_swap),
    states.AskStoredGood: Chapter("B6.7", citizens.stored_good_options, citizens.resolve_stored_good),
    states.AskMayorGuild: Chapter(
        "B6.9", lambda state, _step, _seat: citizens.mayor_options(state.houses), citizens.resolve_mayor
    ),
    states.AskTurnOrder: Chapter(
        "B5.19", lambda _state, _step, _seat: hiring.TURN_ORDER_OPTIONS, hiring.resolve_turn_order
    ),
}

DECISIONS: dict[type[AskStep], tuple[Decision, ...]] = {
    step: tuple(Decision(seat, PHASES[step].name, chapter.clause) for seat in range(TABLE_SIZES[-1]))
    for step, chapter in CHAPTERS.items()
}
SINGLE_DECISIONS = {step: tuple((decision,) for decision in decisions) for step, decisions in DECISIONS.items()}


def open_step(state: State, seat: Seat) -> AskStep:
    """B10.1: the decision that this seat is asked for; any other seat is refused."""
    if state.agenda.steps:
        step = top_step(state)
        if isinstance(step, AskPlan):
            if seat in range(state.seats) and not state.finished[seat]:
                return step
        elif step.seat == seat:
            return step
    raise not_asked("B10.1", seat)


def top_step(state: State) -> AskStep:
    """B10.1: the decision on top of the agenda; between two calls of `apply` there is no other step there."""
    step: Any = state.agenda.now()
    assert type(step) in CHAPTERS
    return step  # type: ignore[no-any-return]  # a step with a chapter is an AskStep


def list_options(state: State, step: AskStep, seat: Seat) -> tuple[Action, ...]:
    """B10.2: the options of each decision."""
    return CHAPTERS[type(step)].options(state, step, seat)


def play_on(state: State, events: list[Event]) -> None:
    """B3.1: carry out everything that leaves no choice (B10.3), up to the next decision or the end."""
    agenda = state.agenda
    while agenda.steps:
        step = agenda.steps.pop()
        match step:
            case states.LetAct():
                planning.let_act(state)
            case states.CallGuilds():
                planning.call_guild(state, events)
            case states.GiveBonus():
                hiring.give_bonus(state, step, events)
            case states.SendToRoof():
                dealing.send_to_roof(state, step.house, step.seat)
            case states.EndTurn():
                closing.end_turn(state, events)
            case states.EndRound():
                closing.end_round(state, events)
            case _:
                agenda.steps.append(step)
                return


class Norenberc(PackagedGame[State, Action, View, Event, Options]):
    """Norenberc by Andreas Steding, for two to five players."""

    slug = "norenberc"
    title = "Norenberc"
    rules_version = 1
    table_sizes = TABLE_SIZES
    preferred_seats = 4
    compares_scores = True
    max_options = 409  # B6.6: the Guard, if every lodging held artisans of one guild
    summary = (
        "Over four rounds players secretly plan which guilds to send agents to, and there sell goods, hire guests from"
        " the lodgings or buy from the storehouse. Artisans, majorities of agents and tiles in guilds, blazons and"
        " prestige give victory points; most of them win, and artisans break ties."
    )
    scale = Scale(lead=4.0, drift=0.48, horizon=20, sights=(5, TO_THE_END, TO_THE_END), near=40)  # a plan pays late
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """Return the options: there are none, so every key is refused."""
        return parse_options(Options, mapping)

    def new(self, seats: int, seed: int, options: Options) -> State:
        """B2.1: return the state at the first planning."""
        check_seats(self, seats)
        return set_up(seats, seed)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """B4.3: all active seats plan at the same time; every other decision is one seat's alone."""
        if not state.agenda.steps:
            return ()
        step = top_step(state)
        if isinstance(step, AskPlan):
            return tuple([DECISIONS[AskPlan][seat] for seat in range(state.seats) if not state.finished[seat]])
        return SINGLE_DECISIONS[type(step)][step.seat]

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """B10.1: the options of a pending seat in the order of the decision table."""
        return list_options(state, open_step(state, seat), seat)

    def default_action(self, state: State, seat: Seat) -> Action:
        """B10.1, B10.2: the default of the decision table: the mildest option, which is always listed first."""
        return list_options(state, open_step(state, seat), seat)[0]

    def check(self, state: State, seat: Seat, action: object) -> None:
        """B10.1: an answer is one of the options."""
        step = open_step(state, seat)
        if not isinstance(action, Action):
            raise no_action("B10.1", action)
        options = list_options(state, step, seat)
        if action not in options or not is_well_formed(action):
            raise refuse(state, step, seat, action, options)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        """Carry out choices that are known to be legal."""
        events: list[Event] = []
        step = top_step(state)
        state.agenda.done()
        chosen = choices if isinstance(step, AskPlan) else choices[step.seat]
        CHAPTERS[type(step)].resolve(state, step, chosen, events)
        play_on(state, events)
        return events

    def observe(self, state: State, seat: Seat | None) -> View:
        """B12.1: return what the seat may know now."""
        return observe(state, seat)

    def witness(self, event: Event, seat: Seat | None) -> Event | None:
        """B12.2: everything that happens is seen by everybody."""
        return event

    def scores_so_far(self, state: State) -> tuple[int, ...]:
        """B9.1: what every seat would score if the game ended here."""
        return tuple(each.total for each in scores(state))

    def outcome(self, state: State) -> Outcome | None:
        """B9.10: return ranks and points once the last round is over."""
        return None if state.agenda.steps else final_outcome(state)

    def clone(self, state: State) -> State:
        """Return a copy that shares nothing mutable with the state."""
        return states.clone(state)

    def digest(self, state: State) -> str:
        """Return a fingerprint of the whole state."""
        return states.digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """Return a full state that this seat cannot tell from the real one."""
        return imagine(view, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """B12.5: return a copy with another guest pile and set-up box, as far as nobody has seen them."""
        return redraw(state, rng)


GAME = Norenberc()
