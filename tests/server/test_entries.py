"""A tournament file names bots as they were submitted, with and without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.directory import REMOTE_COMMAND, read_bot
from arena.plan.entries import local_plan
from arena.store.database import Store, open_store
from referee.order import OrderError
from tests.server.running_server import arena, bot_directory


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path / "arena.db", create=True)
    for name in ("ann", "bob", "cat"):
        enter(store, bot_directory(tmp_path / "kept", name))
    yield store
    store.close()


def enter(store: Store, place: Path) -> str:
    bot = read_bot(place)
    manifest = {"name": bot.manifest.name, "command": list(bot.manifest.command), "games": list(bot.manifest.games)}
    store.add_bot(bot.label, bot.manifest.name, bot.version, str(bot.path), manifest, "today")
    return bot.label


def cup(tmp_path: Path, bots: list[str]) -> Path:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "cup"\ngame = "toy"\nrounds = 1\nseed = 5\nbots = {json.dumps(bots)}\n')
    return file


def entered(tmp_path: Path, store: Store, *bots: str) -> list[str]:
    return [bot.label for bot in local_plan(cup(tmp_path, list(bots)), store).bots]


def test_a_name_is_the_newest_version_and_a_label_a_certain_one(tmp_path: Path, store: Store) -> None:
    (first,) = [label for label in entered(tmp_path, store, "ann", "bob") if label.startswith("ann@")]
    second = enter(store, bot_directory(tmp_path / "newer", "ann", program="print('better')"))
    assert entered(tmp_path, store, "ann", "bob")[0] == second
    assert entered(tmp_path, store, first, "bob")[0] == first
    assert [label.partition("@")[0] for label in entered(tmp_path, store, "*")] == ["ann", "bob", "cat"]
    assert entered(tmp_path, store, first, "*")[0] == first


def test_a_directory_beside_the_file_is_meant_first(tmp_path: Path, store: Store) -> None:
    here = read_bot(bot_directory(tmp_path, "ann", program="print('mine')")).label
    assert entered(tmp_path, store, "ann", "bob")[0] == here


def test_who_cannot_play_is_named(tmp_path: Path, store: Store) -> None:
    far = tmp_path / "kept" / "far"
    far.mkdir()
    (far / "bot.toml").write_text(f'name = "far"\ncommand = ["{REMOTE_COMMAND}"]\n')
    enter(store, far)
    store.set_retired("cat", True)
    for bot, reason in (
        ("far", "bots: 'far' runs elsewhere; it can play on a server only"),
        ("cat", "bots: 'cat' is retired"),
        ("dan", f"{tmp_path}/dan: not a bot directory"),
    ):
        with pytest.raises(OrderError) as caught:
            entered(tmp_path, store, "ann", bot)
        assert str(caught.value) == reason
    assert [label.partition("@")[0] for label in entered(tmp_path, store, "*")] == ["ann", "bob"]


def test_a_local_tournament_is_played_by_submitted_bots(tmp_path: Path, store: Store) -> None:
    played = arena("tournament", "run", cup(tmp_path, ["ann", "bob"]), "--db", tmp_path / "arena.db", "--json")
    assert played.returncode == 0, played.stderr
    standings = json.loads(played.stdout)["standings"]
    assert {line["bot"].partition("@")[0] for line in standings} == {"ann", "bob"}
    unknown = arena("tournament", "run", cup(tmp_path, ["ann", "bob"]), "--db", tmp_path / "other.db")
    assert unknown.returncode == 2
    assert unknown.stderr == f"arena: {tmp_path}/ann: not a bot directory\n"
    assert not (tmp_path / "other.db").exists()
