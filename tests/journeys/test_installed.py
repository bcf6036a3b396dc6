"""Installed from the wheel in an empty environment, everything that a newcomer tries in the first hour works."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.journeys.installed_wheel import ROOT, SOURCES, build_wheel, install
from tests.patience import patience

SECONDS = patience(24)


@dataclass(frozen=True)
class Newcomer:
    """Somebody with an empty directory to work in, far from the checkout, and the installed commands."""

    commands: Path
    folder: Path

    def environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
        return {**kept, "PATH": f"{self.commands}:{os.environ['PATH']}"}

    def run(self, *words: str) -> str:
        done = subprocess.run(
            words, cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=SECONDS, check=False
        )
        assert done.returncode == 0, f"{words}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout


@pytest.mark.long
def test_a_newcomer_installs_the_wheel_and_gets_through_the_first_hour(tmp_path: Path) -> None:
    """One test, because building and installing take longer than the rest."""
    wheel = build_wheel(tmp_path)
    every_package_is_typed_and_the_licence_is_there(wheel)
    the_wheel_holds_four_packages(wheel)
    (tmp_path / "here").mkdir()
    newcomer = Newcomer(install(wheel, tmp_path / "environment"), tmp_path / "here")
    nothing_comes_from_the_checkout(newcomer)
    the_demo_plays_and_ends_with_a_leaderboard(newcomer)
    a_new_bot_passes_its_check_and_plays(newcomer)
    a_new_bot_of_a_language_that_is_built_has_the_messages(newcomer)
    the_web_page_shows_what_was_played(newcomer)
    the_engine_can_be_measured(newcomer)
    the_same_files_give_the_same_head_here_and_there(newcomer, tmp_path / "checkout")


def every_package_is_typed_and_the_licence_is_there(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [package for package in SOURCES if package != "proto" and f"{package}/py.typed" not in names] == []
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def the_wheel_holds_four_packages(wheel: Path) -> None:
    """Other names in site-packages could be any other project's."""
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    ours = {top for top in tops if not top.startswith("meistersinger-")}
    assert ours == {"arena", "ratings", "referee", "sample_bots"}


def nothing_comes_from_the_checkout(newcomer: Newcomer) -> None:
    program = "import arena, ratings, referee; print(arena.__file__, ratings.__file__, referee.__file__)"
    for place in newcomer.run("python", "-c", program).split():
        assert Path(place).is_relative_to(newcomer.commands.parent)


def the_demo_plays_and_ends_with_a_leaderboard(newcomer: Newcomer) -> None:
    out = newcomer.run("arena", "demo", "--game", "norenberc")
    assert "Norenberc\nrank " in out
    assert "arena web --db demo.db" in out


def a_new_bot_passes_its_check_and_plays(newcomer: Newcomer) -> None:
    assert "arena check-bot mine" in newcomer.run("arena", "new-bot", "python", "mine")
    assert "passes every required step" in newcomer.run(
        "arena", "check-bot", "mine", "--game", "norenberc", "--patience", "60"
    )
    told = newcomer.run("arena", "play", "norenberc", "--bot", "mine", "--bot", "mine", "--json")
    assert json.loads(told)["verified"] == 1


def a_new_bot_of_a_language_that_is_built_has_the_messages(newcomer: Newcomer) -> None:
    newcomer.run("arena", "new-bot", "cpp", "fast")
    assert (newcomer.folder / "fast" / "proto" / "referee" / "v1" / "play.proto").is_file()


def the_web_page_shows_what_was_played(newcomer: Newcomer) -> None:
    """Ctrl-C ends it."""
    with subprocess.Popen(
        ["arena", "web", "--listen", "127.0.0.1:0", "--json", "--db", "demo.db"],
        cwd=newcomer.folder,
        env=newcomer.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as serving:
        assert serving.stdout is not None
        (address,) = json.loads(serving.stdout.readline())["addresses"]
        with urlopen(address, timeout=SECONDS) as page:
            text = page.read().decode()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(SECONDS) == 0
    assert "norenberc" in text.lower()


def the_engine_can_be_measured(newcomer: Newcomer) -> None:
    """One round of one game: all of them take minutes."""
    assert "engine" in json.loads(newcomer.run("arena", "bench", "--list", "--json"))
    words = ("-m", "arena.bench.engine", "--game", "norenberc", "--rounds", "1")
    assert "norenberc, 4 seats" in newcomer.run("python", *words)


TOURNAMENT = """
name = "cup"
game = "norenberc"
seats = 2
rounds = 1
seed = 1494
bots = ["bots/one", "bots/two"]
"""


def the_same_files_give_the_same_head_here_and_there(newcomer: Newcomer, folder: Path) -> None:
    """Two environments that share nothing but the files: the same ledger to the byte, and each reproduces the other's.

    One runs the checkout and the other the wheel, with packages, paths and hash seeds of their own.
    """
    folder.mkdir()
    here = Newcomer(Path(sys.executable).parent, folder)
    heads = []
    for number, place in enumerate((here, newcomer)):
        for name, sample in (("one", "python"), ("two", "greedy")):
            made = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / "sample_bots" / sample, place.folder / "bots" / name, ignore=made)
            manifest = place.folder / "bots" / name / "bot.toml"
            manifest.write_text(manifest.read_text(encoding="utf-8").replace(f'"{sample}"', f'"{name}"'))
        (place.folder / "cup.toml").write_text(TOURNAMENT)
        seeded = ("env", f"PYTHONHASHSEED={number + 1}")
        place.run(*seeded, "arena", "tournament", "run", "cup.toml", "--db", "cup.db", "--quiet")
        heads.append(json.loads(place.run("arena", "ledger", "verify", "--db", "cup.db", "--json"))["head"])
    assert heads[0] == heads[1]
    shutil.copy(folder / "cup.db", newcomer.folder / "elsewhere.db")
    shutil.rmtree(folder / "bots")  # so that only its own files are found
    told = newcomer.run("arena", "ledger", "reproduce", "elsewhere.db", "--sample", "100%", "--bots", "bots", "--json")
    found = json.loads(told)
    assert (found["reproduced"], found["head"]) == (len(found["sample"]), heads[0])
