"""The ladder as data: rungs are frozen by hash, written out as bots of their own, and named by level."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from arena.bots.level import is_level, level_name, level_of
from arena.bots.opponents import opponent
from arena.bots.policies import find_policy
from arena.bots.rungs import bot_of_level, games_with_ladder, kept_folder, named_bot, read_ladder, rung_bot, written_out
from arena.bots.samples import starter_bots
from arena.plan.entries import local_plan
from referee.games import BUILT_IN, GAMES
from referee.mistakes import UserError
from referee.order import OrderError
from referee.policy import play_match

NOISY_40 = '\n[[rung]]\nbot = "noisy"\nname = "noisy-40"\narguments = ["--noise", "40"]\n'
THREE = f'seats = 2\n\n[[rung]]\nbot = "python"\n{NOISY_40}\n[[rung]]\nbot = "greedy"\n'
TEN = ("furstenfeld", "norenberc", "nuremberg")
"""The games whose ladders are complete."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rungs are written out into a folder of this test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def ladder_folder(tmp_path: Path, text: str = THREE, game: str = "norenberc") -> Path:
    folder = tmp_path / "ladder"
    folder.mkdir(exist_ok=True)
    (folder / f"{game}.toml").write_text(text, encoding="utf-8")
    return folder


def test_every_game_of_ours_has_a_ladder_from_random_play_on() -> None:
    assert set(games_with_ladder()) == set(BUILT_IN)
    for game in BUILT_IN:
        ladder = read_ladder(game)
        assert [rung.level for rung in ladder.rungs] == list(range(1, len(ladder.rungs) + 1))
        assert ladder.rungs[0].name == "random"
        assert not any("--ms" in rung.arguments for rung in ladder.rungs), "a rung is the same on every machine"
        assert len({rung.name for rung in ladder.rungs}) == len(ladder.rungs)


@pytest.mark.parametrize("game", TEN)
def test_a_complete_ladder_has_ten_rungs(game: str) -> None:
    rungs = read_ladder(game).rungs
    assert len(rungs) == 10
    assert {"noisy", "greedy", "tuned"} <= {rung.bot for rung in rungs}


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_shipped_rungs_are_the_ones_that_were_measured(game: str) -> None:
    ladder = read_ladder(game)
    for rung in ladder.rungs:
        assert rung.measured is not None, "run arena ladder calibrate"
        assert rung_bot(ladder, rung.level).version == rung.measured.version, "run arena ladder calibrate"


def test_a_rung_with_settings_is_a_directory_with_a_version_of_its_own(tmp_path: Path, own_cache: Path) -> None:
    ladder = read_ladder("norenberc", ladder_folder(tmp_path))
    plain, noisy, again = written_out(ladder.rungs[2]), written_out(ladder.rungs[1]), written_out(ladder.rungs[1])
    assert plain.path == starter_bots() / "greedy"
    assert noisy.version == again.version == noisy.path.name
    assert noisy.path.is_relative_to(own_cache)
    assert kept_folder().is_relative_to(own_cache)
    assert (noisy.manifest.name, noisy.manifest.command) == ("noisy-40", ("python3", "bot.py", "--noise", "40"))
    assert noisy.manifest.concurrency == 16
    assert noisy.manifest.deterministic
    assert [place.name for place in kept_folder().iterdir()] == [noisy.version]
    for file in ("bot.py", "client.py", "choosing.py", "slips.py"):
        assert (noisy.path / file).read_bytes() == (starter_bots() / "noisy" / file).read_bytes()


def test_a_rung_that_is_not_the_measured_one_is_refused(tmp_path: Path) -> None:
    folder = ladder_folder(tmp_path)
    ladder = read_ladder("norenberc", folder)
    found = [
        {"name": rung.name, "version": written_out(rung).version, "rating": 100, "error": 9, "matches": 4}
        for rung in ladder.rungs
    ]
    found[1]["version"] = "0" * 64
    text = json.dumps({"rungs": found, "claims": [], "head": "", "matches": 0})
    (folder / "norenberc.json").write_text(text, encoding="utf-8")
    ladder = read_ladder("norenberc", folder)
    assert rung_bot(ladder, 3).manifest.name == "greedy"
    with pytest.raises(UserError, match="level:2 of norenberc was measured as noisy-40@000000000000, but is noisy-40@"):
        rung_bot(ladder, 2)


