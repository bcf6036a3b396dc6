"""Referees and verifiers are forked from a process that has loaded them, and live on their own from then on."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import pytest
import trio

from arena.play.lines import as_line, read_lines
from arena.play.warm import Forked, ForkingError, WarmProcess, open_warm_process
from arena.sandbox.processes import family
from tests.patience import patience

SECONDS = patience(12)


def with_warm_process(main: Callable[[WarmProcess], Awaitable[None]]) -> None:
    async def run() -> None:
        with trio.fail_after(SECONDS):
            async with open_warm_process() as warm:
                await main(warm)

    trio.run(run)


async def verdict(verifier: Forked) -> str:
    """Ask a verifier about something that is no record."""
    await verifier.stdin.send_all(as_line({"id": 1, "record": "{}"}))
    async with aclosing(read_lines(verifier.stdout)) as lines:
        said: str = json.loads(await anext(lines))["error"]
    return said


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def is_loaded(pid: int, part: str) -> bool:
    return part in Path(f"/proc/{pid}/maps").read_text()


def test_a_forked_process_works_has_its_name_and_ends_with_its_input() -> None:
    async def main(warm: WarmProcess) -> None:
        verifier = await warm.fork("verify", ())
        assert await verdict(verifier)
        assert name_of(verifier.pid) == "verify"
        assert os.getsid(verifier.pid) == verifier.pid, "Ctrl-C is not for it"
        await verifier.stdin.aclose()
        await verifier.wait()
        with pytest.raises(ProcessLookupError):
            os.kill(verifier.pid, 0)
        verifier.kill()  # no effect on a process that reuses its number

    with_warm_process(main)


def test_nobody_is_left_in_the_list_of_processes_after_waiting() -> None:
    """What closes the files of a process comes before what takes it off the list: the end is the latter."""

    async def main(warm: WarmProcess) -> None:
        for _turn in range(50):
            verifier = await warm.fork("verify", ())
            verifier.kill()
            await verifier.wait()
            with pytest.raises(ProcessLookupError):
                os.kill(verifier.pid, 0)
            await verifier.stdin.aclose()
            await verifier.stdout.aclose()

    with_warm_process(main)


def test_a_verifier_loads_no_server() -> None:
    async def main(warm: WarmProcess) -> None:
        verifier = await warm.fork("verify", ())
        assert await verdict(verifier)
        assert not is_loaded(verifier.pid, "cygrpc")
        verifier.kill()
        await verifier.wait()

    with_warm_process(main)


def test_what_was_forked_outlives_the_warm_process_and_another_one_takes_over() -> None:
    async def main(warm: WarmProcess) -> None:
        first = await warm.fork("verify", ())
        old = warm.pid
        assert old is not None
        os.kill(old, signal.SIGKILL)
        second = await warm.fork("verify", ())
        assert warm.pid != old
        for verifier in (first, second):
            assert await verdict(verifier)
            verifier.kill()
            await verifier.wait()

    with_warm_process(main)


def test_a_warm_process_that_is_killed_whenever_it_starts_is_asked_again(capfd: pytest.CaptureFixture[str]) -> None:
    """Five of them in a row end before they have forked anything, the next one answers, and every end is logged."""

    async def main(warm: WarmProcess) -> None:
        start = warm._start
        killed: list[int] = []

        async def start_and_kill() -> None:
            await start()
            assert warm.pid is not None
            if len(killed) < 5:
                killed.append(warm.pid)
                os.kill(warm.pid, signal.SIGKILL)

        warm._start = start_and_kill  # type: ignore[method-assign]  # the moment of a kill is part of the test
        verifier = await warm.fork("verify", ())
        assert await verdict(verifier)
        assert len(killed) == len(set(killed)) == 5
        await verifier.end()

    with_warm_process(main)
    assert capfd.readouterr().err.count("forking_process.ended") == 5


def test_a_warm_process_that_never_lives_ends_in_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.play.warm.RETRY_SECONDS", 0.1)

    async def main(warm: WarmProcess) -> None:
        start = warm._start

        async def start_and_kill() -> None:
            await start()
            assert warm.pid is not None
            os.kill(warm.pid, signal.SIGKILL)

        warm._start = start_and_kill  # type: ignore[method-assign]  # the moment of a kill is part of the test
        with pytest.raises(ForkingError, match="kept ending"):
            await warm.fork("verify", ())

    with_warm_process(main)


def test_a_request_that_is_given_up_leaves_no_answer_and_no_process_behind() -> None:
    async def main(warm: WarmProcess) -> None:
        with trio.move_on_after(0.001):  # before it has loaded anything
            await warm.fork("verify", ())
        verifier = await warm.fork("verify", ())
        assert await verdict(verifier)
        assert name_of(verifier.pid) == "verify"
        assert warm.pid is not None
        assert set(family(warm.pid)) == {warm.pid, verifier.pid}
        verifier.kill()
        await verifier.wait()

    with_warm_process(main)


def test_all_who_use_it_at_the_same_time_share_it_and_the_last_to_leave_ends_it() -> None:
    async def main() -> None:
        async with open_warm_process() as warm:
            async with open_warm_process() as other:
                assert other is warm
                verifier = await warm.fork("verify", ())
            pid = warm.pid
            assert pid is not None
        assert warm.pid is None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert await verdict(verifier), "what it forked is not its own"
        verifier.kill()
        await verifier.wait()

    trio.run(main)
