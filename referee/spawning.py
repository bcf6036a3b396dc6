"""Worker processes that ignore Ctrl-C: only their parent handles it."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from typing import Any


@contextmanager
def spawned(processes: int, begin: Callable[..., None], arguments: tuple[Any, ...]) -> Iterator[Any]:
    """Yield a pool of processes, each initialised by a function; they end with the block, however it ends."""
    # Spawned, since a fork would copy locks held by other threads.
    context = multiprocessing.get_context("spawn")
    resource_tracker.ensure_running()  # now: it unblocks signals when it starts
    with ExitStack() as stack:
        with _uninterrupted():
            pool = stack.enter_context(context.Pool(processes, begin, arguments))
        yield pool


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block; processes started in it never see one."""
    # Blocked signals stay blocked in child processes. The handler is for signals delivered to another thread.
    is_main, heard = threading.current_thread() is threading.main_thread(), threading.Event()
    handler = signal.signal(signal.SIGINT, lambda *_: heard.set()) if is_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if is_main:
            signal.signal(signal.SIGINT, handler)
    if heard.is_set():
        raise KeyboardInterrupt
