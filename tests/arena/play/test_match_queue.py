"""The queue of matches by itself: in which order they are taken up, and at which referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from arena.play.match_queue import MAX_PASSED, MatchQueue, Slot, Turn, free_desk, slots_of


@dataclass(slots=True, eq=False)
class Plays:
    """A referee that only counts."""

    busy: Fraction | int = 0
    most: int = 99
    is_apart: bool = False
    slots: Counter[Slot] = field(default_factory=Counter)
    """What each process plays; one that is there stays when it plays nothing."""

    def playing_at(self, slot: Slot) -> int | None:
        return self.slots.get(slot)

    def has_room(self, slots: Mapping[Slot, int], is_apart: bool) -> bool:
        del slots
        return self.busy < self.most and not (self.is_apart or (is_apart and self.busy))

    def begin(self, turn: Turn) -> None:
        self.busy += turn.share
        self.is_apart = turn.is_apart
        self.slots.update(turn.slots.keys())

    def end(self, turn: Turn) -> None:
        self.busy -= turn.share
        self.is_apart = False
        self.slots.subtract(turn.slots.keys())


@dataclass(slots=True, eq=False, kw_only=True)
class Named(Turn):
    name: str

    def __repr__(self) -> str:
        return self.name


def match(name: str, bots: str, most: int = 1, *, is_apart: bool = False) -> Named:
    """A match of bots with one letter each, whose processes play up to `most` matches concurrently."""
    return Named(dict.fromkeys(slots_of(bots), most), is_apart=is_apart, name=name)


def queue_of(*turns: Named) -> MatchQueue[Named]:
    queue: MatchQueue[Named] = MatchQueue()
    for turn in turns:
        queue.join(turn)
    return queue


def begin_all(queue: MatchQueue[Named], referees: list[Plays], capacity: int) -> list[tuple[str, int]]:
    """Begin whatever can begin now; return each by its name, with the number of its referee."""
    begun = []
    for turn, referee in queue.hand_out(referees, capacity):
        referee.begin(turn)
        begun.append((turn.name, referees.index(referee)))
    return begun


def test_matches_are_taken_up_in_the_order_in_which_they_came() -> None:
    queue = queue_of(match("first", "ab"), match("second", "cd"), match("third", "ef"))
    assert begin_all(queue, [Plays()], capacity=2) == [("first", 0), ("second", 0)]
    assert [turn.name for turn in queue] == ["third"]


def test_a_bot_plays_no_more_matches_at_a_referee_than_it_may() -> None:
    queue = queue_of(*(match(f"m{number}", "ab", most=2) for number in range(3)))
    referee = Plays()
    assert begin_all(queue, [referee], capacity=9) == [("m0", 0), ("m1", 0)]
    referee.end(match("m0", "ab"))
    assert begin_all(queue, [referee], capacity=9) == [("m2", 0)]


def test_a_process_that_may_play_nothing_more_is_waited_for_until_it_has_left() -> None:
    """So that every match has fresh processes, where that is asked for."""
    queue = queue_of(match("next", "ab", most=0))
    referee = Plays(slots=Counter({("a", 0): 0}))
    assert begin_all(queue, [referee], capacity=9) == []
    del referee.slots["a", 0]
    assert begin_all(queue, [referee], capacity=9) == [("next", 0)]


def test_the_same_bots_play_at_another_referee_with_processes_of_their_own() -> None:
    queue = queue_of(match("one", "ab"), match("two", "ab"), match("three", "ab"))
    assert begin_all(queue, [Plays(), Plays()], capacity=9) == [("one", 0), ("two", 1)]


def test_a_match_whose_bots_are_busy_lets_others_go_ahead() -> None:
    queue = queue_of(match("playing", "ab"), match("blocked", "bc"), match("free", "cd"))
    assert begin_all(queue, [Plays()], capacity=9) == [("playing", 0), ("free", 0)]
    (blocked,) = queue
    assert (blocked.name, blocked.passed) == ("blocked", 1)


@pytest.mark.parametrize("capacity", [2, 3])
def test_nobody_is_passed_for_ever(capacity: int) -> None:
    referee = Plays()
    queue = queue_of(match("playing", "ab"), match("blocked", "bc"))
    begin_all(queue, [referee], capacity)
    (blocked,) = queue
    ahead = 0
    while True:
        other = match("other", "cd")
        queue.join(other)
        if not begin_all(queue, [referee], capacity):
            break
        ahead += 1
        referee.end(other)
    assert ahead == blocked.passed == MAX_PASSED * capacity
    referee.end(match("playing", "ab"))
    # Now that its bots are free it is the first, and those that it has held up come after it.
    assert begin_all(queue, [referee], capacity) == [("blocked", 0)]
    referee.end(blocked)
    assert begin_all(queue, [referee], capacity) == [("other", 0)]


def test_matches_of_one_table_that_wait_together_are_each_passed() -> None:
    """The games of a block share their bots: all of them wait, and each keeps its turn."""
    queue = queue_of(match("game0", "ab"), match("game1", "ab"), match("game2", "ab"), match("other", "cd"))
    assert begin_all(queue, [Plays()], capacity=9) == [("game0", 0), ("other", 0)]
    assert [(turn.name, turn.passed) for turn in queue] == [("game1", 1), ("game2", 1)]


def test_who_leaves_the_queue_is_not_played() -> None:
    first, second = match("first", "ab"), match("second", "cd")
    queue = queue_of(first, second)
    queue.leave(first)
    assert len(queue) == 1
    assert begin_all(queue, [Plays()], capacity=9) == [("second", 0)]


def test_nothing_begins_at_no_referee() -> None:
    queue = queue_of(match("first", "ab"))
    assert begin_all(queue, [], capacity=9) == []
    assert len(queue) == 1


def test_the_referee_that_plays_least_is_chosen_and_of_these_one_that_has_the_bots() -> None:
    slots = match("next", "ab", most=9).slots
    empty, with_one, with_both, busy = Plays(), Plays(), Plays(), Plays(busy=1)
    with_one.slots.update({("a", 0): 0})
    for referee in (with_both, busy):
        referee.slots.update({("a", 0): 0, ("b", 0): 0})
    assert free_desk([busy, empty, with_one, with_both], slots) is with_both
    assert free_desk([busy, empty, with_one], slots) is with_one
    assert free_desk([busy, empty], slots) is empty
    assert free_desk([busy], slots) is busy
    assert free_desk([], slots) is None


def test_a_bot_that_sits_twice_at_a_table_has_two_chairs() -> None:
    assert slots_of("aba") == [("a", 0), ("b", 0), ("a", 1)]
    twice = match("twice", "aa")
    assert begin_all(queue_of(twice), [Plays()], capacity=9) == [("twice", 0)]
    # Somebody who needs one slot waits for the first of them, and does not take the second.
    referee = Plays(slots=Counter({("a", 0): 1, ("a", 1): 0}))
    assert begin_all(queue_of(match("once", "ab")), [referee], capacity=9) == []


def shared(name: str, bots: str, share: Fraction) -> Named:
    return Named(dict.fromkeys(slots_of(bots), 9), share, name=name)


def test_matches_begin_while_their_shares_fit_and_nobody_small_goes_ahead_of_a_large_one() -> None:
    """A match that needs a whole processor would wait for ever if small ones filled every gap."""
    half, whole = Fraction(1, 2), Fraction(1)
    turns = shared("half", "ab", half), shared("whole", "cd", whole), shared("gap", "ef", half)
    queue = queue_of(*turns, shared("last", "gh", half))
    referee = Plays()
    assert begin_all(queue, [referee], capacity=1) == [("half", 0)]
    referee.end(turns[0])
    assert begin_all(queue, [referee], capacity=1) == [("whole", 0)]
    referee.end(turns[1])
    assert begin_all(queue, [referee], capacity=1) == [("gap", 0), ("last", 0)]


def test_a_referee_without_room_is_passed_over() -> None:
    queue = queue_of(match("one", "ab"), match("two", "cd"), match("three", "ef"))
    assert begin_all(queue, [Plays(most=1), Plays(most=1)], capacity=9) == [("one", 0), ("two", 1)]
    assert [turn.name for turn in queue] == ["three"]


def test_a_match_that_is_played_apart_has_a_referee_to_itself() -> None:
    alone, other = match("alone", "ab", is_apart=True), match("other", "cd")
    queue, referees = queue_of(other, alone, match("third", "ef")), [Plays(), Plays()]
    assert begin_all(queue, referees, capacity=9) == [("other", 0), ("alone", 1), ("third", 0)]
    queue.join(match("fourth", "gh", is_apart=True))
    assert begin_all(queue, referees, capacity=9) == []
    referees[1].end(alone)
    assert begin_all(queue, referees, capacity=9) == [("fourth", 1)]


def test_a_match_that_is_played_apart_is_not_passed_over_for_ever() -> None:
    queue, referee = queue_of(match("first", "ab")), Plays()
    assert begin_all(queue, [referee], capacity=2) == [("first", 0)]
    queue.join(match("alone", "cd", is_apart=True))
    for number in range(10 * MAX_PASSED):
        queue.join(match(f"m{number}", "ef"))
    begun = 0
    while begin_all(queue, [referee], capacity=2) == [(f"m{begun}", 0)]:
        referee.end(match(f"m{begun}", "ef"))
        begun += 1
    assert begun == 2 * MAX_PASSED
    referee.end(match("first", "ab"))
    assert begin_all(queue, [referee], capacity=2) == [("alone", 0)]
