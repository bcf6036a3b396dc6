"""T8.15: what a tournament's list and a bot's details say of strengths that changed."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

from arena.fitting.fits import read_fit
from arena.reports.drift import tournament_drift
from arena.reports.reader import Reader
from arena.store.database import open_to_read
from arena.web.links import ServerLinks
from arena.web.pages.bots import bot_page
from arena.web.pages.listing import ListQuery
from arena.web.pages.tournaments import tournament_page
from arena.web.rendering import render
from ratings.fit import drift as drift_module
from ratings.fit.drift import drift
from ratings.fit.fit import ELO_PER_NAT, fit
from ratings.ledger import queries
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import two_seat_database

POOL = "toy:1"
SAID = "Strengths changed during the tournament: the sum of z² over 4 bots is"


def test_T8_15_the_drift_of_a_tournament_is_that_of_its_matches_in_the_ledger(tmp_path: Path) -> None:
    store = open_to_read(two_seat_database(tmp_path))
    with store.reading() as connection:
        results = list(queries.results(connection, POOL))
    fitted = fit(results, is_record=True)
    assert fitted.covariance is not None
    wanted = drift(results, 5, dict(zip(fitted.bots, fitted.strengths, strict=True)), fitted.covariance, fitted.phi)
    found = tournament_drift(store, "cup", POOL, read_fit(store, None, POOL))
    store.close()
    assert len(found.by_bot) == 4
    for bot, each in found.by_bot.items():
        assert (each.change, each.error) == pytest.approx(
            (wanted.by_bot[bot].change, wanted.by_bot[bot].error), rel=1e-3
        )


def test_T8_15_a_list_says_that_strengths_changed_only_if_they_did(command_line: CommandLine, tmp_path: Path) -> None:
    """On the terminal, in JSON and on the page of the tournament; no other list speaks of it."""
    db = two_seat_database(tmp_path)
    sound = command_line("leaderboard", "--tournament", "cup", "--json").data
    assert sound["boards"][0]["drift"] == ""
    with mock.patch.object(drift_module, "ONE_SIDED", -5):
        assert SAID in command_line("leaderboard", "--tournament", "cup").out
        assert command_line("leaderboard", "--tournament", "cup", "--json").data["boards"][0]["drift"].startswith(SAID)
        assert SAID not in command_line("leaderboard").out
        reader = Reader(db)
        page = render("tournament.html", ServerLinks(), **tournament_page(reader, "cup", ListQuery()))
        reader.close()
    assert SAID in page


def test_T8_15_a_bots_details_give_its_change_with_the_standard_error(
    command_line: CommandLine, tmp_path: Path
) -> None:
    db = two_seat_database(tmp_path)
    told = command_line("bots", "show", "ann", "--json").data["ratings"][0]
    store = open_to_read(db)
    each = tournament_drift(store, "cup", POOL, read_fit(store, None, POOL)).by_bot[told["label"]]
    store.close()
    assert told["drift_in"] == "cup"
    assert (told["drift"], told["drift_error"]) == pytest.approx((each.change * ELO_PER_NAT, each.error * ELO_PER_NAT))
    sentence = f"{round(told['drift']):+d} Elo from the first to the last round of cup (standard error"
    assert sentence in command_line("bots", "show", "ann").out
    reader = Reader(db)
    assert sentence in render("bot.html", ServerLinks(), **bot_page(reader, "ann"))
    reader.close()
