"""T16 in real tournaments: focus rounds, claims in the ledger, and a stop that says why."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.cli.watching import Silent
from arena.plan.claiming import TournamentClaims
from arena.plan.forecasting import Forecast, read_forecast
from arena.plan.rounds import History, add_round
from arena.plan.schedules import SCHEDULES
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.store.database import Store, open_store, open_to_read
from arena.store.local_time import local_now
from arena.store.rows import RoundState, StoredMatch, StoredRound
from ratings.ledger.chain import Kind, entries
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.points import seat_of
from ratings.sequential.claims import ClaimWord, foot
from ratings.sequential.forecast import default_variance, games_needed
from referee.order import Ending
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import QUITTER, play, small_plan

ENTRANTS = tuple(f"b{number}@0" for number in range(8))
SETTINGS = TournamentSettings(
    seed=3, bots=ENTRANTS, games=(GameSettings("toy", 1, {}, TableSizes(2, 4, 4)),), format="swiss", points_rounds=1,
    rating_rounds=200,
)  # fmt: skip
SCORES = {bot: -at for at, bot in enumerate(ENTRANTS)}


def stored_round(number: int, drawn: Any) -> StoredRound:
    tables = tuple(RoundTable(table.number, table.bots, (), len(table.bots)) for table in drawn.tables)
    return StoredRound(number, "toy", number > 1, tables, drawn.byes, SCORES, RoundState.CLOSED, 1.0)


def in_order(stored: StoredRound) -> list[StoredMatch]:
    """Every game of a round ends in the order of the names."""
    matches = []
    for table in stored.tables:
        bots, seats = table.seats, len(table.seats)
        for game in range(seats):
            seating = [""] * seats
            for base, bot in enumerate(bots):
                seating[seat_of(base, game, seats)] = bot
            places = tuple(1 + sorted(seating).index(bot) for bot in seating)
            matches.append(
                StoredMatch(
                    id=f"{stored.number}.{table.table}.{game}", tournament="cup", round=stored.number,
                    table=table.table, game_number=game, attempt=0, game="toy", seed=0, seating=tuple(seating),
                    ending=Ending.COMPLETED, reason="", places=places, scores=places,
                    seat_endings=(Ending.COMPLETED,) * seats, record_digest="",
                )
            )  # fmt: skip
    return matches


@pytest.mark.nightly
def test_T16_2_rating_rounds_go_where_neighbours_are_open_and_every_tenth_is_ordinary() -> None:
    """While any neighbours are open, every table of a focus round has some; rounds 11 and 21 seat everybody."""
    swiss = SCHEDULES["swiss"]
    history = History.of(ENTRANTS)
    history.claims = TournamentClaims(1)
    resting: dict[int, int] = {}
    for number in range(1, 120):
        drawn = swiss.draw(SETTINGS, history, SCORES)
        assert drawn is not None
        seated = [bot for table in drawn.tables for bot in table.bots]
        resting[number] = len(ENTRANTS) - len(seated)
        if number > 1 and (number - 1) % 10:
            claims = history.claims.of_round(number)
            assert claims is not None
            for table in drawn.tables:
                run = sorted(table.bots)
                is_worth_it = any(claims.is_open(one, other) for one, other in pairwise(run))
                assert is_worth_it or all(not claims.is_open(*pair) for pair in pairwise(ENTRANTS))
        stored = stored_round(number, drawn)
        add_round(history, stored, in_order(stored), (), 4)
    claims = history.claims.of_round(1)
    assert claims is not None
    assert [claims.word(*pair) for pair in pairwise(ENTRANTS)].count(ClaimWord.BETTER) == 7
    assert resting[11] == resting[21] == 0


def test_T16_3_a_tournament_stops_when_every_neighbour_is_decided(tmp_path: Path, command_line: CommandLine) -> None:
    """Of two bots one forfeits every game: by the e-value of T15.2 that takes nine blocks."""
    plain = small_plan(tmp_path)
    plain["bot"] = [bot for bot in plain["bot"] if bot["name"] in ("ann", QUITTER)]
    changes = {"seats": 2, "max_seats": 2, "rounds": 1, "rating_rounds": 50, "withdraw_after": 1000}
    play(tmp_path / "arena.db", plain | changes)
    store = open_to_read(tmp_path / "arena.db")
    stored = store.tournaments.find("cup")
    assert stored.reason == "every neighbour is decided at 5 % for the whole tournament"
    assert len(store.tournaments.rounds("cup")) == 9
    with store.reading() as connection:
        (claim,) = entries(connection, Kind.CLAIM)
    assert (claim.body["word"], claim.body["round"], claim.body["entrants"]) == (">", 9, 2)
    assert claim.body["first"].startswith("ann@")
    verified = command_line("ledger", "verify", "--json")
    assert (verified.code, verified.data["findings"], verified.data["pairings_drawn"]) == (0, [], 9)
    for words, said in ((("--tournament", "cup"), foot()), ((), f"are those of cup. {foot()}")):
        assert said in command_line("leaderboard", *words).out
        board = command_line("leaderboard", *words, "--json").data["boards"][0]
        assert (board["claimed_in"], board["foot"].endswith(foot())) == ("cup", True)
    lines = command_line("leaderboard", "--tournament", "cup", "--json").data["boards"][0]["lines"]
    assert [(line["bot"], line["claim"]) for line in lines] == [("ann", ">"), (QUITTER, "")]
    assert foot() == "Any of these > is wrong with probability at most 5 % for the whole tournament."
    # A finished tournament needs no forecast; its last one was that nothing is open.
    assert command_line("tournament", "list", "--json").data[0]["forecast"] is None
    last = read_forecast(store, "cup")
    assert last is not None
    assert (last.round, last.games, last.open, last.neighbours) == (9, 0, 0, 1)
    assert last.words == "every neighbour is decided"


class Foretelling(Silent):
    """Keeps what is foretold, and stops the tournament after a number of rounds."""

    def __init__(self, store: Store, rounds: int) -> None:
        self.store = store
        self.rounds = rounds
        self.heard: list[Forecast] = []

    def foretold(self, made: Forecast) -> None:
        self.heard.append(made)

    def closed(self, round_number: int, seconds: float) -> None:
        if round_number == self.rounds:
            raise KeyboardInterrupt


def test_T16_5_a_forecast_is_shown_before_and_during_a_tournament(tmp_path: Path, command_line: CommandLine) -> None:
    """Before anything is measured by the variance of T19.12 and gaps of 12.5 Elo; then by what was measured."""
    plain = small_plan(tmp_path) | {"rounds": 1, "rating_rounds": 50, "top": 3, "match_budget": 500}
    store = open_store(tmp_path / "arena.db", create=True)
    watcher = Foretelling(store, 2)
    runner = Runner(parse_plan(plain, beside(tmp_path)), store, watcher, local_now)
    runner.enter()
    with pytest.raises(BaseException):  # noqa: B017, PT011  # whatever groups the interrupt came in
        trio.run(runner.run)
    first, second = watcher.heard
    assert (first.round, first.seconds, first.open, first.neighbours, first.top) == (0, None, 2, 2, 3)
    assert first.games == games_needed([0, 0], 7, 3, default_variance(3))
    assert first.words.startswith("about ")
    assert first.words.endswith(" games, until the first 3 places are decided; the budget allows 500")
    assert (second.round, second.budget) == (1, 500 - len(store.matches.of("cup", 1)))
    assert second.seconds is not None
    assert second.seconds > 0
    assert second.games != first.games
    # Everybody is told the same: the list, the tournament and, by the same summary, the service.
    listed = command_line("tournament", "list", "--json").data[0]["forecast"]
    assert listed == asdict(second)
    assert second.words in command_line("tournament", "show", "cup").out


def test_T16_3_the_reason_says_how_many_neighbours_are_open(tmp_path: Path) -> None:
    plain = small_plan(tmp_path)
    plain["bot"] = [bot for bot in plain["bot"] if bot["name"] in ("ann", "bob", "cat")]
    play(tmp_path / "arena.db", plain | {"rounds": 1, "rating_rounds": 9, "match_budget": 6, "max_seats": 3})
    store = open_to_read(tmp_path / "arena.db")
    assert store.tournaments.find("cup").reason == "the budget is used up, 2 of 2 neighbours are open"
