"""The wire: from a game's values to the frames of the Play stream, and back.

Prompts are assembled from bytes: the options of a prompt, which recur often, are serialised once and joined,
and so are the fields of a view.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from referee.codec import ProtocolError, codec_for
from referee.field_bytes import NUMBER_TAGS, SHORT, TAGS, ViewWriter, field, varint
from referee.game import MAX_OPTIONS, AnyGame, Decision
from referee.order import Ending, TimeControl
from referee.v1 import play_pb2 as pb

SERVICE = "referee.v1.RefereeService"
PROTOCOL_VERSION = 1
HELLO_SECONDS = 10  # for a bot's hello
MAX_MESSAGES = 8_192  # of a bot in one frame
MAX_STRAYS = 1_000  # messages of a bot that answer no question, before its stream is cut
TAKEN_OVER = "a newer connection with this ticket has taken over"
MAX_COMMENT = 500  # characters of a comment that are kept
MAX_CACHED = 100_000  # serialised actions kept for each game
MAX_HEADS = 2_000  # beginnings of prompts and of matches kept for each game
NS = 1_000_000_000

VARINT, FIXED_64, LENGTH_DELIMITED, FIXED_32 = 0, 1, 2, 5  # kinds of fields
FRAME_MESSAGES = 1  # PlayResponse.messages
MESSAGE_STARTED, MESSAGE_PROMPT = 2, 3  # RefereeMessage.match_started, .prompt
STARTED = {field.name: field.number for field in pb.MatchStarted.DESCRIPTOR.fields}
PROMPT = {field.name: field.number for field in pb.Prompt.DESCRIPTOR.fields}
GAME_VIEW, GAME_EVENTS, GAME_OPTIONS = 1, 2, 3  # fields of every game's Prompt
ANY_TYPE_URL, ANY_VALUE = 1, 2
PLUG_IN = pb.GamePrompt.DESCRIPTOR.fields_by_name["plug_in"].number


VIEW_TAG = TAGS[GAME_VIEW]
ID_TAG, COUNT_TAG = NUMBER_TAGS[PROMPT["prompt_id"]], NUMBER_TAGS[PROMPT["option_count"]]
TRUNCATED_TAG = NUMBER_TAGS[PROMPT["options_truncated"]]
TIME_LEFT_TAG, DEADLINE_TAG, GAME_TAG = TAGS[PROMPT["time_left"]], TAGS[PROMPT["deadline"]], TAGS[PROMPT["game"]]


def frame(messages: Iterable[bytes]) -> bytes:
    """Return the bytes of a PlayResponse that carries these serialised RefereeMessages."""
    return b"".join([field(FRAME_MESSAGES, message) for message in messages])


class FloodError(ProtocolError):
    """A frame has more messages than any honest bot sends; it was not parsed."""


def read_frame(data: bytes) -> Sequence[pb.BotMessage]:
    """Return the messages of a bot's frame; a ProtocolError if it cannot be read.

    Messages are counted before they are parsed: a mebibyte of empty ones takes half a gigabyte.
    """
    if len(data) > 2 * MAX_MESSAGES and has_more_fields(data, MAX_MESSAGES):
        raise FloodError(f"a frame of more than {MAX_MESSAGES:,} messages")
    try:
        return pb.PlayRequest.FromString(data).messages
    except DecodeError:
        raise ProtocolError(f"a frame of {len(data)} bytes is not a PlayRequest") from None


def has_more_fields(data: bytes, most: int) -> bool:
    """Return whether a message has more than `most` fields, known or not, before anything in it is unreadable."""
    at = count = 0
    try:
        while at < len(data):
            count += 1
            if count > most:
                return True
            kind, at = _varint_at(data, at)
            if kind & 7 == LENGTH_DELIMITED:
                size, at = _varint_at(data, at)
                at += size
            elif kind & 7 == VARINT:
                _value, at = _varint_at(data, at)
            else:
                at += {FIXED_64: 8, FIXED_32: 4}[kind & 7]
    except (IndexError, KeyError):  # the parser will refuse it
        pass
    return False


def _varint_at(data: bytes, at: int) -> tuple[int, int]:
    """Return a number and the position behind it."""
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
    return value | data[at] << shift, at + 1


def duration(nanoseconds: int) -> Duration:
    """Return a span of time as a message."""
    return Duration(seconds=nanoseconds // NS, nanos=nanoseconds % NS)


def duration_bytes(nanoseconds: int) -> bytes:
    """Return a span of time of 0 or more as the bytes of a Duration."""
    return NUMBER_TAGS[1] + varint(nanoseconds // NS) + NUMBER_TAGS[2] + varint(nanoseconds % NS)


def thought_ns(answer: pb.Answer) -> int | None:
    """Return the bot's reported thinking time, or None without one."""
    if not answer.HasField("thought"):
        return None
    return answer.thought.seconds * NS + answer.thought.nanos


