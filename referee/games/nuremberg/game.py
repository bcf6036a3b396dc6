"""Die Siedler von Nürnberg: the game as the referee sees it, and the table of contents of its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.game import Decision, Outcome, PackagedGame, Seat, Types, check_seats, no_action, not_asked
from referee.games.nuremberg import council, event_phase, main_phase, robber, scoring, setup, trading
from referee.games.nuremberg import events as happenings
from referee.games.nuremberg import imagine as imagining
from referee.games.nuremberg import state as states
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.state import Options, State, deciders
from referee.games.nuremberg.view import DECISION_KINDS, View, observe
from referee.heuristic import TO_THE_END, Scale
from referee.rng import Rng
from referee.setting import parse_options


def first_option(state: State, step: Any, seat: Seat) -> Action:
    """N9: the default of most decisions: to end the turn, to decline, to pick nobody, to build no wall."""
    return CHAPTERS[type(step)].options(state, step, seat)[0]


@dataclass(frozen=True, slots=True)
class Chapter:
    """N9: one row of the decision table: who decides, what may be chosen and what comes of it.

    Each function takes its own kind of step, which a table of chapters cannot say more precisely than `Any`.
    """

    clause: str
    options: Callable[[State, Any, Seat], list[Action]]
    check: Callable[[State, Any, Seat, Action], None]
    resolve: Callable[[State, Any, Mapping[Seat, Action], list[Event]], None]
    default: Callable[[State, Any, Seat], Action] = first_option


CHAPTERS: Mapping[type, Chapter] = {
    states.AskPlacement: Chapter("N2.6", setup.placement_options, setup.check_placement, setup.resolve_placement),
    states.MainPhase: Chapter("N3.7", main_phase.main_options, main_phase.check_main, main_phase.resolve_main),
    states.AskReply: Chapter("N5.17", trading.reply_options, trading.check_reply, trading.resolve_reply),
    states.AskPick: Chapter("N5.18", trading.pick_options, trading.check_pick, trading.resolve_pick),
    states.OfferFreeWall: Chapter(
        "N4.4", event_phase.free_wall_options, event_phase.check_free_wall, event_phase.resolve_free_wall
    ),
    states.AskDiscards: Chapter(
        "N4.6.1", robber.discard_options, robber.check_discard, robber.resolve_discards, robber.default_discard
    ),
    states.AskRobberMove: Chapter(
        "N4.6.2", robber.move_options, robber.check_move, robber.resolve_move, robber.default_move
    ),
    states.AskRobbery: Chapter(
        "N4.6.3", robber.robbery_options, robber.check_robbery, robber.resolve_robbery, robber.default_robbery
    ),
    states.AskCouncilSwap: Chapter(
        "N6.2.2", council.swap_options, council.check_swap, council.resolve_swap, council.default_swap
    ),
}

# What happens by itself: each returns whether play goes on, or a decision is due.
AUTOMATIC: Mapping[type, Callable[[State, list[Event]], bool]] = {
    states.FinishSetup: setup.finish_setup,
    states.StartTurn: event_phase.start_turn,
    states.OfferFreeWall: event_phase.offer_free_wall,
    states.MainPhase: scoring.ends_by_victory,  # N7.1: after the event and after each main action
    states.GrantChips: council.grant_chip,
}


def _decisions(step: type, *, open_ended: bool = False) -> tuple[tuple[Decision, ...], ...]:
    kind = DECISION_KINDS[step].name.lower()
    return tuple((Decision(seat, kind, CHAPTERS[step].clause, open_ended),) for seat in range(4))


# Decisions are values: one tuple for every chapter and seat.
DECISIONS: Mapping[type, tuple[tuple[Decision, ...], ...]] = {step: _decisions(step) for step in CHAPTERS}
# N5.22: where more is legal than is listed, the decision says so.
OPEN_DECISIONS = {step: _decisions(step, open_ended=True) for step in (states.MainPhase, states.AskReply)}


def advance(state: State, events: list[Event]) -> None:
    """Play on through everything automatic to the next decision, or to the end."""
    steps = state.agenda.steps
    while steps:
        automatic = AUTOMATIC.get(type(steps[-1]))
        if automatic is None or not automatic(state, events):
            return


class Nuremberg(PackagedGame[State, Action, View, Event, Options]):
    """The game contract, carried out by the chapters."""

    slug = "nuremberg"
    title = "Die Siedler von Nürnberg"
    rules_version = 1
    table_sizes = range(3, 5)
    preferred_seats = 4
    compares_scores = True
    summary = (
        "Players build toll bars and settlements along five roads that lead out of Nuremberg, harvest wood, wool,"
        " grain, brick and ore when the event card shows the number of a landscape, trade, and build workshops, walls"
        " and towers in the city. A player with 13 points on his own turn wins; after the last year most points do."
    )
    scale = Scale(lead=1.5, drift=0.07, horizon=30, sights=(8, 30, TO_THE_END), near=30)
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """N2.1: checked options; a ValueError names the key that is wrong."""
        options = parse_options(Options, mapping)
        setup.check_colors(options)
        return options

    def begin(self, seats: int, seed: int, options: Options) -> tuple[State, Sequence[Event]]:
        """N2, N3.1: the state at the first decision, and what led there: in the beginner set-up a turn has begun."""
        check_seats(self, seats)
        state = setup.lay_out(seats, seed, options)
        events: list[Event] = []
        advance(state, events)
        return state, events

    def pending(self, state: State) -> tuple[Decision, ...]:
        """N9: the open decisions."""
        seats = deciders(state)
        if not seats:
            return ()
        step = type(state.agenda.steps[-1])
        decisions = DECISIONS[step]
        if len(seats) == 1:
            seat = seats[0]
            if step is states.MainPhase and main_phase.may_propose(state, seat):
                return OPEN_DECISIONS[step][seat]
            if step is states.AskReply and trading.holds_anything(state, seat):
                return OPEN_DECISIONS[step][seat]
            return decisions[seat]
        return tuple(decisions[seat][0] for seat in seats)

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """N9: the options of a pending seat, in the order of the table."""
        if seat not in deciders(state):
            raise not_asked("N9", seat)
        step = state.agenda.steps[-1]
        return CHAPTERS[type(step)].options(state, step, seat)

    def default_action(self, state: State, seat: Seat) -> Action:
        """N9, N8.5: the default of the table, played for a missing, late or illegal answer."""
        if seat not in deciders(state):
            raise not_asked("N9", seat)
        step = state.agenda.steps[-1]
        return CHAPTERS[type(step)].default(state, step, seat)

    def check(self, state: State, seat: Seat, action: object) -> None:
        """Refuse what the rules do not allow this seat now, with clause and reason."""
        if seat not in deciders(state):
            raise not_asked("N9", seat)
        if not isinstance(action, Action):
            raise no_action("N9", action)
        step = state.agenda.steps[-1]
        CHAPTERS[type(step)].check(state, step, seat, action)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> Sequence[Event]:
        """Carry out choices that are known to be legal."""
        events: list[Event] = []
        step = state.agenda.steps[-1]
        CHAPTERS[type(step)].resolve(state, step, choices, events)
        advance(state, events)
        return events

    def observe(self, state: State, seat: Seat | None) -> View:
        """N10: what a seat, or a spectator, may see."""
        return observe(state, seat)

    def witness(self, event: Event, seat: Seat | None) -> Event | None:
        """N10.3: an event as the seat saw it."""
        return happenings.witness(event, seat)

    def scores_so_far(self, state: State) -> tuple[int, ...]:
        """N1.5: the points of every seat now."""
        return tuple(scoring.points(state, seat) for seat in range(state.seats))

    def outcome(self, state: State) -> Outcome | None:
        """N7.4: the ranking, once the game is over."""
        return scoring.outcome(state)

    def clone(self, state: State) -> State:
        """A copy that shares nothing mutable."""
        return states.clone(state)

    def digest(self, state: State) -> str:
        """A fingerprint of the whole state."""
        return states.digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """N10.4: a full state behind a view, with hands, deck and chance resampled."""
        return imagining.imagine(view, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """N10.4: a copy with another order of the event deck, and other shuffles and card draws to come."""
        world = states.clone(state)
        rng.shuffle(world.deck)
        world.deck_rng, world.card_rng = Rng(rng.next64()), Rng(rng.next64())
        return world


GAME = Nuremberg()
