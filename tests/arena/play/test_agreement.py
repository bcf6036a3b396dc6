"""T1.3: no result is believed that its record, or the order of the match, does not bear out."""

from __future__ import annotations

import dataclasses
import os
import signal
from functools import cache
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.play.agreement import disagreement
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import fault_of
from arena.play.verifier import open_verifier
from referee.games import GAMES
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.record import RESULT_KEYS, Recorder
from tools.golden import GOLDENS, Golden

ROOT = Path(__file__).parents[3]
TIMES = TimeControl(join_ms=60_000)


def bot(name: str) -> BotDirectory:
    return read_bot(ROOT / "sample_bots" / "python").renamed(name)


def fixture(number: int, game: str = "toy") -> MatchToPlay:
    return MatchToPlay(f"{number:064x}", game, {}, (bot("ann"), bot("bob")), number, TIMES)


@cache
def played() -> tuple[tuple[MatchToPlay, MatchResult], ...]:
    """Two matches of two bots, played once by a real referee; the places differ between them."""

    async def main() -> list[tuple[MatchToPlay, MatchResult]]:
        async with open_pool(log_level="error") as pool:
            return [(fixture(number), await pool.play(fixture(number))) for number in range(1, 13)]

    by_places = {result.ranks: (ordered, result) for ordered, result in trio.run(main)}
    return by_places[1, 2], by_places[2, 1]


def changed(ordered: MatchToPlay, **values: object) -> MatchToPlay:
    return dataclasses.replace(ordered, **values)  # type: ignore[arg-type]  # a field of any kind


def test_an_honest_result_is_believed() -> None:
    for ordered, result in played():
        assert disagreement(ordered, result) == ""


@pytest.mark.parametrize("golden", GOLDENS, ids=[golden.name for golden in GOLDENS])
def test_the_header_that_is_expected_is_the_one_that_a_referee_writes(golden: Golden) -> None:
    """For every game with its options, given as an organiser gives them."""
    game = GAMES[golden.slug]
    bots = tuple(bot(f"bot{seat}") for seat in range(golden.seats))
    ordered = MatchToPlay("f" * 64, golden.slug, golden.options, bots, golden.seed, TIMES)
    seats = tuple(SeatOrder(each.label, "", each.version) for each in bots)
    order = MatchOrder(ordered.match_id, ordered.game, ordered.options, seats, ordered.seed, TIMES)
    recorder = Recorder(order, game, game.options(golden.options), "", str)
    endings = (Ending.COMPLETED,) * golden.seats
    places = tuple(range(1, golden.seats + 1))
    result = MatchResult(ordered.match_id, Ending.COMPLETED, "", places, places, endings, 0, 0, "")
    text = recorder.finish({key: value for key, value in result.to_plain().items() if key in RESULT_KEYS})
    assert disagreement(ordered, dataclasses.replace(result, record=text, digest=recorder.digest)) == ""


def test_swapped_places_scores_and_endings_are_refused() -> None:
    (ordered, result), _ = played()
    lies = {
        "ranks": dataclasses.replace(result, ranks=(2, 1)),
        "scores": dataclasses.replace(result, scores=(*result.scores[:-1], result.scores[-1] + 1)),
        "ending": dataclasses.replace(result, ending=Ending.FORFEIT_CRASH),
        "reason": dataclasses.replace(result, reason="the other one gave up"),
        "seat_endings": dataclasses.replace(result, seat_endings=(Ending.COMPLETED, Ending.FORFEIT_CRASH)),
        "digest": dataclasses.replace(result, digest="0" * 32),
    }
    for key, lie in lies.items():
        assert f"the record says {key} " in disagreement(ordered, lie)
    missing_seat = dataclasses.replace(result, seat_endings=(Ending.COMPLETED,))
    assert disagreement(ordered, missing_seat) == "the result has endings for 1 seats; expected 2"


