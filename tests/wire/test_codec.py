"""The codec against hostile data, and the mirror of dataclasses and messages against types that differ."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, make_dataclass
from enum import Enum
from itertools import count, islice
from typing import Any, Union, get_type_hints

import pytest
from arena_toy import game as toy
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError

from referee.codec import ProtocolError, codec_for, mismatches
from referee.contract.case import Configuration
from referee.game import AnyGame, IllegalActionError, Types
from referee.games import GAMES
from referee.games.carcassonne_city.actions import BuildWall
from referee.message_names import snake
from referee.playout import play, random_chooser, step
from referee.ranges import union_members
from referee.rng import Rng, seeded
from tests.contract.case import OURS, load_case

NAMING_ENUMS = ("carcassonne_city", "furstenfeld", "nuremberg")  # in their actions
HOSTILE: tuple[Any, ...] = (None, True, 1.5, "x", "", [], {}, [None], {"x": 1}, 10**30, -1)


def seen_in_a_match(slug: str) -> tuple[list[Any], list[Any]]:
    """Return one action and one event of every class that a random match shows."""
    game, configuration = GAMES[slug], load_case(slug).configurations[-1]
    state = game.new(configuration.seats, 2, game.options(configuration.options))
    actions: dict[type, Any] = {}
    events: dict[type, Any] = {}
    for choices, happened in play(game, state, random_chooser(seeded(2))):
        for action in choices.values():
            actions.setdefault(type(action), action)
        for event in happened:
            events.setdefault(type(event), event)
    return list(actions.values()), list(events.values())


def paths(plain: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every place in plain data, the whole included."""
    yield here
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in items:
        yield from paths(value, (*here, key))


