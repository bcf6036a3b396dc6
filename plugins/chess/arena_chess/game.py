"""Chess as the arena plays it: the game contract on the rules beside it. Seat 0 has the white pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import chess
from arena_chess import rules
from arena_chess.books import fault_of, starts
from arena_chess.rules import State
from arena_chess.values import MATE_WITHIN, MAX_SCORE, Action, ClaimDraw, DrawClaimed, Event, Move, Moved, Options, View

from referee.drawing import Drawing
from referee.game import Decision, Game, Outcome, Seat, Types, check_choices, check_seats, no_such_seat
from referee.heuristic import Heuristic, Scale
from referee.rng import Rng
from referee.setting import SettingError, parse_options

NAMES = ("White", "Black")
HALF_POINTS = {None: (1, 1), rules.WHITE: (2, 0), rules.BLACK: (0, 2)}
DECISIONS = tuple((Decision(seat, "MOVE", "C3"),) for seat in (rules.WHITE, rules.BLACK))


class Chess(Game[State, Action, View, Event, Options]):
    """Chess by the FIDE Laws, as far as a program plays it."""

    slug = "chess"
    title = "Chess"
    rules_version = 1
    table_sizes = range(2, 3)
    preferred_seats = 2
    has_secrets = False
    chance_comes_first = True
    compares_scores = True
    max_options = 440  # 218 moves, and at most as many claims
    summary = (
        "Chess by the FIDE Laws; seat 0 has the white pieces. A move is written as UCI writes it: e2e4, e1g1 to castle,"
        " e7e8q to promote. A win is worth 2 half-points, a draw 1."
    )
    scale = Scale(lead=2.0, drift=0.02, horizon=12, sights=(40, 24, 12))
    types = Types(options=Options, action=Action, view=View, event=Event)

    def options(self, mapping: Mapping[str, object]) -> Options:
        """C2: return checked options; a SettingError names the key."""
        options = parse_options(Options, mapping)
        check_opening(options.opening)
        return options

    def new(self, seats: int, seed: int, options: Options) -> State:
        """C1, C2: set up the pieces, with the white ones at seat 0."""
        check_seats(self, seats)
        return rules.first_state(seed, options)

    def pending(self, state: State) -> tuple[Decision, ...]:
        """C3: White and Black move in turn."""
        return () if state.end is not None else DECISIONS[rules.mover(state)]

    def legal_actions(self, state: State, seat: Seat) -> Sequence[Action]:
        """C3, C5: every legal move in alphabetical order, then every right claim."""
        rules.require_asked(state, seat)
        return rules.actions(state)

    def default_action(self, state: State, seat: Seat) -> Action:
        """C9: the first legal move."""
        rules.require_asked(state, seat)
        return rules.move_action(state.legal[0])

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """C3: refuse what is not legal."""
        rules.check(state, seat, action)

    def apply(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        """C3: check the move and make it."""
        check_choices(self, state, choices)
        return self.apply_checked(state, choices)

    def apply_checked(self, state: State, choices: Mapping[Seat, Action]) -> list[Event]:
        """C3: make the move."""
        ((seat, action),) = choices.items()
        return [rules.carry_out(state, seat, action)]

    def observe(self, state: State, seat: Seat | None) -> View:
        """Return the whole game: nothing is hidden."""
        if seat not in (None, rules.WHITE, rules.BLACK):
            raise no_such_seat(seat, 2)
        return rules.view_of(state)

    def witness(self, event: Event, seat: Seat | None) -> Event:
        """Return the event as it is."""
        return event

    def describe(self, item: Action | Event) -> str:
        """Return a move as a score sheet has it."""
        match item:
            case Move(uci, score):
                return uci if score is None else f"{uci}, score {in_pawns(score)}"
            case ClaimDraw(uci):
                return f"claim a draw with {uci}" if uci else "claim a draw"
            case Moved(seat, _, san, score):
                return f"{NAMES[seat]}: {san}" + ("" if score is None else f" ({in_pawns(score)})")
            case DrawClaimed(seat, uci):
                return f"{NAMES[seat]} claims a draw" + (f" with {uci}" if uci else "")

    def outcome(self, state: State) -> Outcome | None:
        """C4: a win is worth two half-points, a draw one each."""
        if state.end is None:
            return None
        scores = HALF_POINTS[state.end.winner]
        ranks = tuple(1 + (other > own) for own, other in (scores, scores[::-1]))
        return Outcome(ranks, scores, state.end.reason)

    def score_text(self, score: int) -> str:
        """Return half-points as chess players write them."""
        return ("0", "½", "1")[score] if score in range(3) else str(score)

    def mean_score_text(self, mean: float) -> str:
        """Return half-points in points."""
        return f"{mean / 2:.2f}"

    def clone(self, state: State) -> State:
        """Return an independent copy."""
        return rules.copy_of(state)

    def digest(self, state: State) -> str:
        """Return a fingerprint of the game so far."""
        return rules.digest_of(state)

    def imagine(self, view: View, seat: Seat, rng: Rng) -> State:
        """Return the state that the view shows."""
        return rules.state_of(view)

    def redraw(self, state: State, rng: Rng) -> State:
        """Return a copy: after the opening there is no chance."""
        return rules.copy_of(state)

    def heuristic(self) -> Heuristic:
        """Return material and mobility."""
        from arena_chess.heuristic import HEURISTIC

        return HEURISTIC

    def board(self, view: View, seats: Mapping[Seat, View]) -> Drawing:
        """Draw the board."""
        from arena_chess.board import draw

        return draw(view)

    def text_board(self, view: View) -> str:
        """Return the board in characters, with its FEN and the score sheet."""
        from arena_chess.text_board import draw

        return draw(view)


def check_opening(opening: str) -> None:
    """C2: refuse an opening that no match can begin with."""
    kind, _, which = opening.partition(":")
    if opening == "start":
        return
    if kind == "book" and (which or ":" not in opening):
        try:
            starts(which)
        except ValueError as error:
            raise SettingError(f"opening: {error}") from None
        return
    if kind == "fen":
        try:
            board = chess.Board(which)
        except ValueError as error:
            raise SettingError(f"opening: {which!r} is not FEN: {error}") from None
        if fault := fault_of(board):
            raise SettingError(f"opening: {fault}")
        if board.fen(en_passant="fen") != which:
            raise SettingError(f"opening: {which!r} is not written as {board.fen(en_passant='fen')!r}")
        return
    raise SettingError(f"opening: {opening!r} is not allowed; expected start, book, book:SHA256 or fen:FEN")


def in_pawns(score: int) -> str:
    """Return a score in centipawns as engines show it: in pawns, or the moves to mate."""
    to_mate = MAX_SCORE - abs(score)
    if to_mate < MATE_WITHIN:
        return f"{'-' if score < 0 else '+'}M{to_mate}"
    return f"{score / 100:+.2f}"


GAME = Chess()
