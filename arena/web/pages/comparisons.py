"""T15: two bots side by side: the result in one line, the evidence over time and the interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from arena.reports.compare import CompareReport, PairComparison, TableComparison, compare_bots
from arena.reports.reader import Reader
from arena.web.charts import evidence, span
from arena.web.rendering import game_title
from ratings.sequential.compare import evidence_curves
from ratings.sequential.test import DEFAULT_ELO1, DEFAULT_ERROR
from referee.mistakes import UserError

MAX_CHOICES = 2000  # bots offered in the two lists; others are found by URL


@dataclass(frozen=True, slots=True)
class TableShown:
    """The blocks at tables of one size, drawn."""

    table: TableComparison
    curve: Markup  # the evidence for either verdict, block by block
    interval: Markup  # empty where it says nothing
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
    """T15.7: the evidence by which the verdict falls, and the interval of T15.8."""
    found = evidence_curves(table.differences, table.seats, DEFAULT_ERROR, table.copies)
    curves = [[value / 1e6 for value in curve] for curve in (found.for_better, found.for_not_better)]
    caption = (
        f"The evidence (e-value) that {pair.a} is better, and that it is not {DEFAULT_ELO1} Elo better, after every"
        " block. It starts at 1; it ever reaches 20 to 1 wrongly with probability at most 5 %."
    )
    interval = Markup("")
    if table.any_look:
        interval = span(table.elo_at_least, table.elo, table.elo_at_most, table.any_look)
    return TableShown(table, evidence(curves, found.bound / 1e6, caption), interval, caption)


def _trend(report: CompareReport) -> Sequence[tuple[PairComparison, TableComparison]]:
    """T15: every pair of versions that met, if there are others than the two."""
    if all((pair.a, pair.b) == (report.a, report.b) for pair in report.trend):
        return []
    return [(pair, table) for pair in report.trend for table in pair.tables]
