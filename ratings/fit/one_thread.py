"""T8.6: dense algebra on one thread, whatever the machine.

numpy has no switch for it, and the environment variables are read before we are. Many small systems are solved here:
more threads cost many times the processor time under load and gain little without.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[object]:
    """While this is entered, numpy's algebra uses one thread."""
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit
