"""A dataclass rewritten by the build step is used like the dataclass itself."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from referee.game import Within
from referee.values import changed, fields_of, is_frozen, is_value_type, names_of, quickly_made
from tools.compiling.rewriting import rewritten

SOURCE = '''"""A module."""

from __future__ import annotations

from dataclasses import dataclass

from typing import Annotated, TypeAlias

from referee.game import Within
from referee.setting import option

MOST: int = 7
FEWEST = 2
ROWS: tuple[int, ...] = ()
ROWS = (1, 2)
Seat: TypeAlias = Annotated[int, Within(0, MOST)]  # annotated


@dataclass(frozen=True, slots=True)
class Sold:
    """What was sold."""

    seat: Seat  # who sold
    goods: tuple[int, ...] = (1, 2)

    @property
    def count(self) -> int:
        return len(self.goods)


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing."""


@dataclass(slots=True)
class Table:
    seats: int
    talers: list[int]


@dataclass(slots=True, eq=False)
class Asked:
    seat: int


@dataclass(frozen=True, slots=True)
class Options:
    rounds: int = option(3, "rounds", min=1, max=9)


def told(item: object) -> str:
    match item:
        case Sold(seat, goods):
            return f"{seat} sold {goods}"
        case Table(seats=seats):
            return f"{seats} seats"
        case _:
            return "nothing"
'''


def load(name: str, source: str) -> ModuleType:
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(source, name, "exec"), module.__dict__)
    return module


@pytest.fixture(name="twins", scope="module")
def make_twins() -> Iterator[tuple[Any, Any]]:
    """The same module as it is written and as it is compiled, both run by Python."""
    yield load("as_written", SOURCE), load("as_compiled", rewritten(SOURCE))
    del sys.modules["as_written"], sys.modules["as_compiled"]


def values(module: Any) -> list[Any]:
    return [module.Sold(1), module.Sold(2, (3,)), module.Passed(), module.Table(4, [1, 2]), module.Options()]


def test_dataclasses_are_gone_but_for_those_that_say_more_than_a_default() -> None:
    text = rewritten(SOURCE)
    assert text.count("@dataclass(") == 1
    assert "@dataclass(frozen=True, slots=True)\nclass Options:" in text
    assert "    seat: _Final[Seat]  # who sold\n" in text


def test_constants_that_never_change_are_final() -> None:
    text = rewritten(SOURCE)
    assert "MOST: _Final[int] = 7\nFEWEST: _Final = 2\nROWS: tuple[int, ...] = ()\n" in text


def test_types_are_compiled_without_their_metadata() -> None:
    text = rewritten(SOURCE)
    assert (
        "Seat: TypeAlias = int\n_annotate(__name__, 'Seat', 'Annotated[int, Within(0, MOST)]')  # annotated\n" in text
    )


def test_values_are_shown_compared_and_hashed_alike(twins: tuple[Any, Any]) -> None:
    written, compiled = map(values, twins)
    assert [repr(value) for value in written] == [repr(value) for value in compiled]
    for one, other in zip(written, compiled, strict=True):
        again = copy.copy(other)
        assert again == other
        assert other not in (one, None)
        assert (type(one).__hash__ is None) == (type(other).__hash__ is None)
        if is_frozen(type(one)):
            assert hash(one) == hash(other) == hash(again)
    assert twins[1].Sold(1) != twins[1].Sold(2)
    assert twins[1].Asked(1) != twins[1].Asked(1)


def test_their_fields_are_the_same(twins: tuple[Any, Any]) -> None:
    for written, compiled in zip(*map(values, twins), strict=True):
        one: Any = type(written)
        other: Any = type(compiled)
        assert is_value_type(other)
        assert names_of(one) == names_of(other) == other.__slots__ == other.__match_args__
        assert is_frozen(one) == is_frozen(other)
        assert [(each.name, each.hint, each.annotated, each.default) for each in fields_of(one)] == [
            (each.name, each.hint, each.annotated, each.default) for each in fields_of(other)
        ]
    assert [each.annotations for each in fields_of(twins[1].Sold)] == [(Within(0, 7),), ()]


def test_they_are_matched_copied_changed_and_pickled(twins: tuple[Any, Any]) -> None:
    written, compiled = map(values, twins)
    assert list(map(twins[0].told, written)) == list(map(twins[1].told, compiled))
    for value in compiled:
        assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value
    assert dataclasses.replace(compiled[0], seat=5) == changed(compiled[0], seat=5) == twins[1].Sold(5)
    assert dataclasses.asdict(compiled[1]) == dataclasses.asdict(written[1])


def test_frozen_stays_frozen(twins: tuple[Any, Any]) -> None:
    for value in (twins[1].Sold(1), twins[1].Passed()):
        with pytest.raises(dataclasses.FrozenInstanceError, match="seat"):
            value.seat = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="seat"):
            del value.seat
    table = twins[1].Table(4, [1])
    table.seats = 5
    assert table == twins[1].Table(5, [1])


def test_a_value_that_is_quickly_made_is_the_same_value() -> None:
    """Frozen, equal, hashed, copied and pickled as before, with its defaults."""

    @dataclasses.dataclass(frozen=True, slots=True)
    class Plain:
        first: int
        second: tuple[int, ...] = (2,)

    made: Any = quickly_made(
        dataclasses.make_dataclass("Plain", ["first", ("second", Any, (2,))], frozen=True, slots=True)
    )
    one = made(1)
    assert (repr(one), hash(one)) == (repr(Plain(1)).rpartition(".")[2], hash(Plain(1)))
    assert one == made(first=1, second=(2,)) != made(1, (3,))
    assert type(one) is made
    assert copy.deepcopy(one) == one == dataclasses.replace(made(5), first=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.first = 2
    with pytest.raises(TypeError):
        made()