def test_files_changed_after_they_were_written_out_are_refused(tmp_path: Path) -> None:
    rung = read_ladder("norenberc", ladder_folder(tmp_path)).rungs[1]
    place = written_out(rung).path
    (place / "bot.py").write_text("raise SystemExit\n", encoding="utf-8")
    with pytest.raises(UserError, match="were changed; remove that directory"):
        written_out(rung)
    shutil.rmtree(place)
    assert written_out(rung).path == place


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(UserError, match="set XDG_CACHE_HOME"):
        written_out(read_ladder("norenberc", ladder_folder(tmp_path)).rungs[1])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("seats = 9\n", "seats: 9 is not allowed"),
        ("colour = 1\n", "colour"),
        ('[[rung]]\nbot = "greedy"\nname = "x"\n', "rung 1: a rung with arguments has a name"),
        ('[[rung]]\nbot = "noisy"\narguments = ["--noise", "3"]\n', "rung 1: a rung with arguments has a name"),
        ('[[rung]]\nbot = "nobody"\n', "not a bot directory"),
    ],
)
def test_a_wrong_ladder_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_ladder("norenberc", ladder_folder(tmp_path, text))


def test_levels_are_named_wherever_a_bot_is() -> None:
    assert is_level(level_name(3))
    assert level_of("level:10") == 10
    assert not is_level("level")
    assert not is_level(3)
    assert named_bot("level:1", ["norenberc"]).manifest.name == "random"
    assert named_bot(starter_bots() / "greedy", ["norenberc"]).manifest.name == "greedy"
    assert find_policy("level:1", "norenberc").name == "random"
    assert find_policy("level:2", "norenberc").name == read_ladder("norenberc").rungs[1].name
    assert bot_of_level("level:1", BUILT_IN).manifest.name == "random"


@pytest.mark.parametrize(
    ("name", "games", "said"),
    [
        ("level:0", ["norenberc"], "expected level:1 to level:10"),
        ("level:11", ["norenberc"], "expected level:1 to level:10"),
        ("level:", ["norenberc"], "expected level:1 to level:10"),
        ("level:3x", ["norenberc"], "expected level:1 to level:10"),
        ("level:٣", ["norenberc"], "expected level:1 to level:10"),
        ("level:3", [], "the game is missing"),
        ("level:2", ["norenberc", "furstenfeld"], "not the same bot in every game"),
        ("level:2", ["nim"], "has none; expected one of"),
    ],
)
def test_a_wrong_level_is_one_line(name: str, games: list[str], said: str) -> None:
    with pytest.raises(UserError, match=said) as error:
        bot_of_level(name, games)
    assert "\n" not in str(error.value)


def test_an_opponent_of_a_level_is_the_rung_of_the_game_that_is_played() -> None:
    for game in ("norenberc", "furstenfeld"):
        rung = read_ladder(game).rungs[1]
        same = opponent(rung.bot, *rung.arguments)
        digests = {
            play_match(GAMES[game], [made] * 2, 3, GAMES[game].options({}), "m").digest
            for made in (opponent("level:2"), same)
        }
        assert len(digests) == 1
    with pytest.raises(UserError, match="settings of its own"):
        opponent("level:2", "--noise", "1")


def test_a_tournament_file_names_levels_of_its_game(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text('name = "t"\ngame = "norenberc"\nbots = ["level:1", "level:2"]\n', encoding="utf-8")
    assert [bot.manifest.name for bot in local_plan(file, None).bots] == [
        "random",
        read_ladder("norenberc").rungs[1].name,
    ]
    file.write_text('name = "t"\ngames = ["norenberc", "nuremberg"]\nbots = ["level:1", "level:2"]\n', encoding="utf-8")
    with pytest.raises(UserError, match="not the same bot in every game"):
        local_plan(file, None)
    file.write_text('name = "t"\ngame = 3\nbots = ["level:1", "level:2"]\n', encoding="utf-8")
    with pytest.raises((UserError, OrderError)):
        local_plan(file, None)


def test_two_processes_may_write_out_the_same_rung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slower one finds the directory of the faster one in its place."""
    rung = read_ladder("norenberc", ladder_folder(tmp_path)).rungs[1]
    rename = os.rename
    overtaken: list[Path] = []

    def late(source: Path, target: Path) -> None:
        if not overtaken:
            overtaken.append(Path(target))
            shutil.copytree(source, target)
        rename(source, target)

    monkeypatch.setattr(os, "rename", late)
    assert written_out(rung).path == overtaken[0]
    assert list(kept_folder().iterdir()) == overtaken
