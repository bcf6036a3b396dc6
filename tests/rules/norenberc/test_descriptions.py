"""Lines of plain English for actions and events."""

from __future__ import annotations

import pytest

from referee.games.norenberc import actions as act
from referee.games.norenberc import events as ev
from referee.games.norenberc.game import GAME

LINES: list[tuple[act.Action | ev.Event, str]] = [
    (act.PassRound(), "Pass this round."),
    (act.PlanGuilds((1, 3, 4)), "Plan the Brewers, Cobblers and Printers."),
    (act.HireGuest(2), "Hire the guest in window B."),
    (act.PayGoods((1, 0, 2)), "Pay 1 beer and 2 shoes."),
    (act.StealGoods(2, (0, 1, 1)), "Take 1 cakes and 1 shoes from seat 2 with the Thief."),
    (act.SwapArtisans(1, 5, 32), "Swap the Brewers at U and L3.B with the Guard."),
    (
        ev.PlansLaid((2, 1, 0, -1)),
        "Plans are laid: seat 0 2 cards, seat 1 1 card, seat 2 passes and seat 3 had finished.",
    ),
    (ev.GuildCalled(2, (1, 0)), "The Bakers are called by seats 1 and 0."),
    (ev.GoodsSold(1, 1, 2, 12), "Seat 1 sells 2 beer to the Brewers for 12 talers."),
    (
        ev.GuestHired(0, 1, 3, 470, (1, 1, 1, 0)),
        "Seat 0 hires a Printer of value 7 from window C of the Brewers for 1 beer, 1 cakes and 1 shoes.",
    ),
    (ev.BonusPaid(0, 1, 1), "Seat 0 gets 1 taler for the agents on the roof of the Brewers."),
    (ev.CitizenReturned(700), "A Councillor returns to the guest pile."),
    (
        ev.FavouriteChosen(2, 1, (160, 121), True),
        "Seat 2 is the favourite of the Brewers and takes a Brewer of value 6 and a Brewer of value 2 with agent +, "
        "a blazon and the prestige blazon.",
    ),
    (
        ev.TalersShown(4, (0, 2), (1, 9)),
        "Tied for the favour of the Printers, these show their talers: seat 0 1 taler and seat 2 9 talers.",
    ),
    (ev.IncomePaid((3, 8)), "Income: seat 0 3 talers and seat 1 8 talers."),
    (
        ev.LodgingRefilled(1, 735, (780, 770, 0, 0)),
        "The Brewers lodge A an Engraver and B a Tax collector after a Musician(5) has left.",
    ),
    (ev.LodgingRefilled(1, 0, (0, 0, 0, 0)), "The Brewers lodge nobody."),
]


@pytest.mark.parametrize(("item", "line"), LINES, ids=[type(item).__name__ for item, _line in LINES])
def test_a_line_reads_well(item: act.Action | ev.Event, line: str) -> None:
    """B0.7: places are named S1 … S4, U and L<guild>.<window>."""
    assert GAME.describe(item) == line


def test_only_actions_and_events_are_described() -> None:
    with pytest.raises(KeyError, match="int"):
        GAME.describe(3)  # type: ignore[arg-type]  # on purpose