def changed(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy with one place replaced."""
    if not path:
        return value
    twin = copy.deepcopy(plain)
    target = twin
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return twin


def assert_read_or_refused(read: Any, write: Any, plain: Any) -> bool:
    """Plain data is either the very form of a value or refused with a ProtocolError; return whether it was refused."""
    try:
        value = read(plain)
    except ProtocolError:
        return True
    written = write(value)
    assert written == plain
    assert repr(written) == repr(plain), "1, True and 1.0 are equal and still not the same"
    return False


@pytest.mark.parametrize("slug", OURS)
def test_hostile_plain_data_is_refused_whatever_place_it_stands_in(slug: str) -> None:
    codec = codec_for(GAMES[slug])
    actions, events = seen_in_a_match(slug)
    refused = 0
    for translation, values in ((codec.action, actions), (codec.event, events)):
        for value in values:
            plain = translation.to_plain(value)
            for path in paths(plain):
                for poison in HOSTILE:
                    twin = changed(plain, path, poison)
                    refused += assert_read_or_refused(translation.from_plain, translation.to_plain, twin)
    assert refused > 100


@pytest.mark.parametrize("slug", OURS)
def test_plain_data_with_a_key_too_many_or_too_few_is_refused(slug: str) -> None:
    action = codec_for(GAMES[slug]).action
    for value in seen_in_a_match(slug)[0]:
        name, fields = next(iter(action.to_plain(value).items()))
        with pytest.raises(ProtocolError):
            action.from_plain({name: fields | {"surplus": 1}})
        for key in fields:
            with pytest.raises(ProtocolError):
                action.from_plain({name: {other: fields[other] for other in fields if other != key}})
        with pytest.raises(ProtocolError):
            action.from_plain({name: fields, "surplus": {}})
        with pytest.raises(ProtocolError, match="surplus"):
            action.from_plain({"surplus": fields})


@pytest.mark.parametrize("slug", OURS)
def test_an_unset_oneof_is_refused_and_says_what_was_expected(slug: str) -> None:
    action = codec_for(GAMES[slug]).action
    with pytest.raises(ProtocolError, match="nothing is set"):
        action.decode(action.message())


def enum_fields(message: Any, here: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], FieldDescriptor]]:
    """Yield the way to every single enum field of a message and of the messages in it."""
    for field in message.DESCRIPTOR.fields:
        if field.enum_type is not None:
            yield (*here, field.name), field
        elif field.message_type is not None and not field.is_repeated and len(here) < 4:
            yield from enum_fields(getattr(message, field.name), (*here, field.name))


@pytest.mark.parametrize("slug", ["carcassonne_city", "furstenfeld", "norenberc", "nuremberg"])
def test_unknown_and_unspecified_enum_numbers_are_refused(slug: str) -> None:
    action = codec_for(GAMES[slug]).action
    tried = 0
    for path, field in enum_fields(action.message()):
        for number in (0, 99, -1, 2**31 - 1):
            message = action.message()
            target = message
            for name in path[:-1]:
                target = getattr(target, name)
            if field.is_repeated:
                getattr(target, path[-1]).append(number)
            else:
                setattr(target, path[-1], number)
                target.SetInParent()
            with pytest.raises(ProtocolError, match="not one of its values"):
                action.decode(action.message.FromString(message.SerializeToString()))
            tried += 1
    assert bool(tried) == (slug in NAMING_ENUMS)


@pytest.mark.parametrize("slug", OURS)
def test_random_bytes_read_as_actions_are_refused_or_harmless(slug: str) -> None:
    """Whatever a bot writes into an action is refused with a reason or legal: never an accident."""
    game, configuration = GAMES[slug], load_case(slug).configurations[-1]
    action = codec_for(game).action
    rng = seeded(11)
    listed: list[bytes] = []
    understood = legal = 0
    for state in islice(states(game, configuration), 250):
        decision = game.pending(state)[0]
        options = game.legal_actions(state, decision.seat)
        listed.append(action.encode(options[rng.index(len(options))]).SerializeToString())
        for _ in range(12):
            data = scratched(listed[rng.index(len(listed))], rng)
            try:
                value = action.decode(action.message.FromString(data))
            except (DecodeError, ProtocolError):
                continue
            understood += 1
            try:
                game.check(state, decision.seat, value)
            except IllegalActionError:
                continue
            legal += 1
            twin = game.clone(state)
            choices = {other.seat: game.default_action(twin, other.seat) for other in game.pending(twin)}
            game.apply(twin, choices | {decision.seat: value})
    assert understood > legal > 0


def states(game: AnyGame, configuration: Configuration) -> Iterator[Any]:
    """Yield the states of random matches, one match after another, each with an open decision."""
    for seed in count():
        state = game.new(configuration.seats, seed, game.options(configuration.options))
        choose = random_chooser(seeded(seed))
        while game.pending(state):
            yield state
            step(game, state, choose)


def scratched(data: bytes, rng: Rng) -> bytes:
    """Return a copy with one or two bytes near the end changed, often by little, so that some make sense."""
    copied = bytearray(data)
    for _ in range(1 + rng.index(2)):
        place = len(copied) - 1 - rng.index(min(8, len(copied)))
        copied[place] = (copied[place] + rng.index(4)) % 256 if rng.index(3) else rng.index(256)
    return bytes(copied)


# The mirror


def twisted(**types: Any) -> AnyGame:
    """Return the toy with other types but the toy's messages."""
    kept = {name: getattr(toy.Toy.types, name) for name in ("options", "action", "view", "event")}
    body = {"types": Types(**{**kept, **types}), "__module__": toy.Toy.__module__}
    game: AnyGame = type("TwistedToy", (toy.Toy,), body)()
    return game


def with_fields(name: str, **fields: Any) -> type:
    return make_dataclass(name, list(fields.items()), frozen=True)


class Shade(Enum):
    """An enum that no message knows."""

    LIGHT = 1


@dataclass(frozen=True)
class Shout:
    """An action that no message knows."""

    loud: bool


OTHER_EVENTS = toy.BidsRevealed | toy.PrizeWon | toy.PrizeLost
MIRROR_FAULTS = {
    "a field too many": (twisted(options=with_fields("Options", rounds=int, extra=int)), "Options.extra"),
    "a field too few": (twisted(options=with_fields("Options")), "Options.rounds"),
    "another scalar": (twisted(options=with_fields("Options", rounds=str)), "Options.rounds"),
    "optional on one side": (twisted(options=with_fields("Options", rounds=int | None)), "Options.rounds"),
    "repeated on one side": (twisted(options=with_fields("Options", rounds=tuple[int, ...])), "Options.rounds"),
    "an enum for a number": (twisted(options=with_fields("Options", rounds=Shade)), "Options.rounds"),
    "a message for a number": (twisted(options=with_fields("Options", rounds=Shout)), "Options.rounds"),
    "a member too many": (twisted(action=toy.Bid | toy.LetPass | toy.Spend | Shout), "Action.shout"),
    "a member too few": (twisted(action=toy.Bid | toy.LetPass), "Action.spend"),
    "a presence lost": (twisted(event=OTHER_EVENTS | with_fields("CardDrawn", seat=int, card=int)), "CardDrawn.card"),
}  # fmt: skip


@pytest.mark.parametrize("fault", MIRROR_FAULTS)
def test_the_mirror_finds_every_kind_of_difference(fault: str) -> None:
    game, place = MIRROR_FAULTS[fault]
    found = list(mismatches(game))
    assert found
    assert any(line.startswith(place) for line in found), found


def test_a_faithful_mirror_finds_nothing_and_the_toy_is_one() -> None:
    assert list(mismatches(twisted())) == []


def test_an_enum_member_too_many_is_found() -> None:
    """The arms of the wall of Carcassonne, with a third one that the message does not have."""
    game = GAMES["carcassonne_city"]
    arms = get_type_hints(BuildWall)["arm"]
    stretched = Enum("Arm", [*[(member.name, member.value) for member in arms], ("THIRD", 77)])  # type: ignore[misc]  # computed
    twin = with_fields("BuildWall", arm=stretched)
    members = [twin if member is BuildWall else member for member in union_members(game.types.action)]
    action: Any = Union[tuple(members)]  # noqa: UP007  # computed
    types = Types(game.types.options, action, game.types.view, game.types.event)
    body = {"slug": game.slug, "types": types, "__module__": type(game).__module__}
    twisted_game: AnyGame = type("Twisted", (), body)()
    assert list(mismatches(game)) == []
    assert any("ARM_THIRD" in line for line in mismatches(twisted_game))


@pytest.mark.parametrize(
    ("name", "field"), [("PlanGuilds", "plan_guilds"), ("Bid", "bid"), ("BuildTollBar", "build_toll_bar")]
)
def test_a_class_is_named_in_snake_case(name: str, field: str) -> None:
    assert snake(name) == field
