"""Games from elsewhere in the arena's own terms."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import count
from pathlib import Path

import chess
import pytest
from arena_chess.pgn import ImportedGame
from arena_chess.standings import block_of, fitted, five_counts, judged, pairs_of, results_of

from plugins.chess.tests.matches import arena_chess
from ratings.sequential.test import Verdict
from referee.mistakes import UserError
from referee.rng import Rng

numbers = count(1)
OTHER = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


def game(white: str, black: str, result: str, start: str = chess.STARTING_FEN, round_name: str = "?") -> ImportedGame:
    return ImportedGame(next(numbers), (white, black), result, start, ("e2e4",), round_name)


def test_games_with_one_opening_and_reversed_colours_are_pairs() -> None:
    games = [
        game("A", "B", "1-0"), game("A", "B", "0-1", OTHER), game("B", "A", "1/2-1/2", OTHER), game("C", "A", "1-0"),
        game("A", "B", "1-0"), game("B", "A", "0-1"), game("B", "A", "0-1"), game("B", "A", "0-1"),
    ]  # fmt: skip
    pairs, single = pairs_of(games)
    assert [(games.index(one), games.index(other)) for one, other in pairs] == [(1, 2), (0, 5), (4, 6)]
    assert [games.index(each) for each in single] == [3, 7]


def test_games_of_different_rounds_are_no_pair() -> None:
    games = [
        game("A", "B", "1-0", round_name="1.1"), game("B", "A", "1-0", round_name="2.1"),
        game("B", "A", "1-0", round_name="1.2"),
    ]  # fmt: skip
    pairs, single = pairs_of(games)
    assert pairs == [(games[0], games[2])]
    assert single == [games[1]]


def test_a_pair_is_a_block_of_two_rotations() -> None:
    block = block_of((game("A", "B", "1-0"), game("B", "A", "1/2-1/2")))
    assert block.is_complete
    assert block.pairs("A", "B") == (1, 1, 0)
    assert block.difference("A", "B") > 0 > block.difference("B", "A")


def drawn_pairs(rng: Rng, strength: int, pairs: int) -> list[ImportedGame]:
    """Return pairs in which A scores this percentage, a third of the games drawn."""
    games = []
    for number in range(pairs):
        for white, black in (("A", "B"), ("B", "A")):
            at = rng.index(300)
            a_points = 1 if at < 100 else 2 if at < 100 + 2 * strength else 0
            points = a_points if white == "A" else 2 - a_points
            games.append(game(white, black, ("0-1", "1/2-1/2", "1-0")[points], round_name=str(number)))
    return games


def test_the_sequential_test_judges_pairs_as_the_arena_does() -> None:
    pairs, _single = pairs_of(drawn_pairs(Rng(3), 70, 400))
    found, counted, fives = judged(
        pairs, "A", "B", elo0=Decimal(0), elo1=Decimal(20), alpha=Decimal("0.05"), beta=Decimal("0.05")
    )
    assert found.verdict == Verdict.BETTER
    assert sum(fives.values()) == found.blocks < 400
    assert sum(counted) == 2 * found.blocks
    assert 2 * counted.wins + counted.draws == sum(points * number for points, number in fives.items())
    backwards, _counted, reverse = judged(
        pairs, "B", "A", elo0=Decimal(0), elo1=Decimal(20), alpha=Decimal("0.05"), beta=Decimal("0.05")
    )
    assert backwards.verdict == Verdict.NOT_BETTER
    assert five_counts(Counter({0: 1, 3: 2})) == (1, 0, 0, 2, 0)
    assert five_counts(reverse)[:3] != (0, 0, 0)


def test_players_that_never_met_are_refused() -> None:
    with pytest.raises(UserError, match="no pair of games between A and Z"):
        judged([], "A", "Z", elo0=Decimal(0), elo1=Decimal(20), alpha=Decimal("0.05"), beta=Decimal("0.05"))


def test_the_fit_reads_pairs_as_blocks() -> None:
    pairs, single = pairs_of([*drawn_pairs(Rng(5), 65, 60), game("C", "A", "1-0"), game("C", "B", "1/2-1/2")])
    results = results_of(pairs, single)
    assert len(results) == 122
    assert len({result.block for result in results}) == 61
    found = fitted(pairs, single)
    assert found.rating("A") > found.rating("B")


def test_a_test_of_a_pgn_file_ends_with_the_exit_code_of_arena_test(tmp_path: Path) -> None:
    text = "".join(
        f'[Round "{each.round}"]\n[White "{each.players[0]}"]\n[Black "{each.players[1]}"]\n'
        f'[Result "{each.result}"]\n\n1. e4 {each.result}\n\n'
        for each in drawn_pairs(Rng(3), 80, 60)
    )
    file = tmp_path / "games.pgn"
    file.write_text(text)
    done = arena_chess("pgn", "test", file, "--new", "A", "--against", "B")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "A against B: W-D-L " in done.stdout
    assert ": better\n" in done.stdout
    assert "pairs by points 0, ½, 1, 1½, 2: " in done.stdout
    assert arena_chess("pgn", "test", file, "--new", "B", "--against", "A").returncode == 1
    refused = arena_chess("pgn", "test", file, "--new", "A", "--against", "B", "--alpha", "2")
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
