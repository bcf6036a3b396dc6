"""Spaces: what an observation and an action of a table can be, in Gymnasium's words."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from arena.lab.table_arrays import TableArrays


def observation_space(arrays: TableArrays) -> Any:
    """Return the space of observations: a vector, a matrix of options and a mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (arrays.view.width,), np.float32),
            "options": spaces.Box(0.0, 1.0, (arrays.max_options, arrays.action.width), np.float32),
            "action_mask": spaces.Box(0, 1, (arrays.max_options,), np.int8),
        }
    )


def action_space(arrays: TableArrays) -> Any:
    """Return the space of actions: the numbers of the rows."""
    return spaces.Discrete(arrays.max_options)
