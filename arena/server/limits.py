"""Rate limits, by token and by address."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MAX_REMEMBERED = 10_000  # clients; the least recent is forgotten first


@dataclass(frozen=True, slots=True)
class Rate:
    """A burst of permits, and a steady rate after that."""

    burst: int
    per_second: float


@dataclass(slots=True)
class _Bucket:
    left: float
    filled_at: float


class Limiter:
    """A token bucket per client."""

    def __init__(self, rate: Rate, now: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.now = now
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait_seconds(self, client: str) -> float:
        """Take a permit and return 0, or return the seconds until there is one."""
        now = self.now()
        bucket = self._buckets.pop(client, None) or _Bucket(self.rate.burst, now)
        self._buckets[client] = bucket
        if len(self._buckets) > MAX_REMEMBERED:
            self._buckets.popitem(last=False)
        bucket.left = min(self.rate.burst, bucket.left + (now - bucket.filled_at) * self.rate.per_second)
        bucket.filled_at = now
        if bucket.left < 1:
            return (1 - bucket.left) / self.rate.per_second
        bucket.left -= 1
        return 0.0
