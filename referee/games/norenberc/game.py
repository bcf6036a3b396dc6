"""Norenberc as a table of contents: which chapter answers for which step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from referee.game import Decision, Outcome, PackagedGame, Seat, Types, check_seats, not_asked
from referee.games.norenberc.actions import Action
from referee.games.norenberc.citizens import (
    mayor_options,
    resolve_mayor,
    resolve_stored_good,
    resolve_swap,
    resolve_theft,
    stored_good_options,
    swap_options,
    theft_options,
)
from referee.games.norenberc.closing import end_round, end_turn
from referee.games.norenberc.codes import Choice, action_of, code_for, event_of, known_code
from referee.games.norenberc.components import TABLE_SIZES
from referee.games.norenberc.dealing import (
    act_options,
    purchase_options,
    resolve_action,
    resolve_purchase,
    send_to_roof,
)
from referee.games.norenberc.events import Event
from referee.games.norenberc.heuristic import MAX_RATED, rate_listing
from referee.games.norenberc.hiring import (
    give_bonus,
    payment_options,
    resolve_payment,
    resolve_turn_order,
    turn_order_options,
)
from referee.games.norenberc.imagine import determinize, imagine, redraw
from referee.games.norenberc.planning import call_guild, let_act, plan_options, resolve_plan
from referee.games.norenberc.refusals import refuse
from referee.games.norenberc.scoring import final_outcome, scores
from referee.games.norenberc.setup import set_up
from referee.games.norenberc.state import (
    ASK_ACTION,
    ASK_MAYOR_GUILD,
    ASK_PAYMENT,
    ASK_PLAN,
    ASK_PURCHASE,
    ASK_STORED_GOOD,
    ASK_SWAP,
    ASK_THEFT,
    ASK_TURN_ORDER,
    CALL_GUILDS,
    END_ROUND,
    END_TURN,
    FIRST_AUTOMATIC,
    GIVE_BONUS,
    LET_ACT,
    SEATS,
    SEND_TO_ROOF,
    State,
    Step,
    clone,
    digest,
)
from referee.games.norenberc.view import PHASES, View, observe
from referee.games.norenberc.weights import DEFAULTS, Weights
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
    part,
    tupled,
)
from referee.setting import parse_options

CLAUSES: Mapping[int, str] = {  # B10.2: of every decision
    ASK_PLAN: "B4.1",
    ASK_ACTION: "B5.4",
    ASK_PAYMENT: "B5.13",
    ASK_PURCHASE: "B5.8",
    ASK_THEFT: "B6.4",
    ASK_SWAP: "B6.6",
    ASK_STORED_GOOD: "B6.7",
    ASK_MAYOR_GUILD: "B6.9",
    ASK_TURN_ORDER: "B5.19",
}
DECISIONS = [
    (Decision(seat, PHASES[Step(step)].name, CLAUSES[step]),)
    for step in range(FIRST_AUTOMATIC)
    for seat in range(SEATS)
]
PLANNING = [
    tuple([DECISIONS[ASK_PLAN * SEATS + seat][0] for seat in range(SEATS) if asked >> seat & 1])
    for asked in range(1 << SEATS)
]
TABLES = [(seats, houses) for seats in range(SEATS + 1) for houses in range(8)]
MAX_KNOWN = 1 << 14  # lists of options that are kept as values, of each number of houses
KNOWN_LISTS: list[dict[object, tuple[Action, ...]]] = [{} for _ in range(8)]
KNOWN_CODES: dict[object, tuple[int, ...]] = {}
ALIKE = [DEFAULTS] * SEATS  # the weights of seats that play by the same heuristic
LISTINGS: list[Listing] = [Listing() for _ in range(4)]  # that nobody uses just now; a list that empties is slower
TELLINGS: list[Events] = [Events() for _ in range(4)]  # likewise


@dataclass(frozen=True, slots=True)
class Options:
    """The base game has no variants (B1.11: the promotional citizens are not used)."""


def list_options(state: State, seat: Int, listing: Listing) -> None:
    """B10.2: the options of each decision."""
    now = state.agenda_count - 1
    step = state.agenda[now]
    listing.count = 0
    if step == ASK_ACTION:
        act_options(state, state.step_houses[now], seat, listing)
    elif step == ASK_PLAN:
        plan_options(state, seat, listing)
    elif step == ASK_PAYMENT:
        payment_options(state, state.step_houses[now], seat, state.step_panes[now], listing)
    elif step == ASK_PURCHASE:
        purchase_options(state, state.step_houses[now], seat, listing)
    elif step == ASK_THEFT:
        theft_options(state, seat, listing)
    elif step == ASK_SWAP:
        swap_options(state, listing)
    elif step == ASK_STORED_GOOD:
        stored_good_options(state, seat, listing)
    elif step == ASK_MAYOR_GUILD:
        mayor_options(state, listing)
    elif step == ASK_TURN_ORDER:
        turn_order_options(listing)


def resolve(state: State, choices: Ints, events: Events) -> None:
    """B10.2: what comes of each decision."""
    state.agenda_count -= 1
    now = state.agenda_count
    step = state.agenda[now]
    house = state.step_houses[now]
    seat = state.step_seats[now]
    choice = Choice(choices[seat])
    if step == ASK_ACTION:
        resolve_action(state, house, seat, choice, events)
    elif step == ASK_PLAN:
        resolve_plan(state, choices, events)
    elif step == ASK_PAYMENT:
        resolve_payment(state, house, seat, state.step_panes[now], choice, events)
    elif step == ASK_PURCHASE:
        resolve_purchase(state, house, seat, choice, events)
    elif step == ASK_THEFT:
        resolve_theft(state, seat, choice, events)
    elif step == ASK_SWAP:
        resolve_swap(state, seat, choice, events)
    elif step == ASK_STORED_GOOD:
        resolve_stored_good(state, seat, choice, events)
    elif step == ASK_MAYOR_GUILD:
        resolve_mayor(state, seat, choice, events)
    elif step == ASK_TURN_ORDER:
        resolve_turn_order(state, seat, choice, events)


def play_on(state: State, events: Events) -> None:
    """B3.1: carry out everything that leaves no choice (B10.3), up to the next decision or the end."""
    while state.agenda_count:
        now = state.agenda_count - 1
        step = state.agenda[now]
        if step < FIRST_AUTOMATIC:
            return
        state.agenda_count = now
        if step == LET_ACT:
            let_act(state)
        elif step == CALL_GUILDS:
            call_guild(state, events)
        elif step == GIVE_BONUS:
            give_bonus(state, state.step_houses[now], state.step_seats[now], events)
        elif step == SEND_TO_ROOF:
            send_to_roof(state, state.step_houses[now], state.step_seats[now])
        elif step == END_TURN:
            end_turn(state, events)
        elif step == END_ROUND:
            end_round(state, events)


def carry_out(state: State, choices: Ints) -> Sequence[Event]:
    """Carry out one choice of every seat that is asked, play on to the next decision, and return what happened."""
    events: Events = TELLINGS.pop() if TELLINGS else Events()
    events.count = 0
    resolve(state, choices, events)
    play_on(state, events)
    words = kept(events.words, 0, events.count * WORDS)
    TELLINGS.append(events)
    return Happened(words, event_of, TABLES[state.seats * 8 + state.houses])


def play_steps(state: State, words: Words, stride: Int, steps: Int, policy: Int, weights: Sequence[Weights]) -> Int:
    """Answer up to so many questions of all seats asked, by one of the policies; return how many choices.

    `words` are dice: of every seat its own with a stride of 1, and the same for all with 0. `weights` are by seat.
    """
    choices: Annotated[Ints, SEATS] = [0] * SEATS
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    listing = Listing()
    events = Events()
    dice = Dice()
    made = 0
    for _ in range(steps):
        if not state.agenda_count:
            break
        for seat in range(state.seats):
            if is_asked(state, seat):
                list_options(state, seat, listing)
                dice.word = words[seat * stride]
                choices[seat] = listing.codes[place_chosen(state, seat, listing, ratings, dice, policy, weights)]
                words[seat * stride] = dice.word
                made += 1
        events.count = 0
        resolve(state, choices, events)
        play_on(state, events)
    return made


def place_chosen(
    state: State, seat: Int, listing: Listing, ratings: Doubles, dice: Dice, policy: Int, weights: Sequence[Weights]
) -> Int:
    """Return the place of the option that a policy takes."""
    if policy == AT_RANDOM:
        return index(dice, listing.count)
    if listing.count == 1:
        return 0
    rate_listing(state, seat, listing, ratings, weights[seat])
    return best_place(ratings, listing.count) if policy == GREEDILY else noisy_place(ratings, listing.count, dice)


def planning_seats(state: State) -> Int:
    """B4.3: bit set of the seats that plan: all active ones."""
    asked = 0
    for seat in range(state.seats):
        if not state.finished[seat]:
            asked |= 1 << seat
    return asked


def is_asked(state: State, seat: Int) -> bool:
    """B10.1: whether a seat at the table has anything to decide now."""
    if not state.agenda_count:
        return False
    now = state.agenda_count - 1
    if state.agenda[now] == ASK_PLAN:
        return not state.finished[seat]
    return state.step_seats[now] == seat


def check_asked(state: State, seat: object) -> None:
    """B10.1: refuse a seat that is not asked."""
    if type(seat) is int and state.agenda_count:
        now = state.agenda_count - 1
        if state.agenda[now] != ASK_PLAN:
            if state.step_seats[now] == seat:
                return
        elif 0 <= seat < state.seats and not state.finished[seat]:
            return
    raise not_asked("B10.1", seat)


def is_listed(state: State, seat: Int, code: Int) -> bool:
    """B10.1: whether a code is one of the options of a seat that is asked."""
    listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
    list_options(state, seat, listing)
    found = 0
    for place in range(listing.count):
        found += 1 if listing.codes[place] == code else 0
    LISTINGS.append(listing)
    return found > 0


def actions_in(listing: Listing, houses: Int) -> tuple[Action, ...]:
    """Return the options of a listing as values: a list that came up before is ready."""
    key = part(listing.codes, 0, listing.count)
    known = KNOWN_LISTS[houses]
    found = known.get(key)
    if found is None:
        codes = listed(listing.codes, 0, listing.count)
        found = tuple([action_of(code, houses) for code in codes])
        if len(known) >= MAX_KNOWN:
            known.clear()
        known[key] = found
    return found


def codes_in(listing: Listing) -> tuple[int, ...]:
    """Return the options of a listing as numbers: a list that came up before is ready."""
    key = part(listing.codes, 0, listing.count)
    found = KNOWN_CODES.get(key)
    if found is None:
        found = tupled(listing.codes, 0, listing.count)
        if len(KNOWN_CODES) >= MAX_KNOWN:
            KNOWN_CODES.clear()
        KNOWN_CODES[key] = found
    return found


class Norenberc(PackagedGame[State, Action, View, Event, Options]):
    """Norenberc by Andreas Steding, for two to five players."""

    slug = "norenberc"
    title = "Norenberc"
    rules_version = 1
    table_sizes = TABLE_SIZES
    preferred_seats = 4
    compares_scores = True
    has_lasting_codes = True
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
        if not state.agenda_count:
            return ()
        now = state.agenda_count - 1
        step = state.agenda[now]
        if step == ASK_PLAN:
            return PLANNING[planning_seats(state)]
        return DECISIONS[step * SEATS + state.step_seats[now]]

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """B10.1: the options of a pending seat in the order of the decision table."""
        check_asked(state, seat)
        listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
        list_options(state, seat, listing)
        found = actions_in(listing, state.houses)
        LISTINGS.append(listing)
        return found

    def default_action(self, state: State, seat: Seat) -> Action:
        """B10.1, B10.2: the default of the decision table: the mildest option, which is always listed first."""
        return self.legal_actions(state, seat)[0]

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """B10.1: an answer is one of the options."""
        check_asked(state, seat)
        if is_listed(state, seat, known_code(action)):
            return
        check_type("B10.1", action, Action)
        options = self.legal_actions(state, seat)
        if action not in options:
            raise refuse(state, seat, action, options)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> Sequence[Event]:
        """Carry out choices that are known to be legal."""
        chosen: Annotated[Ints, SEATS] = [0] * SEATS
        now = state.agenda_count - 1
        if state.agenda[now] == ASK_PLAN:
            for seat in range(state.seats):
                if not state.finished[seat]:
                    chosen[seat] = code_for(choices[seat])
        else:
            chosen[state.step_seats[now]] = code_for(choices[state.step_seats[now]])
        return carry_out(state, chosen)

    def codes(self, state: State, seat: Seat) -> Sequence[int]:
        """B10.1: the options of a pending seat as codes."""
        check_asked(state, seat)
        listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
        list_options(state, seat, listing)
        found = codes_in(listing)
        LISTINGS.append(listing)
        return found

    def action_of(self, state: State, seat: Seat, code: int) -> Action:
        """Return the action that a code stands for."""
        return action_of(code, state.houses)

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
        return None if state.agenda_count else final_outcome(state)

    def clone(self, state: State) -> State:
        """Return a copy that shares nothing mutable with the state."""
        return clone(state)

    def digest(self, state: State) -> str:
        """Return a fingerprint of the whole state."""
        return digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """Return a full state that this seat cannot tell from the real one."""
        return imagine(view, seat, rng)

    def determinize(self, state: State, seat: Seat, rng: Rng) -> State:
        """Return what `imagine` makes of the seat's view of a state."""
        return determinize(state, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """B12.5: return a copy with another guest pile and set-up box, as far as nobody has seen them."""
        return redraw(state, rng)


GAME = Norenberc()
