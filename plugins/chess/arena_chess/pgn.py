"""PGN: matches of the arena as games for chess programs, and games from elsewhere as records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import chess
import chess.pgn
from arena_chess.books import fault_of, said
from arena_chess.game import GAME, in_pawns
from arena_chess.pgn_file import parsed
from arena_chess.values import MAX_LONGEST, Move, printable

from referee.game import IllegalActionError
from referee.mistakes import UserError
from referee.order import Ending, MatchOrder, SeatOrder, TimeControl
from referee.record import Choice, How, Record, Recorder, replay, verify
from referee.wire import wire_for

WINNERS = {"1-0": "white", "0-1": "black", "1/2-1/2": "draw"}
PLACES = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
NO_CLOCK = TimeControl(bank_ms=1, increment_ms=0, cap_ms=1)
"""Of an imported game, whose times are not those of an arena."""

MAX_NAME = 200  # characters

DEPTH = re.compile(r"depth (\d+)(?:, )?")
"""What our engines say first in a comment."""

FORFEITS = {
    Ending.FORFEIT_TIMEOUT: "time forfeit",
    Ending.FORFEIT_CRASH: "abandoned",
    Ending.FORFEIT_DISCONNECT: "abandoned",
    Ending.FORFEIT_ILLEGAL: "rules infraction",
}


# Out.


def game_of(record: Record, event: str = "", round_name: str = "?") -> chess.pgn.Game:
    """Return a verified record of a match as a game, with the engines' scores and times as comments.

    What the house played for a seat after its forfeit is left out: the game ended there.
    """
    if record.game.slug != GAME.slug:
        raise UserError(f"match {record.header['match_id'][:12]}: is of {record.game.slug}, not of chess")
    result = record.result
    steps = [(step, list(events)) for step, _state, events in replay(record)]
    failed = [at for at in result["forfeited_at"] if at is not None]
    last = min(failed) - 1 if failed else len(steps)
    game = chess.pgn.Game()
    start = GAME.new(2, record.header["seed"], record.options).start
    if start != chess.STARTING_FEN:
        game.setup(chess.Board(start))
    node: chess.pgn.GameNode = game
    for step, _events in steps[:last]:
        (choice,) = step.choices
        if isinstance(choice.action, Move):
            node = node.add_variation(chess.Move.from_uci(choice.action.uci))
            node.comment = comment_of(choice)
    control = record.header["time_control"]
    game.headers.update(
        Event=event or "Arena", Site="?", Date="????.??.??", Round=round_name,
        White=name_of(record, 0), Black=name_of(record, 1), Result=result_of(result),
        TimeControl=f"{control['bank_ms'] / 1000:g}+{control['increment_ms'] / 1000:g}",
        Termination=FORFEITS.get(result["ending"], "normal"), EndReason=result["reason"],
        MatchId=record.header["match_id"],
    )  # fmt: skip
    return game


def result_of(result: object) -> str:
    """Return a result as PGN writes it: `*` for a void match."""
    assert isinstance(result, dict), "the result of a record is a table"
    ranks = tuple(result["ranks"])
    return next((word for word, places in PLACES.items() if places == ranks), "*")


def name_of(record: Record, seat: int) -> str:
    """Return the name of the bot in a seat, with its version where both have the same name."""
    labels = record.header["bots"]
    names = [label.partition("@")[0] for label in labels]
    return str(names[seat] if names[0] != names[1] else labels[seat])


def comment_of(choice: Choice) -> str:
    """Return a move's score, depth and time as cutechess writes them, `+0.47/12 0.035s`, and what else was said."""
    words, said = [], re.sub(r"[{}]", "", choice.comment)
    if isinstance(choice.action, Move) and choice.action.score is not None:
        depth = DEPTH.match(said)
        words.append(in_pawns(choice.action.score) + (f"/{depth[1]}" if depth else ""))
        said = said[depth.end() :] if depth else said
    if choice.how != How.FORCED:
        words.append(f"{choice.times_us[0] / 1e6:.3f}s")
    if choice.how not in (How.ANSWERED, How.FORCED):
        words.append(str(choice.how))
    return " ".join(words) + (f", {said}" if said else "")


