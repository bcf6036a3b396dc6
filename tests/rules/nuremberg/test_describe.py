"""Actions and events read as one plain line each."""

from __future__ import annotations

import pytest

from referee.games.nuremberg import actions, events
from referee.games.nuremberg.actions import Action
from referee.games.nuremberg.components import Commodity, Corner, EventKind, Resource, Road, Ware
from referee.games.nuremberg.events import Event
from referee.games.nuremberg.game import GAME
from tests.rules.nuremberg.builders import cards, goods


@pytest.mark.parametrize(
    ("item", "line"),
    [
        (actions.BuildSettlement(Road.III, 7), "build a settlement on III:7"),
        (actions.BuildTollBar(Road.II), "build a toll bar on road II (Prag)"),
        (actions.BuildWorkshop(Corner.M_SW), "build a workshop on corner M-SW"),
        (actions.ProposeTrade(goods(wool=2, gold=1), goods(ore=1)), "propose 2 wool, 1 gold for 1 ore"),
        (actions.MoveRobber(17), "move the robber to L17 (forest 10)"),
        (actions.MoveRobber(28), "move the robber to L28 (castle)"),
        (actions.MoveRobber(99), "move the robber to L99"),
        (actions.DiscardCards((1, 0, 0, 0, 2, 0, 7)), "discard 1 wood, 2 ore"),
        (actions.DiscardCards(()), "discard nothing"),
        (events.EventDrawn(6, 9, EventKind.MARGRAVE), "event card E06: harvest 9, the margrave intervenes"),
        (events.EventDrawn(31, 0, EventKind.ROBBER_KNIGHT), "event card E31: no harvest, robber knight"),
        (events.Harvested(2, cards(ore=1, wood=2)), "seat 2 harvests 2 wood, 1 ore"),
        (
            events.RoadTollPaid(3, 1, Road.II, 1, 2, (Resource.ORE, Resource.WOOD)),
            "seat 3 pays seat 1 1 gold and 2 cards of toll on road II (Prag)",
        ),
        (events.WareSold(0, Ware.ZIRKEL, 6, 2, 1), "seat 0 sells compasses for 6 gold and pays 2 toll to seat 1"),
        (
            events.BankTraded(0, Commodity.GOLD, 3, Commodity.BRICK),
            "seat 0 gives the bank 3 gold for 1 brick",
        ),
    ],
)
def test_N10_lines_are_plain_english(item: Action | Event, line: str) -> None:
    assert GAME.describe(item) == line
