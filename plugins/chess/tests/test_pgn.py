"""PGN, out and in."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path
from random import Random

import chess.pgn
import pytest
from arena_chess.pgn import ImportedGame, Refused, game_of, read_games, record_of

from arena.store.database import open_to_read
from plugins.chess.tests.matches import arena, arena_chess, fake, play
from referee.mistakes import UserError
from referee.record import verify

SCHOLAR = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n'
RESIGNED = '[White "B"]\n[Black "A"]\n[Result "0-1"]\n\n1. e4 {[%eval 0.3]} e5 (1... c5) 2. f3 0-1\n\n'
ENDGAME = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 4 30"]\n'
AGREED = f'[White "A"]\n[Black "C"]\n[Result "1/2-1/2"]\n{ENDGAME}\n30. e4 Ke7 1/2-1/2\n\n'


def written(folder: Path, text: str) -> Path:
    file = folder / "games.pgn"
    file.write_text(text, encoding="utf-8")
    return file


def only(folder: Path, text: str) -> ImportedGame:
    (game,) = read_games(written(folder, text))
    assert isinstance(game, ImportedGame)
    return game


@pytest.mark.parametrize(
    ("text", "ranks", "reason"),
    [
        (SCHOLAR, [1, 2], "checkmate"),
        (RESIGNED, [2, 1], "3 half-moves"),
        (AGREED, [1, 1], "2 half-moves"),
    ],
    ids=["mate", "resigned", "agreed"],
)
def test_an_imported_game_is_a_record_that_verifies(tmp_path: Path, text: str, ranks: list[int], reason: str) -> None:
    record = verify(record_of(only(tmp_path, text)))
    assert record.result["ranks"] == ranks
    assert record.result["reason"] == reason


def test_an_imported_game_comes_out_as_it_went_in(tmp_path: Path) -> None:
    for text in (SCHOLAR, RESIGNED, AGREED):
        before = chess.pgn.read_game(io.StringIO(text))
        after = game_of(verify(record_of(only(tmp_path, text))))
        assert before is not None
        assert [*after.mainline_moves()] == [*before.mainline_moves()]
        assert [after.headers[key] for key in ("White", "Black", "Result")] == [
            before.headers[key] for key in ("White", "Black", "Result")
        ]
        assert after.board() == before.board()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SCHOLAR.replace("1-0", "*"), "the result is '*'"),
        (SCHOLAR.replace("Qxf7#", "Qxf8#"), "illegal san"),
        ('[Variant "Atomic"]\n' + SCHOLAR, "the variant is 'Atomic'"),
        ('[Result "1-0"]\n\n1-0\n', "it has 0 half-moves"),
        (SCHOLAR.replace('"A"', f'"{"A" * 201}"'), "a player's name has 201 characters; expected 200 at most"),
        ("1. e4 e5 {\n" + "}" * 3 + "(((", "the result is '*'"),
        ("c5)?", "it is not PGN (IndexError)"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n[Result "1-0"]\n\n1-0\n', "is not a legal position"),
    ],
)
def test_a_game_that_cannot_be_a_match_is_left_out_with_its_reason(tmp_path: Path, text: str, expected: str) -> None:
    (game,) = read_games(written(tmp_path, text))
    assert isinstance(game, Refused)
    assert expected in game.reason
    assert "\n" not in game.reason


def test_a_file_that_is_no_pgn_is_left_out_without_a_log(tmp_path: Path) -> None:
    """Bytes of every kind, a hundred times; what python-chess can make of them differs, and it never crashes."""
    for seed in range(100):
        file = tmp_path / "games.pgn"
        file.write_bytes(bytes(1 + byte % 255 for byte in Random(seed).randbytes(400)))
        with suppress(UserError):
            assert all(isinstance(game, Refused) for game in read_games(file))
    done = arena_chess("pgn", "import", written(tmp_path, ")){{\n\n1. e9 1-0\n"), "--out", tmp_path / "records")
    assert done.returncode == 1
    assert all(line.startswith("left out, game ") for line in done.stderr.splitlines())


def test_names_reach_no_terminal_as_commands(tmp_path: Path) -> None:
    assert only(tmp_path, SCHOLAR.replace('"A"', '"\x1b[31mred"')).players == ("[31mred", "B")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_older_files_are_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "games.pgn"
    file.write_bytes(SCHOLAR.replace('"A"', '"Müller"').replace("\n", "\r\n").encode(encoding))
    (game,) = read_games(file)
    assert isinstance(game, ImportedGame)
    assert game.players == ("Müller", "B")


def test_a_result_against_the_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="it ends with 1-0 on the board, and the file says 0-1"):
        record_of(only(tmp_path, SCHOLAR.replace("1-0", "0-1")))


def test_games_are_imported_by_a_command_and_verified_by_the_arena(tmp_path: Path) -> None:
    file = written(tmp_path, SCHOLAR + SCHOLAR.replace("1-0", "*") + AGREED)
    done = arena_chess("pgn", "import", file, "--out", tmp_path / "records")
    assert done.returncode == 1
    assert done.stdout.startswith("2 records in ")
    assert done.stderr.splitlines() == ["left out, game 2: the result is '*': the game was not finished"]
    records = sorted((tmp_path / "records").iterdir())
    assert [record.name for record in records] == ["00001.jsonl", "00003.jsonl"]
    checked = arena("replay", "verify", *records)
    assert checked.returncode == 0, checked.stdout
    shown = arena("replay", "show", records[0])
    assert "White: Qxf7#" in shown.stdout


def test_a_match_is_exported_with_scores_depths_and_times(tmp_path: Path) -> None:
    played = play(tmp_path, [fake(tmp_path / "one"), fake(tmp_path / "two")], "longest=4")
    done = arena_chess("pgn", "export", *sorted((tmp_path / "records").iterdir()))
    game = chess.pgn.read_game(io.StringIO(done.stdout))
    assert game is not None
    assert not game.errors
    assert (game.headers["White"], game.headers["Black"], game.headers["Result"]) == ("one", "two", "1/2-1/2")
    assert game.headers["EndReason"] == "4 half-moves"
    assert game.headers["TimeControl"] == "60+0.5"
    node = game.next()
    assert node is not None
    assert node.comment.startswith("+0.10/3 ")
    assert node.comment.endswith("s, nodes 42")
    assert len([*game.mainline_moves()]) == len(played.records[0].splitlines()) - 2


def test_a_forfeited_game_ends_where_it_was_forfeited(tmp_path: Path) -> None:
    play(tmp_path, [fake(tmp_path / "bad", "crash-after", "2"), fake(tmp_path / "good")], "longest=30")
    done = arena_chess("pgn", "export", *sorted((tmp_path / "records").iterdir()))
    game = chess.pgn.read_game(io.StringIO(done.stdout))
    assert game is not None
    assert game.headers["Result"] == "0-1"
    assert game.headers["Termination"] == "abandoned"
    assert len([*game.mainline_moves()]) == 4


def test_the_games_of_a_tournament_are_exported_from_its_database(tmp_path: Path) -> None:
    bots = [fake(tmp_path / "one"), fake(tmp_path / "two", "score", "-30")]
    file = tmp_path / "tournament.toml"
    file.write_text(
        f'name = "club"\ngame = "chess"\nbots = {json.dumps([str(each) for each in bots])}\nrounds = 2\nseed = 4\n'
        '[options.chess]\nopening = "book"\nlongest = 12\n'
    )
    db = tmp_path / "arena.db"
    done = arena("tournament", "run", file, "--db", db, "--quiet")
    assert done.returncode == 0, done.stderr
    text = arena_chess("pgn", "export", "--db", db, "--tournament", "club").stdout
    source = io.StringIO(text)
    games = [game for game in iter(lambda: chess.pgn.read_game(source), None) if game is not None]
    assert [game.headers["Round"] for game in games] == ["1.1.1", "1.1.2", "2.1.1", "2.1.2"]
    assert {game.headers["Event"] for game in games} == {"club"}
    assert [game.headers["White"] for game in games].count("one") == 2
    rated = arena_chess("pgn", "rate", written(tmp_path, text))
    assert rated.returncode == 0, rated.stderr
    assert "one" in rated.stdout
    store = open_to_read(db)
    assert len(store.matches.of("club")) == 4
    store.close()
