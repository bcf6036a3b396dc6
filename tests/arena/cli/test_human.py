"""arena play --human and --board: a person at the terminal, boards in characters."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.human import InputEndedError, Terminal
from referee.games import GAMES
from referee.v1 import play_pb2 as pb
from referee.view_text import in_words, table
from tests.arena.command_line import CommandLine
from tests.journeys.commands import ROOT
from tests.lookahead.prompts import position, prompt_of
from tests.patience import patience
from tools.golden import GOLDENS

PYTHON_BOT = str(ROOT / "sample_bots/python")
COMMAND = [sys.executable, "-m", "arena", "play", "toy", "--seed", "3", "--sandbox", "off", "--option", "rounds=2"]


def at_the_terminal(*words: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], input=typed, capture_output=True, text=True, timeout=patience(12), check=False
    )


def test_a_person_plays_by_number_through_a_pipe() -> None:
    done = at_the_terminal("--human", "--bot", PYTHON_BOT, "--board", "--watch", typed="9\nbid\n?\n\n" + "1\n" * 20)
    assert done.returncode == 0, done.stderr
    assert "person-1 (seat 0), BID (T3):" in done.stdout
    assert "expected a number from 1 to" in done.stdout
    assert "1 of 1 records verified" in done.stdout
    assert done.stdout.count("stock count: ") > 4, "the board is drawn"


def test_when_the_input_ends_the_house_plays_on() -> None:
    done = at_the_terminal("--bot", PYTHON_BOT, "--human", "--json", typed="1\n")
    assert done.returncode == 0
    assert '"forfeit_crash"' in done.stdout
    assert "the input ended: the house plays on" in done.stdout
    assert "Your choice" in done.stderr, "standard output is for data"
    assert "Traceback" not in done.stderr


def test_ctrl_c_ends_it_with_one_line(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "--human", "--bot", PYTHON_BOT],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    while "BID" not in (line := process.stdout.readline()):
        assert line, "it has ended"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=patience(12))
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert err.count("\n") <= 1


class RealTerminal:
    """A command at a pseudo-terminal of its own, which turns keys into lines, ends and interruptions."""

    def __init__(self, *words: str) -> None:
        self.process, self.screen = pty.fork()
        if not self.process:  # pragma: no cover  # the child, which becomes the command
            environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8:strict"}
            os.execve(sys.executable, [*COMMAND, *words], environment)
        self.shown = b""

    def read_to(self, wanted: bytes) -> None:
        """Read until something stands on the screen that did not stand there before."""
        begin = len(self.shown)
        while wanted not in self.shown[begin:]:
            assert self._reads_more(), f"{wanted!r} does not come after {self.shown!r}"

    def _reads_more(self) -> bool:
        assert select.select([self.screen], [], [], 60)[0], f"nothing comes after {self.shown!r}"
        try:
            piece = os.read(self.screen, 65536)
        except OSError:  # how Linux says that nobody holds the terminal any more
            return False
        self.shown += piece
        return bool(piece)

    def press(self, keys: bytes) -> None:
        os.write(self.screen, keys)

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and everything that was shown."""
        while self._reads_more():
            pass
        os.close(self.screen)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1]), self.shown.decode(errors="replace")


ASKED = b"Your choice, 1 to "


def test_at_a_real_terminal_a_person_plays_on_after_keys_that_are_no_text() -> None:
    at = RealTerminal("--human", "--bot", PYTHON_BOT)
    for keys in (b"\xfc\xff\r", b"\x1b[A\r", b"1\r"):
        at.read_to(ASKED)
        at.press(keys)
    at.read_to(ASKED)
    at.press(b"\x04")  # Ctrl-D ends the input
    code, shown = at.end()
    assert code == 0, shown
    assert "No option contains '��'." in shown
    assert "the input ended: the house plays on" in shown
    assert "1 of 1 records verified" in shown
    assert "Traceback" not in shown


