"""The words that rules on whole numbers are written with: numbers of a known width, and rows of a known length.

    class State(Struct):
        seats: Int
        talers: Annotated[Shorts, 5]

As source, all of them are plain integers and lists. `make fast` reads the same annotations and makes C of them, where a
number that is too large would be cut off and a place outside a row would be another field. So with
MEISTERSINGER_CHECKED=1, as the tests set it, every row and every field of a struct refuses what does not fit.

What C does otherwise than Python is not used in rules: no negative index, no slice of a row except in a `for`, and
division only of numbers that are not negative.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints, overload

from referee.heuristic import NEVER, NOISE
from referee.rng import GAMMA, MASK

IS_CHECKED = os.environ.get("MEISTERSINGER_CHECKED") == "1"

MAX_REMEMBERED = 1 << 13  # answers of each function

T = TypeVar("T")
R = TypeVar("R", bound="Struct")


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Which numbers a field, or every place of a row, can hold."""

    least: int
    most: int


Int: TypeAlias = Annotated[int, NumberRange(-(1 << 31), (1 << 31) - 1)]
"""A number of 32 bits: a count, a seat, a code."""
Word: TypeAlias = Annotated[int, NumberRange(0, MASK)]
"""64 bits without a sign: of a generator, or a set."""
Float: TypeAlias = float
Smalls: TypeAlias = Annotated[list[int], NumberRange(-128, 127)]
"""A row of numbers of 8 bits: counts, seats, flags."""
Shorts: TypeAlias = Annotated[list[int], NumberRange(-(1 << 15), (1 << 15) - 1)]
"""A row of numbers of 16 bits: tiles, money."""
Ints: TypeAlias = Annotated[list[int], NumberRange(-(1 << 31), (1 << 31) - 1)]
"""A row of numbers of 32 bits: codes."""
Words: TypeAlias = Annotated[list[int], NumberRange(0, MASK)]
"""A row of sets of 64."""
Doubles: TypeAlias = Annotated[list[float], None]
"""A row of floats, for heuristics."""


class CheckedRow(list[Any]):
    """A row that refuses a number outside its width and a place outside its length, negative ones included.

    Every test plays with such rows, so that what is read or written most goes the shortest way.
    """

    __slots__ = ("width",)

    def __init__(self, numbers: Iterable[Any], width: NumberRange | None) -> None:
        super().__init__(numbers)
        self.width = width
        for number in self:
            self._check(number)

    def _check(self, number: Any) -> None:
        if self.width is None:
            return
        if not isinstance(number, int) or not self.width.least <= number <= self.width.most:
            raise OverflowError(f"{number!r} does not fit; expected {self.width.least} to {self.width.most}")

    def _refused(self, place: Any) -> IndexError:
        return IndexError(f"there is no place {place}; expected 0 to {len(self) - 1}")

    def __getitem__(self, place: Any, found: Callable[[Any, Any], Any] = list.__getitem__) -> Any:
        if place.__class__ is not slice and place < 0:
            raise self._refused(place)
        try:
            return found(self, place)
        except IndexError:
            raise self._refused(place) from None

    def __setitem__(self, place: Any, number: Any, put: Callable[[Any, Any, Any], None] = list.__setitem__) -> None:
        if place.__class__ is slice:
            numbers = list(number)
            for each in numbers:
                self._check(each)
            if len(numbers) != len(range(*place.indices(len(self)))):
                raise ValueError(f"a row of {len(self)} keeps its length")
            put(self, place, numbers)
            return
        if place < 0:
            raise self._refused(place)
        width = self.width
        if width is not None and (number.__class__ is not int or not width.least <= number <= width.most):
            self._check(number)
        try:
            put(self, place, number)
        except IndexError:
            raise self._refused(place) from None

    def copy(self) -> CheckedRow:
        """Return a row like this."""
        row = CheckedRow.__new__(CheckedRow)
        row.width = self.width
        row.extend(self)  # all of them fit
        return row


