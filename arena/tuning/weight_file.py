"""The file that a tuning writes: weights by table size, and how they came about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.tuning.tuning import Tuned, Tuning
from referee.heuristic import Weight, check_values, read_weights
from referee.mistakes import UserError
from referee.software import SOFTWARE

KEPT = "kept"
"""In place of a verdict: a table size has tuned weights already, and nothing better was found."""


def weight_file(tuning: Tuning, found: Iterable[Tuned], command: str, cpu: float | None = None) -> str:
    """Return the text of a file of weights: of table sizes that were found to be better, and why not of the others."""
    seats: dict[str, Any] = {}
    refused: dict[str, Any] = {}
    for tuned in found:
        entry: dict[str, Any] = {
            "verdict": tuned.verdict.value,
            "blocks": tuned.blocks,
            "elo": _points(tuned.elo_tenths),
            "elo_error": _points(tuned.elo_error_tenths),
            "last_step": tuned.step,
        }
        if tuned.is_better:
            seats[str(tuned.seats)] = {**entry, "weights": tuned.weights}
        else:
            refused[str(tuned.seats)] = {**entry, "tried": tuned.weights}
            old = dict(tuning.old[tuned.seats])
            if old != {name: weight.default for name, weight in tuning.constants.weights.items()}:
                seats[str(tuned.seats)] = {"verdict": KEPT, "weights": old}
    content: dict[str, Any] = {"game": tuning.game, "command": command, "software": SOFTWARE}
    content |= {} if cpu is None else {"cpu_seconds": round(cpu)}
    return json.dumps({**content, "seats": seats, "refused": refused, "terms": tuning.terms()}, indent=1) + "\n"


def _points(tenths: int | None) -> float | None:
    return None if tenths is None else tenths / 10


def read_file(file: Path, weights: Mapping[str, Weight]) -> dict[int, dict[str, float]]:
    """Return the values in a file by table size, checked; a UserError says what is wrong with it."""
    try:
        found = read_weights(file.read_text(encoding="utf-8"))
        for values in found.values():
            check_values(weights, values)
        return found
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}; expected a file of weights") from None
    except ValueError as error:
        raise UserError(f"{file}: {error}") from None
