"""Fürstenfeld: the nine decisions, and which chapter of the rules answers for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from referee.game import (
    Decision,
    IllegalActionError,
    Outcome,
    PackagedGame,
    Seat,
    Types,
    check_seats,
    not_asked,
)
from referee.games.furstenfeld.actions import Action
from referee.games.furstenfeld.building import build_options, refuse_build, resolve_build
from referee.games.furstenfeld.codes import ACTIONS, Choice, action_of, code_for, event_of, known_code
from referee.games.furstenfeld.components import MAX_PLAYERS, MIN_PLAYERS
from referee.games.furstenfeld.discarding import (
    discard_options,
    refuse_discard,
    refuse_scrap,
    refuse_store,
    resolve_discard,
    resolve_scrap,
    resolve_store,
    scrap_options,
    store_options,
)
from referee.games.furstenfeld.events import Event, witness
from referee.games.furstenfeld.heuristic import MAX_RATED, Prospects, rate_listing
from referee.games.furstenfeld.imagine import determinize, imagine, redraw
from referee.games.furstenfeld.rounds import advance
from referee.games.furstenfeld.scoring import outcome, score_text, scores
from referee.games.furstenfeld.selling import (
    brewery_options,
    default_brewery,
    default_office_bonus,
    exchange_options,
    office_bonus_options,
    refuse_brewery,
    refuse_exchange,
    refuse_office_bonus,
    refuse_sell_amount,
    resolve_brewery,
    resolve_exchange,
    resolve_office_bonus,
    resolve_sell_amount,
    sell_amount_options,
)
from referee.games.furstenfeld.setup import (
    new_state,
    refuse_setup_bottom,
    resolve_setup_bottom,
    setup_bottom_options,
)
from referee.games.furstenfeld.state import (
    ASK_BREWERY,
    ASK_BUILD,
    ASK_DISCARD,
    ASK_EXCHANGE,
    ASK_OFFICE_BONUS,
    ASK_SCRAP,
    ASK_SELL_AMOUNT,
    ASK_SETUP_BOTTOM,
    ASK_STORE,
    FIRST_AUTOMATIC,
    SEATS,
    State,
    clone,
    digest,
)
from referee.games.furstenfeld.variant import Options, Variant
from referee.games.furstenfeld.view import QUESTIONS, View, observe
from referee.games.furstenfeld.weights import DEFAULTS, Weights
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
    index,
    kept,
    listed,
    noisy_place,
)
from referee.setting import parse_options

CLAUSES: Mapping[int, str] = {  # F12.1: of every decision
    ASK_SETUP_BOTTOM: "F2.8",
    ASK_EXCHANGE: "F6.1",
    ASK_BREWERY: "F6.2",
    ASK_SELL_AMOUNT: "F6.3",
    ASK_OFFICE_BONUS: "F6.5",
    ASK_BUILD: "F7.1",
    ASK_SCRAP: "F8.1",
    ASK_DISCARD: "F8.3",
    ASK_STORE: "F8.6",
}
DECISIONS = [
    (Decision(seat, QUESTIONS[kind].name.lower(), CLAUSES[kind]),)
    for kind in range(FIRST_AUTOMATIC)
    for seat in range(SEATS)
]
SET_UP = [tuple([DECISIONS[ASK_SETUP_BOTTOM * SEATS + seat][0] for seat in range(seats)]) for seats in range(SEATS + 1)]
ALIKE = [DEFAULTS] * SEATS  # the weights of seats that play by the same heuristic
LISTINGS: list[Listing] = []  # that nobody uses just now
TELLINGS: list[Events] = []  # likewise


def list_options(state: State, seat: Int, listing: Listing) -> None:
    """F12.1: what may be chosen at each of the decision points."""
    step = state.agenda[state.agenda_count - 1]
    listing.count = 0
    if step == ASK_DISCARD:
        discard_options(state, seat, listing)
    elif step == ASK_SELL_AMOUNT:
        sell_amount_options(state, seat, listing)
    elif step == ASK_BUILD:
        build_options(state, seat, listing)
    elif step == ASK_BREWERY:
        brewery_options(state, seat, listing)
    elif step == ASK_STORE:
        store_options(state, seat, listing)
    elif step == ASK_EXCHANGE:
        exchange_options(state, seat, listing)
    elif step == ASK_OFFICE_BONUS:
        office_bonus_options(state, listing)
    elif step == ASK_SCRAP:
        scrap_options(state, seat, listing)
    elif step == ASK_SETUP_BOTTOM:
        setup_bottom_options(state, seat, listing)


def resolve(state: State, choices: Ints, events: Events) -> None:
    """F12.1: what comes of each decision."""
    now = state.agenda_count - 1
    state.agenda_count = now
    step = state.agenda[now]
    seat = state.step_seats[now]
    choice = Choice(choices[seat])
    if step == ASK_DISCARD:
        resolve_discard(state, seat, choice, events)
    elif step == ASK_SELL_AMOUNT:
        resolve_sell_amount(state, seat, choice, events)
    elif step == ASK_BUILD:
        resolve_build(state, seat, state.step_counts[now], choice, events)
    elif step == ASK_BREWERY:
        resolve_brewery(state, seat, choice, events)
    elif step == ASK_STORE:
        resolve_store(state, seat, choice, events)
    elif step == ASK_EXCHANGE:
        resolve_exchange(state, seat, choice, events)
    elif step == ASK_OFFICE_BONUS:
        resolve_office_bonus(state, seat, choice, events)
    elif step == ASK_SCRAP:
        resolve_scrap(state, seat, state.step_counts[now], choice, events)
    elif step == ASK_SETUP_BOTTOM:
        resolve_setup_bottom(state, choices, events)


def refuse(state: State, seat: Int, action: Action) -> IllegalActionError:
    """F12.1: the clause that an action breaks which is not listed."""
    step = state.agenda[state.agenda_count - 1]
    if step == ASK_SETUP_BOTTOM:
        return refuse_setup_bottom(action)
    if step == ASK_EXCHANGE:
        return refuse_exchange(state, seat, action)
    if step == ASK_BREWERY:
        return refuse_brewery(state, action)
    if step == ASK_SELL_AMOUNT:
        return refuse_sell_amount(state, seat, action)
    if step == ASK_OFFICE_BONUS:
        return refuse_office_bonus(action)
    if step == ASK_BUILD:
        return refuse_build(state, seat, action)
    if step == ASK_SCRAP:
        return refuse_scrap(action)
    if step == ASK_DISCARD:
        return refuse_discard(state, seat, action)
    return refuse_store(state, seat, action)


def default_choice(state: State, seat: Int, listing: Listing) -> Choice:
    """F12.4: the default of each decision: the first option, unless the table names another one."""
    step = state.agenda[state.agenda_count - 1]
    if step == ASK_BREWERY:
        return default_brewery(state, seat)
    if step == ASK_OFFICE_BONUS:
        return default_office_bonus(state)
    if step in (ASK_SELL_AMOUNT, ASK_STORE):  # all that can be sold or stored
        return Choice(listing.codes[listing.count - 1])
    return Choice(listing.codes[0])  # `none`, `stop` or the lowest card


def carry_out(state: State, choices: Ints) -> Sequence[Event]:
    """Carry out one choice of every seat that is asked, play on to the next decision, and return what happened."""
    events: Events = TELLINGS.pop() if TELLINGS else Events()
    events.count = 0
    resolve(state, choices, events)
    advance(state, events)
    words = kept(events.words, 0, events.count * WORDS)
    TELLINGS.append(events)
    return Happened(words, event_of, state.seats)


def play_steps(state: State, words: Words, stride: Int, steps: Int, policy: Int, weights: Sequence[Weights]) -> Int:
    """Answer up to so many questions of all seats asked, by one of the policies; return how many choices.

    `words` are dice: of every seat its own with a stride of 1, and the same for all with 0. `weights` are by seat.
    """
    choices: Annotated[Ints, SEATS] = [0] * SEATS
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    listing = Listing()
    events = Events()
    dice = Dice()
    prospects = Prospects()
    made = 0
    for _ in range(steps):
        if not state.agenda_count:
            break
        for seat in range(state.seats):
            if is_asked(state, seat):
                list_options(state, seat, listing)
                if policy != AT_RANDOM and listing.count > 1:
                    rate_listing(state, seat, listing, ratings, prospects, weights[seat])
                dice.word = words[seat * stride]
                choices[seat] = listing.codes[place_chosen(listing.count, ratings, dice, policy)]
                words[seat * stride] = dice.word
                made += 1
        events.count = 0
        resolve(state, choices, events)
        advance(state, events)
    return made


def place_chosen(count: Int, ratings: Doubles, dice: Dice, policy: Int) -> Int:
    """Return the place of the option that a policy takes, of so many that are rated."""
    if policy == AT_RANDOM:
        return index(dice, count)
    if count == 1:
        return 0
    return best_place(ratings, count) if policy == GREEDILY else noisy_place(ratings, count, dice)


def is_asked(state: State, seat: Int) -> bool:
    """F2.8, F3.3: who decides: all seats in the set-up of the advanced game, later one at a time."""
    if not state.agenda_count:
        return False
    now = state.agenda_count - 1
    return state.step_seats[now] == seat or state.agenda[now] == ASK_SETUP_BOTTOM


def check_asked(state: State, seat: object) -> None:
    """F12.1: refuse a seat that is not asked."""
    if type(seat) is not int or not 0 <= seat < state.seats or not is_asked(state, seat):
        raise not_asked("F12.1", seat)


def is_listed(state: State, seat: Int, code: Int) -> bool:
    """F12.1: whether a code is one of the options of a seat that is asked."""
    listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
    list_options(state, seat, listing)
    found = 0
    for place in range(listing.count):
        found += 1 if listing.codes[place] == code else 0
    LISTINGS.append(listing)
    return found > 0


def actions_in(listing: Listing) -> Sequence[Action]:
    """Return the options of a listing as values."""
    return [ACTIONS[code] for code in listing.codes[: listing.count]]


class Furstenfeld(PackagedGame[State, Action, View, Event, Options]):
    """F12: the rules as the referee calls them."""

    slug = "furstenfeld"
    title = "Fürstenfeld"
    rules_version = 1
    table_sizes = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    preferred_seats = 4
    has_lasting_codes = True
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
        state = new_state(seats, seed, options.variant is Variant.ADVANCED)
        events = Events()
        advance(state, events)
        return state, Happened(kept(events.words, 0, events.count * WORDS), event_of, seats)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """F12.1: the open decisions: one, or one for every seat in the set-up of the advanced game."""
        if not state.agenda_count:
            return ()
        now = state.agenda_count - 1
        step = state.agenda[now]
        if step == ASK_SETUP_BOTTOM:
            return SET_UP[state.seats]
        return DECISIONS[step * SEATS + state.step_seats[now]]

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """F12.1: all options, in the order of the table of decision points."""
        check_asked(state, seat)
        listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
        list_options(state, seat, listing)
        found = actions_in(listing)
        LISTINGS.append(listing)
        return found

    def default_action(self, state: State, seat: Seat) -> Action:
        """F12.4: the default of the table of decision points."""
        check_asked(state, seat)
        listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
        list_options(state, seat, listing)
        choice = default_choice(state, seat, listing)
        LISTINGS.append(listing)
        return action_of(choice)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """F12.1: an action is legal if and only if it is listed; otherwise the clause it breaks is named."""
        check_asked(state, seat)
        if is_listed(state, seat, known_code(action)):
            return
        check_type("F12.1", action, Action)
        if action not in self.legal_actions(state, seat):
            raise refuse(state, seat, action)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> Sequence[Event]:
        """F12.1: carry out choices that are known to be legal."""
        chosen: Annotated[Ints, SEATS] = [0] * SEATS
        now = state.agenda_count - 1
        if state.agenda[now] == ASK_SETUP_BOTTOM:
            for seat in range(state.seats):
                chosen[seat] = code_for(choices[seat])
        else:
            asked = state.step_seats[now]
            chosen[asked] = code_for(choices[asked])
        return carry_out(state, chosen)

    def codes(self, state: State, seat: Seat) -> Sequence[int]:
        """F12.1: the options of a pending seat as codes."""
        check_asked(state, seat)
        listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
        list_options(state, seat, listing)
        found = listed(listing.codes, 0, listing.count)
        LISTINGS.append(listing)
        return found

    def action_of(self, state: State, seat: Seat, code: int) -> Action:
        """Return the action that a code stands for."""
        return action_of(code)

    def code_of(self, state: State, seat: Seat, action: Action) -> int:
        """Return the code of an action that is one of the options."""
        self.check(state, seat, action)
        return code_for(action)

    def apply_codes(self, state: State, codes: Mapping[Seat, int]) -> Sequence[Event]:
        """Carry out codes of options."""
        chosen: Annotated[Ints, SEATS] = [0] * SEATS
        for seat, code in codes.items():
            check_asked(state, seat)
            chosen[seat] = code
        return carry_out(state, chosen)

    def playout(self, state: State, rng: Rng, steps: int = TO_THE_END, greedy: bool = False) -> int:
        """Play on in place, at random or greedily, without making any value."""
        words: Annotated[Words, 1] = [0]
        words[0] = rng.word
        made = play_steps(state, words, 0, steps, GREEDILY if greedy else AT_RANDOM, ALIKE)
        rng.word = words[0]
        return made

    def playout_by_seat(self, state: State, dice: Sequence[Rng], steps: int = TO_THE_END, noisy: bool = False) -> int:
        """Play on in place, every seat with its own dice, at random or with noise."""
        words: Annotated[Words, SEATS] = [0] * SEATS
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
        words: Annotated[Words, SEATS] = [0] * SEATS
        for seat in range(state.seats):
            words[seat] = dice[seat].word
        weights = [each.own_weights for each in heuristics]
        made = play_steps(state, words, 1, steps, WITH_NOISE if noisy else GREEDILY, weights)
        for seat in range(state.seats):
            dice[seat].word = words[seat]
        return made

    def observe(self, state: State, seat: Seat | None) -> View:
        """F13: what the seat may know; None is a spectator."""
        return observe(state, seat)

    def witness(self, event: Event, seat: Seat | None) -> Event:
        """F13.4: the event with what is hidden from the seat left out."""
        return witness(event, seat)

    def score_text(self, score: int) -> str:
        """F11.6: a score in words: palace parts and money, which are one number when compared."""
        return score_text(score)

    def scores_so_far(self, state: State) -> tuple[int, ...]:
        """F11.6: palace parts and money of every seat now, as one number."""
        return scores(state)

    def outcome(self, state: State) -> Outcome | None:
        """F11: the ranking, once the game is over."""
        return outcome(state)

    def clone(self, state: State) -> State:
        """Return a copy that shares nothing mutable."""
        return clone(state)

    def digest(self, state: State) -> str:
        """F14.12: a fingerprint of the whole state; there is no chance left in it after set-up (F2.9)."""
        return digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """F13: a state this seat cannot tell from the real one."""
        return imagine(view, seat, rng)

    def determinize(self, state: State, seat: Seat, rng: Rng) -> State:
        """F13: what `imagine` makes of the seat's view of a state."""
        return determinize(state, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """F13.2: a copy in which the cards that their owners have never seen lie in another order."""
        return redraw(state, rng)


GAME = Furstenfeld()
