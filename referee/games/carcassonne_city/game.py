"""Carcassonne: The City, as the referee plays it: the table of contents of its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from referee.game import (
    Decision,
    IllegalActionError,
    Outcome,
    PackagedGame,
    Seat,
    Types,
    check_seats,
    no_action,
    no_such_seat,
    not_asked,
)
from referee.games.carcassonne_city import actions as act
from referee.games.carcassonne_city import ending, followers, guards, placing, steps, towers, walls
from referee.games.carcassonne_city.actions import Action, Arm
from referee.games.carcassonne_city.components import FEWEST_SEATS, MAX_SEATS, FeatureKind
from referee.games.carcassonne_city.events import Event
from referee.games.carcassonne_city.imagine import imagine
from referee.games.carcassonne_city.scoring import score_tile
from referee.games.carcassonne_city.setup import Options, set_up
from referee.games.carcassonne_city.state import NOTHING, State, clone, digest
from referee.games.carcassonne_city.steps import Step
from referee.games.carcassonne_city.view import DecisionKind, View, decision_of, observe
from referee.heuristic import Scale
from referee.rng import Rng
from referee.setting import parse_options

CLAUSES = {
    DecisionKind.PLACE_TILE: "C4.1",
    DecisionKind.PLACE_FOLLOWER: "C5.1",
    DecisionKind.PLACE_GATE: "C7.5",
    DecisionKind.PLACE_WALL: "C7.7",
    DecisionKind.PLACE_GUARD: "C9.1",
    DecisionKind.PLACE_TOWER: "C10.1",
}
# C13.1: one decision after the other, so one entry is all that is ever pending.
PENDING = {
    kind: tuple((Decision(seat, kind.name, CLAUSES[kind]),) for seat in range(MAX_SEATS)) for kind in DecisionKind
}


def advance(state: State) -> list[Event]:
    """C3.1, C3.5, C8.11: play everything that needs no decision, up to the next decision or the end."""
    events: list[Event] = []
    agenda = state.agenda
    while agenda.steps:
        step = agenda.now()
        if is_question(state, step):
            return events
        agenda.done()
        match step:
            case steps.DrawTile():
                events += placing.draw_tile(state)
                if state.drawn == NOTHING:
                    agenda.steps = [steps.CheckEnd()]  # C3.4
            case steps.ScoreTile():
                events += end_placing(state)
            case steps.CheckEnd():
                events += end_turn(state)
            case _:
                pass  # a question that nobody has to answer
    return events


def is_question(state: State, step: Step) -> bool:
    """C13: return whether the step asks a seat for a decision now."""
    match step:
        case steps.AskTile() | steps.AskGate():
            return True
        case steps.AskFollower():
            return followers.has_follower_decision(state)
        case steps.AskWall():
            return walls.can_build_wall(state)
        case steps.AskGuard(seat):
            return guards.has_guard_decision(state, seat)
        case steps.AskTower():
            return towers.has_tower_decision(state)
        case steps.DrawTile() | steps.ScoreTile() | steps.CheckEnd():
            return False
        case _:
            assert_never(step)


def end_placing(state: State) -> list[Event]:
    """C3.1 steps 4 and 5, C8.1, C8.2: score what the tile completed; from pile 2 on, a scoring starts a wall phase."""
    events = score_tile(state)
    if events and state.regime >= 2:
        events += walls.begin_wall_phase(state)
    return events


def end_turn(state: State) -> list[Event]:
    """C3.1 step 6: end the game, or hand the turn to the next seat clockwise."""
    reason = ending.ending_now(state)
    if reason is not None:
        return ending.finish(state, reason)
    state.active = (state.active + 1) % state.seats
    state.agenda.then(*steps.TURN)
    return []


def resolve(state: State, step: Step, action: Action) -> list[Event]:
    """C13: carry out the answer to the open decision."""
    match step, action:
        case steps.AskTile(), act.PlaceTile():
            return placing.place_drawn_tile(state, action)
        case steps.AskFollower(), act.PlaceFollower() | act.Decline():
            return followers.place_follower(state, action)
        case steps.AskGate(), act.PlaceGate():
            return walls.resolve_gate(state, action)
        case steps.AskWall(seat), act.BuildWall():
            if state.regime == 2:
                state.agenda.then(steps.AskGuard(seat))  # C8.7
            return walls.resolve_wall(state, seat, action)
        case steps.AskGuard(seat), act.PostGuard() | act.Decline():
            return guards.resolve_guard(state, seat, action)
        case steps.AskTower(), act.BuildTower() | act.Decline():
            return towers.resolve_tower(state, action)
        case _:
            raise AssertionError(f"{action} does not answer {step}")


# C13: the options of every decision, in canonical order.
OPTIONS: Mapping[type[Step], Callable[[State], Sequence[Action]]] = {
    steps.AskTile: placing.tile_options,
    steps.AskFollower: followers.follower_options,
    steps.AskGate: walls.gate_options,
    steps.AskWall: walls.wall_options,
    steps.AskGuard: guards.guard_options,
    steps.AskTower: towers.tower_options,
}


def safe_default(state: State, step: Step) -> Action:
    """C13: what is played for a seat that does not answer."""
    match step:
        case steps.AskTile():
            return placing.first_tile_option(state)
        case steps.AskFollower() | steps.AskGuard() | steps.AskTower():
            return act.DECLINE
        case _:
            return OPTIONS[type(step)](state)[0]


def check_answer(state: State, step: Step, action: Action) -> None:
    """C13: refuse an action that is not an option of the open decision, naming the clause."""
    if not has_sound_fields(action):
        raise IllegalActionError("C13", f"{action!r} does not hold numbers and names of the rules")
    match step, action:
        case steps.AskTile(), act.PlaceTile():
            placing.check_tile(state, action)
        case steps.AskFollower(), act.PlaceFollower():
            followers.check_follower(state, action)
        case steps.AskGate(), act.PlaceGate():
            walls.check_gate(state, action)
        case steps.AskTower(), act.BuildTower():
            if action not in towers.tower_options(state):
                raise IllegalActionError(
                    "C10.3", f"no wall was built at the {action.arm.name.lower()} end since the last tower"
                )
        case (
            (steps.AskFollower() | steps.AskGuard() | steps.AskTower(), act.Decline())
            | (steps.AskGuard(), act.PostGuard())
            | (steps.AskWall(), act.BuildWall())
        ):
            return
        case _:
            raise IllegalActionError("C13", f"{action!r} does not answer {type(step).__name__}")


def has_sound_fields(action: Action) -> bool:
    """C13: return whether the fields of an action have their declared types."""
    match action:
        case act.PlaceTile(x, y, third) | act.PlaceGate(x, y, third):
            return type(x) is int and type(y) is int and type(third) is int
        case act.PlaceFollower(kind, index):
            return type(kind) is FeatureKind and type(index) is int
        case act.BuildWall(arm) | act.BuildTower(arm):
            return type(arm) is Arm
        case _:
            return True


class CarcassonneCity(PackagedGame[State, Action, View, Event, Options]):
    """Carcassonne: The City (Die Stadt) for two to four seats."""

    slug = "carcassonne_city"
    title = "Carcassonne: The City"
    rules_version = 1
    table_sizes = range(FEWEST_SEATS, MAX_SEATS + 1)
    preferred_seats = 4
    compares_scores = True
    max_options = 600  # C4: a place beside 74 tiles, of which there are 150, four ways round
    summary = (
        "Players lay city tiles whose streets, markets and residential areas join up, and may put a follower on a"
        " feature of the tile just laid. Completed streets and markets score immediately for the player with most"
        " followers there, and the followers come home; residents stay to the end. Later the city gets walls, guards"
        " that score what they see along their row, and towers. Most points win."
    )
    # up to a hundred places for a tile, so that only a few are rated
    scale = Scale(lead=8.0, drift=3.6, horizon=5, sights=(2, 5, 12), near=12, max_rated=8)
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """Return the options, of which there are none; a ValueError names the key that is wrong."""
        return parse_options(Options, mapping)

    def begin(self, seats: int, seed: int, options: Options) -> tuple[State, Sequence[Event]]:
        """C2, C3.3: the state at the first decision, and what happened before it: a tile was drawn."""
        check_seats(self, seats)
        state = set_up(seats, seed)
        return state, advance(state)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """C13.1: the one open decision, or () when the game is over."""
        decision = decision_of(state)
        return PENDING[decision[0]][decision[1]] if decision else ()

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """C13: what the deciding seat may choose, in canonical order."""
        self._require_turn(state, seat)
        return OPTIONS[type(state.agenda.now())](state)

    def default_action(self, state: State, seat: Seat) -> Action:
        """C13: the safe default."""
        self._require_turn(state, seat)
        return safe_default(state, state.agenda.now())

    def check(self, state: State, seat: Seat, action: object) -> None:
        """C13: raise IllegalActionError unless the seat may choose the action."""
        self._require_turn(state, seat)
        if not isinstance(action, Action):
            raise no_action("C13", action)
        check_answer(state, state.agenda.now(), action)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> Sequence[Event]:
        """C3.1: carry out a choice that is known to be legal."""
        (action,) = choices.values()
        events = resolve(state, state.agenda.done(), action)
        events += advance(state)
        return events

    def observe(self, state: State, seat: Seat | None) -> View:
        """C14: what everybody sees."""
        if seat is not None and seat not in range(state.seats):
            raise no_such_seat(seat, state.seats)
        return observe(state)

    def witness(self, event: Event, seat: Seat | None) -> Event:
        """C14: all seats and spectators see all that happens."""
        return event

    def scores_so_far(self, state: State) -> tuple[int, ...]:
        """C12.6: the points of every seat now; residents and guards count at the end."""
        return tuple(state.scores)

    def outcome(self, state: State) -> Outcome | None:
        """C12.7: the ranking, or None while the game goes on."""
        return ending.outcome(state)

    def clone(self, state: State) -> State:
        """Return a copy that shares nothing mutable with the state."""
        return clone(state)

    def digest(self, state: State) -> str:
        """Return a fingerprint of the whole state."""
        return digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """C14: a state with this view, the undrawn tiles reshuffled."""
        return imagine(view, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """C14: a copy in which the undrawn tiles lie in another order; after the end they are known."""
        world = clone(state)
        if world.ending is None:
            rng.shuffle(world.deck)
        return world

    def _require_turn(self, state: State, seat: Seat) -> None:
        decision = decision_of(state)
        if decision is None or decision[1] != seat:
            raise not_asked("C13.1", seat)


GAME = CarcassonneCity()
