"""T15: who is better of two bots, and how sure are we? Read from the ledger; nothing is played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import Any

from arena.store.database import Store
from arena.store.rows import SharedGame, StoredVersion
from ratings.compare import Comparison, Leader, compare, one_look_los
from ratings.evidence import Block, block_by_seat
from ratings.points import UNIT
from referee.mistakes import NotFoundError, UserError


@dataclass(frozen=True, slots=True)
class SharedBlocks:
    """T15.1: the blocks at tables of one size that both sat at, in canonical order."""

    seats: int
    copies: int
    """T14.9: 2 where both sat twice; such tables are shown apart."""
    comparison: Comparison
    differences: tuple[int, ...]
    ahead: int
    """Games in which A was placed before B."""
    level: int
    behind: int

    @property
    def los(self) -> float | None:
        """T15.4: LOS, for one look planned beforehand; it decides nothing."""
        means = [found / (self.seats * UNIT) for found in self.differences]
        return one_look_los(means) if len(means) > 1 else None


@dataclass(frozen=True, slots=True)
class PairReport:
    """T15: what the ledger says about two versions in one pool."""

    pool: str
    a: str
    b: str
    sizes: tuple[SharedBlocks, ...]
    incomplete: int
    """T19.2: blocks that lack a game and are no evidence."""

    @property
    def blocks(self) -> int:
        """How many blocks are evidence."""
        return sum(size.comparison.blocks for size in self.sizes)


@dataclass(frozen=True, slots=True)
class CompareReport:
    """T15: two bots in all pools where they met, and how that went from version to version."""

    a: str
    b: str
    alpha: Decimal
    pools: tuple[PairReport, ...]
    trend: tuple[PairReport, ...]
    """Every pair of versions that met, in the order in which the versions were entered."""


def compare_bots(store: Store, a: str, b: str, games: Sequence[str], alpha: Decimal) -> CompareReport:
    """T15: compare two bots by name, which means their newest versions, or by label."""
    one, other = _version(store, a), _version(store, b)
    if one.label == other.label:
        raise UserError(f"compare: {one.label} is given twice; expected two bots, or two versions of one")
    known = store.pools()
    pools = [pool for pool in known if not games or pool in games or pool.rpartition(":")[0] in games]
    if games and not pools:
        raise NotFoundError(f"--game: {', '.join(games)} has no rated match here; expected one of: {', '.join(known)}")
    found = [_pair(store, pool, one.label, other.label, alpha) for pool in pools]
    return CompareReport(
        one.label, other.label, alpha, tuple(each for each in found if each.blocks or each.incomplete),
        tuple(_trend(store, pools, one, other, alpha)),
    )  # fmt: skip


def _version(store: Store, wanted: str) -> StoredVersion:
    found = store.named_version(wanted)
    if found is None:
        store.find_bot(wanted)  # whose refusal lists the bots there are
        raise NotFoundError(f"bot: {wanted!r} has no version in this database")
    return found


def _trend(
    store: Store, pools: Sequence[str], one: StoredVersion, other: StoredVersion, alpha: Decimal
) -> Iterable[PairReport]:
    for pool in pools:
        for ours in store.versions_of(one.name):
            for theirs in store.versions_of(other.name):
                if ours.label == theirs.label or (one.name == other.name and ours.number < theirs.number):
                    continue
                pair = _pair(store, pool, ours.label, theirs.label, alpha)
                if pair.blocks:
                    yield pair


def _pair(store: Store, pool: str, a: str, b: str, alpha: Decimal) -> PairReport:
    by_size: dict[tuple[int, int], list[Block]] = {}
    incomplete = 0
    for block in shared_blocks(store.shared_games(pool, [a], [b])):
        if block is None:
            incomplete += 1
        else:
            copies = 2 if block.bots.count(a) == block.bots.count(b) == 2 else 1
            by_size.setdefault((len(block.bots), copies), []).append(block)
    sizes = tuple(_size(*key, blocks, a, b, alpha) for key, blocks in sorted(by_size.items()))
    return PairReport(pool, a, b, sizes, incomplete)


def shared_blocks(games: Iterable[SharedGame]) -> Iterable[Block | None]:
    """T19.2: put games together to blocks, in canonical order; None for one that lacks a game."""
    for _position, group in groupby(games, key=lambda game: game.position):
        found = sorted(group, key=lambda game: game.rotation)
        seats = len(found[0].seating)
        if [game.rotation for game in found] != list(range(seats)):
            yield None
        else:
            yield block_by_seat(found[0].seating, [game.places for game in found])


def _size(seats: int, copies: int, blocks: Sequence[Block], a: str, b: str, alpha: Decimal) -> SharedBlocks:
    differences = tuple(block.difference(a, b) for block in blocks)
    counts = [0, 0, 0]
    for block in blocks:
        ours = [seat for seat, bot in enumerate(block.bots) if bot == a]
        theirs = [seat for seat, bot in enumerate(block.bots) if bot == b]
        for places in block.games:
            for mine in ours:
                for his in theirs:
                    counts[(places[mine] >= places[his]) + (places[mine] > places[his])] += 1
    return SharedBlocks(seats, copies, compare(differences, seats, alpha, copies), differences, *counts)


def sure_words(found: Comparison, a: str, b: str) -> str:
    """T15.4: how sure, and of whom: over all looks so far."""
    certainty = found.certainty
    if certainty.leader is Leader.NOBODY or not certainty.sure:
        return "open"
    return f"{certainty.sure / 10:.1f} % sure of {a if certainty.leader is Leader.A else b}"


def compare_plain(report: CompareReport) -> dict[str, Any]:
    """T15: a comparison as JSON."""
    return {
        "a": report.a,
        "b": report.b,
        "alpha": str(report.alpha),
        "pools": [_plain_pair(pair) for pair in report.pools],
        "trend": [_plain_pair(pair) for pair in report.trend],
    }


def _plain_pair(pair: PairReport) -> dict[str, Any]:
    return {
        "pool": pair.pool,
        "a": pair.a,
        "b": pair.b,
        "incomplete_blocks": pair.incomplete,
        "tables": [_plain_size(size) for size in pair.sizes],
    }


def _plain_size(size: SharedBlocks) -> dict[str, Any]:
    found = size.comparison
    return {
        "seats": size.seats,
        "copies": size.copies,
        "blocks": found.blocks,
        "games": found.blocks * size.seats,
        "a_ahead": size.ahead,
        "level": size.level,
        "a_behind": size.behind,
        "elo": _elo(found.elo_tenths),
        "elo_at_least": _elo(found.lower_elo_tenths),
        "elo_at_most": _elo(found.upper_elo_tenths),
        "points_at_least": found.interval.lower / 10_000,
        "points_at_most": found.interval.upper / 10_000,
        "leader": found.certainty.leader,
        "sure_percent": found.certainty.sure / 10,
        "los_one_look": size.los,
    }


def _elo(tenths: int | None) -> float | None:
    return None if tenths is None else tenths / 10
