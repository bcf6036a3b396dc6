"""F11: the end of the game and the ranking."""

from __future__ import annotations

import pytest

from referee.games.furstenfeld.actions import CHOOSE_NONE, STOP, BuildCard, StoreGoods
from referee.games.furstenfeld.components import Card
from referee.games.furstenfeld.events import EndReason, GameEnded, PalaceFinished, PricesAdjusted
from referee.games.furstenfeld.game import GAME
from referee.games.furstenfeld.rounds import advance
from referee.games.furstenfeld.scoring import ranks
from referee.games.furstenfeld.state import ASK_BUILD, State
from tests.rules.furstenfeld.builders import (
    PALACE,
    asked,
    choose,
    end_of_round,
    furnish,
    new_game,
    order_of,
    prices_of,
    told,
    turn_at,
)

END_TURN = (STOP, StoreGoods(0, 0, 0))


def parts(count: int) -> dict[int, Card]:
    return dict(enumerate(PALACE[:count], start=1))


def ended(seats: list[tuple[int, int]]) -> State:
    """Return a game that is over after round 40, with these palace parts and coins."""
    state = new_game(seats=len(seats))
    for seat, (count, money) in enumerate(seats):
        furnish(state, seat, money=money, lots=parts(count))
    state.round_number = 40
    end_of_round(state)
    told(advance, state)
    return state


def test_W22_F11_1_F11_2_F11_4_the_round_is_played_to_its_end_and_money_decides_between_palaces() -> None:
    state = new_game(seats=3)
    furnish(state, 1, money=3 + 16, hand=[Card.PALACE_6], lots=parts(5))
    furnish(state, 2, money=5 + 18, hand=[Card.PALACE_6], lots=parts(5))
    furnish(state, 0, money=20, lots=parts(4))
    turn_at(state, ASK_BUILD, 1, 0, turn_order=(1, 2, 0))
    prices = prices_of(state)[:]
    # Fourteen parts are built: the next costs 16 and fills the price card, so the one after it costs 18.
    events = choose(state, BuildCard(Card.PALACE_6, 6))
    assert PalaceFinished(1) in events
    choose(state, *END_TURN)
    assert asked(state) == (2, "brewery")
    choose(state, CHOOSE_NONE, BuildCard(Card.PALACE_6, 6), *END_TURN)
    assert GAME.outcome(state) is None
    events = choose(state, CHOOSE_NONE, *END_TURN)
    assert GAME.pending(state) == ()
    assert events[-1] == GameEnded(EndReason.PALACE, 1, (3, 2, 1), (4, 6, 6), (20, 3, 5))
    assert not any(isinstance(event, PricesAdjusted) for event in events)
    assert prices_of(state) == prices
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.ranks, outcome.scores, outcome.reason) == ((3, 2, 1), (40_020, 60_003, 60_005), "palace")


def test_F11_2_the_seat_that_finished_its_palace_still_discards() -> None:
    state = new_game(seats=2)
    first, second = order_of(state)
    hand = [Card.PALACE_6, Card.BANK_1, Card.BANK_2]
    furnish(state, first, money=18, hand=hand, lots=parts(5))
    turn_at(state, ASK_BUILD, first, 0)
    choose(state, BuildCard(Card.PALACE_6, 6), STOP)
    assert asked(state) == (first, "discard")
    assert second != first


def test_F11_1_five_parts_do_not_end_the_game() -> None:
    state = new_game(seats=2)
    furnish(state, 0, lots=parts(5))
    end_of_round(state)
    told(advance, state)
    assert state.round_number == 2
    assert GAME.outcome(state) is None


def test_F11_3_the_game_ends_after_round_40() -> None:
    state = new_game(seats=2)
    state.round_number = 39
    end_of_round(state)
    told(advance, state)
    assert state.round_number == 40
    assert GAME.pending(state)
    end_of_round(state)
    told(advance, state)
    assert GAME.pending(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "round_limit"


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ([(2, 5), (3, 1), (3, 1), (1, 9)], (3, 1, 1, 4)),
        ([(4, 0), (3, 50), (4, 1)], (2, 3, 1)),
        ([(0, 7), (0, 7)], (1, 1)),
        ([(1, 0), (0, 2), (0, 2), (0, 1)], (1, 2, 2, 4)),
    ],
)
def test_F11_5_parts_come_before_money_and_equal_pairs_share_a_rank(
    seats: list[tuple[int, int]], expected: tuple[int, ...]
) -> None:
    state = ended(seats)
    assert ranks(state) == expected
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranks == expected
    best_first = sorted(range(len(seats)), key=lambda seat: expected[seat])
    assert [outcome.scores[seat] for seat in best_first] == sorted(outcome.scores, reverse=True)


def test_F11_5_goods_cards_and_board_do_not_count() -> None:
    state = ended([(0, 3), (0, 3)])
    furnish(state, 0, money=3, goods=(9, 9, 9), lots={1: Card.BANK_2}, hand=[Card.CRANE])
    assert ranks(state) == (1, 1)


def test_F11_6_a_palace_finished_in_round_40_is_the_reason() -> None:
    outcome = GAME.outcome(ended([(6, 0), (5, 9)]))
    assert outcome is not None
    assert outcome.reason == "palace"


def test_F11_6_a_score_is_told_in_parts_and_coins() -> None:
    assert [GAME.score_text(score) for score in (60_097, 10_001, 0)] == [
        "6 parts, 97 coins", "1 part, 1 coin", "0 parts, 0 coins",
    ]  # fmt: skip
