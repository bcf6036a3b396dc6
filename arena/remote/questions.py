"""T18.1: test settings as a message and back."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from arena.plan.seeding import Seeding
from arena.plan.test_request import TestQuestion
from arena.v1 import arena_pb2 as pb
from ratings.sequential.test import DEFAULT_ELO0, DEFAULT_ELO1, DEFAULT_ERROR, DEFAULT_MAX_BLOCKS
from ratings.sequential.written_number import read_number
from referee.mistakes import UserError
from referee.order import TimeControl

MAX_BLOCKS = 1_000_000


def packed_terms(new: str, old: str, question: TestQuestion, fillers: Sequence[str] | None) -> pb.TestTerms:
    """Return the message that asks for a test."""
    return pb.TestTerms(
        new_bot=new, old_bot=old, fillers=fillers or (), game=question.game or "", seats=question.seats or 0,
        elo0=str(question.elo0), elo1=str(question.elo1), alpha=str(question.alpha), beta=str(question.beta),
        max_blocks=question.max_blocks, copies=question.copies, seed=question.seed,
        options={key: _option(value) for key, value in question.options.items()},
        time_control=question.time_control.to_plain(), fresh_process=question.fresh_process, seeding=question.seeding,
        keep_processes=not question.fresh_process,
    )  # fmt: skip


def _option(value: object) -> pb.OptionValue:
    if isinstance(value, bool):
        return pb.OptionValue(flag=value)
    return pb.OptionValue(number=value) if isinstance(value, int) else pb.OptionValue(text=str(value))


def read_terms(terms: pb.TestTerms) -> TestQuestion:
    """Return the settings in a message; a UserError names the invalid field."""
    return TestQuestion(
        game=terms.game or None,
        seats=_within("seats", terms.seats, 2, 5) if terms.seats else None,
        elo0=_number("elo0", terms.elo0, DEFAULT_ELO0),
        elo1=_number("elo1", terms.elo1, DEFAULT_ELO1),
        alpha=_number("alpha", terms.alpha, DEFAULT_ERROR),
        beta=_number("beta", terms.beta, DEFAULT_ERROR),
        max_blocks=_within("max_blocks", terms.max_blocks or DEFAULT_MAX_BLOCKS, 1, MAX_BLOCKS),
        copies=_within("copies", terms.copies or 1, 1, 2),
        seed=_within("seed", terms.seed, 0, (1 << 63) - 1) if terms.HasField("seed") else None,
        options={key: getattr(value, value.WhichOneof("value") or "text") for key, value in terms.options.items()},
        time_control=TimeControl.from_plain(dict(terms.time_control)),
        fresh_process=_fresh_process(terms),
        seeding=_seeding(terms.seeding),
    )


def _fresh_process(terms: pb.TestTerms) -> bool:
    """T14.12: processes are kept only where a message asks for that; clients of release 0.1.0 cannot."""
    if terms.keep_processes and terms.fresh_process:
        raise UserError("keep_processes: contradicts fresh_process; expected one of them")
    return not terms.keep_processes


def _number(field: str, text: str, default: Decimal) -> Decimal:
    try:
        return read_number(text) if text else default
    except ValueError as error:
        raise UserError(f"{field}: {error}") from None


def _within(field: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise UserError(f"{field}: {value} is not allowed; expected {least} to {most}")
    return value


def _seeding(text: str) -> Seeding:
    if text and text not in tuple(Seeding):
        raise UserError(f"seeding: {text[:40]!r} is not allowed; expected one of: {', '.join(Seeding)}")
    return Seeding(text or Seeding.PER_GAME)
