"""A tournament file names bots as they were submitted, with and without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.directory import KEYS, read_bot, remote_bot
from arena.cli.watching import Silent
from arena.plan.entries import local_plan, read_entries, submitted_plan
from arena.plan.stored_plan import stored_bot
from arena.play.runner import Runner
from arena.store.database import Store, open_store
from arena.store.local_time import local_now
from referee.mistakes import UserError
from tests.arena.server.running_server import arena, bot_directory


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
    store.bots.add(bot.label, bot.manifest.name, bot.version, str(bot.path), manifest, "today")
    return bot.label


def cup(tmp_path: Path, bots: list[str]) -> Path:
    file = tmp_path / "cup.toml"
    file.write_text(f'name = "cup"\ngame = "toy"\nrounds = 1\nbots = {json.dumps(bots)}\n')
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


@pytest.mark.parametrize("bots", [["ann", "bob"], ["*"], ["bob", "*"]])
def test_a_tournament_that_has_begun_goes_on_with_the_versions_that_were_entered(
    tmp_path: Path, store: Store, bots: list[str]
) -> None:
    """On a server and without one; other tournaments have the newest, and a label is a certain version still."""
    plan = local_plan(cup(tmp_path, bots), store)
    first = [bot.label for bot in plan.bots]
    Runner(plan, store, Silent(), local_now).enter()
    second = enter(store, bot_directory(tmp_path / "newer", "ann", program="print('better')"))
    enter(store, bot_directory(tmp_path / "kept", "dan"))
    store.bots.set_retired("bob", True)
    assert entered(tmp_path, store, *bots) == first
    plain = read_entries(cup(tmp_path, bots).read_text())
    assert [bot.label for bot in submitted_plan(store, plain, lambda _label: True).bots] == first
    assert second in entered(tmp_path, store, second, *bots)
    other = submitted_plan(store, plain | {"name": "other", "bots": ["ann", "cat"]}, lambda _label: True)
    assert other.bots[0].label == second


def test_a_directory_beside_the_file_is_meant_first(tmp_path: Path, store: Store) -> None:
    here = read_bot(bot_directory(tmp_path, "ann", program="print('mine')")).label
    assert entered(tmp_path, store, "ann", "bob")[0] == here


def test_who_cannot_play_is_named(tmp_path: Path, store: Store) -> None:
    far = remote_bot("far", (), 1)
    store.bots.add(far.label, "far", far.version, far.location, far.stored(), "2026-11-16T12:00:00+00:00")
    store.bots.set_retired("cat", True)
    for bot, reason in (
        ("far", "bots: 'far' runs elsewhere; it can only play on a server"),
        ("cat", "bots: 'cat' is retired"),
        ("dan", f"{tmp_path}/dan: not a bot directory"),
    ):
        with pytest.raises(UserError) as caught:
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


def test_a_bot_that_runs_elsewhere_is_found_again_as_it_was_declared(store: Store) -> None:
    far = remote_bot("fär", ("toy",), 4)
    store.bots.add(far.label, "fär", far.version, far.location, far.stored(), "2026-11-16T12:00:00+00:00")
    assert stored_bot(store, far.label) == far
    assert remote_bot("fär", ("toy",), 5).version != far.version


def test_a_row_keeps_the_whole_manifest(tmp_path: Path, store: Store) -> None:
    bot = read_bot(bot_directory(tmp_path, "eve"))
    store.bots.add(bot.label, "eve", bot.version, bot.location, bot.stored(), "2026-11-16T12:00:00+00:00")
    (version,) = store.bots.versions_of("eve")
    assert version.manifest.keys() == set(KEYS)
    assert not version.is_remote