@dataclass(frozen=True, slots=True)
class StructField:
    """One field of a struct."""

    name: str
    size: int  # of a row; 0 for a number
    width: NumberRange | None  # None for floats
    is_float: bool

    def row(self, numbers: Sequence[Any] = ()) -> list[Any]:
        """Return a row that begins with these numbers and is filled up with zeros."""
        if len(numbers) > self.size:
            raise ValueError(f"{self.name}: {len(numbers)} numbers; expected {self.size} at most")
        row = CheckedRow(numbers, self.width) if IS_CHECKED else [*numbers]
        row.extend([0.0 if self.is_float else 0] * (self.size - len(numbers)))
        return row


def _field(name: str, hint: Any) -> StructField:
    said = getattr(hint, "__metadata__", ())
    width = next((each for each in said if isinstance(each, NumberRange)), None)
    size = next((each for each in said if type(each) is int), 0)
    is_float = hint is float or (width is None and size > 0)
    if width is None and not is_float:
        raise TypeError(f"{name}: a struct cannot hold {hint}; expected a number or a row of a known width")
    return StructField(name, size, width, is_float)


class _StructType(type):
    """Makes the annotated names of a struct its slots."""

    fields: tuple[StructField, ...]
    widths: dict[str, NumberRange]
    """Of the fields that hold one whole number."""
    rows: frozenset[str]

    def __new__(mcs, name: str, bases: tuple[type, ...], names: dict[str, Any]) -> _StructType:
        names["__slots__"] = tuple(names.get("__annotations__", ()))
        made = super().__new__(mcs, name, bases, names)
        hints = get_type_hints(made, include_extras=True)
        made.fields = tuple(_field(each, hint) for each, hint in hints.items())
        made.widths = {each.name: each.width for each in made.fields if not each.size and each.width is not None}
        made.rows = frozenset(each.name for each in made.fields if each.size)
        _write_constructor(made)
        return made


def _write_constructor(kind: Any) -> None:
    """Give a struct its `__init__`: every field is zero unless it is named."""
    fields: Sequence[StructField] = kind.fields
    scope: dict[str, Any] = {f"row_{each.name}": each.row for each in fields}
    scope |= {f"blank_{each.name}": each.row() for each in fields if each.size}
    parameters = [f"{each.name}={'()' if each.size else 0.0 if each.is_float else 0}" for each in fields]
    copied = ".copy()" if IS_CHECKED else "[:]"
    body = [
        f"self.{each.name} = row_{each.name}({each.name}) if {each.name} else blank_{each.name}{copied}"
        if each.size
        else f"self.{each.name} = {each.name}"
        for each in fields
    ]
    text = f"def __init__({', '.join(['self', *(['*', *parameters] if fields else [])])}):\n"
    exec(text + "".join(f"    {line}\n" for line in body or ["pass"]), scope)  # made of names of our own classes
    kind.__init__ = scope["__init__"]
    if IS_CHECKED:
        kind.__setattr__ = _set_checked


def _set_checked(struct: Any, name: str, value: Any, put: Callable[[Any, str, Any], None] = object.__setattr__) -> None:
    width = type(struct).widths.get(name)
    if width is None:
        if name in type(struct).rows and not isinstance(value, CheckedRow):
            raise TypeError(f"{name}: a row keeps its place; expected its numbers to be set")
    elif value.__class__ is not int or not width.least <= value <= width.most:
        CheckedRow([value], width)
    put(struct, name, value)


class Struct(metaclass=_StructType):
    """A class of numbers and rows alone: all fields are zero unless the constructor is told otherwise."""

    def __init__(self, **fields: Any) -> None: ...


def cloner(kind: type[R]) -> Callable[[R], R]:
    """Return a function that copies a struct of this kind, sharing nothing."""
    if IS_CHECKED:  # what one struct holds fits into another
        lines = [f"put(made, {each.name!r}, one.{each.name}{'.copy()' if each.size else ''})" for each in kind.fields]
    else:
        lines = [f"made.{each.name} = one.{each.name}{'[:]' if each.size else ''}" for each in kind.fields]
    scope: dict[str, Any] = {"new": kind.__new__, "kind": kind, "put": object.__setattr__}
    exec(
        "def clone(one):\n    made = new(kind)\n" + "".join(f"    {line}\n" for line in lines) + "    return made",
        scope,
    )
    clone: Callable[[R], R] = scope["clone"]
    return clone


