"""Worlds: histories that a seat cannot tell from the real one, made of nothing but what it knows.

In card games whose deal is described here, a view holds the seat's own history: its cards, its choices and what all
have seen, with gaps for the rest. Only who looks ahead fills the gaps: cards are dealt at random and then exchanged
until everybody could have played what was played.

For a few small games OpenSpiel resamples a state itself. That is used where twins of a position give the same world. In
euchre, oh hell and hearts they do not: OpenSpiel shuffles the real cards there, or keeps cards that the seat has not
seen, so that a view would tell more than its seat may know; and in hearts four of ten of its worlds cannot be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import pyspiel
from arena_openspiel.setting import Setting, asked, replayed

from referee.game import Seat
from referee.rng import Rng

CHANCE = -1  # among movers
GAP = -1  # stands in a history for what a seat does not know
MAX_RESAMPLED = 8
MAX_DEALT = 60  # deals begun
MAX_EXCHANGED = 150  # exchanges in one deal
UNIT = 1 / 2**64


@dataclass(frozen=True, slots=True)
class Deal:
    """How a game deals its cards one by one, and which choices are hidden."""

    places: Callable[[Sequence[int], int], range]
    """Where the deal of a history stands, by history and number of seats."""
    owner: Callable[[Sequence[int], int, int], Seat]
    """Who gets the card dealt at a place, by history, number of seats and place."""
    is_hidden: Callable[[Sequence[int], int, Seat], bool] = lambda history, place, seat: False
    """Whether a choice is hidden from a seat, by history and place."""
    receiver: Callable[[Sequence[int], int], Seat | None] = lambda history, place: None
    """Who gets the card of a hidden choice, by history and place; None if nobody does."""
    runs: Callable[[Sequence[int]], Sequence[tuple[Seat, range]]] = lambda history: ()
    """Choices of a seat that others see together, so that they do not see their order."""


PASSES, PASSED = range(53, 65), 3  # where hearts are passed on, and the number of cards each passes


def _is_passed_in_secret(history: Sequence[int], place: int, seat: Seat) -> bool:
    """In hearts, cards are known to who passes them, and once all have passed to who gets them."""
    if not history[0] or place not in PASSES:
        return False
    passer = (place - PASSES.start) // PASSED
    return seat != passer and not (len(history) >= PASSES.stop and seat == (passer + history[0]) % 4)


def _is_discarded_in_secret(history: Sequence[int], place: int, seat: Seat) -> bool:
    """In euchre the dealer, who takes the card turned up, puts another away."""
    bids = range(22, 26)
    ordered = next((at for at in bids if at < len(history) and history[at] != EUCHRE_PASS), None)
    return ordered is not None and place == ordered + 1 and seat != history[0]


EUCHRE_PASS = 24  # OpenSpiel's number
DEALS = {
    "spades": Deal(lambda history, seats: range(52), lambda history, seats, place: place % 4),
    "hearts": Deal(
        lambda history, seats: range(1, 53),
        lambda history, seats, place: (place - 1) % 4,
        _is_passed_in_secret,
        lambda history, place: ((place - PASSES.start) // PASSED + history[0]) % 4,
        lambda history: [(seat, range(at, at + PASSED)) for seat, at in enumerate(PASSES[::PASSED]) if history[0]],
    ),
    "oh_hell": Deal(
        lambda history, seats: range(2, 2 + history[0] * seats), lambda history, seats, place: (place - 2) % seats
    ),
    "euchre": Deal(
        lambda history, seats: range(1, 21),
        lambda history, seats, place: (place - 1 + history[0]) % 4,
        _is_discarded_in_secret,
    ),
}


def deal_of(setting: Setting) -> Deal | None:
    """Return how a game deals, if that is described here."""
    return DEALS.get(setting.game.get_type().short_name)


def known_history(setting: Setting, history: Sequence[int], seat: Seat) -> tuple[int, ...]:
    """Return what a seat knows of a history: gaps for the rest, and in order what it has seen all at a time."""
    deal = DEALS[setting.game.get_type().short_name]
    seats = setting.game.num_players()
    known = list(history)
    dealt = deal.places(history, seats)
    own = [place for place in dealt if deal.owner(history, seats, place) == seat]
    for place, card in zip(own, sorted(known[place] for place in own), strict=True):
        known[place] = card
    for place in dealt:
        if place not in own:
            known[place] = GAP
    for owner, run in deal.runs(history):
        if owner != seat and run.stop <= len(known):
            known[run.start : run.stop] = sorted(known[run.start : run.stop])
    for place in range(dealt.stop, len(known)):
        if deal.is_hidden(history, place, seat):
            known[place] = GAP
    return tuple(known)


def filled(
    setting: Setting,
    known: Sequence[int],
    movers: Sequence[Seat],
    seat: Seat,
    text: str,
    to_move: tuple[Seat, ...],
    rng: Rng,
) -> Any:
    """Return a state with the gaps of a seat's history filled at random, in which it knows this text.

    None if none is found.
    """
    barred: set[tuple[Seat, int]] = set()
    for _ in range(MAX_DEALT):
        spiel = _Filling(setting, known, movers, barred, rng).state()
        if spiel is not None and asked(spiel) == to_move and setting.text_of(spiel, seat) == text:
            return spiel
    return None


class _Filling:
    """A random deal, changed until everybody could have played what was played."""

    def __init__(
        self, setting: Setting, known: Sequence[int], movers: Sequence[Seat], barred: set[tuple[Seat, int]], rng: Rng
    ) -> None:
        self._setting, self._known, self._movers, self._rng = setting, known, movers, rng
        self._barred = barred
        """Cards that a seat cannot have held in play, or it would have had to play them: learnt for all deals."""
        deal, seats = DEALS[setting.game.get_type().short_name], setting.game.num_players()
        places = deal.places(known, seats)
        self._gaps = [place for place in places if known[place] == GAP]
        self._owner = {place: deal.owner(known, seats, place) for place in self._gaps}
        hidden = [place for place, action in enumerate(known) if action == GAP and place not in self._owner]
        self._hidden = {place: deal.receiver(known, place) for place in hidden}
        self._needed: dict[int, Seat] = {}
        """Cards that were played or turned up, with those who must have held them first; CHANCE for nobody."""
        for place in reversed(range(places.stop, len(known))):
            if known[place] != GAP:
                self._needed[known[place]] = movers[place]
        before = setting.game.new_initial_state()
        for action in known[: places.start]:
            before.apply_action(action)
        deck = set(before.legal_actions()).difference(known[place] for place in places)
        self._history = list(known)
        self._spare = self._deal(sorted(deck))

    def _deal(self, deck: list[int]) -> list[int]:
        """Fill the gaps of the deal at random, so that all have what they need; return what is left of the deck."""
        self._rng.shuffle(deck)
        rooms: dict[Seat, list[int]] = {}
        for place in self._gaps:
            rooms.setdefault(self._owner[place], []).append(place)
        for room in rooms.values():
            self._rng.shuffle(room)
        # Who passes cards on in secret gets rid of as many that it does not need.
        kept = {seat: len(room) - sum(self._movers[at] == seat for at in self._hidden) for seat, room in rooms.items()}
        passer = {to: self._movers[at] for at, to in self._hidden.items() if to is not None}
        for card in deck:
            seat = self._needed.get(card, CHANCE)
            if seat in rooms:
                holder = seat if kept[seat] > 0 else passer.get(seat, seat)
                if rooms.get(holder):
                    kept[seat] -= holder == seat
                    self._history[rooms[holder].pop()] = card
        dealt = {self._history[place] for place in self._gaps}
        left = [card for card in deck if card not in dealt]
        left.sort(key=lambda card: self._needed.get(card) == CHANCE)  # what was turned up is dealt last of all
        for seat, room in rooms.items():
            for place in room:
                at = next((at for at, card in enumerate(left) if (seat, card) not in self._barred), 0)
                self._history[place] = left.pop(at)
        return left

    def state(self) -> Any:
        """Return the state that the filled history leads to; None if it could not be filled."""
        for _ in range(MAX_EXCHANGED):
            reached, stuck = self._replayed()
            if reached == len(self._history):
                return stuck
            if stuck.is_terminal() or not self._mend(reached, stuck):
                return None
        return None

    def _replayed(self) -> tuple[int, Any]:
        """Return how far the history can be played, and where that leads; hidden choices change if they must."""
        spiel, history = self._setting.game.new_initial_state(), self._history
        for place, action in enumerate(history):
            legal = spiel.legal_actions()
            if place in self._hidden:
                action = self._hidden_choice(place, spiel.current_player(), legal)
                if action == GAP:
                    return place, spiel
                history[place] = action
            elif action not in legal:
                return place, spiel
            spiel.apply_action(action)
        return len(history), spiel

    def _hidden_choice(self, place: int, mover: Seat, legal: list[int]) -> int:
        """Return the card passed on or put away: one that its receiver needs, or else one that its owner does not."""
        receiver, action = self._hidden[place], self._history[place]
        free = [card for card in legal if receiver is not None and self._needed.get(card) == receiver]
        if not free:
            free = [card for card in legal if self._needed.get(card) != mover and (receiver, card) not in self._barred]
            free = [card for card in free if (mover, card) in self._barred] or free
        return action if action in free else self._rng.choice(free) if free else GAP

    def _mend(self, reached: int, stuck: Any) -> bool:
        """Exchange cards so that what was played next can be played; False if no exchange does."""
        history = self._history
        card = history[reached]
        if stuck.is_chance_node():
            # A card that is turned up cannot have been dealt.
            place = next((at for at in self._gaps if history[at] == card), None)
            if place is None or not self._spare:
                return False
            other = self._rng.index(len(self._spare))
            history[place], self._spare[other] = self._spare[other], card
            return True
        mover, legal = stuck.current_player(), stuck.legal_actions()
        own = [place for place in self._gaps if self._owner[place] == mover]
        if reached in self._hidden:
            # It needs all that it holds: some must come to it.
            return self._hand_to_passer(mover, self._rng.choice(own)) or self._disturb(own)
        free = [place for place in own if self._needed.get(history[place]) != mover]
        holder = next((place for place in self._gaps if history[place] == card), None)
        passed = [
            at for at, receiver in self._hidden.items()
            if receiver == mover and holder is not None and self._movers[at] == self._owner[holder]
            and self._needed.get(history[at]) != mover
        ]  # fmt: skip
        if passed and (not free or self._rng.index(2)):
            history[self._rng.choice(passed)] = card
            return True
        if (
            holder is not None
            and self._owner[holder] != mover
            and (not free or not self._rng.index(4))
            and self._hand_to_passer(mover, holder)
        ):
            return True
        if holder is not None and self._owner[holder] != mover and free:
            self._exchange(holder, self._rng.choice(free))
            return True
        if holder is None and card in self._spare and free:
            place, at = self._rng.choice(free), self._spare.index(card)
            history[place], self._spare[at] = card, history[place]
            return True
        # Its holder had it, and should have played one of these instead: somebody else had them.
        self._barred.update((mover, each) for each in legal if self._needed.get(each) != mover)
        others = [
            place for place in self._gaps
            if self._owner[place] != mover and (mover, history[place]) not in self._barred
        ]  # fmt: skip
        moved = False
        for place in own:
            if history[place] in legal and self._needed.get(history[place]) != mover:
                choices = [
                    at for at in others
                    if self._needed.get(history[at]) != self._owner[at]
                    and (self._owner[at], history[place]) not in self._barred
                ]  # fmt: skip
                spare = [at for at, each in enumerate(self._spare) if (mover, each) not in self._barred]
                if not choices and not spare:
                    continue
                chosen = self._rng.index(len(choices) + len(spare))
                if chosen < len(choices):
                    self._exchange(place, choices[chosen])
                else:
                    at = spare[chosen - len(choices)]
                    history[place], self._spare[at] = self._spare[at], history[place]
                moved = True
        for place in self._hidden:
            if place < reached and history[place] in legal:
                history[place] = GAP  # passed to the one who cannot have had it: another card is chosen
                moved = True
        return moved or self._disturb(own)

    def _hand_to_passer(self, receiver: Seat, place: int) -> bool:
        """Give a card that a seat needs to the one who passes cards on to it; False if there is none with room."""
        passers = {self._movers[at] for at, to in self._hidden.items() if to == receiver}
        room = [
            at for at in self._gaps
            if self._owner[at] in passers and self._needed.get(self._history[at]) not in (self._owner[at], receiver)
        ]  # fmt: skip
        if not room:
            return False
        self._exchange(place, self._rng.choice(room))
        return True

    def _exchange(self, first: int, second: int) -> None:
        history = self._history
        history[first], history[second] = history[second], history[first]

    def _disturb(self, own: list[int]) -> bool:
        """Exchange two cards at random, where the reason is out of sight: a card that was passed on."""
        others = [place for place in self._gaps if place not in own]
        if not own or not others:
            return False
        self._exchange(self._rng.choice(own), self._rng.choice(others))
        return True


def resampled(setting: Setting, spiel: Any, seat: Seat, text: str, rng: Rng) -> Any:
    """Return a state of OpenSpiel's in which the seat knows this text; None if none is found."""
    try:
        for _ in range(MAX_RESAMPLED):
            history = spiel.resample_from_infostate(seat, lambda: rng.next64() * UNIT).history()
            world = replayed(setting, history)
            if world is not None and asked(world) == asked(spiel) and setting.text_of(world, seat) == text:
                return world
    except (pyspiel.SpielError, RuntimeError):
        pass
    return None


def dice_of(text: str, seat: Seat) -> Rng:
    """Return chance that depends on what a seat knows and on nothing else."""
    return Rng(int.from_bytes(blake2b(f"{seat}:{text}".encode(), digest_size=8).digest(), "big"))
