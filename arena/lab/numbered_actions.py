"""Action ids: a fixed number for every action of a game at one table, for learners that want one action space.

    ids = action_ids("norenberc", seats=4)
    ids.size             # of the action space
    ids.of(listed)       # the id of every listed option
    ids.action(17)       # SellGoods(count=3)

Which id an action has follows from the declared types and the rules alone:

- An action type with at most `EXACT` values within its declared ranges has an id for each of them.
- Of a wider type, such as a trade or a cell of a large board, those values have an id that are listed in `MATCHES`
  matches from fixed seeds, so that every process finds the same.
- The last `SPARE` ids are for all other values: such an action gets the one of its hash, or the next one that is free
  among the options listed with it. An option that finds none free gets no id, and cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from itertools import product
from math import prod
from typing import Any

from arena.lab.arrays import action_layout
from arena.lab.remembered import Remembered
from arena.lab.survey import played
from referee.game import AnyGame, check_seats
from referee.games import GAMES
from referee.ranges import Declared, fields_of, union_members

EXACT = 1024  # values of an action type that all have an id
MATCHES = 60
SPARE = 256  # more than the options of almost any decision


@dataclass(frozen=True, slots=True, eq=False)
class ActionIds:
    """The ids of one game at one table; `digest` is the same wherever all of them mean the same."""

    actions: tuple[Any, ...]
    """The action of every id before the spare ones."""
    digest: str
    _numbers: Remembered

    @property
    def size(self) -> int:
        """Return the number of ids, spare ones included."""
        return len(self.actions) + SPARE

    def action(self, number: int) -> Any | None:
        """Return the action of an id; None for a spare one, which means another in every decision."""
        return self.actions[number] if 0 <= number < len(self.actions) else None

    def of(self, listed: Sequence[Any]) -> list[int]:
        """Return the id of every option of one decision, -1 for one that has none."""
        found = self._numbers.of(listed)
        return self._spared(found) if found and min(found) < 0 else found

    def _spared(self, found: Sequence[int]) -> list[int]:
        """Give actions beyond the table, whose numbers are negative, spare ids of their own."""
        taken: set[int] = set()
        numbers = []
        for number in found:
            if number < 0:
                wanted = (-1 - number + step for step in range(SPARE))
                free = next((spare % SPARE for spare in wanted if spare % SPARE not in taken), None)
                number = -1 if free is None else len(self.actions) + free
                taken.add(-1 if free is None else free)
            numbers.append(number)
        return numbers


def action_ids(game: str, seats: int | None = None, options: Mapping[str, object] | None = None) -> ActionIds:
    """Return the ids of a game's actions at a table; the arguments are those of an environment."""
    chosen = GAMES[game]
    count = chosen.preferred_seats if seats is None else seats
    check_seats(chosen, count)
    return ids_at(chosen, count, chosen.options(dict(options or {})))


@cache
def ids_at(game: AnyGame, seats: int, options: Any) -> ActionIds:
    """Return the ids at a table with these options."""
    layout = action_layout(game, seats, options)
    kinds = union_members(game.types.action)
    exact = {kind: list(_values(kind)) for kind in kinds if _count(kind) <= EXACT}
    met: dict[Any, tuple[int, ...]] = {}
    if len(exact) < len(kinds):
        for _, _, listed in played(game, seats, options, MATCHES):
            for option in listed:
                if type(option) not in exact and option not in met:
                    met[option] = tuple(layout.flat(option))
    wide = sorted(met, key=met.__getitem__)
    by_kind = {kind: exact[kind] if kind in exact else [each for each in wide if type(each) is kind] for kind in kinds}
    actions = tuple(action for kind in kinds for action in by_kind[kind])
    known = {action: number for number, action in enumerate(actions)}

    def numbered(new: Sequence[Any], _first: int) -> list[int]:
        return [known[each] if each in known else -1 - _hashed(layout.flat(each)) for each in new]

    text = repr([tuple(map(int, layout.flat(action))) for action in actions])
    return ActionIds(actions, blake2b(text.encode(), digest_size=16).hexdigest(), Remembered(numbered))


def _hashed(flat: Sequence[int]) -> int:
    """Return the spare id that an action would like best."""
    digest = blake2b(repr(tuple(map(int, flat))).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") % SPARE


def _count(kind: type) -> int:
    """Return how many values an action type has within its declared ranges; more than `EXACT` if that is open."""
    return prod(len(values) if (values := _contents(field)) is not None else EXACT + 1 for _, field in fields_of(kind))


def _contents(field: Declared) -> Sequence[Any] | None:
    """Return what a field can hold, in order, absence first; None for more than `EXACT`, or if that is open."""
    found: Sequence[Any] | None = None
    if field.is_list:
        return None
    if field.value is bool:
        found = (False, True)
    elif isinstance(field.value, type) and issubclass(field.value, Enum):
        found = tuple(field.value)
    elif field.value is int and field.within is not None and field.within.most - field.within.least < EXACT:
        found = range(field.within.least, field.within.most + 1)
    return found if found is None or not field.is_optional else (None, *found)


def _values(kind: type) -> Iterator[Any]:
    """Yield all values of an action type, the last field fastest."""
    fields = [(name, _contents(field) or ()) for name, field in fields_of(kind)]
    for contents in product(*(values for _, values in fields)):
        yield kind(**{name: content for (name, _), content in zip(fields, contents, strict=True)})
