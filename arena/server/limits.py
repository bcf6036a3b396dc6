"""Limits: how often somebody may ask, kept by token and by address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MAX_REMEMBERED = 10_000  # callers; the one that has been quiet the longest is forgotten first


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that."""

    at_once: int
    a_second: float


@dataclass(slots=True)
class _Bucket:
    left: float
    filled_at: float


class Limiter:
    """A bucket of permits for every caller, refilled at a steady rate."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.now = now
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait_seconds(self, caller: str) -> float:
        """Take a permit and return 0, or return how long to wait for one."""
        now = self.now()
        bucket = self._buckets.pop(caller, None) or _Bucket(self.rate.at_once, now)
        self._buckets[caller] = bucket
        if len(self._buckets) > MAX_REMEMBERED:
            self._buckets.popitem(last=False)
        bucket.left = min(self.rate.at_once, bucket.left + (now - bucket.filled_at) * self.rate.a_second)
        bucket.filled_at = now
        if bucket.left < 1:
            return (1 - bucket.left) / self.rate.a_second
        bucket.left -= 1
        return 0.0
