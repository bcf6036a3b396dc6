"""T8, formula version 1, by which fits in old ledgers are verified."""

from __future__ import annotations

import numpy as np
import pytest

from ratings.fit.fixed_prior import refit
from ratings.fit.refit import MICRO, refit_fault
from ratings.ledger import chain, entry_bodies, posting, queries
from ratings.ledger.audit import audit
from ratings.ledger.chain import Draft, Kind, record
from ratings.points.result import Result
from tests.ratings.simulated_pools import name, simulated
from tests.ratings.small_ledger import BOTS, POOL, fixture, result, small_ledger

RESULTS = simulated(np.array([1.0, 0.5, 0.0, -0.5, -1.0, 0.2]), 40, 4, np.random.default_rng(1))
RESULTS += [Result((name(0), name(1), name(2)), (1, 1, 3)), Result((name(5), name(4)), (1, 1))]

WANTED_PLAIN = [0.755412408, 0.609344712, -0.019030893, -0.550703283, -0.881594959, 0.086572015]
WANTED_RELATED = [0.690775528, 0.533947676, -0.025651214, -0.596381976, -0.927983149, 0.037241419]
WANTED_SEATED = [0.722593598, 0.560255666, 0.005647689, -0.533077075, -0.87386281, 0.118442932]


@pytest.mark.parametrize(
    ("anchors", "parents", "settings", "wanted"),
    [
        ({}, {}, {"with_seats": False}, WANTED_PLAIN),
        ({name(0): 1_620_000}, {name(1): name(2)}, {}, WANTED_RELATED),
        ({}, {}, {"with_seats": True}, WANTED_SEATED),
    ],
)
def test_T8_version_1_gives_the_strengths_it_always_gave(
    anchors: dict[str, int], parents: dict[str, str], settings: dict[str, object], wanted: list[float]
) -> None:
    """Figures of the release that wrote such fits."""
    assert list(refit(RESULTS, anchors, parents, settings).values()) == pytest.approx(wanted, abs=1e-7)


def test_T13_a_fit_of_version_1_in_the_ledger_still_verifies() -> None:
    connection = small_ledger()
    settings = {"with_seats": False}
    found = refit(list(queries.results(connection, POOL)), {}, {}, settings)
    strengths = {bot: round(strength * MICRO) for bot, strength in found.items()}
    through = chain.head(connection).seq
    body = {"pool": POOL, "through": through, "settings": settings, "strengths": strengths}
    record(connection, Draft(Kind.FIT, "fit:old", {**body, "digest": entry_bodies.strengths_digest(strengths)}))
    posting.post_matches(connection, [result(fixture(7, seats=BOTS[:2]), 2, 1)])
    posting.void_match(connection, fixture(1).match_id, "found out later", "operator")
    assert audit(connection, refit=refit_fault).is_clean