def comment_of(answer: pb.Answer) -> str:
    """Return the bot's comment on its answer, on one line of printable characters and not too long."""
    # Cut twice: first to bound the work, and again because the result may still be too long.
    shown = "".join([sign if sign.isprintable() else " " for sign in answer.comment[: 2 * MAX_COMMENT]])
    return " ".join(shown.split())[:MAX_COMMENT]


def welcome(bot: str) -> bytes:
    """Return the message that accepts a ticket."""
    return pb.RefereeMessage(welcome=pb.Welcome(protocol_version=PROTOCOL_VERSION, bot=bot)).SerializeToString()


def goodbye(reason: str) -> bytes:
    """Return the last message of a stream."""
    return pb.RefereeMessage(goodbye=pb.Goodbye(reason=reason)).SerializeToString()


def refused(match_id: str, prompt_id: int, clause: str, reason: str, strikes: int) -> bytes:
    """Return the message that notifies a bot of a strike."""
    told = pb.Refused(match_id=match_id, prompt_id=prompt_id, clause=clause, reason=reason, strikes=strikes)
    return pb.RefereeMessage(refused=told).SerializeToString()


def match_ended(match_id: str, ranks: Sequence[int], scores: Sequence[int], reason: str, ending: Ending) -> bytes:
    """Return the message that closes a match for one seat."""
    ended = pb.MatchEnded(match_id=match_id, ranks=ranks, scores=scores, reason=reason, ending=f"ENDING_{ending.name}")
    return pb.RefereeMessage(match_ended=ended).SerializeToString()


def time_control(control: TimeControl) -> pb.TimeControl:
    """Return the time control as sent to a bot."""
    return pb.TimeControl(
        bank=duration(control.bank_ms * 1_000_000),
        increment=duration(control.increment_ms * 1_000_000),
        decision_cap=duration(control.cap_ms * 1_000_000) if control.cap_ms else None,
        strike_limit=control.strike_limit,
    )


class GameWire:
    """One game on the wire: its prompts as bytes, its actions from messages and to record lines."""

    def __init__(self, game: AnyGame, max_cached: int = MAX_CACHED) -> None:
        self.game = game
        self._max_cached = max_cached
        self.codec = codec_for(game)
        # All compiled here, so that a process forked with a wire can play immediately.
        self._as_options, self._as_action, self._as_event = self.codec.options, self.codec.action, self.codec.event
        self._slot = pb.GamePrompt.DESCRIPTOR.fields_by_name.get(game.slug)
        url = f"type.googleapis.com/{self.codec.prompt.DESCRIPTOR.full_name}".encode()
        self._any_head = field(ANY_TYPE_URL, url) + TAGS[ANY_VALUE]
        self._game_tag = TAGS[PLUG_IN if self._slot is None else self._slot.number]
        self._views = ViewWriter(self.codec, game.types.view)
        self._heads: dict[tuple[str, str, str], bytes] = {}
        self._openings: dict[tuple[int, Any, TimeControl], bytes] = {}
        self._options: dict[Any, bytes] = {}
        self._events: dict[Any, bytes] = {}
        self._json: dict[Any, str] = {}

    def match_started(self, match_id: str, seat: int, seats: int, options: Any, control: TimeControl) -> bytes:
        """Return the message that opens a match for one seat."""
        known = self._openings.get((seats, options, control)) or self._opening(seats, options, control)
        started = field(STARTED["match_id"], match_id.encode()) + NUMBER_TAGS[STARTED["seat"]] + varint(seat) + known
        return field(MESSAGE_STARTED, started)

    def _opening(self, seats: int, options: Any, control: TimeControl) -> bytes:
        """Return the part of a MatchStarted that is the same for every seat of every match with these options."""
        if len(self._openings) > MAX_HEADS:
            self._openings.clear()
        started = pb.MatchStarted(
            game=self.game.slug,
            rules_version=self.game.rules_version,
            seats=seats,
            options=self.wrapped(pb.GameOptions, self._as_options.encode(options)),
            time_control=time_control(control),
        )
        made = self._openings[seats, options, control] = started.SerializeToString()
        return made

    def wrapped(self, wrapper: Any, message: Any) -> Any:
        """Return a message in this game's field of a wrapper; a plug-in's is packed."""
        if self._slot is not None:
            return wrapper(**{self.game.slug: message})
        packed = AnyMessage()
        packed.Pack(message)
        return wrapper(plug_in=packed)

    def prompt(
        self,
        match_id: str,
        prompt_id: int,
        decision: Decision,
        view: Any,
        events: Sequence[bytes],
        options: Sequence[Any],
        bank_ns: int,
        allowed_ns: int,
        clocks: Sequence[int] = (),
    ) -> bytes:
        """Return a serialised RefereeMessage with one prompt; `events` come from `event`, `clocks` are all banks."""
        listed = options if len(options) <= MAX_OPTIONS else options[:MAX_OPTIONS]
        is_truncated = decision.open_ended or len(listed) < len(options)
        known = self._options
        try:
            chosen = [known[option] for option in listed]
        except KeyError:
            chosen = [self._option(option) for option in listed]
        seen = self._views.write(match_id, view)
        body = b"".join((VIEW_TAG, varint(len(seen)), seen, *events, *chosen))
        if self._slot is None:
            body = self._any_head + varint(len(body)) + body
        inner = self._game_tag + varint(len(body)) + body
        time_left, deadline = duration_bytes(bank_ns), duration_bytes(allowed_ns)
        return field(
            MESSAGE_PROMPT,
            b"".join(
                (
                    self._heads.get((match_id, decision.kind, decision.clause)) or self._head(match_id, decision),
                    ID_TAG, varint(prompt_id),
                    COUNT_TAG, varint(len(listed)),
                    TRUNCATED_TAG, SHORT[is_truncated],
                    TIME_LEFT_TAG, SHORT[len(time_left)], time_left,
                    DEADLINE_TAG, SHORT[len(deadline)], deadline,
                    GAME_TAG, varint(len(inner)), inner,
                    *[field(PROMPT["clocks"], duration_bytes(bank)) for bank in clocks],
                )
            ),
        )  # fmt: skip

    def _head(self, match_id: str, decision: Decision) -> bytes:
        """Return the common beginning of every prompt of this kind in this match."""
        if len(self._heads) > MAX_HEADS:
            self._heads.clear()
        kind, clause = decision.kind.encode(), decision.clause.encode()
        made = self._heads[match_id, decision.kind, decision.clause] = (
            field(PROMPT["match_id"], match_id.encode()) + field(PROMPT["kind"], kind) + field(PROMPT["clause"], clause)
        )
        return made

    def event(self, event: Any) -> bytes:
        """Return an event as a field of the game's prompt."""
        made = self._events.get(event)
        if made is None:
            if len(self._events) > self._max_cached:
                self._events.clear()
            made = self._events[event] = field(GAME_EVENTS, self._as_event.encode(event).SerializeToString())
        return made

    def _option(self, action: Any) -> bytes:
        if len(self._options) > self._max_cached:
            self._options.clear()
        made = self._options.get(action)
        if made is None:
            made = self._options[action] = field(GAME_OPTIONS, self._as_action.encode(action).SerializeToString())
        return made

    def action_json(self, action: Any) -> str:
        """Return an action as recorded."""
        made = self._json.get(action)
        if made is None:
            if len(self._json) > self._max_cached:
                self._json.clear()
            made = self._json[action] = json.dumps(self._as_action.to_plain(action), separators=(",", ":"))
        return made

    def chosen(self, answer: pb.Answer, options: Sequence[Any]) -> Any:
        """Return the action of an answer; a ProtocolError says why it cannot be understood."""
        choice = answer.WhichOneof("choice")
        if choice == "option_index":
            if 0 <= answer.option_index < len(options):
                return options[answer.option_index]
            raise ProtocolError(f"option_index {answer.option_index} is out of range; expected 0 to {len(options) - 1}")
        if choice is None:
            raise ProtocolError("the answer has no choice; expected option_index or action")
        name = answer.action.WhichOneof("game")
        if self._slot is not None:
            if name != self.game.slug:
                raise ProtocolError(f"the action is for {name or 'no game'}; expected {self.game.slug}")
            return self._as_action.decode(getattr(answer.action, name))
        message = self._as_action.message()
        if name != "plug_in" or not unpack(answer.action.plug_in, message):
            raise ProtocolError(f"the action is not a packed {message.DESCRIPTOR.full_name}")
        return self._as_action.decode(message)


def unpack(packed: AnyMessage, message: Any) -> bool:
    """Fill a message from a packed one; return False for one of another type or of garbage."""
    try:
        return packed.Unpack(message)
    except DecodeError:
        return False


_wires: dict[tuple[str, int], GameWire] = {}


def wire_for(game: AnyGame) -> GameWire:
    """Return the wire of a game, with its cache of serialised parts."""
    rules = (game.slug, game.rules_version)
    if rules not in _wires:
        _wires[rules] = GameWire(game)
    return _wires[rules]
