"""Messages derived from the types of a game without stubs: what they hold, their numbers, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import grpc
import pytest
from google.protobuf import any_pb2, descriptor_pool, json_format
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from grpc_tools import protoc  # type: ignore[import-untyped]  # it has no types

from referee import derived_messages
from referee.codec import Codec, ProtocolError, codec_for, mismatches
from referee.derived_messages import MessageError, derived_stubs, describe, proto_text, stale
from referee.field_bytes import ViewWriter
from referee.game import AnyGame, AtMost, Types, Within
from referee.games import BUILT_IN, GAMES
from tests.contract.open_games import Mood, Nim, Race, Rest, Roll, Take
from tests.patience import patience


@dataclass(frozen=True, slots=True)
class Point:
    """Where something is."""

    x: float
    y: float | None


@dataclass(frozen=True, slots=True)
class Options:
    pass


@dataclass(frozen=True, slots=True)
class Moved:
    seat: int
    move: Take


@dataclass(frozen=True, slots=True)
class View:
    only: Take | None
    last: Roll | Rest | None
    several: tuple[Roll | Rest, ...]
    near: Annotated[int, Within(-5, 5)]
    far: int | None
    mood: Mood
    moods: tuple[Mood, ...]
    points: Annotated[tuple[Point, ...], AtMost(3)]
    tensor: tuple[float, ...]
    planes: tuple[bytes, ...]
    board: bytes | None
    said: str


def game_with(
    slug: str, *, options: Any = Options, action: Any = Take, view: Any = View, event: Any = Moved
) -> AnyGame:
    body = {"slug": slug, "types": Types(options, action, view, event), "__module__": __name__}
    game: AnyGame = type("Derived", (Nim,), body)()
    return game


FULL = View(
    Take(1, 2), Roll(Mood.BOLD), (Rest(), Roll(Mood.CALM)), -5, 1 << 40, Mood.CALM, (Mood.BOLD, Mood.CALM),
    (Point(0.1, None), Point(-1e300, 5e-324)), (0.5, -0.0, 1 / 3), (b"", b"\x00\xff"), b"\x80", "ü",
)  # fmt: skip
EMPTY = View(None, None, (), 0, None, Mood.BOLD, (), (), (), (), None, "")


@pytest.mark.parametrize("view", [FULL, EMPTY])
def test_every_type_of_a_view_goes_there_and_back(view: View) -> None:
    """A union of one class beside the class itself, unions, optional values, floats and bytes, alone and in lists."""
    game = game_with("every_type")
    codec = Codec(derived_stubs(game), game)
    packed = codec.view.encode(view).SerializeToString(deterministic=True)
    assert codec.view.decode(codec.view.message.FromString(packed)) == view
    assert codec.view.from_plain(codec.view.to_plain(view)) == view
    event = Moved(1, Take(2, 3))
    assert codec.event.decode(codec.event.encode(event)) == event
    assert codec.action.decode(codec.action.encode(Take(2, 3))) == Take(2, 3)
    assert list(mismatches(game)) == []
    assert codec.view.message.FromString(ViewWriter(codec, View).write("match", view)) == codec.view.encode(view)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("board", value) for value in ("8", "80 ", "FF", "xy", 8, b"\x80")],
        *[("tensor", [value]) for value in (1, "1", None, True, float("nan"), float("inf"))],
    ],
)
def test_hostile_floats_and_bytes_are_refused(field: str, value: Any) -> None:
    game = game_with("every_type")
    translation = Codec(derived_stubs(game), game).view
    with pytest.raises(ProtocolError):
        translation.from_plain({**translation.to_plain(FULL), field: value})


@pytest.mark.parametrize("slug", BUILT_IN)
def test_what_is_derived_for_our_games_mirrors_their_types(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = type("Derived", (type(GAMES[slug]),), {"slug": f"derived_{slug}"})()
    stubs = derived_stubs(game)
    monkeypatch.setattr("referee.codec.stubs_of", lambda _game: stubs)
    assert list(mismatches(game)) == []


def test_any_and_reflection_find_them_in_the_default_pool() -> None:
    race = Race()
    codec = codec_for(race)
    packed = any_pb2.Any()
    packed.Pack(codec.action.encode(Roll(Mood.BOLD)))
    assert packed.type_url == "type.googleapis.com/arena_games.race.v1.Action"
    assert json_format.MessageToDict(packed)["roll"] == {"mood": "MOOD_BOLD"}
    found = descriptor_pool.Default().FindFileContainingSymbol("arena_games.race.v1.View")
    assert found.name == "arena_games/race/v1/race.proto"


def test_a_client_asks_a_server_for_them_by_reflection() -> None:
    """As grpcurl does, of a real server with the reflection service."""
    from concurrent.futures import ThreadPoolExecutor

    from google.protobuf import descriptor_pb2
    from grpc_reflection.v1alpha import reflection, reflection_pb2, reflection_pb2_grpc

    codec_for(Race())
    server = grpc.server(ThreadPoolExecutor(1))
    reflection.enable_server_reflection((reflection.SERVICE_NAME,), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            ask = reflection_pb2.ServerReflectionRequest(file_containing_symbol="arena_games.race.v1.Prompt")
            (answer,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
                iter([ask]), timeout=patience(60)
            )
    finally:
        server.stop(None).wait()
    (file,) = answer.file_descriptor_response.file_descriptor_proto
    assert "Runner" in [message.name for message in descriptor_pb2.FileDescriptorProto.FromString(file).message_type]


RACE = """syntax = "proto3";

