"""Records: a match as JSON Lines, replayable to the byte and tamper-evident.

The first line is the header, then comes one line per step, the last line is the result. Every step carries the chain of
state digests (`digest`), which depends on the choices alone, and every line a `seal` over all bytes up to it, times
included. A changed byte breaks the seal of its line, and recomputed seals do not repair the digests.

The bots' comments are on the last line, which nobody reads during the match: sealed, but in no digest. So are the
signatures of authors (T22.9), which every answer of a seat must have if the header names a key for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from types import NoneType
from typing import Any

from referee.codec import ProtocolError, codec_for
from referee.game import AnyGame, IllegalActionError, Outcome, Seat
from referee.keys import PublicKey, from_base64, in_base64
from referee.mistakes import UserError
from referee.order import TOLD_IDS, Ending, MatchOrder, OrderError, find_rules, told_id
from referee.signed_choice import prompt_digest, read_statement
from referee.software import SOFTWARE
from referee.v1 import play_pb2 as pb
from referee.values import changed, names_of
from referee.wire import wire_for

FORMAT = 1
SEAL = ',"seal":"'
SEAL_LENGTH = len(SEAL) + 32 + len('"}')
RESULT_KEYS = ("ending", "reason", "ranks", "scores", "seat_endings", "forfeited_at")
ENDINGS = tuple(Ending)
MAX_COMMENTS = 100_000  # characters of comments per seat and match; the rest is left out


class How(StrEnum):
    """How a choice came about."""

    ANSWERED = "answered"
    FORCED = "forced"  # the only legal action
    LATE = "late"  # the safe default for a bot out of time
    REFUSED = "refused"  # the safe default after a refused answer
    HOUSE = "house"  # the safe default for a seat that has forfeited


class RecordError(Exception):
    """A record is invalid; the message names the step."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One recorded choice; times are microseconds: the bot's own, our stall, transport forgiven."""

    seat: Seat
    action: Any
    how: How
    times_us: tuple[int, int, int] = (0, 0, 0)
    comment: str = ""
    signed: tuple[bytes, bytes] | None = None
    """T22.9: what its author signed of it, and the signature."""


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def _chain(previous: str, *parts: str) -> str:
    return blake2b("\n".join((previous, *parts)).encode("ascii"), digest_size=16).hexdigest()


def _choices_json(choices: Sequence[Choice], action_json: Callable[[Any], str]) -> str:
    """Return choices without their times, as chained and as written in a step."""
    return ",".join(
        [f'{{"seat":{choice.seat},"action":{action_json(choice.action)},"how":"{choice.how}"}}' for choice in choices]
    )


def bound_header(terms: str, versions: Sequence[str], keys: Sequence[str] = ()) -> dict[str, Any]:
    """T13.16, T22.9: what the header says of the settings, the versions of the bots and their authors' keys."""
    return (
        ({"versions": list(versions)} if all(versions) else {})
        | ({"terms": terms} if terms else {})
        | ({"keys": list(keys)} if any(keys) else {})
    )