def listed(row: Sequence[T], start: int, stop: int) -> list[T]:
    """Return a part of a row as a list, for people and digests."""
    return list(row[start:stop])


def tupled(row: Sequence[T], start: int, stop: int) -> tuple[T, ...]:
    """Return a part of a row as a tuple, for views and events."""
    return tuple(row[start:stop])


def picked(table: list[T | None], row: list[int], stop: int, shift: int, make: Callable[[int], T]) -> tuple[T, ...]:
    """Return what a table has at the first numbers of a row, shifted; `make` makes of the number what it lacks."""
    return tuple([table[number >> shift] or make(number) for number in row[:stop]])


def packed(row: Sequence[int], start: int, stop: int) -> list[int] | bytes:
    """Return a part of a row as `referee.fingerprint.told` takes it: a list, or compiled its bytes and their width."""
    return row[start:stop]  # type: ignore[return-value]  # a row is a list


def part(row: Sequence[T], start: int, stop: int) -> Sequence[T] | bytes:
    """Return a part of a row as something that can be a key."""
    return tuple(row[start:stop])


def kept(row: Sequence[T], start: int, stop: int) -> Sequence[T] | bytes:
    """Return a part of a row as something that can be kept and read later."""
    return row[start:stop]


def copy_part(source: list[T], start: int, stop: int, target: list[T], at: int) -> None:
    """Copy a part of a row to a place in another, or in the same: the two may overlap."""
    target[at : at + stop - start] = source[start:stop]


def place_for(row: list[int], stop: Int, number: Int) -> Int:
    """Return the first place before `stop` of an ascending row where a number is not below this one, else `stop`."""
    return bisect_left(row, number, 0, stop)


def bit_count(word: Word) -> Int:
    """Return how many bits of a set are 1."""
    return word.bit_count()


def sort_part(row: list[int], start: int, stop: int) -> None:
    """Put a part of a row into ascending order."""
    row[start:stop] = sorted(row[start:stop])


def put(row: list[T], numbers: Sequence[T], at: int = 0) -> None:
    """Write these numbers into a row, from its start or from a place on."""
    row[at : at + len(numbers)] = numbers


def total(row: Sequence[int], start: Int, stop: Int) -> Int:
    """Return the sum of a part of a row."""
    return sum(row[start:stop])


def count_of(row: Sequence[int], start: Int, stop: Int, number: Int) -> Int:
    """Return how often a number stands in a part of a row."""
    return row[start:stop].count(number)


class Dice(Struct):
    """SplitMix64, as `referee.rng` has it: the chance of a struct, or of the code that plays one out."""

    word: Word


def next64(dice: Dice) -> Word:
    """Return the next 64 random bits."""
    word = dice.word = (dice.word + GAMMA) & MASK
    word = ((word ^ (word >> 30)) * 0xBF58_476D_1CE4_E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D0_49BB_1331_11EB) & MASK
    return word ^ (word >> 31)


def index(dice: Dice, count: Int) -> Int:
    """Return a uniform integer from 0 to count - 1."""
    product = next64(dice) * count
    if (product & MASK) < count:
        threshold = (MASK + 1 - count) % count
        while (product & MASK) < threshold:
            product = next64(dice) * count
    return product >> 64


def shuffle_part(row: list[int], start: Int, stop: Int, dice: Dice) -> None:
    """Put a part of a row into a uniformly random order, as `Rng.shuffle` does with the same dice."""
    for last in range(stop - start - 1, 0, -1):
        other = start + index(dice, last + 1)
        row[start + last], row[other] = row[other], row[start + last]