package arena_games.race.v1;

enum Mood {
  MOOD_UNSPECIFIED = 0;
  MOOD_CALM = 1;
  MOOD_BOLD = 2;
}

// How long a race is.
message Options {
  int64 turns = 1;
  string motto = 2;
}

// Throw the die, boldly for twice its pips or nothing.
message Roll {
  Mood mood = 1;
}

// Throw nothing.
message Rest {}

message Action {
  oneof kind {
    Roll roll = 1;
    Rest rest = 2;
  }
}

// A seat made a move.
message Moved {
  int64 seat = 1;
  Action move = 2;
}

message Event {
  oneof kind {
    Moved moved = 1;
  }
}

// One seat on the track.
message Runner {
  int64 at = 1;
  repeated Mood moods = 2;
  Action last = 3;
}

// What everybody sees.
message View {
  int64 seats = 1;
  repeated Runner runners = 2;
  int64 turns = 3;
  bytes marks = 4;
  double average = 5;
}

message Prompt {
  View view = 1;
  repeated Event events = 2;
  repeated Action options = 3;
}
"""


def test_the_proto_file_reads_as_one_would_write_it() -> None:
    assert proto_text(describe(Race())) == RACE


@pytest.mark.parametrize("game", [Race(), Nim(), game_with("every_type")], ids=lambda game: game.slug)
def test_the_compiler_makes_of_the_file_what_was_derived(game: AnyGame, tmp_path: Path) -> None:
    (tmp_path / "it.proto").write_text(proto_text(describe(game)), "utf-8")
    made = tmp_path / "made.binpb"
    assert protoc.main(["protoc", f"--proto_path={tmp_path}", f"--descriptor_set_out={made}", "it.proto"]) == 0
    from google.protobuf import descriptor_pb2

    (compiled,) = descriptor_pb2.FileDescriptorSet.FromString(made.read_bytes()).file
    ours = describe(game).file
    for file in (compiled, ours):
        file.ClearField("name")
        for message in file.message_type:
            for field in message.field:
                field.ClearField("json_name")
    assert compiled == ours


@pytest.fixture
def freeze(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[AnyGame], Path]:
    """Write the file that freezes a game's numbers, in a folder of its own."""
    folder = SimpleNamespace(__file__=str(tmp_path / "game.py"))
    monkeypatch.setattr(derived_messages, "sys", SimpleNamespace(modules={__name__: folder}))

    def write(game: AnyGame) -> Path:
        file = tmp_path / f"{game.slug}.proto"
        file.write_text(proto_text(describe(game)), "utf-8")
        return file

    return write


def numbers(game: AnyGame, message: str) -> dict[str, int]:
    (found,) = (each for each in describe(game).file.message_type if each.name == message)
    return {field.name: field.number for field in found.field}


def test_a_frozen_number_stays_whatever_is_moved_added_or_removed(freeze: Callable[[AnyGame], Path]) -> None:
    def game(*fields: tuple[str, Any], action: Any = Take | Roll) -> AnyGame:
        return game_with("frozen", view=make_dataclass("View", fields, frozen=True), action=action)

    file = freeze(game(("a", int), ("b", str), ("c", bool)))
    moved = game(("c", bool), ("d", float), ("a", Annotated[int, Within(0, 1)]), action=Rest | Roll | Take)
    assert numbers(moved, "View") == {"c": 3, "d": 4, "a": 1}
    assert numbers(moved, "Action") == {"rest": 3, "roll": 2, "take": 1}
    assert stale(moved).startswith(f"{file} is not what arena games proto frozen writes")
    file.write_text(proto_text(describe(moved)), "utf-8")
    assert "message View {\n  reserved 2;\n" in file.read_text("utf-8")
    assert stale(moved) == ""
    again = game(("b", str), ("a", int), ("c", tuple[bool, ...]), action=Roll)
    assert numbers(again, "View") == {"b": 5, "a": 1, "c": 6}, (
        "a number that is gone, or had another type, is not reused"
    )
    assert numbers(again, "Action") == {"roll": 2}


def test_frozen_members_of_an_enum_stay_too(freeze: Callable[[AnyGame], Path]) -> None:
    def game(*members: str) -> AnyGame:
        kind = Enum("Hue", list(members))  # type: ignore[misc]  # computed
        return game_with("hues", view=make_dataclass("View", [("hue", kind)], frozen=True))

    def values(made: AnyGame) -> dict[str, int]:
        return dict(EnumTypeWrapper(_Values(describe(made).file.enum_type[0])).items())  # type: ignore[arg-type]

    file = freeze(game("RED", "GREEN", "BLUE"))
    assert values(game("BLUE", "RED", "PINK")) == {"HUE_UNSPECIFIED": 0, "HUE_BLUE": 3, "HUE_RED": 1, "HUE_PINK": 4}
    file.write_text(proto_text(describe(game("BLUE", "RED"))), "utf-8")
    assert values(game("RED", "GREEN")) == {"HUE_UNSPECIFIED": 0, "HUE_RED": 1, "HUE_GREEN": 4}


class _Values:
    """The values of a described enum, as a wrapper reads them."""

    def __init__(self, enum: Any) -> None:
        self.name, self.values = enum.name, enum.value
        self.values_by_name = {each.name: each for each in enum.value}


def test_a_frozen_file_that_is_not_understood_is_named_with_its_line(freeze: Callable[[AnyGame], Path]) -> None:
    game = game_with("unreadable")
    file = freeze(game)
    file.write_text(file.read_text("utf-8").replace("bytes board", "map<string, bytes> board"), "utf-8")
    with pytest.raises(MessageError, match=r"unreadable\.proto: line \d+ is not understood; arena games proto"):
        describe(game)
    file.write_bytes(b"\xff")
    with pytest.raises(MessageError, match=r"unreadable\.proto: cannot be read"):
        describe(game)


def with_field(hint: Any) -> Any:
    return make_dataclass("View", [("it", hint)], frozen=True)


class Take2:
    """No dataclass."""


REFUSED = {
    "a dict": ({"view": with_field(dict[str, int])}, r"View\.it: a message cannot hold dict\[str, int\]; expected "),
    "a list of lists": ({"view": with_field(tuple[tuple[int, ...], ...])}, r"View\.it: .* is a list of lists"),
    "a pair": ({"view": with_field(tuple[int, int])}, r"View\.it: .* has a fixed length"),
    "a float in an action": ({"action": with_field(float)}, r"View\.it: float can only stand in a view"),
    "bytes in an event": ({"event": make_dataclass("Rung", [("it", bytes)])}, r"Rung\.it: bytes can only stand in"),
    "no dataclass": ({"action": Take2}, r"Action: .*Take2'> is not a dataclass"),
    "a name twice": ({"view": with_field(make_dataclass("Take", [("it", int)]))}, "Take: two types have this name"),
    "an action of that name": (
        {"action": make_dataclass("Action", [("it", int)])},
        "Action: two types have this name, and one is the game's message of that name",
    ),
    "options inside": ({"options": Roll, "view": with_field(Roll)}, r"View\.it: Roll also is the game's Options"),
    "a field that cannot be": ({"view": make_dataclass("View", [("ä", int)])}, "are refused"),
}  # fmt: skip


@pytest.mark.parametrize("fault", REFUSED)
def test_what_no_message_can_hold_is_refused_in_one_line(fault: str) -> None:
    types, said = REFUSED[fault]
    with pytest.raises(MessageError, match=said) as refused:
        derived_stubs(game_with(f"refused_{fault.replace(' ', '_')}", **types))
    assert "\n" not in str(refused.value)


def test_a_slug_that_cannot_be_a_package_is_refused() -> None:
    with pytest.raises(MessageError, match="game Four-In-A-Row: slug; expected lower-case letters"):
        derived_stubs(game_with("Four-In-A-Row"))


def test_stubs_that_lack_something_else_are_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "lacking" / "v1"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    (package / "small_nim_pb2.py").write_text("import no_such_module_at_all\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    from referee.codec import stubs_of

    game: AnyGame = type("Lacking", (Nim,), {"__module__": "lacking.game"})()
    with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        stubs_of(game)
    other: AnyGame = type("Lacking", (Nim,), {"__module__": "lacking.game", "slug": "without_stubs"})()
    assert stubs_of(other).Action.DESCRIPTOR.full_name == "arena_games.without_stubs.v1.Action"
