"""What stands on a worker: its cores are shared out, its bots fit into their room."""

from __future__ import annotations

from contextlib import AsyncExitStack
from fractions import Fraction
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.bots.archive import pack
from arena.bots.directory import read_bot
from arena.cluster.bot_cache import BotCache
from arena.cluster.host import CoreShares
from arena.cluster.identity import WorkerInfo, fitness, offered, unfit, wanted, worker_info
from arena.sandbox.levels import Level
from referee.software import SOFTWARE


def bot(folder: Path, name: str, size: int = 1000) -> tuple[str, bytes]:
    place = folder / name
    place.mkdir()
    (place / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\n')
    (place / "bot.py").write_text("#" * size)
    return read_bot(place).version, pack(place)


def cache_of(folder: Path, max_bytes: int) -> BotCache:
    (folder / "cache").mkdir()
    return BotCache(folder / "cache", max_bytes)


def test_a_bot_is_kept_under_the_hash_of_its_files(tmp_path: Path) -> None:
    cache = cache_of(tmp_path, 1 << 20)
    version, archive = bot(tmp_path, "ann")
    assert cache.missing([version]) == [version]
    cache.keep(version, archive)
    assert cache.missing([version]) == []
    assert cache.find("alias", version).label == f"alias@{version[:12]}"


def test_an_archive_that_is_not_what_its_name_says_is_refused(tmp_path: Path) -> None:
    cache = cache_of(tmp_path, 1 << 20)
    version, _ = bot(tmp_path, "ann")
    _, other = bot(tmp_path, "bob")
    with pytest.raises(ValueError, match=f"not {version[:12]}"):
        cache.keep(version, other)
    assert cache.missing([version]) == [version]
    assert list(cache.folder.iterdir()) == []


def test_the_bots_used_longest_ago_go_first_but_none_that_is_needed(tmp_path: Path) -> None:
    cache = cache_of(tmp_path, 2_500)
    bots = [bot(tmp_path, name) for name in ("ann", "bob", "cat", "dan")]
    for version, archive in bots:
        cache.keep(version, archive)
    ann, bob, cat, dan = (version for version, _ in bots)
    cache.pin([ann])
    cache.sweep(lambda version: version == cat)
    assert cache.missing([ann, bob, cat, dan]) == sorted([bob, dan])
    cache.unpin([ann])
    cache.keep(*bots[3])
    cache.sweep(lambda _version: False)
    assert cat not in {file.name for file in cache.folder.iterdir()}, "it was used before ann"
    assert cache.total_bytes <= 2_500


def test_matches_share_the_cores_whichever_tournament_they_are_of() -> None:
    """Two of a whole core each, or eight of a quarter; waiting matches are served in turn."""

    async def main() -> None:
        shares = CoreShares(2)

        async def is_free(share: Fraction) -> bool:
            with trio.move_on_after(1):
                async with shares.taken(share):
                    return True
            return False

        async with AsyncExitStack() as quarters:
            async with shares.taken(Fraction(1)), shares.taken(Fraction(1, 4)):
                for _ in range(3):
                    await quarters.enter_async_context(shares.taken(Fraction(1, 4)))
                assert not await is_free(Fraction(1, 4))
            assert await is_free(Fraction(1))
            assert await is_free(Fraction(5, 4))
            assert not await is_free(Fraction(3, 2))
        assert await is_free(Fraction(2))
        assert len(shares) == 0

    trio.run(main, clock=MockClock(autojump_threshold=0))  # nothing takes time but waiting


def info(**changes: object) -> WorkerInfo:
    games = changes.pop("games", None)
    from arena.cluster.identity import games_here

    about = {"software": SOFTWARE, "games": games_here() if games is None else games, "sandbox": "default", "cores": 2}
    return worker_info("tcp://127.0.0.1:1", {"name": "w1", "metrics": {"arena": about | changes}})


def test_workers_of_another_make_are_refused_by_what_differs() -> None:
    assert unfit(info(), Level.DEFAULT) == ""
    assert unfit(info(sandbox="full"), Level.DEFAULT) == ""
    assert unfit(info(sandbox="landlock"), Level.DEFAULT) == "its sandbox is landlock, weaker than default"
    assert unfit(info(software="0.0.9"), Level.NONE) == f"its software is 0.0.9, ours {SOFTWARE}"
    assert unfit(info(games={"toy": 1}), Level.NONE).startswith("its rules version of ")
    assert unfit(info(), Level.NONE, "fast") == "its class is none, not fast"
    foreign = worker_info("tcp://127.0.0.1:2", {"name": "w2", "metrics": {}})
    assert unfit(foreign, Level.NONE) == "it was not started by arena worker"


def test_a_chunk_asks_only_for_what_a_fit_worker_offers() -> None:
    for own in Level:
        for needed in Level:
            held = offered(own, 2, "fast")
            fits = all(held.get(name, 0) >= amount for name, amount in wanted(needed, "fast").items())
            assert fits == (unfit(info(sandbox=own.value, **{"class": "fast"}), needed, "fast") == "")
    assert fitness(Level.NONE) not in wanted(Level.FULL, "")
