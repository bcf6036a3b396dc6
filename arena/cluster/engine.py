"""The arena's Dask client, in its own asyncio thread; trio tasks await its coroutines."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import trio
from distributed import Client, Future

from arena.cluster.address import CONNECT_SECONDS, scheduler_address, security, unreachable
from arena.cluster.dask_logs import silence
from arena.cluster.identity import WorkerInfo, worker_info
from arena.cluster.task import Plain, hold, judge_record, peek_here, play_chunk
from referee.mistakes import UserError

T = TypeVar("T")

BUSY_SECONDS = 30.0  # the wait for a local scheduler that listens but does not answer
CLOSE_SECONDS = 3.0
MAX_HELD_BYTES = 256 << 20  # of archives that workers keep for each other
BOARD = "arena"  # metadata key under which arenas publish their queues, for arena cluster status


class EngineLostError(Exception):
    """The scheduler or a worker was lost before it answered."""


class Engine:
    """A Dask client that reconnects when its scheduler is lost; its coroutines run in the thread of `loop`."""

    def __init__(self, given: str, option: str) -> None:
        self._given = given
        self._option = option
        self.loop = asyncio.new_event_loop()
        self._client: Client | None = None
        self._connecting: asyncio.Lock | None = None
        self._held: dict[str, tuple[Future[bytes], int]] = {}

    @property
    def is_connected(self) -> bool:
        """Whether the scheduler is connected, as far as is known."""
        return self._client is not None and self._client.status == "running"

    async def call(self, function: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> T:
        """Run one of the coroutines below from a trio task; a cancelled task cancels it."""
        token, is_done = trio.lowlevel.current_trio_token(), trio.Event()
        future = asyncio.run_coroutine_threadsafe(function(*arguments), self.loop)

        def tell(_future: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(is_done.set)

        future.add_done_callback(tell)
        try:
            await is_done.wait()
        except trio.Cancelled:
            future.cancel()
            raise
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise EngineLostError("Dask has cancelled it") from None

    async def _connected(self) -> Client:
        """Return a connected client; the address is looked up again, for schedulers that restart elsewhere."""
        if self._connecting is None:
            self._connecting = asyncio.Lock()
        async with self._connecting:
            if self._client is None or not self.is_connected:
                await self.close()
                try:
                    address = scheduler_address(self._given, self._option)
                    self._client = await self._connect(address)
                except (OSError, TimeoutError, ValueError, RuntimeError, UserError) as error:
                    raise EngineLostError(f"the scheduler cannot be reached: {error}") from None
            return self._client

    @asynccontextmanager
    async def _reached(self) -> AsyncIterator[Client]:
        """Yield a connected client, and turn every error of a lost scheduler or worker into an EngineLostError."""
        client = await self._connected()
        try:
            yield client
        except EngineLostError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                raise
            reason = str(error).partition("\n")[0]  # the rest is advice for users of Dask
            raise EngineLostError(f"{type(error).__name__}: {reason}") from None

    async def _connect(self, address: str) -> Client:
        client = Client(
            address, asynchronous=True, security=security(), timeout=CONNECT_SECONDS, set_as_default=False, name="arena"
        )
        try:
            await client
        except BaseException:  # cancellation too: left half open, it would log errors
            await _close(client)
            raise
        return client

    async def close(self) -> None:
        """Leave the cluster; its unfinished work for us is lost."""
        client, self._client = self._client, None
        self._held.clear()
        if client is not None:
            await _close(client)

    async def workers(self) -> tuple[WorkerInfo, ...]:
        """Return all workers known to the scheduler."""
        async with self._reached() as client:
            assert client.scheduler is not None, "a client that runs has a scheduler"
            info = await client.scheduler.identity(n_workers=-1)
        return tuple(worker_info(address, plain) for address, plain in info["workers"].items())

    async def play(
        self,
        key: str,
        chunk: Plain,
        archives: Mapping[str, bytes],
        resources: Mapping[str, float],
        workers: Iterable[str],
        is_strict: bool,
        priority: int,
    ) -> Plain:
        """Have a chunk played, on one of these workers if any are named; an EngineLostError if it is lost."""
        where: dict[str, Any] = {"workers": list(workers), "allow_other_workers": not is_strict} if workers else {}
        async with self._reached() as client:
            held = {version: self._hold(client, version, archive) for version, archive in archives.items()}
            return await self._submit(client, key, resources, priority, play_chunk, chunk, held, **where)

    async def judge(self, key: str, case: Plain, resources: Mapping[str, float], priority: int) -> Plain:
        """Have a record judged by any worker; an EngineLostError if it is lost."""
        async with self._reached() as client:
            return await self._submit(client, key, resources, priority, judge_record, case)

    async def _submit(
        self, client: Client, key: str, resources: Mapping[str, float], priority: int, *task: Any, **where: Any
    ) -> Plain:
        """Submit a task and wait for a worker's answer; cancelling the wait cancels the task."""
        future = client.submit(*task, key=key, pure=False, resources=dict(resources), priority=priority, **where)
        try:
            answer = await future
        except asyncio.CancelledError:
            with suppress(Exception):
                await client.cancel([future], asynchronous=True)
            raise
        finally:
            future.release()
        if not isinstance(answer, dict):
            raise EngineLostError("a worker's answer is not a dictionary")
        return answer

    def _hold(self, client: Client, version: str, archive: bytes) -> Future[bytes]:
        """Return an archive as workers pass it on, held while there is room."""
        kept = self._held.pop(version, None)
        if kept is None or kept[0].status in ("cancelled", "lost", "error"):
            kept = client.submit(hold, archive, key=f"bot-{version}", pure=False, priority=100), len(archive)
        self._held[version] = kept
        while len(self._held) > 1 and sum(size for _, size in self._held.values()) > MAX_HELD_BYTES:
            future, _size = self._held.pop(next(iter(self._held)))
            future.release()
        return kept[0]

    async def where(self, key: str) -> str:
        """Return the address of the worker that has a chunk; empty if none."""
        async with self._reached() as client:
            processing = await client.processing()
        for address, keys in processing.items():
            if any(str(each) == key or str(each).startswith(f"{key}-") for each in keys):
                return str(address)
        return ""

    async def peek(self, address: str, match_id: str, after: int) -> list[str] | None:
        """Return the next lines of a match from its worker; None if it does not play it."""
        async with self._reached() as client:
            found = await client.run(peek_here, match_id, after, workers=[address], on_error="ignore")
        lines: list[str] | None = found.get(address)
        return lines

    async def post(self, name: str, status: Plain) -> None:
        """Publish the queue of this arena to the scheduler."""
        async with self._reached() as client:
            await client.set_metadata([BOARD, name], status)

    async def board(self) -> dict[str, Plain]:
        """Return the queues published by all arenas."""
        async with self._reached() as client:
            found: dict[str, Plain] = await client.get_metadata([BOARD], default={})
        return found


