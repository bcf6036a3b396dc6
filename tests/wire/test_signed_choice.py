"""T22.9: choices signed by a bot's author: kept in the record, and checked by everybody who replays it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.codec import codec_for
from referee.games import GAMES
from referee.keys import Signer, make_signer
from referee.match import OpenPrompt
from referee.order import Ending, told_id
from referee.record import How, RecordError, read, verify
from referee.signed_choice import PREFIX, prompt_digest, sign_choice
from referee.v1 import play_pb2 as pb
from tests.contract.case import OURS
from tests.wire.scripted_link import Script, Table, play_scripted, random_script
from tests.wire.test_record import resealed

TOY = GAMES["toy"]
ANN, MALLORY = make_signer("ann.example"), make_signer("ann.example")
KEYS = {0: str(ANN.public_key)}


def signing(script: Script, signer: Signer, change: Callable[[pb.Answer], object] = lambda answer: None) -> Script:
    """Return a bot whose answers are signed, as `arena connect --key` does it."""

    def answer(question: OpenPrompt) -> pb.Answer | None:
        made = script(question)
        if made is not None:
            prompt = pb.RefereeMessage.FromString(question.message).prompt
            made.match_id, made.prompt_id = prompt.match_id, prompt.prompt_id
            sign_choice(made, prompt_digest(prompt.game), signer)
            change(made)
        return made

    return answer


def typed(slug: str) -> Script:
    """Return a bot that writes its action out."""
    choose = random_script(5)

    def answer(question: OpenPrompt) -> pb.Answer:
        made = choose(question)
        assert made is not None
        action = codec_for(GAMES[slug]).action.encode(question.options[made.option_index])
        wire = question.chair.match.wire
        return pb.Answer(action=wire.wrapped(pb.GameAction, action))

    return answer


def played(slug: str, first: Script, seats: int = 2, **more: Any) -> Table:
    others = [random_script(seat) for seat in range(1, seats)]
    return play_scripted(GAMES[slug], [first, *others], seed=11, keys=KEYS, **more)


def bodies_of(record: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.splitlines()]


@pytest.mark.parametrize("slug", sorted(OURS))
@pytest.mark.parametrize("is_typed", [False, True])
def test_T22_9_every_answer_of_a_seat_with_a_key_is_signed_and_checked_from_the_record(
    slug: str, is_typed: bool
) -> None:
    seats = GAMES[slug].table_sizes[-1]
    table = played(slug, signing(typed(slug) if is_typed else random_script(5), ANN), seats)
    assert table.result.ending is Ending.COMPLETED
    assert table.links[0].refusals() == []
    record = verify(table.result.record)
    answered = {
        (step.number, 0)
        for step in record.steps
        for choice in step.choices
        if choice.seat == 0 and choice.how is How.ANSWERED
    }
    assert set(record.signatures) == answered
    assert len(answered) == len(table.links[0].prompts) > 2
    assert record.header["keys"] == [KEYS[0], *[""] * (seats - 1)]
    statement = pb.ChoiceStatement.FromString(record.signatures[min(answered)][0])
    assert (statement.match_id, statement.prompt_id) == (told_id(11, "m", 0), 1)


def test_T22_9_what_is_hashed_are_the_bytes_on_the_wire() -> None:
    """So a bot in any language can hash what it received, without writing the message again."""
    for slug in sorted(OURS):
        game = GAMES[slug]
        sent: list[bytes] = []
        choose = random_script(0)

        def noting(question: OpenPrompt, sent: list[bytes] = sent, choose: Script = choose) -> pb.Answer | None:
            sent.append(question.message)
            return choose(question)

        play_scripted(game, [noting, *(random_script(seat) for seat in range(1, game.table_sizes[0]))], seed=2)
        assert len(sent) > 2
        for message in sent:
            assert pb.RefereeMessage.FromString(message).prompt.game.SerializeToString(deterministic=True) in message


def test_T22_9_a_match_without_keys_is_recorded_as_before() -> None:
    table = play_scripted(TOY, [signing(random_script(5), ANN), random_script(1)], seed=11)
    assert table.links[0].refusals() == [], "a signature that nobody asked for is no fault"
    assert '"keys"' not in table.result.record
    assert '"signatures"' not in table.result.record


def _another_choice(answer: pb.Answer) -> None:
    answer.option_index = 1 - min(answer.option_index, 1)


def _unsigned(answer: pb.Answer) -> None:
    answer.ClearField("signed_choice")


def _by_mallory(answer: pb.Answer) -> None:
    sign_choice(answer, pb.ChoiceStatement.FromString(answer.signed_choice.statement).prompt_digest, MALLORY)


def _said(**fields: Any) -> Callable[[pb.Answer], None]:
    def change(answer: pb.Answer) -> None:
        statement = pb.ChoiceStatement.FromString(answer.signed_choice.statement)
        for name, value in fields.items():
            setattr(statement, name, value)
        signed = statement.SerializeToString()
        answer.signed_choice.statement, answer.signed_choice.signature = signed, ANN.signature(PREFIX + signed)

    return change


def _garbage(answer: pb.Answer) -> None:
    answer.signed_choice.statement, answer.signed_choice.signature = b"\xff", ANN.signature(PREFIX + b"\xff")


def _for_a_note(answer: pb.Answer) -> None:
    """The same bytes signed for another purpose."""
    answer.signed_choice.signature = ANN.signature(answer.signed_choice.statement)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_unsigned, f"the answer is not signed; expected a signed_choice by the key {ANN.public_key}"),
        (_another_choice, "the signed choice is another one than that of the answer"),
        (_by_mallory, f"the signature of the choice is not by the key {ANN.public_key}"),
        (_for_a_note, f"the signature of the choice is not by the key {ANN.public_key}"),
        (_garbage, "the signed choice is not a ChoiceStatement"),
        (_said(match_id="a" * 4096), "the signature of the choice is not by the key"),
        (_said(match_id="another"), "the signed choice is of another match or prompt"),
        (_said(prompt_id=99), "the signed choice is of another match or prompt"),
        (_said(prompt_digest=bytes(32)), "the signed choice is of a prompt that showed something else"),
        (lambda answer: setattr(answer.signed_choice, "signature", b"short"), "the signature of the choice is not by"),
    ],
)
def test_T22_9_an_answer_without_the_right_signature_is_refused(
    change: Callable[[pb.Answer], None], reason: str
) -> None:
    table = played("toy", signing(random_script(5), ANN, change))
    assert table.result.seat_endings[0] is Ending.FORFEIT_ILLEGAL
    assert table.links[0].refusals()[0].reason.startswith(reason)
    assert verify(table.result.record).signatures == {}, "nothing that the house chose is the author's"


def _dropped(bodies: list[dict[str, Any]]) -> None:
    bodies[-1]["signatures"].pop()


def _none(bodies: list[dict[str, Any]]) -> None:
    del bodies[-1]["signatures"]


def _swapped(bodies: list[dict[str, Any]]) -> None:
    first, second = bodies[-1]["signatures"][:2]
    first[2:], second[2:] = second[2:], first[2:]


def _moved(bodies: list[dict[str, Any]]) -> None:
    bodies[-1]["signatures"][0][1] = 1


def _twice(bodies: list[dict[str, Any]]) -> None:
    bodies[-1]["signatures"].append(bodies[-1]["signatures"][0])


def _flipped(bodies: list[dict[str, Any]]) -> None:
    signature = bytearray(base64.b64decode(bodies[-1]["signatures"][0][3]))
    signature[9] ^= 1
    bodies[-1]["signatures"][0][3] = base64.b64encode(signature).decode()


def _no_list(bodies: list[dict[str, Any]]) -> None:
    bodies[-1]["signatures"] = {"0": 1}


def _no_texts(bodies: list[dict[str, Any]]) -> None:
    bodies[-1]["signatures"] = [[1, 0, None, None]]


def _no_base64(bodies: list[dict[str, Any]]) -> None:
    bodies[-1]["signatures"][0][2] = "ä"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (_dropped, "its answer is not signed by"),
        (_none, "its answer is not signed by"),
        (_swapped, "the signed choice is of another match or prompt"),
        (_moved, "its answer is not signed by"),
        (_twice, "there are two of one choice"),
        (_flipped, "the signature of the choice is not by the key"),
        (_no_list, "signatures: they are not a list"),
        (_no_texts, "signatures: one is not a step, a seat and two texts"),
        (_no_base64, "signatures: one is not base64"),
    ],
)
def test_T22_9_signatures_that_were_changed_in_a_resealed_record_are_found(
    change: Callable[[list[dict[str, Any]]], None], fault: str
) -> None:
    bodies = bodies_of(played("toy", signing(random_script(5), ANN)).result.record)
    change(bodies)
    with pytest.raises(RecordError, match=fault):
        verify(resealed(bodies))


def test_T22_9_nobody_can_play_for_an_author_without_the_key() -> None:
    """An organiser plays the match for the bot, with the arena's own referee and another key under the same name."""
    order_key = {0: str(MALLORY.public_key)}
    forged = play_scripted(TOY, [signing(random_script(6), MALLORY), random_script(1)], seed=11, keys=order_key)
    record = verify(forged.result.record)
    assert record.header["keys"][0] != KEYS[0], "a reader who knows the author's key sees that it is another"
    bodies = bodies_of(forged.result.record)
    bodies[0]["keys"] = [KEYS[0], ""]
    with pytest.raises(RecordError):
        verify(resealed(bodies))


def test_T22_9_late_and_refused_answers_are_counted_as_prompts_but_need_no_signature() -> None:
    choose, count = random_script(5), 0

    def now_and_then(question: OpenPrompt) -> pb.Answer | None:
        nonlocal count
        count += 1
        if count == 2:
            return None
        made = choose(question)
        assert made is not None
        return pb.Answer(option_index=10_000) if count == 4 else made

    table = played("toy", signing(now_and_then, ANN))
    hows = [choice.how for step in read(table.result.record).steps for choice in step.choices if choice.seat == 0]
    assert {How.LATE, How.REFUSED, How.ANSWERED} <= set(hows)
    verify(table.result.record)


@pytest.mark.parametrize("keys", ["x", ["x", ""], [KEYS[0]], [KEYS[0], 1], [KEYS[0], "", ""]])
def test_T22_9_a_header_whose_keys_are_none_is_refused(keys: Any) -> None:
    table = played("toy", signing(random_script(5), ANN))
    bodies = bodies_of(table.result.record)
    bodies[0]["keys"] = keys
    with pytest.raises(RecordError):
        verify(resealed(bodies))
