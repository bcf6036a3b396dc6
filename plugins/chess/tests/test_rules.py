"""The rules, clause by clause."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import chess
import pytest
from arena_chess.books import SHIPPED, starts
from arena_chess.game import GAME
from arena_chess.rules import State, legal_moves
from arena_chess.values import ClaimDraw, Move

from referee.game import IllegalActionError

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


def fresh(seed: int = 1, **options: object) -> State:
    return GAME.new(2, seed, GAME.options(options))


def play(state: State, moves: Iterable[str | Move]) -> State:
    for move in moves:
        (decision,) = GAME.pending(state)
        GAME.apply(state, {decision.seat: Move(move) if isinstance(move, str) else move})
    return state


def reason(state: State) -> str:
    outcome = GAME.outcome(state)
    return "" if outcome is None else outcome.reason


def at(fen: str, **options: object) -> State:
    return GAME.new(2, 1, GAME.options({"opening": f"fen:{fen}", **options}))


def test_C1_2_a_win_is_worth_two_half_points() -> None:
    state = play(fresh(), ("f2f3", "e7e5", "g2g4", "d8h4"))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.scores, outcome.reason) == ((2, 1), (0, 2), "checkmate")
    assert [GAME.score_text(score) for score in (0, 1, 2)] == ["0", "½", "1"]


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("fen:nonsense", "is not FEN"),
        ("fen:8/8/8/8/8/8/8/8 w - - 0 1", "is not a legal position"),
        ("fen:7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is already over"),
        ("fen:rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "is not written as"),
        ("book:", "expected start, book, book:SHA256 or fen:FEN"),
        ("book:12", "expected the SHA-256 of a book"),
        ("end", "expected start"),
    ],
)
def test_C2_1_an_opening_that_no_match_can_begin_with_is_refused(opening: str, expected: str) -> None:
    with pytest.raises(ValueError, match=r"^opening: ") as error:
        GAME.options({"opening": opening})
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_C2_2_the_seed_draws_one_of_the_lines_and_nothing_else_is_chance() -> None:
    drawn = {fresh(seed, opening="book").start for seed in range(1500)}
    assert drawn == set(starts(""))
    assert GAME.digest(fresh(1)) == GAME.digest(fresh(2))
    assert fresh(7, opening="book").start == fresh(7, opening="book").start


def test_C2_2_the_shipped_book_is_that_of_this_version_of_the_rules() -> None:
    """Another book would lead old seeds elsewhere: it needs a higher `rules_version`."""
    assert sha256(SHIPPED.read_bytes()).hexdigest() == BOOK_OF_VERSION_1
    assert GAME.rules_version == 1
    assert len(starts("")) >= 100


BOOK_OF_VERSION_1 = "a9fb683302b8e21267869c32813990047530e6d1e33f380b32e29a9b8e44f629"


@pytest.mark.parametrize(
    ("fen", "depth", "count"),
    [
        (chess.STARTING_FEN, 3, 8_902),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2_039),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2_812),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, 264),
    ],
    ids=["start", "kiwipete", "endgame", "promotions"],
)
def test_C3_as_many_positions_are_reached_as_is_known(fen: str, depth: int, count: int) -> None:
    """The perft counts that every engine is tested with, through the game's own states."""

    def reached(state: State, left: int) -> int:
        if left == 0:
            return 1
        total = 0
        for uci in state.legal:
            following = GAME.clone(state)
            GAME.apply_checked(following, {0 if state.board.turn else 1: Move(uci)})
            total += reached(following, left - 1)
        return total

    assert reached(at(fen, draws="claimed"), depth) == count


