"""Records: a changed byte is found, and its step is named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from referee.games import GAMES
from referee.match import OpenPrompt
from referee.order import Ending, MatchOrder, SeatOrder
from referee.record import (
    MAX_COMMENTS,
    Choice,
    How,
    Recorder,
    RecordError,
    read,
    replay,
    verify,
    without_comments,
)
from referee.v1 import play_pb2 as pb
from referee.wire import comment_of, wire_for
from tests.records import without_times
from tests.wire.scripted_link import Script, play_scripted, random_script

TOY = GAMES["toy"]


def short_record() -> str:
    """Return the record of a toy match of two rounds."""
    return play_scripted(TOY, [random_script(1), random_script(2)], seed=3, options={"rounds": 2}).result.record


RECORD = short_record()
LINES = RECORD.splitlines()


def chain(previous: str, *parts: str) -> str:
    """The chain of the format, written down a second time."""
    return blake2b("\n".join((previous, *parts)).encode("ascii"), digest_size=16).hexdigest()


def dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def resealed(bodies: list[dict[str, Any]]) -> str:
    """Return a record with all seals recomputed, as a forger would."""
    seal, lines = "", []
    for body in bodies:
        text = dump({key: value for key, value in body.items() if key != "seal"})
        seal = chain(seal, text)
        lines.append(f'{text[:-1]},"seal":"{seal}"}}')
    return "\n".join(lines) + "\n"


def bodies() -> list[dict[str, Any]]:
    return [json.loads(line) for line in LINES]


def name_of(line: int) -> str:
    return "header" if line == 0 else "result" if line == len(LINES) - 1 else f"step {line}"


def test_a_record_as_written_holds() -> None:
    record = verify(RECORD)
    assert len(record.steps) == len(LINES) - 2 >= 2
    assert record.result["ending"] == Ending.COMPLETED
    assert resealed(bodies()) == RECORD, "the forger's tools work"


@pytest.mark.parametrize("mask", [0x01, 0x20, 0x80])
def test_a_record_changed_in_any_byte_is_refused_with_the_step_named(mask: int) -> None:
    data = RECORD.encode("ascii")
    line = 0
    for position, byte in enumerate(data):
        text = (data[:position] + bytes([byte ^ mask]) + data[position + 1 :]).decode("latin-1")
        with pytest.raises(RecordError) as refusal:
            verify(text)
        if byte == 0x0A:
            line += 1
            assert re.match(r"(header|result|step \d+|the record)\b", str(refusal.value))
        else:
            assert str(refusal.value).startswith(f"{name_of(line)}: "), (position, str(refusal.value))


def test_every_byte_dropped_or_doubled_is_noticed() -> None:
    for position in range(len(RECORD)):
        for text in (
            RECORD[:position] + RECORD[position + 1 :],
            RECORD[:position] + RECORD[position] + RECORD[position:],
        ):
            with pytest.raises(RecordError):
                verify(text)


def test_a_record_cut_anywhere_is_refused() -> None:
    for length in range(len(RECORD)):
        with pytest.raises(RecordError):
            verify(RECORD[:length])


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "step 1"),
        (lambda lines: [lines[0], *lines[2:]], "step 1"),
        (lambda lines: [*lines[:-2], lines[-1]], "result"),
        (lambda lines: lines[:-1], "result"),
        (lambda lines: [*lines, lines[-1]], "result"),
        (lambda lines: [*lines, "{}"], "result"),
        (lambda lines: [*lines, ""], "result"),
        (lambda lines: ["", *lines], "header"),
        (lambda lines: [lines[0], lines[0], *lines[1:]], "step 1"),
        (lambda lines: list(reversed(lines)), "header"),
        (lambda lines: [line + " " for line in lines], "header"),
        (lambda lines: [line + "\r" for line in lines], "header"),
    ],
)
def test_lines_swapped_dropped_or_added_are_refused(change: Callable[[list[str]], list[str]], named: str) -> None:
    with pytest.raises(RecordError, match=named):
        verify("\n".join(change(LINES)) + "\n")


def test_lines_of_another_match_do_not_fit_in() -> None:
    other = play_scripted(TOY, [random_script(1), random_script(2)], seed=4, options={"rounds": 2}).result.record
    mixed = [LINES[0], *other.splitlines()[1:]]
    with pytest.raises(RecordError, match="step 1"):
        verify("\n".join(mixed) + "\n")


def forged(line: int, change: Callable[[dict[str, Any]], object]) -> str:
    plain = bodies()
    change(plain[line])
    return resealed(plain)


def swap_ranks(body: dict[str, Any]) -> None:
    body["result"]["ranks"] = list(reversed(body["result"]["ranks"]))
    body["result"]["scores"] = list(reversed(body["result"]["scores"]))


def test_a_result_forged_with_new_seals_is_caught_by_its_digest() -> None:
    text = forged(-1, swap_ranks)
    read(text)
    with pytest.raises(RecordError, match="result: the digest differs"):
        verify(text)


def with_digests(plain: list[dict[str, Any]]) -> str:
    """Recompute the last digest as well, as a forger would who knows the format."""
    last = plain[-1]
    last["digest"] = chain(plain[-2]["digest"], dump(last["result"]))
    return resealed(plain)


RESULT_FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "ranks swapped": lambda result: result.update(ranks=list(reversed(result["ranks"]))),
    "scores raised": lambda result: result.update(scores=[score + 1 for score in result["scores"]]),
    "a forfeit made up": lambda result: result.update(forfeited_at=[1, None]),
    "a forfeit and its ranks made up": lambda result: result.update(
        forfeited_at=[1, None], ranks=[2, 1], seat_endings=["forfeit_illegal", "completed"], ending="forfeit_illegal"
    ),
    "an ending of a seat made up": lambda result: result.update(seat_endings=["forfeit_crash", "completed"]),
    "the ending made up": lambda result: result.update(ending="forfeit_crash"),
    "the reason made up": lambda result: result.update(reason="a walkover"),
    "an unknown ending": lambda result: result.update(ending="walkover"),
    "too many forfeits": lambda result: result.update(forfeited_at=[None, None, None]),
    "forfeits that are no list": lambda result: result.update(forfeited_at=7),
    "ranks that are no list": lambda result: result.update(ranks=None),
    "no ending": lambda result: result.pop("ending"),
    "no forfeits": lambda result: result.pop("forfeited_at"),
    "a voided match with ranks": lambda result: result.update(ending="voided", seat_endings=["voided"] * 2),
    "a match voided for one seat": lambda result: result.update(
        ending="voided", seat_endings=["voided", "completed"], ranks=[], scores=[]
    ),
    "an unknown key": lambda result: result.update(prize=1_000_000),
}


@pytest.mark.parametrize("forgery", RESULT_FORGERIES)
def test_a_result_forged_with_new_seals_and_digests_is_caught_by_the_match_itself(forgery: str) -> None:
    plain = bodies()
    RESULT_FORGERIES[forgery](plain[-1]["result"])
    with pytest.raises(RecordError):
        verify(with_digests(plain))


def test_a_choice_forged_with_new_seals_is_caught_at_its_step() -> None:
    def bid_another_card(body: dict[str, Any]) -> None:
        state = TOY.new(2, 3, TOY.options({"rounds": 2}))
        played = body["choices"][0]["action"]["bid"]["card"]
        other = next(card for card in state.hands[0] if card != played)
        body["choices"][0]["action"]["bid"]["card"] = other

    with pytest.raises(RecordError, match="step 1: the digest differs"):
        verify(forged(1, bid_another_card))


STEP_FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "an illegal card": (lambda body: body["choices"][0]["action"]["bid"].update(card=99), "step 1: seat 0: T3"),
    "a huge card": (lambda body: body["choices"][0]["action"]["bid"].update(card=10**30), "step 1: seat 0: T3"),
    "no action": (lambda body: body["choices"][0].pop("action"), "step 1: it cannot be read"),
    "another how": (lambda body: body["choices"][0].update(how="house"), "step 1: the digest differs"),
    "an unknown how": (lambda body: body["choices"][0].update(how="guessed"), "step 1: it cannot be read"),
    "another seat": (lambda body: body["choices"][0].update(seat=1), "step 1: the choices are of the wrong seats"),
    "a seat that is none": (lambda body: body["choices"][0].update(seat="north"), "step 1"),
    "a choice too few": (
        lambda body: (body["choices"].pop(), body["times_us"].pop()),
        "step 1: the choices are of the wrong seats",
    ),
    "times too few": (lambda body: body["times_us"].pop(), "step 1: it cannot be read"),
    "times that are none": (lambda body: body.update(times_us=[1, 2]), "step 1: it cannot be read"),
    "times of the wrong kind": (lambda body: body.update(times_us=[["a"], [None]]), "step 1: it cannot be read"),
    "choices that are none": (lambda body: body.update(choices=None), "step 1: it cannot be read"),
    "another number": (lambda body: body.update(step=2), "step 1: it calls itself step 2"),
    "another digest": (lambda body: body.update(digest="0" * 32), "step 1: the digest differs"),
}


@pytest.mark.parametrize("forgery", STEP_FORGERIES)
def test_a_step_forged_with_new_seals_is_refused_with_the_step_named(forgery: str) -> None:
    change, reason = STEP_FORGERIES[forgery]
    with pytest.raises(RecordError, match=re.escape(reason)):
        verify(forged(1, change))


HEADER_FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another seed": lambda header: header.update(seed=4),
    "a seed that is none": lambda header: header.update(seed="3"),
    "a bot renamed": lambda header: header.update(bots=["bot0", "someone else"]),
    "a bot too many": lambda header: header.update(bots=["a"] * 9),
    "bots that are none": lambda header: header.update(bots=7),
    "another game": lambda header: header.update(game="norenberc"),
    "an unknown game": lambda header: header.update(game="halma"),
    "a game that is none": lambda header: header.update(game=["toy"]),
    "another rules version": lambda header: header.update(rules_version=2),
    "another format": lambda header: header.update(format=2),
    "other options": lambda header: header.update(options={"rounds": 3}),
    "bad options": lambda header: header.update(options={"rounds": "two"}),
    "options out of range": lambda header: header.update(options={"rounds": 99}),
    "another match": lambda header: header.update(match_id="n"),
    "another time control": lambda header: header["time_control"].update(bank_ms=1),
    "no digest": lambda header: header.pop("digest"),
    "no game": lambda header: header.pop("game"),
}


@pytest.mark.parametrize("forgery", HEADER_FORGERIES)
def test_a_header_forged_with_new_seals_is_refused(forgery: str) -> None:
    with pytest.raises(RecordError):
        verify(forged(0, HEADER_FORGERIES[forgery]))


@pytest.mark.parametrize("line", ["[]", "7", "null", '"x"', "{}", "nonsense"])
def test_lines_that_are_no_objects_of_ours_are_refused_even_with_good_seals(line: str) -> None:
    for place in (0, 1, len(LINES) - 1):
        seal, lines = "", []
        for number, text in enumerate(LINES):
            body = line if number == place else text[: -len(f',"seal":"{"0" * 32}"}}')] + "}"
            seal = chain(seal, body)
            lines.append(f'{body[:-1]},"seal":"{seal}"}}')
        with pytest.raises(RecordError):
            verify("\n".join(lines) + "\n")


def test_times_changed_with_new_seals_keep_the_digests() -> None:
    """Times are measured, not played: they are under the seal, and outside the chain that names a match."""
    text = forged(1, lambda body: body.update(times_us=[[999_999, 5, 5]] * 2))
    assert text != RECORD
    assert verify(text).result_digest == verify(RECORD).result_digest
    assert without_times(text) == without_times(RECORD)


def test_a_replay_yields_every_step_with_its_state_and_events() -> None:
    record = read(RECORD)
    seen = [(step.number, TOY.digest(state), len(events)) for step, state, events in replay(record)]
    assert [number for number, _, _ in seen] == list(range(1, len(record.steps) + 1))
    assert len({digest for _, digest, _ in seen}) == len(seen)
    assert all(events for _, _, events in seen)


def test_the_digest_chain_depends_on_the_choices_alone() -> None:
    assert without_times(short_record()) == without_times(RECORD)
    other = play_scripted(TOY, [random_script(1), random_script(5)], seed=3, options={"rounds": 2}).result.record
    assert read(other).result_digest != read(RECORD).result_digest


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n", "{}\n{}\n", "x", RECORD.rstrip("\n"), RECORD + "\n"])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        verify(text)


def commented(text: str) -> str:
    """Return the short record played again by bots that say something to every answer."""

    def saying(seed: int) -> Script:
        plain = random_script(seed)

        def answer(question: OpenPrompt) -> pb.Answer | None:
            made = plain(question)
            if made is not None:
                made.comment = text
            return made

        return answer

    return play_scripted(TOY, [saying(1), saying(2)], seed=3, options={"rounds": 2}).result.record


def test_comments_stand_in_the_margin_outside_every_digest() -> None:
    text = commented("because")
    record, silent = verify(text), verify(RECORD)
    assert record.result_digest == silent.result_digest
    assert [step.digest for step in record.steps] == [step.digest for step in silent.steps]
    assert without_times(text) == without_times(RECORD)
    said = [choice.comment for step in record.steps for choice in step.choices if choice.how is How.ANSWERED]
    assert said
    assert set(said) == {"because"}
    assert all("because" not in line for line in text.splitlines()[:-1]), "nobody who looks on may read them"
    assert not any(choice.comment for step in without_comments(record).steps for choice in step.choices)


def test_a_record_without_comments_is_written_and_read_as_ever() -> None:
    assert "comments" not in json.loads(LINES[-1])
    assert not any(choice.comment for step in read(RECORD).steps for choice in step.choices)


@pytest.mark.parametrize(
    ("comments", "reason"),
    [
        ("text", "not a list"),
        ([["1", 0, "x"]], "a step, a seat and a text"),
        ([[1, 0]], "a step, a seat and a text"),
        ([[1, 0, 7]], "a step, a seat and a text"),
        ([[99, 0, "x"]], "belongs to no choice"),
        ([[1, 5, "x"]], "belongs to no choice"),
    ],
)
def test_a_margin_of_another_form_is_refused(comments: Any, reason: str) -> None:
    forged = bodies()
    forged[-1]["comments"] = comments
    with pytest.raises(RecordError, match=reason):
        read(resealed(forged))


def test_a_comment_is_cut_to_one_printable_line_and_a_seat_can_fill_no_record() -> None:
    assert commented_once("  two\nlines\tand \x1b[31mcolour\u202e ") == "two lines and [31mcolour"
    assert commented_once("x" * 600) == "x" * 500
    assert commented_once("\x00" * 2_000) == ""
    step = Choice(0, next(iter(read(RECORD).steps)).choices[0].action, How.ANSWERED, comment="y" * 500)
    order = MatchOrder("m", "toy", {}, (SeatOrder("a", "t"), SeatOrder("b", "u")), 3)
    recorder = Recorder(order, TOY, TOY.options({}), "", wire_for(TOY).action_json)
    for _ in range(300):
        recorder.add([step], "")
    kept = json.loads(recorder.finish({}).splitlines()[-1])["comments"]
    assert len(kept) == MAX_COMMENTS // 500


def commented_once(text: str) -> str:
    return comment_of(pb.Answer(comment=text))


def test_T2_7_a_record_of_the_first_release_still_replays_and_says_nothing_of_told_ids() -> None:
    """It is byte for byte what version 0.1.0 wrote; there every seat was told the id of the match."""
    old = verify((Path(__file__).parent / "record_0_1_0.jsonl").read_text())
    assert (old.header["software"], "told_ids" in old.header, len(old.steps) > 5) == ("0.1.0", False, True)
    assert read(RECORD).header["told_ids"] == 1
