"""Spaces of a table, for every kind of environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from arena.lab.table import Table


def observation_space(table: Table) -> Any:
    """Return the observation space: a vector, a mask and, unless the action space is flat, a matrix of options."""
    arrays, choices = table.arrays, table.encoding.choices
    parts: dict[str, Any] = {
        "observation": spaces.Box(0.0, 1.0, (arrays.view.width,), np.float32),
        "action_mask": spaces.Box(0, 1, (choices,), np.int8),
    }
    if not table.is_flat:
        parts["options"] = spaces.Box(0.0, 1.0, (choices, arrays.action.width), np.float32)
    return spaces.Dict(parts)


def action_space(table: Table) -> Any:
    """Return the action space: row numbers or, if it is flat, ids."""
    return spaces.Discrete(table.encoding.choices)