def test_C3_2_moves_are_listed_in_alphabetical_order() -> None:
    listed = [action.uci for action in GAME.legal_actions(fresh(), 0)]
    assert listed == sorted(listed)
    assert listed[:3] == ["a2a3", "a2a4", "b1a3"]


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "a1b3", "Nab3"),
        ("4k3/8/8/N7/8/8/8/N3K3 w - - 0 1", "a1b3", "N1b3"),
        ("6k1/8/8/8/Q6Q/8/8/2K4Q w - - 0 1", "h4e4", "Qh4e4"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_C3_1_a_move_is_told_as_a_score_sheet_has_it(fen: str, uci: str, san: str) -> None:
    (event,) = GAME.apply(at(fen), {0: Move(uci)})
    assert GAME.describe(event) == f"White: {san}"


@pytest.mark.parametrize(
    "action", [Move("e2e5"), Move(""), Move("0000"), Move("e7e8q"), ClaimDraw(""), ClaimDraw("e2e4")]
)
def test_C3_1_what_is_not_legal_is_refused(action: Any) -> None:
    state = fresh()
    before = GAME.digest(state)
    with pytest.raises(IllegalActionError) as error:
        GAME.check(state, 0, action)
    assert error.value.clause in ("C3", "C5")
    assert GAME.digest(state) == before


def test_C4_1_stalemate_is_a_draw() -> None:
    assert reason(play(at("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), ("g6f7",))) == "stalemate"


@pytest.mark.parametrize(
    ("fen", "uci", "ended"),
    [
        ("8/8/8/4k3/8/3p4/4K3/8 w - - 0 1", "e2d3", "insufficient material"),
        ("8/8/8/4k3/8/3p4/4K3/6N1 w - - 0 1", "e2d3", "insufficient material"),
        ("8/8/8/4k3/8/3p4/4K3/6R1 w - - 0 1", "e2d3", ""),
    ],
)
def test_C4_2_too_little_material_is_a_draw(fen: str, uci: str, ended: str) -> None:
    assert reason(play(at(fen), (uci,))) == ended


def test_C5_3_the_third_repetition_ends_the_match() -> None:
    state = play(fresh(), SHUFFLE * 2)
    assert reason(state) == "threefold repetition"
    assert GAME.outcome(state).ranks == (1, 1)  # type: ignore[union-attr]  # it is over


def test_C5_1_positions_that_differ_in_castling_are_not_the_same() -> None:
    """The kings move and come back: the pieces stand so for the third time, but at first they could castle."""
    kings = ("e1e2", "e8e7", "e2e1", "e7e8")
    state = play(at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), kings * 2)
    assert reason(state) == ""
    assert reason(play(state, kings[:2])) == "threefold repetition"


def test_C5_1_positions_that_differ_in_en_passant_are_not_the_same() -> None:
    state = play(at("rnbqkbnr/ppp1pppp/8/8/3p4/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1"), ("e2e4",))
    play(state, ("g8f6", "f3g1", "f6g8", "g1f3") * 2)
    assert reason(state) == ""
    assert reason(play(state, ("g8f6",))) == "threefold repetition"


def test_C5_2_a_draw_is_claimed_by_the_position_or_by_an_announced_move() -> None:
    state = play(fresh(draws="claimed"), (SHUFFLE * 2)[:-1])
    assert [each for each in GAME.legal_actions(state, 1) if isinstance(each, ClaimDraw)] == [ClaimDraw("f6g8")]
    with pytest.raises(IllegalActionError, match=r"C5\.2"):
        GAME.check(state, 1, ClaimDraw(""))
    announced = GAME.clone(state)
    (event,) = GAME.apply(announced, {1: ClaimDraw("f6g8")})
    assert GAME.describe(event) == "Black claims a draw with f6g8"
    assert reason(announced) == "threefold repetition, claimed"
    assert reason(play(state, ("f6g8",))) == ""
    GAME.apply(state, {0: ClaimDraw("")})
    assert reason(state) == "threefold repetition, claimed"
    assert GAME.pending(state) == ()


def test_C5_2_the_fifth_repetition_needs_no_claim() -> None:
    state = play(fresh(draws="claimed"), SHUFFLE * 3)
    assert reason(state) == ""
    assert reason(play(state, SHUFFLE)) == "fivefold repetition"


@pytest.mark.parametrize(
    ("draws", "clock", "ended"),
    [("automatic", 98, ""), ("automatic", 99, "50-move rule"), ("claimed", 99, ""), ("claimed", 149, "75-move rule")],
)
def test_C5_moves_without_progress_end_the_match(draws: str, clock: int, ended: str) -> None:
    state = play(at(f"4k3/8/8/8/8/8/8/R3K3 w - - {clock} 90", draws=draws), ("a1a2",))
    assert reason(state) == ended
    if draws == "claimed" and not ended:
        assert ClaimDraw("") in GAME.legal_actions(state, 1)


def test_C5_4_mate_comes_before_the_50_move_rule() -> None:
    assert reason(play(at("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90"), ("a1a8",))) == "checkmate"


@pytest.mark.parametrize(("unfinished", "ranks"), [("draw", (1, 1)), ("white", (1, 2)), ("black", (2, 1))])
def test_C7_1_the_longest_match_ends_as_the_options_say(unfinished: str, ranks: tuple[int, int]) -> None:
    state = play(fresh(longest=2, unfinished=unfinished), ("e2e4", "e7e5"))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.reason) == (ranks, "2 half-moves")


def scored(*scores: int | None) -> list[Move]:
    """Return quiet moves with these scores, each from its mover's point of view."""
    there = ["b1c3", "b8c6", "g1f3", "g8f6", "a1b1", "a8b8", "h1g1", "h8g8"]
    return [Move(uci, score) for uci, score in zip(there, scores, strict=False)]


def test_C8_3_a_side_wins_once_both_scores_agree_for_long_enough() -> None:
    state = play(fresh(resign_moves=2, resign_score=500), scored(500, -500, 900))
    assert reason(state) == ""
    assert reason(play(state, [Move("g8f6", -600)])) == "adjudicated by agreed scores"
    assert GAME.outcome(state).ranks == (1, 2)  # type: ignore[union-attr]  # it is over
    black = play(fresh(resign_moves=1, resign_score=500), scored(-500, 500))
    assert GAME.outcome(black).ranks == (2, 1)  # type: ignore[union-attr]  # likewise


@pytest.mark.parametrize(
    "scores",
    [
        (500, -499, 500, -499),
        (500, 500, 500, 500),
        (500, -500, None, -500),
        (500, None, 500, None),
        (500, -500, 0, -500),
    ],
    ids=["one is not sure", "both see themselves winning", "one is silent", "one never says", "one changes its mind"],
)
def test_C8_4_nobody_loses_by_the_others_score(scores: tuple[int | None, ...]) -> None:
    assert reason(play(fresh(resign_moves=2, resign_score=500), scored(*scores))) == ""


def test_C8_3_a_draw_is_agreed_from_the_given_move_on() -> None:
    early = play(fresh(draw_moves=1, draw_score=10, draw_from=3), scored(10, -10))
    assert reason(early) == ""
    assert reason(play(early, scored(10, -10, 0, 0)[2:])) == "draw agreed by scores"


def test_C8_2_a_forced_move_without_a_score_neither_counts_nor_interrupts() -> None:
    """The king in the corner has one move; nobody asked its engine."""
    state = at("k7/8/1K6/8/8/8/8/1R6 b - - 0 1", resign_moves=1, resign_score=100)
    assert GAME.legal_actions(state, 1) == [Move("a8b8")]
    play(state, [Move("a8b8", -900), Move("b1c1", 900)])
    assert reason(state) == "adjudicated by agreed scores"
    state = at("k7/8/1K6/8/8/8/8/1R6 b - - 0 1", resign_moves=1, resign_score=100)
    play(state, [Move("a8b8"), Move("b1c1", 900)])
    assert reason(state) == ""
    assert state.runs == [1, 0, 0]


@pytest.mark.parametrize("score", [100_001, -100_001, 1 << 40])
def test_C8_1_a_score_out_of_range_is_refused(score: int) -> None:
    with pytest.raises(IllegalActionError, match=r"C8\.1: score"):
        GAME.check(fresh(), 0, Move("e2e4", score))


def test_C1_2_a_mean_of_half_points_is_told_in_points() -> None:
    assert [GAME.mean_score_text(mean) for mean in (0.25, 1, 1.75)] == ["0.12", "0.50", "0.88"]


def test_C8_1_a_score_that_is_no_whole_number_is_no_action() -> None:
    with pytest.raises(IllegalActionError, match=r"C3: .* is not an action of this game"):
        GAME.check(fresh(), 0, Move("e2e4", True))


def test_C8_1_scores_are_told_in_pawns_and_moves_to_mate() -> None:
    told = [GAME.describe(Move("e2e4", score)) for score in (35, -120, 99_997, -99_990)]
    assert told == ["e2e4, score +0.35", "e2e4, score -1.20", "e2e4, score +M3", "e2e4, score -M10"]


def test_C9_1_the_first_legal_move_is_made_for_a_silent_seat() -> None:
    assert GAME.default_action(fresh(), 0) == Move("a2a3")


def test_a_digest_covers_everything_that_decides_the_rest() -> None:
    digests = [
        GAME.digest(fresh(**options))
        for options in ({}, {"draws": "claimed"}, {"longest": 9}, {"resign_moves": 1}, {"draw_from": 9})
    ]
    assert len(set(digests)) == len(digests)
    assert GAME.digest(play(fresh(resign_moves=9), scored(900))) != GAME.digest(play(fresh(resign_moves=9), scored(0)))


def test_the_legal_moves_are_python_chess_s() -> None:
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    assert set(legal_moves(board)) == {move.uci() for move in board.legal_moves}