# In.


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A game of a PGN file."""

    number: int
    players: tuple[str, str]
    result: str
    start: str
    moves: tuple[str, ...]
    round: str

    @property
    def places(self) -> tuple[int, int]:
        """Return the places of White and Black."""
        return PLACES[self.result]


@dataclass(frozen=True, slots=True)
class Refused:
    """A game that is left out, and why."""

    number: int
    reason: str


def read_games(file: Path) -> Iterator[ImportedGame | Refused]:
    """Yield the games of a PGN file: finished games of standard chess whose moves are legal, and why others are not."""
    number = 0
    for number, game in enumerate(parsed(file), 1):
        yield _checked(number, game)
    if not number:
        raise UserError(f"{file}: there is no game in it")


def _checked(number: int, game: chess.pgn.Game) -> ImportedGame | Refused:
    headers = game.headers
    result = headers.get("Result", "*")
    if game.errors:
        return Refused(number, said(game.errors[0]))
    if result not in PLACES:
        return Refused(number, f"the result is {result!r}: the game was not finished")
    if headers.get("Variant", "Standard").lower() not in ("standard", "chess", "from position"):
        return Refused(number, f"the variant is {headers['Variant']!r}")
    board = game.board()
    start = board.fen(en_passant="fen")
    if start != chess.STARTING_FEN and (fault := fault_of(board)):
        return Refused(number, fault)
    moves = tuple(move.uci() for move in game.mainline_moves())
    if not 1 <= len(moves) <= MAX_LONGEST:
        return Refused(number, f"it has {len(moves)} half-moves; expected 1 to {MAX_LONGEST:,}")
    players = (printable(headers.get("White", "?")), printable(headers.get("Black", "?")))
    if longest := [name for name in players if len(name) > MAX_NAME]:
        return Refused(number, f"a player's name has {len(longest[0]):,} characters; expected {MAX_NAME} at most")
    return ImportedGame(number, players, result, start, moves, headers.get("Round", "?"))


def record_of(game: ImportedGame) -> str:
    """Return a record of an imported game that `arena replay verify` accepts; a UserError if no rules lead there.

    Where the game did not end on the board, C7 ends it after its last move with the result of the file. Draws count as
    claimed, since programs differ in which they declare.
    """
    length = len(game.moves)
    plain: dict[str, object] = {
        "opening": "start" if game.start == chess.STARTING_FEN else f"fen:{game.start}",
        "draws": "claimed",
        "longest": length,
        "unfinished": WINNERS[game.result],
    }
    options = GAME.options(plain)
    about = (*game.players, game.result, game.start, *game.moves, str(game.number))
    match_id = sha256("\n".join(about).encode()).hexdigest()
    seats = tuple(SeatOrder(player, "") for player in game.players)
    order = MatchOrder(match_id=match_id, game=GAME.slug, seats=seats, seed=0, options=plain, time_control=NO_CLOCK)
    state = GAME.new(2, 0, options)
    recorder = Recorder(order, GAME, options, GAME.digest(state), wire_for(GAME).action_json)
    for uci in game.moves:
        if state.end is not None:
            raise UserError(f"game {game.number}: goes on after its end: {state.end.reason}")
        seat = 0 if state.board.turn else 1
        action = Move(uci)
        try:
            GAME.apply(state, {seat: action})
        except IllegalActionError as error:
            raise UserError(f"game {game.number}: {error}") from None
        recorder.add([Choice(seat, action, How.ANSWERED)], GAME.digest(state))
    outcome = GAME.outcome(state)
    assert outcome is not None, "the longest match has the length of the game"
    if outcome.ranks != game.places:
        played = next(word for word, places in PLACES.items() if places == outcome.ranks)
        raise UserError(f"game {game.number}: it ends with {played} on the board, and the file says {game.result}")
    completed = [str(Ending.COMPLETED)] * 2
    text = recorder.finish(
        {
            "ending": str(Ending.COMPLETED), "reason": outcome.reason, "ranks": list(outcome.ranks),
            "scores": list(outcome.scores), "seat_endings": completed, "forfeited_at": [None, None],
        }
    )  # fmt: skip
    verify(text)
    return text
