"""Carcassonne: The City, as the referee plays it: options, choices and events as values, by the rules of `turns.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from referee.game import (
    Decision,
    Outcome,
    PackagedGame,
    Seat,
    Types,
    check_seats,
    no_such_seat,
    not_asked,
)
from referee.games.carcassonne_city.actions import Action
from referee.games.carcassonne_city.codes import (
    Choice,
    action_of,
    actions_in,
    code_for,
    event_of,
    known_code,
)
from referee.games.carcassonne_city.components import FEWEST_SEATS, MAX_SEATS
from referee.games.carcassonne_city.ending import outcome
from referee.games.carcassonne_city.events import Event
from referee.games.carcassonne_city.heuristic import MAX_RATED, rate_listing
from referee.games.carcassonne_city.imagine import determinize, imagine, redraw
from referee.games.carcassonne_city.refusals import check_answer
from referee.games.carcassonne_city.setup import Options, set_up
from referee.games.carcassonne_city.state import State, clone, digest
from referee.games.carcassonne_city.steps import kind_of_step
from referee.games.carcassonne_city.turns import list_options, play_on, resolve, seat_asked
from referee.games.carcassonne_city.view import DECISION_KINDS, DecisionKind, View, observe
from referee.games.carcassonne_city.weights import DEFAULTS, Weights
from referee.heuristic import TO_THE_END, Heuristic, Scale
from referee.ranges import check_type
from referee.rng import Rng
from referee.rows import (
    AT_RANDOM,
    GREEDILY,
    WITH_NOISE,
    WORDS,
    Dice,
    Doubles,
    Events,
    Happened,
    Int,
    Ints,
    Listing,
    Words,
    best_place,
    copy_part,
    index,
    kept,
    listed,
    noisy_place,
)
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
    step: [(Decision(seat, kind.name, CLAUSES[kind]),) for seat in range(MAX_SEATS)]
    for step, kind in DECISION_KINDS.items()
}
MAX_SAMPLED = 8  # in a playout: there are up to a hundred places for a tile
ALIKE = [DEFAULTS] * MAX_SEATS  # the weights of seats that play by the same heuristic
LISTINGS: list[Listing] = []  # that nobody uses just now
TELLINGS: list[Events] = []  # likewise


def carry_out(state: State, choice: Choice) -> Sequence[Event]:
    """Carry out a choice, play on to the next decision, and return what happened."""
    events: Events = TELLINGS.pop() if TELLINGS else Events()
    events.count = 0
    resolve(state, choice, events)
    play_on(state, events)
    words = kept(events.words, 0, events.count * WORDS)
    TELLINGS.append(events)
    return Happened(words, event_of, state.seats)


def play_steps(state: State, words: Words, stride: Int, steps: Int, policy: Int, weights: Sequence[Weights]) -> Int:
    """Answer up to so many questions by one of the policies; return how many were answered.

    `words` are dice: of every seat its own with a stride of 1, and the same for all with 0. `weights` are by seat.
    """
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    listing = Listing()
    events = Events()
    dice = Dice()
    made = 0
    while state.agenda_count and made < steps:
        seat = seat_asked(state)
        list_options(state, listing)
        dice.word = words[seat * stride]
        choice = Choice(listing.codes[place_chosen(state, seat, listing, ratings, dice, policy, weights)])
        words[seat * stride] = dice.word
        events.count = 0
        resolve(state, choice, events)
        play_on(state, events)
        made += 1
    return made


def place_chosen(
    state: State, seat: Int, listing: Listing, ratings: Doubles, dice: Dice, policy: Int, weights: Sequence[Weights]
) -> Int:
    """Return the place of the option that a policy takes, in the listing or, of many, in a sample put in its place."""
    if policy == AT_RANDOM:
        return index(dice, listing.count)
    if listing.count == 1:
        return 0
    if listing.count > MAX_SAMPLED:
        sample: Annotated[Ints, MAX_SAMPLED] = [0] * MAX_SAMPLED
        for place in range(MAX_SAMPLED):
            sample[place] = listing.codes[index(dice, listing.count)]
        copy_part(sample, 0, MAX_SAMPLED, listing.codes, 0)
        listing.count = MAX_SAMPLED
    rate_listing(state, seat, listing, ratings, weights[seat])
    return best_place(ratings, listing.count) if policy == GREEDILY else noisy_place(ratings, listing.count, dice)


def check_asked(state: State, seat: object) -> None:
    """C13.1: refuse a seat that has nothing to decide now."""
    if not state.agenda_count or type(seat) is not int or seat != seat_asked(state):
        raise not_asked("C13.1", seat)


def codes_listed(state: State) -> list[int]:
    """C13: the options of the open decision as codes."""
    listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
    list_options(state, listing)
    found = listed(listing.codes, 0, listing.count)
    LISTINGS.append(listing)
    return found


def is_listed(state: State, code: Int) -> bool:
    """C13: whether a code is one of the options of the open decision."""
    listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
    list_options(state, listing)
    found = 0
    for place in range(listing.count):
        found += 1 if listing.codes[place] == code else 0
    LISTINGS.append(listing)
    return found > 0


class CarcassonneCity(PackagedGame[State, Action, View, Event, Options]):
    """Carcassonne: The City (Die Stadt) for two to four seats."""

    slug = "carcassonne_city"
    title = "Carcassonne: The City"
    rules_version = 1
    table_sizes = range(FEWEST_SEATS, MAX_SEATS + 1)
    preferred_seats = 4
    compares_scores = True
    has_lasting_codes = True
    max_options = 600  # C4: a place beside 74 tiles, of which there are 150, four ways round
    summary = (
        "Players lay city tiles whose streets, markets and residential areas join up, and may put a follower on a"
        " feature of the tile just laid. Completed streets and markets score immediately for the player with most"
        " followers there, and the followers come home; residents stay to the end. Later the city gets walls, guards"
        " that score what they see along their row, and towers. Most points win."
    )
    scale = Scale(lead=8.0, drift=3.6, horizon=5, sights=(2, 5, 12), near=12, max_rated=MAX_SAMPLED)
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """Return the options, of which there are none; a ValueError names the key that is wrong."""
        return parse_options(Options, mapping)

    def begin(self, seats: int, seed: int, options: Options) -> tuple[State, Sequence[Event]]:
        """C2, C3.3: the state at the first decision, and what happened before it: a tile was drawn."""
        check_seats(self, seats)
        state = set_up(seats, seed)
        events: Events = TELLINGS.pop() if TELLINGS else Events()
        events.count = 0
        play_on(state, events)
        words = kept(events.words, 0, events.count * WORDS)
        TELLINGS.append(events)
        return state, Happened(words, event_of, state.seats)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """C13.1: the one open decision, or () when the game is over."""
        if not state.agenda_count:
            return ()
        return PENDING[kind_of_step(state.agenda[state.agenda_count - 1])][seat_asked(state)]

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """C13: what the deciding seat may choose, in canonical order."""
        check_asked(state, seat)
        listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
        list_options(state, listing)
        found = actions_in(listing)
        LISTINGS.append(listing)
        return found

    def default_action(self, state: State, seat: Seat) -> Action:
        """C13: the safe default, which is always listed first."""
        check_asked(state, seat)
        return action_of(codes_listed(state)[0])

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """C13: raise IllegalActionError unless the seat may choose the action."""
        check_asked(state, seat)
        if is_listed(state, known_code(action)):
            return
        check_type("C13", action, Action)
        check_answer(state, action)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> Sequence[Event]:
        """C3.1: carry out a choice that is known to be legal."""
        (action,) = choices.values()
        return carry_out(state, Choice(code_for(action)))

    def codes(self, state: State, seat: Seat) -> Sequence[int]:
        """C13: what the deciding seat may choose as codes."""
        check_asked(state, seat)
        return codes_listed(state)

    def action_of(self, state: State, seat: Seat, code: int) -> Action:
        """Return the action that a code stands for."""
        return action_of(code)

    def code_of(self, state: State, seat: Seat, action: Action) -> int:
        """Return the code of an action that is one of the options."""
        self.check(state, seat, action)
        return code_for(action)

    def apply_codes(self, state: State, codes: Mapping[Seat, int]) -> Sequence[Event]:
        """Carry out the code of an option."""
        ((seat, code),) = codes.items()
        check_asked(state, seat)
        return carry_out(state, Choice(code))

    def playout(self, state: State, rng: Rng, steps: int = TO_THE_END, greedy: bool = False) -> int:
        """Play on in place, at random or greedily, without making any value."""
        words: Annotated[Words, 1] = [0]
        words[0] = rng.word
        made = play_steps(state, words, 0, steps, GREEDILY if greedy else AT_RANDOM, ALIKE)
        rng.word = words[0]
        return made

    def playout_by_seat(self, state: State, dice: Sequence[Rng], steps: int = TO_THE_END, noisy: bool = False) -> int:
        """Play on in place, every seat with its own dice, at random or with noise."""
        words: Annotated[Words, MAX_SEATS] = [0] * MAX_SEATS
        for seat in range(state.seats):
            words[seat] = dice[seat].word
        made = play_steps(state, words, 1, steps, WITH_NOISE if noisy else AT_RANDOM, ALIKE)
        for seat in range(state.seats):
            dice[seat].word = words[seat]
        return made

    def playout_by_heuristics(
        self, state: State, dice: Sequence[Rng], heuristics: Sequence[Heuristic], steps: int = TO_THE_END,
        noisy: bool = False,
    ) -> int:  # fmt: skip
        """Play on in place, every seat with its own dice and weights."""
        words: Annotated[Words, MAX_SEATS] = [0] * MAX_SEATS
        for seat in range(state.seats):
            words[seat] = dice[seat].word
        weights = [each.own_weights for each in heuristics]
        made = play_steps(state, words, 1, steps, WITH_NOISE if noisy else GREEDILY, weights)
        for seat in range(state.seats):
            dice[seat].word = words[seat]
        return made

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
        return tuple(listed(state.scores, 0, state.seats))

    def outcome(self, state: State) -> Outcome | None:
        """C12.7: the ranking, or None while the game goes on."""
        return outcome(state)

    def clone(self, state: State) -> State:
        """Return a copy that shares nothing mutable with the state."""
        return clone(state)

    def digest(self, state: State) -> str:
        """Return a fingerprint of the whole state."""
        return digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """C14: a state with this view, the undrawn tiles reshuffled."""
        return imagine(view, rng)

    def determinize(self, state: State, seat: Seat, rng: Rng) -> State:
        """C14: what `imagine` makes of a seat's view of a state."""
        return determinize(state, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """C14: a copy in which the undrawn tiles lie in another order; after the end they are known."""
        return redraw(state, rng)


GAME = CarcassonneCity()
