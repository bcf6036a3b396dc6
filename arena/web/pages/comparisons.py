"""T15: two bots side by side: the evidence over time, the head-to-head and the interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from arena.reports.compare import CompareReport, PairComparison, TableComparison, compare_bots, sure_words
from arena.reports.reader import Reader
from arena.web.charts import evidence, span
from arena.web.rendering import game_title
from ratings.sequential.compare import e_value_curve
from ratings.sequential.e_values import DOWN, UP
from ratings.sequential.test import DEFAULT_ERROR, error_bound
from referee.mistakes import UserError

MAX_CHOICES = 2000  # bots offered in the two lists; others are found by URL


@dataclass(frozen=True, slots=True)
class TableShown:
    """The blocks at tables of one size, drawn."""

    table: TableComparison
    curve: Markup  # the evidence for both sides, block by block
    interval: Markup
    sure: str
    caption: str


@dataclass(frozen=True, slots=True)
class PairShown:
    """Two versions in one pool."""

    pair: PairComparison
    title: str
    tables: tuple[TableShown, ...]


def compare_page(reader: Reader, a: str, b: str) -> dict[str, Any]:
    """The context of the comparison page: two lists to choose from, and the report on the chosen two."""
    names = reader.active_bots()
    found: CompareReport | None = None
    reason = ""
    if a and b:
        try:
            found = reader.kept(("compare", a, b), lambda: compare_bots(reader.store, a, b, (), DEFAULT_ERROR))
        except UserError as error:
            reason = str(error)
    return {
        "names": names[:MAX_CHOICES],
        "a": a,
        "b": b,
        "reason": reason,
        "report": found,
        "pairs": [] if found is None else [_shown(pair) for pair in found.pools],
        "trend": [] if found is None else _trend(found),
    }


def _shown(pair: PairComparison) -> PairShown:
    game, _, rules = pair.pool.rpartition(":")
    tables = tuple(_table(pair, table) for table in pair.tables)
    return PairShown(pair, f"{game_title(game)} (rules {rules})", tables)


def _table(pair: PairComparison, table: TableComparison) -> TableShown:
    # One side of two, as in the interval: 40 to 1 for 5 %.
    bound = error_bound(Decimal(DEFAULT_ERROR), sides=2) / 1e6
    curves = [[value / 1e6 for value in e_value_curve(table.differences, table.seats, side)] for side in (UP, DOWN)]
    caption = (
        f"The evidence (e-value) for {pair.a} and for {pair.b} after every block. It starts at 1; for the worse bot"
        " it ever reaches 40 to 1 with probability at most 2.5 %."
    )
    return TableShown(
        table,
        evidence(curves, bound, caption),
        span(table.elo_at_least, table.elo, table.elo_at_most, f"{table.elo_interval} Elo"),
        sure_words(table, pair.a, pair.b),
        caption,
    )


def _trend(report: CompareReport) -> Sequence[tuple[PairComparison, TableComparison, str]]:
    """T15: every pair of versions that met, if there are others than the two."""
    if all((pair.a, pair.b) == (report.a, report.b) for pair in report.trend):
        return []
    return [(pair, table, sure_words(table, pair.a, pair.b)) for pair in report.trend for table in pair.tables]
