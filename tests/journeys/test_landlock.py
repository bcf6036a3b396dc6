"""Where bubblewrap is missing, bots play whole matches at level landlock, wherever they and their Python lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory
from arena.bots.process import BotProcess
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import Level, SandboxPolicy, detect
from referee.order import Ending, TimeControl
from referee.record import verify
from tests import parts

CONTROL = TimeControl(bank_ms=60_000, increment_ms=0, cap_ms=40_000, strike_limit=0, grace_ms=400, join_ms=30_000)


def test_bots_play_at_landlock_where_there_is_no_bubblewrap(
    make_bot: Callable[[str], BotDirectory], random_bot: BotDirectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them lies in a directory that nobody but its owner may enter."""
    parts.landlock()
    monkeypatch.setenv("PATH", str(tmp_path))
    detect.cache_clear()
    honest = make_bot("honest")
    tmp_path.chmod(0o700)

    async def journey() -> set[Level]:
        async with open_pool(sandbox=SandboxPolicy.AUTO) as pool:
            result = await pool.play(MatchToPlay("held", "toy", {}, (random_bot, honest, random_bot), 5, CONTROL))
            assert result.seat_endings == (Ending.COMPLETED,) * 3, pool.output_of(honest.label)
            verify(result.record)
            clients = pool.referees[0].clients.values()
            return {client.process.level for client in clients if isinstance(client.process, BotProcess)}

    try:
        assert trio.run(journey) == {Level.LANDLOCK}
    finally:
        detect.cache_clear()
