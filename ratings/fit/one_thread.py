"""T8.6: dense algebra on one thread.

numpy has no switch for it, and BLAS reads its environment variables before our code runs. With many small systems more
threads gain little, and cost many times the CPU time under load.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[object]:
    """Limit numpy's algebra to one thread in a `with` block."""
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit
