"""Gymnasium spaces of a table's observations and actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from arena.lab.table_arrays import TableArrays


def observation_space(arrays: TableArrays) -> Any:
    """Return the observation space: a vector, a matrix of options and a mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (arrays.view.width,), np.float32),
            "options": spaces.Box(0.0, 1.0, (arrays.max_options, arrays.action.width), np.float32),
            "action_mask": spaces.Box(0, 1, (arrays.max_options,), np.int8),
        }
    )


def action_space(arrays: TableArrays) -> Any:
    """Return the action space: row numbers."""
    return spaces.Discrete(arrays.max_options)
