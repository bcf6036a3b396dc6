"""Pictures that are shown with a link: a board with a few words, as PNG, of what every spectator may see."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import resvg_py

MAX_PICTURES = 128
"""Pictures that are kept, of about 100 KB each; making one takes about a quarter of a second."""


class Pictures:
    """The pictures that were asked for last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, bytes] = OrderedDict()

    def get(self, key: object, draw: Callable[[], str]) -> bytes:
        """Return the picture that was kept under a key, or make it from the SVG that `draw` returns."""
        with self._lock:
            if key not in self._kept:
                self._kept[key] = bytes(resvg_py.svg_to_bytes(svg_string=draw()))
                while len(self._kept) > MAX_PICTURES:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]
