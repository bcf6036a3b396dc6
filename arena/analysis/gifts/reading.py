"""Valuing many records, in several processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import islice
from typing import TypeVar

from arena.analysis.gifts.valuing import ValuedMatch, value_match
from referee.mistakes import UserError

BATCH = 16
"""Records that every process is given at a time: all of them together would fill the memory."""
ALONE = 8
"""Up to this number of records starting processes takes longer than valuing."""

T = TypeVar("T")


def value_all(
    records: Iterable[tuple[T, Callable[[], str]]], count: int, processes: int
) -> Iterator[tuple[T, ValuedMatch | str]]:
    """Value records, each read when its turn has come; yield what was found with its key, or why there is nothing."""
    if processes == 1 or count <= ALONE:
        for key, record in records:
            yield key, try_value(record())
        return
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        yield from _value_in(pool, records, processes)


def _value_in(
    pool: Executor, records: Iterable[tuple[T, Callable[[], str]]], processes: int
) -> Iterator[tuple[T, ValuedMatch | str]]:
    waiting = iter(records)
    while batch := list(islice(waiting, BATCH * processes)):
        found = pool.map(try_value, [record() for _key, record in batch])
        yield from zip((key for key, _record in batch), found, strict=True)


def try_value(text: str) -> ValuedMatch | str:
    """Value a record, or return why that cannot be done."""
    try:
        return value_match(text)
    except UserError as error:
        return str(error)
    except Exception as broken:  # whatever a forged record leads to is the record's fault, and the next one's turn
        return f"the record cannot be valued: {broken!r}"
