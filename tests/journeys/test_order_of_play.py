"""The order in which a pool takes up matches: as they were asked for, except around bots that are busy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_queue import MAX_PASSED
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy
from referee.order import Ending, TimeControl, told_id
from tests.journeys.conftest import RANDOM_BOT
from tests.patience import patience

HELD = "held"  # the match that is not played until somebody says so
SEED = 1
PATIENT = TimeControl(bank_ms=120_000, cap_ms=120_000)


@pytest.fixture
def bot(tmp_path: Path) -> BotDirectory:
    """A bot that plays one match at a time, and in one of them answers only once a file is there."""
    place = tmp_path / "bot"
    place.mkdir()
    text = (RANDOM_BOT / "bot.py").read_text("utf-8")
    answer = "                    answer = choose("
    told = [told_id(SEED, HELD, seat) for seat in (0, 1)]
    wait = f"""                    while prompt.match_id in {told!r} and not os.path.exists({str(tmp_path / "go")!r}):
                        await asyncio.sleep(0.01)
"""
    assert text.count(answer) == 1, "the starter bot has changed"
    (place / "bot.py").write_text(text.replace(answer, wait + answer), "utf-8")
    (place / "bot.toml").write_text('name = "bot"\ncommand = ["python3", "bot.py"]\n', "utf-8")
    return read_bot(place)


async def ended(pool: LocalPool, matches: Sequence[MatchToPlay], hold: int, let_go: Callable[[], None]) -> list[str]:
    """Ask for matches one after another, release the held one when this number is left; return them as they ended."""
    done: list[str] = []

    async def play(match: MatchToPlay) -> None:
        assert (await pool.play(match)).ending is Ending.COMPLETED
        done.append(match.match_id)

    with trio.fail_after(patience(6)):
        async with trio.open_nursery() as nursery:
            for asked, match in enumerate(matches, 1):
                nursery.start_soon(play, match)
                while pool.waiting + sum(referee.playing for referee in pool.referees) + len(done) < asked:  # noqa: ASYNC110  # nobody tells
                    await trio.sleep(0.001)
            while len(matches) - len(done) > hold or pool.waiting != hold - 1:  # noqa: ASYNC110  # nor this
                await trio.sleep(0.01)
            let_go()
    return done


def test_a_match_whose_bots_are_busy_lets_others_go_ahead_but_not_for_ever(bot: BotDirectory, tmp_path: Path) -> None:
    ann, bob, cat, dan = (bot.renamed(name) for name in ("ann", "bob", "cat", "dan"))
    concurrency = 2
    most = MAX_PASSED * concurrency

    def match(name: str, *bots: BotDirectory) -> MatchToPlay:
        return MatchToPlay(name, "toy", {}, bots, SEED, PATIENT)

    others = [match(f"other{number}", cat, dan) for number in range(most + 2)]
    matches = [match(HELD, ann, bob), match("second", bob, cat), *others]

    async def main() -> list[str]:
        async with open_pool(concurrency=concurrency, sandbox=SandboxPolicy.OFF, log_level="error") as pool:
            # Left are the held one, the second, which waits for it, and those that may not go ahead any more.
            return await ended(pool, matches, 4, (tmp_path / "go").touch)

    assert trio.run(main) == [
        *(f"other{number}" for number in range(most)), HELD, "second", f"other{most}", f"other{most + 1}",
    ]  # fmt: skip


def test_a_pool_plays_no_more_at_once_than_it_says(bot: BotDirectory, tmp_path: Path) -> None:
    """However many are asked for, and however many bots are free."""
    (tmp_path / "go").touch()
    pairs = [(bot.renamed(f"a{number}"), bot.renamed(f"b{number}")) for number in range(6)]
    matches = [MatchToPlay(f"m{number}", "toy", {}, pair, 1, PATIENT) for number, pair in enumerate(pairs)]
    most = 0

    async def main() -> None:
        nonlocal most
        pools = open_pool(concurrency=2, sandbox=SandboxPolicy.OFF, log_level="error")
        async with pools as pool, trio.open_nursery() as nursery:
            for match in matches:
                nursery.start_soon(pool.play, match)
            while not most or pool.waiting:
                most = max(most, sum(referee.playing for referee in pool.referees))
                await trio.sleep(0.001)

    trio.run(main)
    assert most == 2
