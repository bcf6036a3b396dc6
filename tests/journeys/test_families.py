"""A family of a hundred games, in a package of its own: found, listed and played without loading the others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.installed import install
from tests.patience import patience

ROOT = Path(__file__).parents[2]
PYTHON_BOT = ROOT / "sample_bots" / "python"

FAMILY = '''
"""Heaps: Nim with a heap of every size, as a family."""

import sys
from dataclasses import dataclass

from referee.game import GameFamily
from referee.open_game import OpenGame


@dataclass(slots=True)
class State:
    heap: int
    mover: int


@dataclass(frozen=True, slots=True)
class Take:
    count: int


class Heap(OpenGame[State, Take]):
    slug, title = "heaps", "A heap"

    def __init__(self, size):
        print("made", size, file=sys.stderr)
        self.slug, self.title, self._size = f"heaps_{size}", f"A heap of {size}", size

    def start(self, seats, options, rng):
        return State(self._size, 0)

    def turn(self, state):
        return state.mover if state.heap else None

    def moves(self, state):
        return [Take(count) for count in range(1, min(3, state.heap) + 1)]

    def play(self, state, move):
        state.heap -= move.count
        state.mover = 1 - state.mover

    def scores(self, state):
        return [int(state.mover != seat) for seat in (0, 1)]


SIZES = {f"heaps_{size}": size for size in range(1, 101)}
FAMILY = GameFamily(lambda: list(SIZES), lambda slug: Heap(SIZES[slug]), "Heaps of every size")
'''
BROKEN = "import no_such_module_at_all\n"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    points = "[arena.game_families]\nheaps = heaps:FAMILY\n\n[arena.games]\nbroken = broken:GAME\n"
    return install(tmp_path / "site", "heaps", points, {"heaps.py": FAMILY, "broken.py": BROKEN})


def arena(environment: dict[str, str], *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", *words],
        env=environment, cwd=folder, capture_output=True, text=True, check=False, timeout=patience(10),
    )  # fmt: skip


def test_a_hundred_games_stand_in_one_line_until_their_family_is_named(
    environment: dict[str, str], tmp_path: Path
) -> None:
    run = arena(environment, "games", folder=tmp_path)
    assert run.returncode == 0
    assert "heaps_…  Heaps of every size, 100 games: arena games list heaps" in run.stdout.splitlines()
    assert len(run.stdout.splitlines()) < 10
    assert "made" not in run.stderr, "listing a family makes none of its games"
    assert "game broken: broken:GAME cannot be loaded: ModuleNotFoundError" in run.stderr
    listed = arena(environment, "games", "list", "heaps", folder=tmp_path)
    assert listed.stdout.splitlines()[6] == "heaps_7  A heap of 7, 2 seats, rules 1"
    assert len(listed.stdout.splitlines()) == 100
    plain = json.loads(arena(environment, "games", "--json", folder=tmp_path).stdout)
    assert {"heaps_100", "norenberc"} < {game["slug"] for game in plain}


def test_a_game_of_a_family_is_played_replayed_and_judged_and_no_other_is_made(
    environment: dict[str, str], tmp_path: Path
) -> None:
    bots = ("--bot", str(PYTHON_BOT), "--bot", str(PYTHON_BOT))
    run = arena(environment, "play", "heaps_21", *bots, "--records", "records", "--seed", "5", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    (record,) = (tmp_path / "records").iterdir()
    assert arena(environment, "replay", "verify", str(record), folder=tmp_path).returncode == 0
    judged = arena(environment, "analyse", str(record), folder=tmp_path)
    assert judged.returncode == 0, judged.stderr
    made = {line for each in (run, judged) for line in each.stderr.splitlines() if line.startswith("made")}
    assert made <= {"made 21"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("games", "show", "heaps_101"), "game: 'heaps_101' is unknown; expected one of: the "),
        (("games", "show", "heap_1"), "(did you mean 'heaps_1'?)"),
        (("games", "show", "broken"), "game broken: broken:GAME cannot be loaded: ModuleNotFoundError"),
        (("games", "list", "heap"), "family: 'heap' is unknown; expected one of: heaps"),
        (("games", "proto", "nothing"), "game: 'nothing' is unknown"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    words: tuple[str, ...], said: str, environment: dict[str, str], tmp_path: Path
) -> None:
    run = arena(environment, *words, folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_the_messages_of_a_game_are_printed(environment: dict[str, str], tmp_path: Path) -> None:
    run = arena(environment, "games", "proto", "heaps_9", folder=tmp_path)
    assert run.returncode == 0
    assert "package arena_games.heaps_9.v1;" in run.stdout
    ours = arena(environment, "games", "proto", "norenberc", folder=tmp_path)
    assert ours.stdout == (ROOT / "proto/referee/games/norenberc/v1/norenberc.proto").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("FAMILY = 3", "family heaps: int is not a referee.game.GameFamily"),
        (FAMILY.replace('f"heaps_{size}": size', 'f"heap{size}": size'), "'heap1' does not begin with heaps_"),
    ],
)
def test_a_family_that_is_none_is_refused_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    environment = install(
        tmp_path / "site", "heaps", "[arena.game_families]\nheaps = heaps:FAMILY\n", {"heaps.py": text}
    )
    run = arena(environment, "games", "show", "heaps_1", folder=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_plug_in_of_one_file_and_a_family_are_in_view_of_sandboxed_bots_without_being_loaded(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "site" / "heaps.proto").touch()
    program = (
        "import sys; from arena.sandbox.runtimes import python_view; view = python_view()\n"
        "print(*view.paths, sep='\\n'); assert 'heaps' not in sys.modules and 'arena_toy' not in sys.modules"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    site = tmp_path / "site"
    assert {str(site / name) for name in ("heaps.py", "broken.py", "heaps.proto")} <= set(run.stdout.splitlines())


def test_the_search_bot_plays_a_plug_in_of_one_file_in_the_sandbox(environment: dict[str, str], tmp_path: Path) -> None:
    search = ROOT / "sample_bots" / "search"
    bots = ("--bot", str(search), "--bot", str(PYTHON_BOT))
    run = arena(environment, "play", "heaps_9", *bots, "--seed", "5", "--matches", "2", "--json", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["faults"] == []


def test_a_cluster_compares_a_family_by_its_own_version_and_makes_none_of_its_games(
    environment: dict[str, str],
) -> None:
    program = "from arena.cluster.identity import games_here; print(games_here())"
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "'heaps_*': 1" in run.stdout
    assert "heaps_1'" not in run.stdout
    assert "broken" not in run.stdout
    assert "made" not in run.stderr


def test_the_doctor_names_a_family_in_a_word_and_a_bot_is_checked_with_one_game_of_it_if_asked(
    environment: dict[str, str], tmp_path: Path
) -> None:
    doctor = arena(environment, "doctor", folder=tmp_path)
    assert "toy, heaps_… (100)" in doctor.stdout
    checked = arena(environment, "check-bot", str(PYTHON_BOT), "--game", "heaps_7", "--patience", "60", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert {line for line in checked.stderr.splitlines() if line.startswith("made")} <= {"made 7"}
