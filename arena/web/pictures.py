"""Preview pictures of links: a board with a few words, as PNG, showing what spectators may see."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import resvg_py

MAX_PICTURES = 128
"""Cached pictures, about 100 KB each; drawing one takes about a quarter of a second."""


class Pictures:
    """A cache of recent pictures."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, bytes] = OrderedDict()

    def get(self, key: object, draw: Callable[[], str]) -> bytes:
        """Return a key's cached picture, or render the SVG that `draw` returns."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = bytes(resvg_py.svg_to_bytes(svg_string=draw()))
                while len(self._kept) > MAX_PICTURES:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