class Listing(Struct):
    """The options of one decision as codes, in the order of the rule page."""

    count: Int
    codes: Annotated[Ints, 2048]

    def add(self, code: Int) -> None:
        """Offer one more."""
        count = self.count
        self.codes[count] = code
        self.count = count + 1

    def add_all(self, table: Ints, start: Int, stop: Int) -> None:
        """Offer what stands in a table, from one place to before another."""
        copy_part(table, start, stop, self.codes, self.count)
        self.count += stop - start


def remembered(offer: Callable[..., None]) -> Callable[..., None]:
    """Let the source keep what a function offers for the same numbers, its last parameter being the listing.

    C works it out faster than it would look it up, so compiled the function is as it stands.
    """
    known: dict[tuple[int, ...], list[int]] = {}

    def offer_again(*words: Any) -> None:
        numbers, listing = words[:-1], words[-1]
        count = listing.count
        found = known.get(numbers)
        if found is None:
            offer(*words)
            if len(known) >= MAX_REMEMBERED:
                known.clear()
            known[numbers] = listing.codes[count : listing.count]
        else:
            listing.count = stop = count + len(found)
            listing.codes[count:stop] = found

    return offer_again


AT_RANDOM = 0  # how a playout chooses: any option
GREEDILY = 1  # the first of those rated highest
WITH_NOISE = 2  # by the judge's noise
NOISES: Ints = [*NOISE]
NOISE_COUNT = len(NOISE)


def best_place(ratings: Doubles, count: Int) -> Int:
    """Return the place of the first of the options that are rated highest."""
    best = 0
    for place in range(1, count):
        if ratings[place] > ratings[best]:
            best = place
    return best


def noisy_place(ratings: Doubles, count: Int, dice: Dice) -> Int:
    """Return the place of the option that a noisy policy takes, as `Game.playout_by_seat` has it."""
    found = best_place(ratings, count)
    is_any_liked = ratings[found] > NEVER  # if none is, all are
    for _ in range(NOISES[index(dice, NOISE_COUNT)]):
        following = next_place(ratings, count, found)
        if is_any_liked and ratings[following] <= NEVER:
            break
        found = following
    return found


def next_place(ratings: Doubles, count: Int, after: Int) -> Int:
    """Return the place of the option that comes next after another, the best first; that place again for the last."""
    found = after
    for place in range(count):
        is_behind = ratings[place] < ratings[after] or (ratings[place] == ratings[after] and place > after)
        if is_behind and (found == after or ratings[place] > ratings[found]):
            found = place
    return found


WORDS = 12  # of an event: its kind, and up to eleven numbers


class Events(Struct):
    """What has happened in a step: twelve numbers for every event, its kind first."""

    count: Int
    words: Annotated[Ints, 3072]

    def tell(self, kind: Int, a: Int = 0, b: Int = 0, c: Int = 0, d: Int = 0, e: Int = 0) -> Int:
        """Add an event and return the place of its first number."""
        at = self.count * WORDS
        self.words[at] = kind
        self.words[at + 1] = a
        self.words[at + 2] = b
        self.words[at + 3] = c
        self.words[at + 4] = d
        self.words[at + 5] = e
        self.count += 1
        return at + 1


class Happened(Sequence[T]):
    """Events as values, made when somebody reads them: playouts never do.

    `make` makes one of its twelve numbers, and of what it has to know about the table.
    """

    __slots__ = ("_made", "_make", "_table", "_words")

    def __init__(self, words: Sequence[int] | bytes, make: Callable[[Sequence[int], Any], T], table: Any) -> None:
        self._words = words
        self._make = make
        self._table = table
        self._made: list[T] | None = None

    def _all(self) -> list[T]:
        if self._made is None:
            words: Any = self._words
            if isinstance(words, bytes):
                words = memoryview(words).cast("i").tolist()
            self._made = [self._make(words[at : at + WORDS], self._table) for at in range(0, len(words), WORDS)]
        return self._made

    def __len__(self) -> int:
        return len(self._words) // (4 * WORDS if isinstance(self._words, bytes) else WORDS)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        return self._all()[place]

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple, Happened)) and self._all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # a list has none either

    def __repr__(self) -> str:
        return repr(self._all())
