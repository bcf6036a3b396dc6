"""What a chess match is made of: options, actions, events and the view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from referee.game import AtMost, Within
from referee.setting import option

MAX_SCORE = 100_000
"""C8.1: the largest score in centipawns; a mate in n moves is this many less n."""

MATE_WITHIN = 1_000
"""C8.1: scores that are less than this below the largest are mates."""

MAX_LONGEST = 2_000

MAX_SAID = 300
"""The largest number of characters that are told of what python-chess says."""


def printable(text: str) -> str:
    """Return a text from elsewhere without what steers a terminal."""
    return "".join(letter for letter in text if letter.isprintable())


@dataclass(frozen=True, slots=True)
class Options:
    """Where a match begins, and how it can end other than on the board."""

    opening: str = option(
        "start",
        "start; book: a line of the shipped book, drawn by the seed; book:SHA256: a line of your own book;"
        " fen:FEN: that position (C2)",
    )
    draws: str = option(
        "automatic",
        "automatic: the third repetition and the 50-move rule end the match; claimed: a seat has to claim (C5)",
        choices=("automatic", "claimed"),
    )
    longest: int = option(400, "half-moves after which the match ends (C7)", min=1, max=MAX_LONGEST)
    unfinished: str = option("draw", "its result then: draw, white or black (C7)", choices=("draw", "white", "black"))
    resign_moves: int = option(0, "moves of each side whose scores agree on the winner; 0: off (C8)", min=0, max=100)
    resign_score: int = option(600, "centipawns that such scores reach at least (C8)", min=1, max=MAX_SCORE)
    draw_moves: int = option(0, "moves of each side whose scores agree on a draw; 0: off (C8)", min=0, max=100)
    draw_score: int = option(10, "centipawns that such scores stay within (C8)", min=0, max=MAX_SCORE)
    draw_from: int = option(34, "the first move at which such a draw is possible (C8)", min=1, max=MAX_LONGEST)


@dataclass(frozen=True, slots=True)
class Move:
    """C3: make a move, written as UCI does; C8: `score` is the mover's own view of the position, in centipawns."""

    uci: str
    score: Annotated[int | None, Within(-MAX_SCORE, MAX_SCORE)] = None


@dataclass(frozen=True, slots=True)
class ClaimDraw:
    """C5: claim a draw by the position on the board or, with a move, by that which the move would bring about."""

    uci: str


Action: TypeAlias = Move | ClaimDraw


@dataclass(frozen=True, slots=True)
class Moved:
    """C3: a move was made."""

    seat: int
    uci: str
    san: str
    score: int | None


@dataclass(frozen=True, slots=True)
class DrawClaimed:
    """C5: a draw was claimed; `uci` is the move that was announced with it, if any."""

    seat: int
    uci: str


Event: TypeAlias = Moved | DrawClaimed


@dataclass(frozen=True, slots=True)
class View:
    """The whole game, which both seats see: where it began, every move since, and how far the scores agree."""

    options: Options
    start: str
    moves: Annotated[tuple[str, ...], AtMost(MAX_LONGEST)]
    fen: str
    white_wins: Annotated[int, Within(0, MAX_LONGEST)]  # C8: half-moves in a row whose scores see White winning
    black_wins: Annotated[int, Within(0, MAX_LONGEST)]
    drawn: Annotated[int, Within(0, MAX_LONGEST)]
    result: str  # as PGN writes it
    reason: str
