"""Pictures of a table, for every kind of environment: the web's SVG, or pixels rendered from it."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from arena.lab.table import RENDER_MODES, Table
from referee.game import Seat


def check_render_mode(mode: str | None) -> None:
    """Refuse an unknown mode; a ValueError names the known ones."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode: {mode!r} is not allowed; expected one of: {', '.join(RENDER_MODES)}")


def render(table: Table, seat: Seat | None, mode: str | None) -> Any:
    """Return the board in the requested mode; None without one."""
    if mode is None or table.state is None:
        return None
    drawn = table.drawing(seat)
    return pixels(drawn) if mode == "rgb_array" else drawn


def pixels(drawn: str) -> Any:
    """Return an SVG as an array of height × width × 3; its labels need a font on this machine."""
    try:
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as error:
        raise ImportError(f"render_mode rgb_array needs {error.name}: pip install 'meistersinger[lab]'") from None
    with Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=drawn)))) as image:
        return np.asarray(image.convert("RGB"))