class Recorder:
    """Writes the record of one match while it is played."""

    __slots__ = ("_action_json", "_comments", "_lines", "_room", "_seal", "_signatures", "digest", "step")

    def __init__(
        self, order: MatchOrder, game: AnyGame, options: Any, start_digest: str, action_json: Callable[[Any], str]
    ) -> None:
        header = {
            "format": FORMAT,
            "software": SOFTWARE,
            "match_id": order.match_id,
            "game": order.game,
            "rules_version": game.rules_version,
            "options": codec_for(game).options.to_plain(options),
            "bots": [seat.bot for seat in order.seats],
            "seed": order.seed,
            "time_control": order.time_control.to_plain(),
            "told_ids": TOLD_IDS,
            **bound_header(order.terms, [seat.version for seat in order.seats], [seat.key for seat in order.seats]),
        }
        self._action_json = action_json
        self._lines: list[str] = []
        self._comments: list[tuple[int, Seat, str]] = []
        self._signatures: list[tuple[int, Seat, str, str]] = []
        self._room = [MAX_COMMENTS] * len(order.seats)
        self._seal = ""
        self.step = 0
        body = _dump(header)
        self.digest = _chain(body, start_digest)
        self._add(f'{body[:-1]},"digest":"{self.digest}"}}')

    def _add(self, body: str) -> None:
        self._seal = _chain(self._seal, body)
        self._lines.append(f'{body[:-1]}{SEAL}{self._seal}"}}')

    def add(self, choices: Sequence[Choice], state_digest: str) -> None:
        """Write one step: the choices in seat order and the state they led to."""
        self.step += 1
        chosen = _choices_json(choices, self._action_json)
        times = ",".join(
            f"[{own},{stall},{transport}]" for own, stall, transport in (choice.times_us for choice in choices)
        )
        for choice in choices:
            if choice.comment:
                self._note(choice)
            if choice.signed is not None:
                statement, signature = choice.signed
                self._signatures.append((self.step, choice.seat, in_base64(statement), in_base64(signature)))
        self.digest = _chain(self.digest, chosen, state_digest)
        self._add(f'{{"step":{self.step},"choices":[{chosen}],"times_us":[{times}],"digest":"{self.digest}"}}')

    def _note(self, choice: Choice) -> None:
        """Keep a comment for the last line, up to the limit of its seat."""
        self._room[choice.seat] -= len(choice.comment)
        if self._room[choice.seat] >= 0:
            self._comments.append((self.step, choice.seat, choice.comment))

    def written(self, after: int, most: int) -> list[str]:
        """Return lines written so far, the header being the first."""
        return self._lines[after : after + most]

    def finish(self, result: Mapping[str, Any]) -> str:
        """Write the result and return the whole record."""
        self.digest = _chain(self.digest, _dump(result))
        last: dict[str, Any] = {"result": result, "steps": self.step, "digest": self.digest}
        if self._comments:
            last["comments"] = self._comments
        if self._signatures:
            last["signatures"] = self._signatures
        self._add(_dump(last))
        return "\n".join(self._lines) + "\n"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a record as read: the choices, not yet checked against the rules."""

    number: int
    choices: tuple[Choice, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Record:
    """A record whose seals hold."""

    game: AnyGame
    options: Any
    header: Mapping[str, Any]
    steps: tuple[Step, ...]
    result: Mapping[str, Any]
    result_digest: str
    """The end of the digest chain, which names everything that happened except times."""
    signatures: Mapping[tuple[int, Seat], tuple[bytes, bytes]]
    """T22.9: by step and seat, what the author of a bot signed of its choice, and the signature."""

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.header["bots"])


class Reading:
    """A record read line by line while it is written."""

    def __init__(self, header_line: str) -> None:
        self._seal = ""
        header = self._body(header_line)
        self.header: Mapping[str, Any] = header
        self.game: AnyGame = find_rules(str(header["game"]), header["rules_version"])
        self.options = _read_options(self.game, header["options"])
        self.steps: list[Step] = []

    def _body(self, line: str) -> dict[str, Any]:
        try:
            self._seal, body = _unseal(self._seal, line, "line")
        except RecordError:
            raise RecordError("the seal does not follow from the previous lines: this is another match") from None
        return body

    def add(self, line: str) -> Step:
        """Read the next step; a RecordError refuses a line that does not follow from the previous ones."""
        step = _read_step(self.game, len(self.steps) + 1, self._body(line))
        self.steps.append(step)
        return step


def read(text: str) -> Record:
    """Read a record and check every seal; a RecordError names the line that was changed."""
    lines = text.split("\n")
    if lines[-1] != "":
        raise RecordError("the record does not end with a line break: it was truncated or extended")
    lines.pop()
    if len(lines) < 2:
        raise RecordError("the record has no header and result: it was truncated")
    bodies = list(_unsealed(lines))
    header, result = bodies[0], bodies[-1]
    try:
        if header["format"] != FORMAT:
            raise RecordError(f"the header says format {header['format']!r}; expected {FORMAT}")
        game = find_rules(str(header["game"]), header["rules_version"])
        options = _read_options(game, header["options"])
        if not _is_list(header["bots"], str) or type(header["seed"]) is not int or type(header["digest"]) is not str:
            raise RecordError("the header has no list of bots, no whole number as seed or no digest")
        if result["steps"] != len(bodies) - 2:
            raise RecordError(f"the record has {len(bodies) - 2} steps, but its result says {result['steps']}")
        steps = tuple(_read_step(game, number, body) for number, body in enumerate(bodies[1:-1], start=1))
        if "comments" in result:
            steps = _with_comments(steps, result["comments"])
        _check_shape(result["result"], len(header["bots"]))
        signatures = _read_signatures(result.get("signatures", []))
        return Record(game, options, header, steps, result["result"], result["digest"], signatures)
    except KeyError as error:
        raise RecordError(f"the header or the result lacks {error.args[0]!r}") from None
    except (OrderError, ProtocolError) as error:
        raise RecordError(f"the header is wrong: {error}") from None


def _read_options(game: AnyGame, plain: Any) -> Any:
    """Return options that the game itself accepts."""
    read_options = codec_for(game).options.from_plain(plain)
    values = {name: getattr(read_options, name) for name in names_of(game.types.options)}
    try:
        return game.options(values)
    except ValueError as error:
        raise RecordError(f"the header is wrong: {error}") from None


def _is_list(value: Any, *kinds: type) -> bool:
    return isinstance(value, list) and all(type(item) in kinds for item in value)


def _check_shape(result: Any, seats: int) -> None:
    """Refuse a malformed result before anything is done with it."""
    if not isinstance(result, dict) or sorted(result) != sorted(RESULT_KEYS):
        raise RecordError(f"result: it does not have exactly the keys {', '.join(RESULT_KEYS)}")
    endings, failures, ranks = result["seat_endings"], result["forfeited_at"], result["ranks"]
    if (
        result["ending"] not in ENDINGS
        or not _is_list(endings, str)
        or not all(ending in ENDINGS for ending in endings)
    ):
        raise RecordError("result: an ending is not on the list of endings")
    if not _is_list(failures, int, NoneType) or not _is_list(ranks, int) or not _is_list(result["scores"], int):
        raise RecordError("result: ranks, scores or forfeits are not whole numbers")
    if len(endings) != seats or len(failures) != seats or len(ranks) not in (0, seats):
        raise RecordError(f"result: it is not for {seats} seats")


def _unsealed(lines: list[str]) -> Iterator[dict[str, Any]]:
    seal = ""
    for number, line in enumerate(lines):
        name = "header" if number == 0 else "result" if number == len(lines) - 1 else f"step {number}"
        seal, plain = _unseal(seal, line, name)
        yield plain


def _unseal(seal: str, line: str, name: str) -> tuple[str, dict[str, Any]]:
    """Check that a line follows from the previous seal, and return its own seal and its content."""
    body, mark = line[:-SEAL_LENGTH] + "}", line[-SEAL_LENGTH:]
    try:
        seal = _chain(seal, body)
    except UnicodeEncodeError:
        raise RecordError(f"{name}: it was changed: it is not plain ASCII") from None
    if mark != f'{SEAL}{seal}"}}':
        raise RecordError(f"{name}: the seal does not match: this line was changed")
    try:
        plain = json.loads(body)
    except (ValueError, RecursionError):
        raise RecordError(f"{name}: it is not JSON") from None
    if not isinstance(plain, dict):
        raise RecordError(f"{name}: it is not a JSON object")
    return seal, plain


def _read_step(game: AnyGame, number: int, body: dict[str, Any]) -> Step:
    action = codec_for(game).action
    try:
        if body["step"] != number:
            raise RecordError(f"step {number}: it calls itself step {body['step']}")
        if any(type(plain["seat"]) is not int for plain in body["choices"]):
            raise ValueError("a seat is not a whole number")
        choices = tuple(
            Choice(plain["seat"], action.from_plain(plain["action"]), How(plain["how"]), _read_times(times))
            for plain, times in zip(body["choices"], body["times_us"], strict=True)
        )
        return Step(number, choices, body["digest"])
    except (KeyError, TypeError, ValueError, ProtocolError) as error:
        raise RecordError(f"step {number}: it cannot be read: {error}") from None


def _with_comments(steps: tuple[Step, ...], plain: Any) -> tuple[Step, ...]:
    """Return the steps with the comments of the last line, once these are checked."""
    if not isinstance(plain, list):
        raise RecordError("comments: they are not a list")
    comments: dict[tuple[int, Seat], str] = {}
    for each in plain:
        if not isinstance(each, list) or [type(part) for part in each] != [int, int, str]:
            raise RecordError("comments: one is not a step, a seat and a text")
        comments[each[0], each[1]] = each[2]
    if comments.keys() - {(step.number, choice.seat) for step in steps for choice in step.choices}:
        raise RecordError("comments: one belongs to no choice")
    return _commented(steps, comments)


def _commented(steps: Sequence[Step], comments: Mapping[tuple[int, Seat], str]) -> tuple[Step, ...]:
    """Return steps with these comments on their choices, and no others."""
    return tuple(
        changed(
            step,
            choices=tuple(changed(each, comment=comments.get((step.number, each.seat), "")) for each in step.choices),
        )
        for step in steps
    )


def _read_signatures(plain: Any) -> dict[tuple[int, Seat], tuple[bytes, bytes]]:
    """Return the signatures of the last line by step and seat, not yet checked."""
    if not isinstance(plain, list):
        raise RecordError("signatures: they are not a list")
    signatures: dict[tuple[int, Seat], tuple[bytes, bytes]] = {}
    for each in plain:
        if not isinstance(each, list) or [type(part) for part in each] != [int, int, str, str]:
            raise RecordError("signatures: one is not a step, a seat and two texts")
        statement, signature = from_base64(each[2]), from_base64(each[3])
        if statement is None or signature is None or (each[0], each[1]) in signatures:
            raise RecordError("signatures: one is not base64, or there are two of one choice")
        signatures[each[0], each[1]] = (statement, signature)
    return signatures


def _read_times(plain: Any) -> tuple[int, int, int]:
    if not _is_list(plain, int) or len(plain) != 3:
        raise ValueError(f"{plain!r} are not three times")
    own, stall, transport = plain
    return own, stall, transport


def replay(record: Record) -> Iterator[tuple[Step, Any, Sequence[Any]]]:
    """Play a record again, yielding every step with the state after it and its events; the state is the live one.

    A RecordError names the first step whose choices the rules refuse or whose digest differs.
    """
    game = record.game
    try:
        state = game.new(record.seats, record.header["seed"], record.options)
    except ValueError as error:
        raise RecordError(f"header: {error}") from None
    body = _dump({key: value for key, value in record.header.items() if key not in ("digest", "seal")})
    digest = _chain(body, game.digest(state))
    if digest != record.header["digest"]:
        raise RecordError("header: the digest of the set-up differs")
    to_plain, apply = codec_for(game).action.to_plain, game.apply_checked
    for step in record.steps:
        choices = {choice.seat: choice.action for choice in step.choices}
        if [decision.seat for decision in game.pending(state)] != [choice.seat for choice in step.choices]:
            raise RecordError(f"step {step.number}: the choices are of the wrong seats")
        for choice in step.choices:
            try:
                game.check(state, choice.seat, choice.action)
            except IllegalActionError as error:
                raise RecordError(f"step {step.number}: seat {choice.seat}: {error}") from None
        events = apply(state, choices)
        chosen = _choices_json(step.choices, lambda action: _dump(to_plain(action)))
        digest = _chain(digest, chosen, game.digest(state))
        if digest != step.digest:
            raise RecordError(f"step {step.number}: the digest differs")
        yield step, state, events
    if _chain(digest, _dump(record.result)) != record.result_digest:
        raise RecordError("result: the digest differs")
    _check_result(record, game.outcome(state))


def _check_result(record: Record, outcome: Outcome | None) -> None:
    result, endings, failures = record.result, record.result["seat_endings"], record.result["forfeited_at"]
    if result["ending"] == Ending.VOIDED:
        if result["ranks"] or result["scores"] or set(endings) != {Ending.VOIDED}:
            raise RecordError("result: a voided match has neither ranks nor scores, and is voided for every seat")
        return
    if outcome is None:
        raise RecordError(f"result: the match is not over after step {len(record.steps)}")
    if list(outcome.scores) != result["scores"] or places_after_forfeits(outcome.ranks, failures) != tuple(
        result["ranks"]
    ):
        raise RecordError("result: ranks or scores differ from the replay")
    if [failed is None for failed in failures] != [ending == Ending.COMPLETED for ending in endings]:
        raise RecordError("result: forfeits and endings of the seats differ")
    failed_seats = [seat for seat, failed in enumerate(failures) if failed is not None]
    first_failed = min(failed_seats, key=failures.__getitem__, default=None)
    if result["ending"] != (Ending.COMPLETED if first_failed is None else endings[first_failed]):
        raise RecordError("result: the ending is not that of the first seat to forfeit")
    if result["reason"] != outcome.reason:
        raise RecordError("result: the reason differs from the game's")
    for step in record.steps:
        for choice in step.choices:
            failed = failures[choice.seat]
            if failed is not None and step.number > failed and choice.how not in (How.HOUSE, How.FORCED):
                raise RecordError(
                    f"step {step.number}: seat {choice.seat} chose after it had forfeited at step {failed}"
                )


def places_after_forfeits(places: Sequence[int], failures: Sequence[int | None]) -> tuple[int, ...]:
    """T1.2: seats that forfeited come last, the first to fail at the very end; failing at the same step ties."""
    keys = [(0, place) if failed is None else (1, -failed) for place, failed in zip(places, failures, strict=True)]
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def verify(text: str) -> Record:
    """Check seals, replay every step and compare every digest; return the record or raise a RecordError."""
    record = read(text)
    for _ in replay(record):
        pass
    if "keys" in record.header or record.signatures:
        _check_signatures(record)
    return record


ASKED = (How.ANSWERED, How.LATE, How.REFUSED)
"""Choices of a seat that was asked; a seat that forfeits is asked nothing more."""


def _check_signatures(record: Record) -> None:
    """T22.9: require that the keys of the header have signed every answer of their seats, and nothing else."""
    game, missing = record.game, dict(record.signatures)
    wire = wire_for(game)
    state, opening = game.begin(record.seats, record.header["seed"], record.options)
    signers = {seat: key for seat, key in enumerate(_read_keys(record)) if key is not None}
    ids = {seat: told_id(record.header["seed"], record.header["match_id"], seat) for seat in signers}
    asked = dict.fromkeys(signers, 0)
    seen = {seat: list(opening) for seat in signers}  # the events since a seat was last asked
    for step in record.steps:
        decisions = {decision.seat: decision for decision in game.pending(state)}
        for choice in step.choices:
            seat = choice.seat
            if seat not in signers or choice.how not in ASKED:
                continue
            asked[seat] += 1
            events = [wire.event(told) for event in seen[seat] if (told := game.witness(event, seat)) is not None]
            seen[seat].clear()
            if choice.how is not How.ANSWERED:
                continue
            options = game.legal_actions(state, seat)
            shown = wire.prompt(
                ids[seat], asked[seat], decisions[seat], game.observe(state, seat), events, options, 0, 0
            )
            digest = prompt_digest(pb.RefereeMessage.FromString(shown).prompt.game)
            where = f"step {step.number}: seat {seat}"
            try:
                statement, signature = missing.pop((step.number, seat))
                said = read_statement(statement, signature, ids[seat], asked[seat], digest, signers[seat])
                is_index = said.WhichOneof("choice") == "option_index"
                answer = pb.Answer(option_index=said.option_index) if is_index else pb.Answer(action=said.action)
                if wire.chosen(answer, options) != choice.action:
                    raise RecordError(f"{where}: its author signed another choice")
            except KeyError:
                raise RecordError(f"{where}: its answer is not signed by {signers[seat]}") from None
            except ProtocolError as error:
                raise RecordError(f"{where}: {error}") from None
        events_now = game.apply_checked(state, {choice.seat: choice.action for choice in step.choices})
        for news in seen.values():
            news.extend(events_now)
    if missing:
        step_number, seat = min(missing)
        raise RecordError(f"signatures: step {step_number}, seat {seat}: it belongs to no answer of a seat with a key")


def _read_keys(record: Record) -> list[PublicKey | None]:
    keys = record.header.get("keys", [""] * record.seats)
    if not _is_list(keys, str) or len(keys) != record.seats:
        raise RecordError(f"header: the keys are not texts for {record.seats} seats")
    try:
        return [PublicKey.parse(key) if key else None for key in keys]
    except UserError as error:
        raise RecordError(f"header: {error}") from None


def without_comments(record: Record) -> Record:
    """Return a record without its comments, which some readers may not see yet."""
    return changed(record, steps=_commented(record.steps, {}))
