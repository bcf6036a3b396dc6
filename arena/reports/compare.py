"""T15: comparisons of two bots by the ledger; nothing is played."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from itertools import groupby

from arena.store.database import Store
from arena.store.rows import SharedGame, StoredVersion
from ratings.fit.shown import shown_los
from ratings.points.points import UNIT
from ratings.sequential.compare import GRID, compare, evidence_curves, one_look_los
from ratings.sequential.evidence import CountedBlock, Pairs, block_by_seat
from ratings.sequential.result_line import CHOSEN_SEED, any_look_words, result_line
from ratings.sequential.test import DEFAULT_ELO0, DEFAULT_ELO1, MIN_ERROR, SeedBy, check_error, percent
from ratings.sequential.written_number import MAX_DIGITS, read_number
from referee.mistakes import NotFoundError, UserError


@dataclass(frozen=True, slots=True)
class TableComparison:
    """T15.1: A and B over all blocks at tables of one size; differences are A minus B (T19.1)."""

    seats: int
    copies: int
    """T14.9: 2 where both sat twice; such tables are shown apart."""
    blocks: int
    games: int
    a_ahead: int
    """Games in which A was placed before B."""
    level: int
    a_behind: int
    elo: float | None
    """The mean as Elo; None where it has none."""
    elo_at_least: float | None
    """T15.3: the interval that holds at all looks together; None where it is open on this side."""
    elo_at_most: float | None
    points_at_least: float
    points_at_most: float
    leader: str
    """T15.4: A, B or nobody."""
    sure_percent: float
    los_one_look: float | None
    """T15.4: LOS, for one look planned beforehand; it decides nothing."""
    differences: tuple[int, ...]
    """D of every block, in canonical order."""
    shown_los: str
    """T8.7: the LOS as it is shown; empty where there is none."""
    elo_error: float | None
    """T14.11: the error of `elo` at one look; None where it is unknown."""
    verdict: str
    """T15.7: better, not better or open."""
    line: str
    """T14.11: the result in one line."""
    any_look: str
    """T15.8: the interval in words; empty where it says nothing."""
    chosen_seed_blocks: int
    """T15.7: blocks of tests whose seed the caller chose."""


@dataclass(frozen=True, slots=True)
class PairComparison:
    """T15: two versions in one pool."""

    pool: str
    a: str
    b: str
    incomplete_blocks: int
    """T19.2: incomplete blocks, which are no evidence."""
    tables: tuple[TableComparison, ...]

    @property
    def blocks(self) -> int:
        """The number of blocks that are evidence."""
        return sum(table.blocks for table in self.tables)


@dataclass(frozen=True, slots=True)
class CompareReport:
    """T15: two bots in all pools where they met, and the trend over their versions."""

    a: str
    b: str
    alpha: str
    """The error rate of an interval."""
    pools: tuple[PairComparison, ...]
    trend: tuple[PairComparison, ...]
    """Every pair of versions that met, in the order in which the versions were entered."""

    @property
    def foot(self) -> str:
        """T15.6, T15.7: the footnote to the lines."""
        return (
            f"The verdict on A against B is that of arena test on these blocks, from {DEFAULT_ELO0} to {DEFAULT_ELO1}"
            f" Elo at {percent(Decimal(self.alpha))}; it and intervals for any look hold at all looks together, if the"
            " tables are alike."
        )


def read_rate(text: str) -> Decimal:
    """T15.3: read the error rate of an interval; a UserError if it is not between 0 and 1."""
    try:
        rate = read_number(text)
        check_error(rate)
    except ValueError:
        expected = f"expected a rate between 0 and 1, {MIN_ERROR} or more, of at most {MAX_DIGITS} digits"
        raise UserError(f"alpha: {text[:40]!r} is not allowed; {expected}") from None
    return rate


def compare_bots(store: Store, a: str, b: str, games: Sequence[str], alpha: Decimal) -> CompareReport:
    """T15: compare two bots by name, which means their newest versions, or by label."""
    one, other = _version(store, a), _version(store, b)
    if one.label == other.label:
        raise UserError(f"compare: {one.label} is given twice; expected two bots, or two versions of one")
    known = store.pools.names()
    pools = [pool for pool in known if not games or pool in games or pool.rpartition(":")[0] in games]
    if games and not pools:
        raise NotFoundError(f"game: {', '.join(games)} has no rated match here; expected one of: {', '.join(known)}")
    found = [_pair(store, pool, one.label, other.label, alpha) for pool in pools]
    return CompareReport(
        one.label, other.label, str(alpha), tuple(each for each in found if each.blocks or each.incomplete_blocks),
        tuple(_trend(store, pools, one, other, alpha)),
    )  # fmt: skip


def _version(store: Store, wanted: str) -> StoredVersion:
    found = store.bots.version(wanted)
    if found is None:
        store.bots.find(wanted)  # its error lists the existing bots
        raise NotFoundError(f"bot: {wanted!r} has no version in this database")
    return found


def _trend(
    store: Store, pools: Sequence[str], one: StoredVersion, other: StoredVersion, alpha: Decimal
) -> Iterable[PairComparison]:
    for pool in pools:
        for ours in store.bots.versions_of(one.name):
            for theirs in store.bots.versions_of(other.name):
                if ours.label == theirs.label or (one.name == other.name and ours.number < theirs.number):
                    continue
                pair = _pair(store, pool, ours.label, theirs.label, alpha)
                if pair.blocks:
                    yield pair


def _pair(store: Store, pool: str, a: str, b: str, alpha: Decimal) -> PairComparison:
    """T15.1: compare two versions over every complete block in a pool, by table size."""
    by_size: dict[tuple[int, int], list[CountedBlock]] = defaultdict(list)
    chosen: Counter[tuple[int, int]] = Counter()
    incomplete = 0
    by_caller = {test.id for test, _verdict in store.tests.all() if test.seed_by == SeedBy.CALLER}
    for played_in, block in shared_blocks(store.matches.shared(pool, [a], [b])):
        if block is None:
            incomplete += 1
        else:
            copies = 2 if block.bots.count(a) == block.bots.count(b) == 2 else 1
            by_size[len(block.bots), copies].append(block)
            chosen[len(block.bots), copies] += played_in in by_caller
    tables = tuple(_table(*key, blocks, chosen[key], a, b, alpha) for key, blocks in sorted(by_size.items()))
    return PairComparison(pool, a, b, incomplete, tables)


def usual_line(store: Store, pool: str, a: str, b: str, alpha: Decimal) -> str:
    """T14.11: return the result between two versions in one line, at their most frequent table size."""
    tables = _pair(store, pool, a, b, alpha).tables
    return max(tables, key=lambda table: table.blocks).line if tables else "no whole block"


def shared_blocks(games: Iterable[SharedGame]) -> Iterable[tuple[str, CountedBlock | None]]:
    """T19.2: group games into blocks, in canonical order, by tournament or test; None for one that lacks a game."""
    for _position, group in groupby(games, key=lambda game: game.position):
        found = sorted(group, key=lambda game: game.rotation)
        seats = len(found[0].seating)
        is_whole = [game.rotation for game in found] == list(range(seats))
        block = block_by_seat(found[0].seating, [game.places for game in found]) if is_whole else None
        yield found[0].tournament, block


def _table(
    seats: int, copies: int, blocks: Sequence[CountedBlock], chosen: int, a: str, b: str, alpha: Decimal
) -> TableComparison:
    differences = tuple(block.difference(a, b) for block in blocks)
    pairs = reduce(Pairs.plus, (block.pairs(a, b) for block in blocks))
    found = compare(differences, seats, alpha, copies)
    elo, error, at_least, at_most = map(
        elo_of, (found.elo_tenths, found.elo_error_tenths, found.lower_elo_tenths, found.upper_elo_tenths)
    )
    games = found.blocks * seats
    verdict = evidence_curves(differences, seats, alpha, copies).word
    mark = f"{chosen:,} of {found.blocks:,} blocks by a {CHOSEN_SEED}" if chosen else ""
    means = [difference / (seats * UNIT) for difference in differences]
    los = one_look_los(means) if len(means) > 1 else None
    return TableComparison(
        seats=seats,
        copies=copies,
        blocks=found.blocks,
        games=games,
        a_ahead=pairs.wins,
        level=pairs.draws,
        a_behind=pairs.losses,
        elo=elo,
        elo_at_least=at_least,
        elo_at_most=at_most,
        points_at_least=found.interval.lower / GRID,
        points_at_most=found.interval.upper / GRID,
        leader=found.certainty.leader.value,
        sure_percent=found.certainty.sure / 10,
        los_one_look=los,
        shown_los="" if los is None else shown_los(los),
        differences=differences,
        elo_error=error,
        verdict=verdict,
        line=result_line(pairs, seats, games, elo, error, verdict, mark),
        any_look=any_look_words(at_least, at_most, DEFAULT_ELO0, DEFAULT_ELO1, alpha),
        chosen_seed_blocks=chosen,
    )


def elo_of(tenths: int | None) -> float | None:
    """Return tenths of Elo as Elo."""
    return None if tenths is None else tenths / 10