def test_the_record_of_another_match_is_refused() -> None:
    (ordered, result), (_, other) = played()
    relabelled = dataclasses.replace(other, match_id=result.match_id)
    assert "the record says match_id" in disagreement(ordered, relabelled)
    assert "the result is of another match" in disagreement(ordered, other)


def test_a_record_of_another_order_is_refused_by_what_differs() -> None:
    (ordered, result), _ = played()
    orders = {
        "seed": changed(ordered, seed=ordered.seed + 1),
        "bots": changed(ordered, bots=ordered.bots[::-1]),
        "time_control": changed(ordered, time_control=TimeControl(bank_ms=1)),
        "game": changed(ordered, game="norenberc"),
    }
    for key, other in orders.items():
        assert f"the record says {key} " in disagreement(other, result)
    forged = dataclasses.replace(ordered.bots[0], version="0" * 64)
    assert "the record says bots" in disagreement(changed(ordered, bots=(forged, ordered.bots[1])), result)
    old = dataclasses.replace(result, record=result.record.replace('"software":"', '"software":"0.', 1))
    assert "the record says software" in disagreement(ordered, old)


@pytest.mark.parametrize(
    "record", ["", "\n", "[]\n[]\n", "{}\n{}\n", "not json\n", '{"format":1}\n{"result":[]}\n', "[" * 5000]
)
def test_a_record_that_cannot_be_read_is_refused(record: str) -> None:
    (ordered, result), _ = played()
    unreadable = dataclasses.replace(result, record=record)
    assert disagreement(ordered, unreadable) == "the record has no readable header and result"


def test_a_void_match_must_not_have_a_result() -> None:
    (ordered, result), _ = played()
    void = MatchResult(ordered.match_id, Ending.VOIDED, "", (), (), (Ending.VOIDED,) * 2, 0, 0, "")
    assert disagreement(ordered, void) == ""
    assert disagreement(ordered, dataclasses.replace(void, ranks=result.ranks)) == "the match is void, but has a result"


def test_a_record_that_agrees_must_still_replay() -> None:
    """A choice changed, header and result as they were: only the replay finds it."""
    (ordered, result), _ = played()
    forged = dataclasses.replace(result, record=result.record.replace('"how":"answered"', '"how":"forced"', 1))

    async def main() -> list[str]:
        async with open_verifier(1) as verifier:
            return [
                await fault_of(ordered, each, lambda claimed: verifier.check(claimed.record))
                for each in (result, forged, dataclasses.replace(result, ranks=(2, 1)))
            ]

    honest, changed_choice, swapped = trio.run(main)
    assert honest == ""
    assert changed_choice.startswith("the record does not replay: ")
    assert swapped.startswith("the result does not match its order and record: ")


def test_records_that_wait_are_replayed_by_further_processes_up_to_the_limit() -> None:
    (_, result), _ = played()

    async def main() -> int:
        async with open_verifier(2) as verifier:
            assert await verifier.check(result.record) is None
            assert len(verifier.pids) == 1, "one is enough for one record at a time"
            async with trio.open_nursery() as nursery:
                for _ in range(6):
                    nursery.start_soon(verifier.check, result.record)
            return len(verifier.pids)

    assert trio.run(main) == 2


def test_a_verifier_process_that_is_killed_is_replaced() -> None:
    (_, result), _ = played()

    async def main() -> None:
        async with open_verifier(1) as verifier:
            await verifier.check(result.record)
            (pid,) = verifier.pids
            os.kill(pid, signal.SIGKILL)
            assert await verifier.check(result.record) is None
            assert verifier.pids != (pid,)

    trio.run(main)


def test_a_check_that_is_given_up_leaves_no_answer_for_the_next() -> None:
    (_, result), _ = played()

    async def main() -> None:
        async with open_verifier(1) as verifier:
            await verifier.check(result.record)
            with trio.move_on_after(0):
                await verifier.check("not a record\n")
            assert await verifier.check(result.record) is None

    trio.run(main)
