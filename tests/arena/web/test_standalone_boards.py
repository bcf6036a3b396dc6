"""Boards outside a browser: one SVG that needs no other file."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from referee.boards.standalone import resolved_style, standalone
from referee.games import GAMES
from referee.playout import random_chooser, step
from referee.rng import seeded
from tests.contract.case import OURS

STEPS = 60


@pytest.mark.parametrize("slug", OURS)
def test_every_game_is_drawn_as_one_svg_with_its_style_inside(slug: str) -> None:
    game = GAMES[slug]
    seats = game.preferred_seats
    state, _ = game.begin(seats, 5, game.options({}))
    choose = random_chooser(seeded(5))
    for _ in range(STEPS):
        if game.pending(state):
            step(game, state, choose)
    view = game.observe(state, 0)
    drawn = ElementTree.fromstring(standalone(game, view, {0: view}))
    texts = ["".join(element.itertext()) for element in drawn.iter() if element.tag.endswith("}text")]
    assert len(texts) > seats
    assert float(drawn.get("height", 0)) > 200
    used = {name for element in drawn.iter() for name in element.get("class", "").split()}
    styled = set(re.findall(r"\.([a-z][\w-]*)", resolved_style()))
    shapes = {name for name in used if name.partition("-")[0] in ("seat", "terrain", "market", "guild", "good")}
    assert shapes - styled == set()


def test_no_variable_is_left_in_the_style() -> None:
    assert "var(" not in resolved_style()
    assert "color-mix" not in resolved_style()
    assert re.findall(r"fill: (?!none|#\w{3}\b|#\w{6}\b)[^;]*", resolved_style()) == []
