"""The tasks that Dask runs on a worker, in the worker's one host process.

Plain data goes in and plain data comes out, so that any Executor could run them.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import secrets
import subprocess
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from pathlib import Path
from typing import Any

START_SECONDS = 120.0
END_SECONDS = 5.0
PEEK_SECONDS = 5.0
CACHE_MB = 2_048

Plain = dict[str, Any]


class HostLostError(Exception):
    """The host process has ended: a fault of this machine."""


class HostProcess:
    """The host process of this worker, and the answers it owes."""

    def __init__(self, cores: int, cache_mb: int) -> None:
        command = [sys.executable, "-m", "arena.cluster.host", "--cores", str(cores), "--cache-mb", str(cache_mb)]
        self.cores = cores
        self.cache_mb = cache_mb
        self.about: Plain = {}
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self._owed: dict[str, Future[Plain]] = {}
        self._ready: Future[Plain] = Future()
        self._sending = threading.Lock()
        threading.Thread(target=self._listen, name="arena-host", daemon=True).start()
        self.ready = self._ready.result(START_SECONDS)

    @property
    def is_alive(self) -> bool:
        """Whether it is running."""
        return self._process.poll() is None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            verb, value = next(iter(json.loads(line).items()))
            if verb == "ready":
                self._ready.set_result(value)
            elif verb == "about":
                self.about = value
            elif (owed := self._owed.pop(value["id"], None)) is not None:
                owed.set_result(value)
        for owed in [self._ready, *self._owed.values()]:
            _lose(owed)

    def ask(self, verb: str, value: Plain) -> Future[Plain]:
        """Send a request; a HostLostError, now or from the future, if the process has ended."""
        owed: Future[Plain] = Future()
        number = secrets.token_hex(8)
        self._owed[number] = owed
        assert self._process.stdin is not None
        line = json.dumps({verb: {"id": number, **value}}, separators=(",", ":")).encode() + b"\n"
        with self._sending:
            try:
                self._process.stdin.write(line)
                self._process.stdin.flush()
            except (OSError, ValueError):
                raise HostLostError("the host process has ended") from None
        if not self.is_alive:
            _lose(owed)
        return owed

    def play(self, chunk: Plain, archives: Mapping[str, bytes]) -> Plain:
        """Play a chunk with the bots sent along."""
        files = {}
        for version, archive in archives.items():
            file = Path(self.ready["incoming"], f"{version}-{secrets.token_hex(4)}")
            file.write_bytes(archive)
            files[version] = str(file)
        answer = self.ask("chunk", {**chunk, "archives": files}).result()
        for result in answer.get("results", ()):
            result["record"] = b64decode(result["record"])
        return answer

    def end(self) -> None:
        """End it with everything it has started; the next one sweeps its remains."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _lose(owed: Future[Plain]) -> None:
    with suppress(InvalidStateError):  # it was answered, or another thread has noticed the end too
        owed.set_exception(HostLostError("the host process has ended"))


_starting = threading.Lock()
_host: HostProcess | None = None


def host_here(cores: int | None = None, cache_mb: int | None = None) -> HostProcess:
    """Return the host process of this worker, started if none is running."""
    global _host
    with _starting:
        if _host is None or not _host.is_alive:
            before = _host
            cores = cores or (before.cores if before is not None else len(os.sched_getaffinity(0)))
            _host = HostProcess(cores, cache_mb or (before.cache_mb if before is not None else CACHE_MB))
            if before is None:
                atexit.register(end_host)
        return _host


def end_host() -> None:
    """End the host process of this worker."""
    if _host is not None:
        _host.end()


def play_chunk(chunk: Plain, archives: Mapping[str, bytes]) -> Plain:
    """Play a chunk of matches here, or return the missing bots: then it is requested again with these.

    Archives are arguments, present before the task starts. Fetched from inside tasks they could deadlock a cluster,
    when every slot waits for archives that wait for a slot.
    """
    return _answer(lambda host: {"calibration": host.ready["calibration"], **host.play(chunk, archives)})


def judge_record(case: Plain) -> Plain:
    """Judge a record here."""
    packed = {**case, "record": b64encode(case["record"]).decode("ascii")}
    return _answer(lambda host: host.ask("judge", packed).result())


def _answer(ask: Callable[[HostProcess], Plain]) -> Plain:
    """Return the host process's answer, and the name of this worker; `lost` says why there is no answer."""
    about = {"worker": "", "address": ""}
    with suppress(ImportError, ValueError):  # another Executor may run it
        from distributed import get_worker

        worker = get_worker()
        about = {"worker": str(worker.name), "address": worker.address}
    try:
        return {**about, **ask(host_here())}
    except (HostLostError, OSError, TimeoutError) as error:
        return {**about, "lost": str(error)}


def hold(archive: bytes) -> bytes:
    """Return an archive: Dask keeps it, moves it between workers, and restores it if it is lost."""
    return archive


async def peek_here(match_id: str, after: int) -> list[str] | None:
    """Return the next lines of a match played here, else None; runs on the worker's own loop, beside the tasks."""
    if _host is None or not _host.is_alive:
        return None
    owed = _host.ask("peek", {"match_id": match_id, "after": after})
    try:
        answer = await asyncio.wait_for(asyncio.wrap_future(owed), PEEK_SECONDS)
    except (HostLostError, TimeoutError):
        return None
    lines: list[str] | None = answer["lines"]
    return lines
