"""Games won, drawn and lost, where every table has two seats, and pairs of games by their points."""

from __future__ import annotations

from arena.plan.schedules.schedule import SWISS_ORDER
from arena.plan.swiss import PlayedGame, PlayedRound, PlayedTable
from arena.reports.standings import StandingLine, columns_of, results_of_two
from arena.reports.test_report import pentanomial
from ratings.points.points import STRUCK, UNIT


def table(bots: str, *places: tuple[int, ...]) -> PlayedTable:
    return PlayedTable(tuple(bots), tuple(PlayedGame(number, each) for number, each in enumerate(places)))


def test_a_draw_is_half_a_point_and_nobodys_win() -> None:
    rounds = [
        PlayedRound((table("ab", (1, 2), (1, 1)), table("cd", (2, 1), (2, 1))), byes=("e",)),
        PlayedRound((table("ac", (1, 1), (2, 1)),), byes=("e",)),
    ]
    assert results_of_two(rounds) == {"a": (1, 2, 1), "b": (0, 1, 1), "c": (1, 1, 2), "d": (2, 0, 0)}


def test_a_struck_game_is_none_of_them() -> None:
    assert results_of_two([PlayedRound((table("ab", (STRUCK, 1), (1, 2)),))]) == {"a": (1, 0, 0), "b": (0, 0, 1)}


def test_a_table_of_three_has_no_wins_and_draws() -> None:
    assert results_of_two([PlayedRound((table("ab", (1, 2)), table("cde", (1, 2, 2))))]) is None
    assert results_of_two([]) is None


def line(**said: int) -> StandingLine:
    return StandingLine(1, "a", 1.0, 1, 0.0, 0.0, 0.0, 0.0, 0.0, **said)  # type: ignore[arg-type]  # counts alone


def test_the_columns_are_there_where_they_say_something() -> None:
    results = ["wins", "draws", "losses"]
    shown = [column.key for column in columns_of(SWISS_ORDER, [line(wins=0, draws=1, losses=0)])]
    assert shown[3 : 3 + 4] == ["rounds", *results]
    assert not {*results, "disqualified"} & {column.key for column in columns_of(SWISS_ORDER, [line()])}


def test_T14_14_pairs_are_counted_by_their_points() -> None:
    differences = (-2 * UNIT, 0, 0, UNIT, 2 * UNIT, 2 * UNIT, -UNIT)
    assert pentanomial(differences) == (1, 1, 2, 1, 2)