def test_at_a_real_terminal_ctrl_c_ends_it_with_one_line() -> None:
    at = RealTerminal("--human", "--bot", PYTHON_BOT)
    at.read_to(ASKED)
    at.press(b"\x03")
    code, shown = at.end()
    assert code == 130
    assert shown.rpartition("Your choice, ")[2].split(": ", 1)[1].strip() == "^Carena: stopped"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "Missing option '--bot'"),
        (("--human",), "seats: 1 is not allowed"),
        (("--human", "--human", "--board"), "--board: needs --watch"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], reason: str, command_line: CommandLine) -> None:
    said = command_line("play", "toy", *words)
    assert said.code == 2
    assert reason in said.err


def terminal(people: int, *typed: str) -> Terminal:
    reading, writing = os.pipe()
    os.write(writing, "".join(f"{line}\n" for line in typed).encode())
    os.close(writing)
    return Terminal(people, os.fdopen(reading), to_error=False)


def test_people_at_one_screen_see_their_own_cards_only(capsys: pytest.CaptureFixture[str]) -> None:
    """A seat's prompt is shown after its player has said that he is alone."""
    game = GAMES["toy"]
    state = game.new(2, 3, game.options({}))
    screen = terminal(2, "", "1", "", "2", "1")
    for seat, choice in ((0, 0), (1, 1), (1, 0)):
        match = pb.MatchStarted(match_id="m", game="toy", seat=seat, seats=2)
        prompt = pb.Prompt(match_id="m", kind="BID", clause="T3", game=prompt_of(game, state, seat))
        assert screen.choose(prompt, match, f"person-{seat + 1}") == choice
    shown = capsys.readouterr().out
    first, second = shown.split("person-2: press Enter when nobody else can see the screen.")
    hands = [in_words(game.observe(state, seat).hand) for seat in (0, 1)]
    assert hands[0] != hands[1]
    assert hands[0] in first
    assert hands[1] not in first
    assert "\n" * 50 in first, "what the first has seen is out of sight"
    assert hands[0] not in second
    assert "press Enter" not in second, "the same player continues immediately"
    with pytest.raises(InputEndedError):
        screen.ask("more? ")
    screen.source.close()


def test_of_many_options_some_are_shown_and_found_by_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    game = GAMES["carcassonne_city"]
    state, seat = position(game, 60)
    texts = [game.describe(action) for action in game.legal_actions(state, seat)]
    assert len(texts) > 30
    screen = terminal(1, texts[-1], "quit")
    match = pb.MatchStarted(match_id="m", game=game.slug, seat=seat, seats=4)
    with pytest.raises(InputEndedError, match="quit"):
        screen.choose(pb.Prompt(match_id="m", game=prompt_of(game, state, seat)), match, "ann")
    shown = capsys.readouterr().out
    assert f"… and {len(texts) - 30} more." in shown
    assert f"{len(texts):4}  {texts[-1]}" in shown
    screen.source.close()


@pytest.mark.parametrize("slug", ["carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "toy"])
def test_a_story_is_told_with_the_board_after_every_step(slug: str, command_line: CommandLine) -> None:
    golden = next(golden for golden in GOLDENS if golden.slug == slug)
    plain = command_line("replay", "show", str(golden.record_file)).out
    story = command_line("replay", "show", str(golden.record_file), "--board").out
    mark = {
        "carcassonne_city": "Each tile:",
        "furstenfeld": "brewery: price",
        "norenberc": "guild 1, ",
        "toy": "prize:",
    }
    assert story.count(mark.get(slug, "Roads from")) == plain.count("\nstep ")
    assert [line for line in plain.splitlines() if line.startswith("step ")] == [
        line for line in story.splitlines() if line.startswith("step ")
    ]


def test_what_a_seat_sees_is_drawn_from_its_own_view() -> None:
    game = GAMES["furstenfeld"]
    state, seat = position(game, 20)
    texts = [game.text_board(game.observe(state, each)) for each in (seat, None)]
    assert "your hand: " in texts[0]
    assert "your hand: " not in texts[1]


def test_columns_are_as_wide_as_they_need_to_be() -> None:
    assert table(("a", "bb"), [(1, 2), (100, "x")]) == ["a    bb", "1    2", "100  x"]
