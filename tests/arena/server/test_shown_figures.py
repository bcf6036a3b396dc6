"""T8.7: one rounding of ratings, errors and likelihoods for terminal, web page, JSON and messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.fitting.fits import read_fit
from arena.store.database import open_store
from arena.v1 import arena_pb2 as pb
from ratings.fit.fit import CONFIDENCE, ELO_PER_NAT
from ratings.ledger import posting
from ratings.points.result import Fixture, LedgerResult
from tests.arena.server.running_server import Server, arena, running
from tests.arena.web.fetching import get

POOL = "toy:1"
LABELS = ("ann@1", "bob@1")
ERROR = 148.36
RATINGS = (1699.4, 1301.2)
"""With this error, 398 Elo are a likelihood of 0.9999."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("shown")
    keep_fit(folder / "arena.db")
    with running(folder, "--web", "127.0.0.1:0") as found:
        yield found


def keep_fit(database: Path) -> None:
    """Keep a fit of two bots whose figures would be rounded the wrong way by any usual rounding."""
    store = open_store(database, create=True)
    for label in LABELS:
        store.bots.add(label, label[:3], "1", "/bots", {}, "2026-01-02T03:04:05+00:00")
    posting.record_pool(store.connection, POOL, "toy", 1)
    fixtures = [Fixture("cup", number, 1, 0, LABELS, number) for number in range(4)]
    results = [LedgerResult(fixture, POOL, (1, 2), "engine", ("1", "1"), "digest") for fixture in fixtures]
    posting.post_matches(store.connection, results)
    read_fit(store, database, POOL)
    kept = store.fits.kept(POOL)
    assert kept is not None
    lines = [
        [bot, rating, ERROR, *rest]
        for (bot, _, _, *rest), rating in zip(json.loads(kept.ratings), RATINGS, strict=True)
    ]
    variance = (ERROR / CONFIDENCE / ELO_PER_NAT) ** 2
    covariance = np.array([variance, 0.0, variance], dtype="<f4").tobytes()
    store.fits.keep(replace(kept, ratings=json.dumps(lines), covariance=covariance))
    store.close()


def test_T8_7_a_terminal_shows_the_error_rounded_up_and_the_los_toward_fifty(server: Server) -> None:
    shown = arena("leaderboard", "--db", server.db).stdout
    (ann,) = (line.split() for line in shown.splitlines() if " ann " in line)
    assert ann[ann.index("ann") :][:6] == ["ann", "1", "1699", "149", "1-2", "99"]


def test_T8_7_a_page_shows_the_error_rounded_up_and_the_los_toward_fifty(server: Server) -> None:
    _status, page, _headers = get(f"{server.web[0]}/games/{POOL}")
    assert '>1699 <span class="quiet">± 149</span></td>' in page
    assert ">99 %</td>" in page
    assert "1152 to 1450" in page


def test_T8_7_json_says_what_is_shown_beside_the_exact_figures(server: Server) -> None:
    ann, bob = json.loads(arena("leaderboard", "--db", server.db, "--json").stdout)["boards"][0]["lines"]
    assert (ann["rating"], ann["error"], ann["los"]) == (RATINGS[0], ERROR, pytest.approx(0.9999, abs=5e-5))
    assert (ann["shown_rating"], ann["shown_error"], ann["shown_los"]) == ("1699", "149", "99 %")
    assert (bob["shown_rating"], bob["shown_error"], bob["shown_los"]) == ("1301", "149", "")


def test_T8_7_a_message_says_what_is_shown_beside_the_exact_figures(server: Server) -> None:
    response = server.call("GetLeaderboard", pb.GetLeaderboardRequest(), server.token("sam", "spectator"))
    ann, bob = response.boards[0].lines
    assert (ann.rating, ann.error, ann.los) == (RATINGS[0], ERROR, pytest.approx(0.9999, abs=5e-5))
    assert (ann.shown_rating, ann.shown_error, ann.shown_los) == ("1699", "149", "99 %")
    assert (bob.shown_rating, bob.shown_error, bob.shown_los) == ("1301", "149", "")
