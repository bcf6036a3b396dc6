"""T2 to T7, T16.2: rounds for tables of two to five: pure functions from values to tables."""

from arena.plan.swiss.focus import focus_order, focus_runs, is_focus_round, is_lot_round, pair_focus
from arena.plan.swiss.history import Entrant, PlayedGame, PlayedRound, PlayedTable, advance, draw_key
from arena.plan.swiss.pairing import PairedTable, Pairing, is_balanced, lot_scores, pair, rating_scores
from arena.plan.swiss.quality import Quality, missed_targets, quality
from arena.plan.swiss.sizes import TablePlan, TableSizes, plan_tables

__all__ = [
    "Entrant",
    "PairedTable",
    "Pairing",
    "PlayedGame",
    "PlayedRound",
    "PlayedTable",
    "Quality",
    "TablePlan",
    "TableSizes",
    "advance",
    "draw_key",
    "focus_order",
    "focus_runs",
    "is_balanced",
    "is_focus_round",
    "is_lot_round",
    "lot_scores",
    "missed_targets",
    "pair",
    "pair_focus",
    "plan_tables",
    "quality",
    "rating_scores",
]
