"""T13.9: the other half of the audit, from stored rows to their entries.

It finds a damaged file, rows without an entry, rows that contradict each other, a chain without its guards, a fit that
is not the one of record, and published heads that are gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arena.bots.directory import declared_version
from arena.fitting.audit import kept_fault
from arena.store.database import Store
from arena.store.evidence import UNREADABLE
from arena.store.heads import PublishedHead
from arena.store.rows import RoundState
from arena.store.tournaments import TEST_FORMAT
from ratings.fit.newton import FitError
from ratings.ledger.audit import Fault, Finding
from ratings.ledger.chain import Kind, LedgerError, entries


def row_faults(store: Store) -> Iterator[Finding]:
    """Yield the faults of stored rows; an unreadable row is a fault like any other."""
    for check in (
        _file_faults,
        _guard_faults,
        _entered_faults,
        _ending_faults,
        _forecast_faults,
        _version_faults,
        _round_faults,
        _fit_faults,
    ):
        try:
            yield from check(store)
        except (*UNREADABLE, LedgerError) as error:
            yield Finding(Fault.STORED, None, f"the stored rows cannot be examined: {error!r}")


def _file_faults(store: Store) -> Iterator[Finding]:
    """A broken index would hide rows from every other check."""
    for line in store.evidence.damage():
        yield Finding(Fault.FILE, None, line)


def _guard_faults(store: Store) -> Iterator[Finding]:
    for message in store.evidence.trigger_faults():
        yield Finding(Fault.GUARD, None, message)
    for table, parent in store.evidence.broken_references():
        yield Finding(Fault.STORED, None, f"{table} has rows that refer to no {parent}")


def _entered_faults(store: Store) -> Iterator[Finding]:
    for row, key in store.evidence.unentered():
        yield Finding(Fault.UNENTERED, None, f"{row} is stored, but {key} is in no entry")
    for match_id, odd in store.evidence.odd_matches():
        yield Finding(Fault.STORED, None, f"match {match_id}: {odd}")


def _ending_faults(store: Store) -> Iterator[Finding]:
    """T10.8: where a tournament stands is what its entries say."""
    for tournament, state, reason in store.evidence.odd_endings():
        said = f"{state}: {reason}" if reason else state
        yield Finding(Fault.STORED, None, f"{tournament} is stored as {said!r}, and its entries say otherwise")


def _forecast_faults(store: Store) -> Iterator[Finding]:
    for tournament, number, top, closed in store.evidence.odd_forecasts():
        words = f"a forecast after round {number} for {top or 'all'} places; {closed} rounds have closed"
        yield Finding(Fault.STORED, None, f"{tournament}: {words}")


def _fit_faults(store: Store) -> Iterator[Finding]:
    for pool in store.fits.kept_pools():
        try:
            fault = kept_fault(store, pool)
        except (*UNREADABLE, LedgerError, FitError) as error:  # the faulty entries are reported separately
            fault = f"it cannot be recomputed: {error!r}"
        if fault is not None:
            yield Finding(Fault.FIT, None, f"the kept fit of {pool}: {fault}")


def _version_faults(store: Store) -> Iterator[Finding]:
    with store.reading() as connection:
        entered = {entry.body["bot"]: entry for entry in entries(connection, Kind.BOT)}
    stored = {label: (name, version, parent) for label, name, version, parent in store.evidence.versions()}
    for label, entry in entered.items():
        said = (entry.body["name"], entry.body["version"], entry.body["parent"])
        if label not in stored:
            yield Finding(Fault.STORED, entry.seq, f"bot version {label} is not stored")
        elif stored[label] != said:
            message = f"bot version {label} is stored as {stored[label]}, entered as {said}"
            yield Finding(Fault.STORED, entry.seq, message)
    for each in store.bots.versions():
        # T22.9: the version of a bot with files is the hash of those, which are not here to look at.
        if each.is_remote and declared_version(each.manifest) != each.version:
            yield Finding(Fault.STORED, None, f"bot version {each.label} is not the hash of what its author declared")
    for name, newest, last in store.evidence.newest():
        if newest != last:
            yield Finding(Fault.STORED, None, f"bot {name}: its newest version is stored as {newest}, but is {last}")


def _round_faults(store: Store) -> Iterator[Finding]:
    settings: dict[str, Any] = {}
    for tournament, number, game, is_rating, state, is_sealed in store.evidence.rounds():
        where = f"round {number} of {tournament}"
        if (state == RoundState.CLOSED) != bool(is_sealed):
            sealed = "a CHECKPOINT" if is_sealed else "no CHECKPOINT"
            yield Finding(Fault.STORED, None, f"{where} is stored as {state}, but has {sealed}")
        if tournament not in settings:
            settings[tournament] = store.evidence.settings(tournament)
        plan = settings[tournament]
        if plan is None:
            continue
        if plan["format"] == TEST_FORMAT:
            wanted = plan["pool"].rpartition(":")[0]
        else:
            wanted = plan["games"][(number - 1) % len(plan["games"])]["game"]
        if game != wanted:
            yield Finding(Fault.STORED, None, f"{where} is stored as one of {game}, but is one of {wanted}")
        is_wanted = {"swiss": number > plan.get("points_rounds", 0), TEST_FORMAT: True}.get(plan["format"], False)
        if bool(is_rating) != is_wanted:
            kind = "rating" if is_rating else "points"
            yield Finding(Fault.STORED, None, f"{where} is stored as a {kind} round, but is not one")


def head_faults(store: Store, published: Sequence[PublishedHead]) -> Iterator[Finding]:
    """T13.10: yield the published heads that the chain no longer has."""
    for each in published:
        found = store.heads.hash_of(each.seq)
        if found != each.hash:
            message = f"entry {each.seq} was published as {each.hash}, but is {found or 'gone'}"
            yield Finding(Fault.HEAD, each.seq, message)


def head_notes(store: Store, published: Sequence[PublishedHead]) -> Iterator[str]:
    """T13.10: yield the gaps in the proof by published heads: the file may be truncated with the chain."""
    last = max((each.seq for each in published), default=0)
    closed = store.evidence.last_checkpoint()
    if closed and not published:
        yield "no head was published beside the database: compare with a head that you kept"
    elif closed > last:
        yield f"the last published head is entry {last}, but entry {closed} closed a round after it"