def is_listened_on(given: str, option: str) -> bool:
    """Return whether a local process listens at the address of a scheduler: it may be too busy to answer yet."""
    address = scheduler_address(given, option)
    # Otherwise it is not local, and a peer that refuses our certificate does not answer either.
    return address.startswith("tcp://") and not unreachable(address)


async def _close(client: Client) -> None:
    with suppress(Exception):  # the scheduler may be gone
        await asyncio.wait_for(client.close(timeout=CLOSE_SECONDS), CLOSE_SECONDS)


@asynccontextmanager
async def open_engine(given: str, option: str) -> AsyncIterator[Engine]:
    """Connect to the scheduler at an address or in a file, and leave the cluster at the end."""
    silence()
    engine = Engine(given, option)
    thread = threading.Thread(target=engine.loop.run_forever, name="dask-client", daemon=True)
    thread.start()
    try:
        yield engine
    finally:
        with trio.CancelScope(shield=True):
            with suppress(EngineLostError):
                await engine.call(engine.close)
            engine.loop.call_soon_threadsafe(engine.loop.stop)
            await trio.to_thread.run_sync(thread.join)
            engine.loop.close()


def check_answers(given: str, option: str) -> None:
    """Raise a UserError unless a scheduler answers; immediately where nothing listens."""
    if fault := unreachable(scheduler_address(given, option)):  # Dask itself would keep retrying
        raise UserError(f"{option}: {fault}")

    async def ask() -> str:
        async with open_engine(given, option) as engine:
            end = trio.current_time() + BUSY_SECONDS
            while True:
                try:
                    await engine.call(engine.workers)
                except EngineLostError as error:
                    if trio.current_time() > end or not await trio.to_thread.run_sync(is_listened_on, given, option):
                        return str(error)
                else:
                    return ""

    if fault := trio.run(ask):
        raise UserError(f"{option}: {fault}")
