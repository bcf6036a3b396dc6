"""The messages say what the arena's own values say, field by field."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from arena.plan.forecasting import Forecast
from arena.plan.schedules.schedule import OrderWords
from arena.remote.messages import ON_THE_WIRE, pack, read_state, state_of, unpack
from arena.reports.bot import BotReport, BotSummary, Forfeit, HeadToHead, RatingReport, RatingStep, VersionReport
from arena.reports.compare import CompareReport, PairComparison, TableComparison
from arena.reports.leaderboard import Line, OverallLine, PoolBoard, RatingPool
from arena.reports.match import MatchFacts, SeatFacts
from arena.reports.standings import StandingLine
from arena.reports.test_report import TestLine, TestReport
from arena.reports.tournament import TournamentSummary
from arena.server.submissions import Accepted
from arena.store.rows import BotMatch, PoolExtent, TournamentState
from arena.v1 import arena_pb2 as pb

PAIRS: list[tuple[type, Any]] = [
    (BotSummary, pb.BotSummary),
    (BotReport, pb.BotReport),
    (VersionReport, pb.VersionReport),
    (RatingReport, pb.RatingReport),
    (RatingStep, pb.RatingStep),
    (HeadToHead, pb.HeadToHead),
    (BotMatch, pb.BotMatch),
    (Forfeit, pb.Forfeit),
    (PoolBoard, pb.PoolBoard),
    (RatingPool, pb.Pool),
    (PoolExtent, pb.PoolExtent),
    (Line, pb.LeaderboardLine),
    (OverallLine, pb.OverallLine),
    (Accepted, pb.AcceptedVersion),
    (MatchFacts, pb.MatchFacts),
    (StandingLine, pb.StandingLine),
    (TournamentSummary, pb.TournamentSummary),
    (SeatFacts, pb.SeatFacts),
    (CompareReport, pb.CompareReport),
    (PairComparison, pb.PairComparison),
    (TableComparison, pb.TableComparison),
    (TestReport, pb.TestReport),
    (TestLine, pb.TestLine),
    (Forecast, pb.Forecast),
    (OrderWords, pb.OrderWords),
]
KEPT_BACK = {"path"}  # where the server keeps its files is nobody's business


@pytest.mark.parametrize(("kind", "message"), PAIRS, ids=lambda each: each.__name__)
def test_both_sides_have_the_same_fields(kind: type, message: Any) -> None:
    ours = [
        ON_THE_WIRE.get(field.name, field.name) for field in dataclasses.fields(kind) if field.name not in KEPT_BACK
    ]
    # A deprecated field stays in the contract, and nobody fills it.
    assert ours == [field.name for field in message.DESCRIPTOR.fields if not field.GetOptions().deprecated]


def example(hint: Any, number: int) -> Any:
    """A value of a type, different from its default and from its neighbours."""
    if get_origin(hint) is tuple:
        return (example(get_args(hint)[0], number), example(get_args(hint)[0], number + 1))
    if get_origin(hint) is dict:
        return {f"key {number}": float(number)}
    if type(None) in get_args(hint):
        return example(get_args(hint)[0], number)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return filled(hint, number)
    if hint is bool:
        return True
    if hint is TournamentState:
        return TournamentState.STOPPED
    return {int: number, float: number + 0.5, str: f"text {number}"}[hint]


def filled(kind: Any, start: int = 1) -> Any:
    hints = get_type_hints(kind)
    values = {field.name: example(hints[field.name], start + n) for n, field in enumerate(dataclasses.fields(kind))}
    return kind(**{name: "" if name in KEPT_BACK else value for name, value in values.items()})


def emptied(kind: Any) -> Any:
    """The same with nothing where nothing is an answer."""
    hints = get_type_hints(kind)
    return dataclasses.replace(
        filled(kind), **{name: None for name, hint in hints.items() if type(None) in get_args(hint)}
    )


@pytest.mark.parametrize(("kind", "message"), PAIRS, ids=lambda each: each.__name__)
def test_values_come_back_as_they_went(kind: type, message: Any) -> None:
    for value in (filled(kind), emptied(kind)):
        packed = pack(value, message())
        assert unpack(message.FromString(packed.SerializeToString()), kind) == value


def test_every_state_travels() -> None:
    assert [read_state(state_of(state)) for state in TournamentState] == list(TournamentState)
    assert len(pb.TournamentState.values()) == len(TournamentState) + 1
