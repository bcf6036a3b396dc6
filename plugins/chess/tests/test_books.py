"""Opening books: the shipped one, and books of one's own."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from arena_chess.books import FOLDER, SHIPPED, BookError, add_book, starts
from arena_chess.game import GAME

from plugins.chess.benchmarks.make_book import HERE
from referee.mistakes import UserError

LINES = """\
rnbqkb1r/ppp2ppp/8/3pp3/3Pn3/3B1N2/PPP2PPP/RNBQK2R w KQkq - id "C43";
# a comment

4k3/8/8/8/8/8/8/R3K3 w Q - 3 9
"""
GAMES = """\
[ECO "C20"]
[Opening "King's \\"Pawn\\""]

1. e4 e5 2. Nf3 Nc6 *

1. d4 d5 *

[Round "3"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "books"))
    starts.cache_clear()


def test_every_shipped_position_is_the_end_of_a_named_line() -> None:
    ends = {}
    for line in (HERE / "openings.txt").read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            name, _, moves = line.partition(": ")
            board = chess.Board()
            for san in moves.split():
                board.push_san(san)
            ends[name] = board.fen()
    for line in SHIPPED.read_text(encoding="ascii").splitlines():
        board = chess.Board()
        name = str(board.set_epd(line)["id"])
        assert board.fen() == ends[name]
    assert len(set(starts(""))) == len(starts(""))


def test_a_book_of_ones_own_is_played_by_its_hash(tmp_path: Path) -> None:
    (tmp_path / "own.epd").write_text(LINES)
    name, count = add_book(tmp_path / "own.epd", 8)
    assert count == 2
    options = GAME.options({"opening": f"book:{name}"})
    drawn = {GAME.new(2, seed, options).start for seed in range(20)}
    assert drawn == set(starts(name))
    assert "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9" in drawn
    assert add_book(tmp_path / "own.epd", 8) == (name, count)


def test_a_changed_or_missing_book_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.epd").write_text(LINES)
    name, _count = add_book(tmp_path / "own.epd", 8)
    file = tmp_path / "books" / f"{name}.epd"
    file.write_text(file.read_text().replace("3 9", "4 9").replace("fmvn 9", "fmvn 8"))
    starts.cache_clear()
    with pytest.raises(BookError, match="was changed since"):
        starts(name)
    file.unlink()
    with pytest.raises(ValueError, match=f"^opening: book {name}: not found as "):
        GAME.options({"opening": f"book:{name}"})


def test_a_book_is_made_of_games(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAMES)
    name, count = add_book(tmp_path / "games.pgn", 4)
    assert count == 1
    (fen,) = starts(name)
    assert fen == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert "C20 King's Pawn" in (tmp_path / "books" / f"{name}.epd").read_text()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.epd", "", "no position found"),
        ("a.epd", "nonsense\n", "line 1: "),
        ("a.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n", "line 1: the game is already over"),
        ("a.epd", "8/8/8/8/8/8/8/8 w - -\n", "line 1: .* is not a legal position"),
        ("a.pgn", "1. e4 e5 *\n", "no position found; expected .* 4 half-moves"),
        ("a.pgn", "1. e4 e9 2. d4 d5 *\n", "game 1: "),
    ],
)
def test_a_bad_book_is_refused_in_one_line(tmp_path: Path, name: str, text: str, expected: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=expected) as error:
        add_book(tmp_path / name, 4)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_older_files_are_read(tmp_path: Path, encoding: str) -> None:
    lines = LINES.replace("C43", "Grünfeld").replace("\n", "\r\n")
    (tmp_path / "a.epd").write_bytes(lines.encode(encoding))
    name, count = add_book(tmp_path / "a.epd", 8)
    assert count == 2
    assert 'id "Grnfeld"' in (tmp_path / "books" / f"{name}.epd").read_text()
    (tmp_path / "a.pgn").write_bytes(GAMES.replace("King's", "König").encode(encoding))
    assert add_book(tmp_path / "a.pgn", 4)[1] == 1


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="cannot be read"):
        add_book(tmp_path / "a.epd", 4)
    with pytest.raises(UserError, match="cannot be read"):
        add_book(tmp_path / "missing.epd", 4)
