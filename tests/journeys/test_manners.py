"""Ctrl-C, closed pipes and full disks, as real processes meet them: one line at most, and the exit code of Unix."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas
import pytest

from arena.play.simulation import SEAT_COLUMNS
from arena.sandbox.processes import family
from tests.patience import patience

ARENA = str(Path(sys.executable).with_name("arena"))
BOT = Path(__file__).parents[2] / "sample_bots" / "python"
PLAY = [ARENA, "play", "toy", "--bot", str(BOT), "--bot", str(BOT), "--sandbox", "off"]
ENDLESS = [*PLAY, "--matches", "100000", "--watch"]
SECONDS = patience(18)


def test_ctrl_c_ends_a_long_play_with_one_line_and_130() -> None:
    """The terminal sends it to all processes of the session, as here."""
    with subprocess.Popen(
        ENDLESS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline()
        os.killpg(playing.pid, signal.SIGINT)
        _out, err = playing.communicate(timeout=SECONDS)
    assert (playing.returncode, err) == (130, "arena: stopped\n")


SIMULATE = [ARENA, "simulate", "toy", "--bot", "random", "--bot", "random", "--games", "1000000", "--processes", "2"]
LEARN = [sys.executable, "-m", "arena.lab.example", "toy", "learnt", "--library", "numpy"]


@pytest.mark.parametrize(
    ("words", "said"),
    [([*SIMULATE, "--out", "all.parquet"], "arena: stopped"), (LEARN, "")],
    ids=["simulate", "learn"],
)
def test_ctrl_c_ends_processes_that_are_still_beginning(words: list[str], said: str, tmp_path: Path) -> None:
    """Those that share the work are deaf to it from their first instruction on; what was played is kept."""
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as playing:
        while len(family(playing.pid)) < 4:  # itself, two that play, and what tracks their resources
            assert playing.poll() is None, playing.stderr.read() if playing.stderr else ""
            time.sleep(0.01)
        os.killpg(playing.pid, signal.SIGINT)
        _out, err = playing.communicate(timeout=SECONDS)
    assert (playing.returncode, err.strip()) == (130, said)
    if "all.parquet" in words:
        assert list(pandas.read_parquet(tmp_path / "all.parquet").columns) == list(SEAT_COLUMNS)


@pytest.mark.parametrize("words", [ENDLESS, [*PLAY, "--json"], [ARENA, "games"]], ids=["watch", "json", "games"])
def test_a_reader_who_leaves_ends_it_silently_with_141(words: list[str]) -> None:
    reader, writer = os.pipe()
    if words is not ENDLESS:
        os.close(reader)  # gone before the first word
    with subprocess.Popen(words, stdout=writer, stderr=subprocess.PIPE, text=True) as playing:
        os.close(writer)
        if words is ENDLESS:
            assert os.read(reader, 1)
            os.close(reader)
        _out, err = playing.communicate(timeout=SECONDS)
    assert (playing.returncode, err) == (141, "")


def test_a_full_disk_under_the_output_is_one_line() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [ARENA, "games"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
        )
    assert (done.returncode, done.stderr) == (2, "arena: no space left on device\n")


def test_ctrl_c_while_the_command_is_being_loaded_is_one_line() -> None:
    interrupted = """if True:
        import sys
        class Interruption:
            def find_spec(self, name, *_):
                if name == "click":
                    raise KeyboardInterrupt
        sys.meta_path.insert(0, Interruption())
        from arena.cli import main
        main()
    """
    done = subprocess.run(
        [sys.executable, "-c", interrupted], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "arena: stopped\n")


def test_nowhere_to_write_to_is_no_mistake() -> None:
    """`arena games show toy >&-`: a caller that wants only the exit code gets it."""
    done = subprocess.run(
        ["sh", "-c", '"$0" games show toy >&-', ARENA], stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_pipe_gets_utf_8_whatever_the_locale() -> None:
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [ARENA, "games", "show", "furstenfeld", "--json"], capture_output=True, timeout=SECONDS, check=False, env=latin
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["title"] == "Fürstenfeld"


def with_small_files(size: int, *words: str) -> list[str]:
    """Run a command for which no file may get larger; by the shell, since a process with gRPC in it must not fork.

    Python must not keep what it compiles meanwhile: it would not notice that half of it is missing.
    """
    return ["sh", "-c", 'ulimit -f "$0" && exec env PYTHONDONTWRITEBYTECODE=1 "$@"', str(size // 512), *words]


def test_no_room_for_records_is_one_line(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: the kernel refuses the same write."""
    done = subprocess.run(
        with_small_files(512, *PLAY, "--matches", "20", "--records", str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "arena: file too large\n"


def test_no_room_for_the_database_is_one_line(tmp_path: Path) -> None:
    entries = "".join(f'[[bot]]\nname = "bot-{number}"\npath = "{BOT}"\n' for number in range(4))
    (tmp_path / "t.toml").write_text(f'name = "t"\ngame = "toy"\nrounds = 20\nseed = 1\n{entries}')
    done = subprocess.run(
        with_small_files(500_224, ARENA, "tournament", "run", "t.toml", "--log-level", "error"),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode in (1, 2)
    assert done.stderr.splitlines()[-1].startswith("arena: the database cannot be read or written:")
    assert "Traceback" not in done.stderr


LAST_WORDS = " ".join(f"word-{number}" for number in range(500))


def bot_that(folder: Path, name: str, program: str) -> list[str]:
    """Write a bot, and return the words that let it play against a random one."""
    folder = folder / name
    folder.mkdir()
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\n')
    (folder / "bot.py").write_text(program)
    return [ARENA, "play", "toy", "--bot", str(BOT), "--bot", str(folder), "--sandbox", "off"]


def test_what_a_bot_printed_before_it_failed_is_shown_whole(tmp_path: Path) -> None:
    """Not cut in the middle of a word, for people and for programs."""
    words = bot_that(tmp_path, "quitter", f"print({LAST_WORDS!r}, flush=True)\nraise SystemExit(3)\n")
    told = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert "quitter forfeited seat 1 of match 1: forfeit_crash" in told.stdout
    assert f"    | {LAST_WORDS}\n" in told.stdout
    data = subprocess.run([*words, "--json"], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert json.loads(data.stdout)["matches"][0]["outputs"] == {"1": f"{LAST_WORDS}\n"}


def test_what_a_good_bot_prints_is_shown_when_asked_for(tmp_path: Path) -> None:
    random_bot = (BOT / "bot.py").read_text()
    words = bot_that(tmp_path, "talker", f"print('I think, therefore I print', flush=True)\n{random_bot}")
    silent = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert "I think" not in silent.stdout
    told = subprocess.run([*words, "--logs"], capture_output=True, text=True, timeout=SECONDS, check=True)
    assert "output of talker in seat 1 of match 1:\n    | I think, therefore I print\n" in told.stdout


def test_quiet_leaves_the_results_only(tmp_path: Path) -> None:
    entries = "".join(f'[[bot]]\nname = "bot-{number}"\npath = "{BOT}"\n' for number in range(2))
    (tmp_path / "t.toml").write_text(f'name = "t"\ngame = "toy"\nrounds = 1\nseed = 1\n{entries}')
    words = [ARENA, "tournament", "run", "t.toml", "--quiet"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=True)
    assert "round.paired" not in done.stderr
    assert "t, Swiss order" in done.stdout
