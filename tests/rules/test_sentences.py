"""The tables of plain English: no action and no event is without its sentence."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

from referee.games import BUILT_IN, GAMES


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_action_and_event_has_a_sentence(slug: str) -> None:
    types = GAMES[slug].types
    sentences = import_module(f"referee.games.{slug}.describe").SENTENCES
    assert [*sentences] == [*get_args(types.action), *get_args(types.event)]
