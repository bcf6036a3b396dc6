"""Die Siedler von Nürnberg: the game as the referee sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from referee.game import Decision, Outcome, PackagedGame, Seat, Types, check_seats, not_asked
from referee.games.nuremberg import events as happenings
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.bundles import ALL_AMOUNTS, NOTHING, SPARE_BITS, Amounts
from referee.games.nuremberg.codes import (
    ACCEPT_TRADE,
    ACTIONS,
    BARE,
    DECLINE_TRADE,
    END_TURN,
    MAX_KEPT,
    Choice,
    action_of,
    argument_of,
    code_for,
    event_of,
    lowered,
    new_action,
)
from referee.games.nuremberg.components import MAIN_ACTIONS_PER_TURN, PROPOSALS_PER_TURN
from referee.games.nuremberg.decisions import advance, check_choice, default_choice, list_options, resolve
from referee.games.nuremberg.discards import Halves, discard_codes
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.heuristic import MAX_RATED, rate_listing
from referee.games.nuremberg.imagine import determinize, imagine, redraw
from referee.games.nuremberg.main_phase import may_propose, own_options
from referee.games.nuremberg.scoring import outcome, points
from referee.games.nuremberg.setup import check_colors, lay_out
from referee.games.nuremberg.state import (
    ASK_DISCARDS,
    ASK_REPLY,
    MAIN_PHASE,
    SEATS,
    Options,
    State,
    asked_seats,
    clone,
    digest,
    purse_of,
)
from referee.games.nuremberg.trading import (
    holds_anything,
    lowered_counters,
    proposal_options,
    purse_key,
    raised_counters,
)
from referee.games.nuremberg.view import DECISION_KINDS, View, observe
from referee.games.nuremberg.weights import DEFAULTS, Weights
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
    picked,
)
from referee.setting import parse_options

CLAUSES = ("N2.6", "N3.7", "N5.17", "N5.18", "N4.4", "N4.6.1", "N4.6.2", "N4.6.3", "N6.2.2")  # N9: of every decision
KIND_COUNT = len(DECISION_KINDS)
# Decisions are values: one tuple for every kind and set of seats; N5.22: where more is legal than is listed, another.
DECISIONS = [
    tuple([
        Decision(seat, kind.name.lower(), CLAUSES[kind], is_open)
        for seat in range(SEATS) if seats >> seat & 1
    ])
    for is_open in (False, True) for kind in DECISION_KINDS for seats in range(1 << SEATS)
]  # fmt: skip
DECLINE = BARE[DECLINE_TRADE]
ACCEPT = BARE[ACCEPT_TRADE]
KNOWN_COUNTERS: dict[tuple[int, int], tuple[list[Action], list[Action], list[int]]] = {}  # as `kept_counters` has them
KNOWN_PROPOSALS: dict[int, list[Action]] = {}  # by `purse_key`
ALIKE = [DEFAULTS] * SEATS  # the weights of seats that play by the same heuristic
LISTINGS: list[Listing] = []  # that nobody uses just now
TELLINGS: list[Events] = []  # likewise


def is_open_ended(state: State) -> bool:
    """N5.22: whether more is legal now than is listed."""
    now = state.agenda_count - 1
    step = state.agenda[now]
    if step == MAIN_PHASE:
        return may_propose(state, state.active)
    return step == ASK_REPLY and holds_anything(state, state.step_seats[now])


def check_asked(state: State, seat: object) -> None:
    """N9: refuse a seat that is not asked."""
    if type(seat) is not int or not 0 <= seat < state.seats or not asked_seats(state) >> seat & 1:
        raise not_asked("N9", seat)


def list_codes(state: State, seat: Int) -> list[int]:
    """N9: the options of a seat that is asked, as codes."""
    if state.agenda[state.agenda_count - 1] == ASK_DISCARDS:
        return discard_codes(state, seat)
    listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
    list_options(state, seat, listing)
    found = listed(listing.codes, 0, listing.count)
    LISTINGS.append(listing)
    return found


def list_actions(state: State, seat: Int) -> list[Action]:
    """N9: the options of a seat as values."""
    check_asked(state, seat)
    step = state.agenda[state.agenda_count - 1]
    if step == ASK_REPLY:
        return list_replies(state, seat)
    if step == ASK_DISCARDS:
        return [action_of(code, NOTHING, NOTHING) for code in discard_codes(state, seat)]
    listing: Listing = LISTINGS.pop() if LISTINGS else Listing()
    if step == MAIN_PHASE:
        found = list_main_actions(state, seat, listing)
    else:
        list_options(state, seat, listing)
        found = actions_in(listing)
    LISTINGS.append(listing)
    return found


def list_replies(state: State, seat: Int) -> list[Action]:
    """N9 trade_reply: as `reply_options` lists them; counters come up again and are kept as values."""
    known = KNOWN_COUNTERS.get((state.trade_give, state.trade_want))
    if known is None:
        known = kept_counters(Amounts(state.trade_give), Amounts(state.trade_want))
    raises, lowers, needs = known
    found = [DECLINE]
    held = purse_of(state, seat) | SPARE_BITS  # compared as `covers` does
    if (held - state.trade_want) & SPARE_BITS == SPARE_BITS:
        found.append(ACCEPT)
        found += raises
    for place, counter in enumerate(lowers):
        need: Int = needs[place]
        if (held - need) & SPARE_BITS == SPARE_BITS:
            found.append(counter)
    return found


def kept_counters(give: Amounts, want: Amounts) -> tuple[list[Action], list[Action], list[int]]:
    """N5.21: find the counters to a proposal that ask for more, those that give less, and what each of these takes.

    They are kept for the next time.
    """
    listing = Listing()
    raised_counters(give, want, listing)
    raises = [action_of(code, give, want) for code in listed(listing.codes, 0, listing.count)]
    listing.count = 0
    lowered_counters(give, want, ALL_AMOUNTS, listing)
    codes = listed(listing.codes, 0, listing.count)
    if len(KNOWN_COUNTERS) >= MAX_KEPT:
        KNOWN_COUNTERS.clear()
    known = KNOWN_COUNTERS[give, want] = (
        raises,
        [action_of(code, give, want) for code in codes],
        [lowered(want, argument_of(Choice(code))) for code in codes],
    )
    return known


def list_main_actions(state: State, seat: Int, listing: Listing) -> list[Action]:
    """N9 main_action: as `main_options` lists them; the proposals, which are most, are kept for every purse."""
    listing.count = 0
    listing.add(END_TURN)
    if state.main_actions >= MAIN_ACTIONS_PER_TURN:
        return actions_in(listing)
    own_options(state, seat, listing)
    found = actions_in(listing)
    if state.proposals < PROPOSALS_PER_TURN:
        key = purse_key(state, seat)
        known = KNOWN_PROPOSALS.get(key)
        if known is None:
            listing.count = 0
            proposal_options(state, seat, listing)
            known = KNOWN_PROPOSALS[key] = actions_in(listing)
        found += known
    return found


def actions_in(listing: Listing) -> list[Action]:
    """Return the options of a listing without counters as values."""
    return [*picked(ACTIONS, listing.codes, listing.count, 0, new_action)]


def carry_out(state: State, choices: Ints) -> Sequence[Event]:
    """Carry out one choice of every seat that is asked, play on to the next decision, and return what happened."""
    events: Events = TELLINGS.pop() if TELLINGS else Events()
    events.count = 0
    resolve(state, choices, events)
    advance(state, events)
    words = kept(events.words, 0, events.count * WORDS)
    TELLINGS.append(events)
    return Happened(words, event_of, None)


def play_steps(state: State, words: Words, stride: Int, steps: Int, policy: Int, weights: Sequence[Weights]) -> Int:
    """Answer up to so many questions of all seats asked, by one of the policies; return how many choices.

    `words` are dice: of every seat its own with a stride of 1, and the same for all with 0. `weights` are by seat.
    """
    choices: Annotated[Ints, SEATS] = [0] * SEATS
    ratings: Annotated[Doubles, MAX_RATED] = [0.0] * MAX_RATED
    listing = Listing()
    halves = Halves()
    events = Events()
    dice = Dice()
    made = 0
    for _ in range(steps):
        asked = asked_seats(state)
        if not asked:
            break
        for seat in range(state.seats):
            if asked >> seat & 1:
                dice.word = words[seat * stride]
                if state.agenda[state.agenda_count - 1] == ASK_DISCARDS:
                    halves.open(state, seat)
                    if policy == AT_RANDOM:
                        choices[seat] = halves.choice(index(dice, halves.count()))
                    else:
                        list_sample(halves, listing, dice)
                        choices[seat] = listing.codes[
                            place_chosen(state, seat, listing, ratings, dice, policy, weights)
                        ]
                else:
                    list_options(state, seat, listing)
                    choices[seat] = listing.codes[place_chosen(state, seat, listing, ratings, dice, policy, weights)]
                words[seat * stride] = dice.word
                made += 1
        events.count = 0
        resolve(state, choices, events)
        advance(state, events)
    return made


def list_sample(halves: Halves, listing: Listing, dice: Dice) -> None:
    """List the discards that are rated: all of them, or a sample of very many."""
    many = halves.count()
    listing.count = 0
    for place in range(min(many, MAX_RATED)):
        listing.add(halves.choice(index(dice, many) if many > MAX_RATED else place))


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
    scale = Scale(lead=1.5, drift=0.07, horizon=30, sights=(8, 30, TO_THE_END), near=30, max_rated=MAX_RATED)
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """N2.1: checked options; a ValueError names the key that is wrong."""
        options = parse_options(Options, mapping)
        check_colors(options)
        return options

    def begin(self, seats: int, seed: int, options: Options) -> tuple[State, Sequence[Event]]:
        """N2, N3.1: the state at the first decision, and what led there: in the beginner set-up a turn has begun."""
        check_seats(self, seats)
        state = lay_out(seats, seed, options)
        events = Events()
        advance(state, events)
        return state, Happened(kept(events.words, 0, events.count * WORDS), event_of, None)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """N9: the open decisions."""
        if not state.agenda_count:
            return ()
        step = state.agenda[state.agenda_count - 1]
        kind = step + KIND_COUNT if is_open_ended(state) else step
        return DECISIONS[kind << SEATS | asked_seats(state)]

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """N9: the options of a pending seat, in the order of the table."""
        return list_actions(state, seat)

    def default_action(self, state: State, seat: Seat) -> Action:
        """N9, N8.5: the default of the table, played for a missing, late or illegal answer."""
        check_asked(state, seat)
        return action_of(default_choice(state, seat, Listing()), NOTHING, NOTHING)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse what the rules do not allow this seat now, with clause and reason."""
        check_asked(state, seat)
        check_type("N9", action, Action)
        check_choice(state, seat, action)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> Sequence[Event]:
        """Carry out choices that are known to be legal."""
        chosen: Annotated[Ints, SEATS] = [0] * SEATS
        for seat, action in choices.items():
            chosen[seat] = code_for(action, state.trade_give, state.trade_want)
        return carry_out(state, chosen)

    def codes(self, state: State, seat: Seat) -> Sequence[int]:
        """N9: the options of a pending seat as codes."""
        check_asked(state, seat)
        return list_codes(state, seat)

    def action_of(self, state: State, seat: Seat, code: int) -> Action:
        """Return the action that a code stands for."""
        return action_of(code, Amounts(state.trade_give), Amounts(state.trade_want))

    def code_of(self, state: State, seat: Seat, action: Action) -> int:
        """Return the code of a legal action."""
        self.check(state, seat, action)
        return code_for(action, state.trade_give, state.trade_want)

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
        """N10: what a seat, or a spectator, may see."""
        return observe(state, seat)

    def witness(self, event: Event, seat: Seat | None) -> Event | None:
        """N10.3: an event as the seat saw it."""
        return happenings.witness(event, seat)

    def scores_so_far(self, state: State) -> tuple[int, ...]:
        """N1.5: the points of every seat now."""
        return tuple([points(state, seat) for seat in range(state.seats)])

    def outcome(self, state: State) -> Outcome | None:
        """N7.4: the ranking, once the game is over."""
        return outcome(state)

    def clone(self, state: State) -> State:
        """A copy that shares nothing mutable."""
        return clone(state)

    def digest(self, state: State) -> str:
        """A fingerprint of the whole state."""
        return digest(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """N10.4: a full state behind a view, with hands, deck and chance resampled."""
        return imagine(view, seat, rng)

    def determinize(self, state: State, seat: Seat, rng: Rng) -> State:
        """N10.4: what `imagine` makes of the seat's view of a state."""
        return determinize(state, seat, rng)

    def redraw(self, state: State, rng: Rng) -> State:
        """N10.4: a copy with another order of the event deck, and other shuffles and card draws to come."""
        return redraw(state, rng)


GAME = Nuremberg()
