"""The worked examples of the rule page (B14): one three-player game, told step by step."""

from __future__ import annotations

from referee.game import Seat
from referee.games.norenberc.actions import (
    DoNothing,
    EnterStorehouse,
    HireGuest,
    MoveFirst,
    PassRound,
    PayGoods,
    SellGoods,
)
from referee.games.norenberc.closing import (
    choose_favourites,
    collect_income,
    move_prestige,
    promote_masters,
    recall_agents,
    refill_lodgings,
    turn_tokens,
)
from referee.games.norenberc.events import Event, FavouriteChosen, PlansLaid, TalersShown
from referee.games.norenberc.game import GAME
from referee.games.norenberc.prestige import name_prestige_guild
from referee.games.norenberc.scoring import scores
from referee.games.norenberc.state import State, price
from tests.rules.norenberc.builders import (
    APPRENTICE,
    COUNCILLOR,
    ENGRAVER,
    FOREMAN_4,
    MUSICIAN_3,
    NOBLEMAN_3,
    TAX_COLLECTOR,
    act,
    artisan,
    asked,
    buy,
    goods_of,
    new_state,
    opened,
    options,
    own,
    plan,
    put_guest,
    put_masters,
    put_shop_tile,
    roof_of,
    store_of,
    tiles_of,
    told,
)
from tests.rules.norenberc.contract_case import check_invariants

ORANGE, BLUE, YELLOW = 0, 1, 2
PRINTER_7 = artisan(4, 7)


def example_1() -> State:
    """E1: three players, masters 6, 2, 5, 3, so that the Brewers are the prestige guild."""
    state = new_state(3)
    put_masters(state, 6, 2, 5, 3)
    put_shop_tile(state, 1, 2, 4)  # E10: the next master of the Brewers
    put_guest(state, 1, "B", COUNCILLOR)
    put_guest(state, 1, "C", PRINTER_7)
    put_guest(state, 1, "D", MUSICIAN_3)
    state.prestige_house, state.prestige_stock = -1, 4
    name_prestige_guild(state)
    check_invariants(state)
    return state


def example_2() -> tuple[State, list[Event]]:
    state = example_1()
    events = plan(state, {YELLOW: (2, 3, 4), BLUE: (1, 3), ORANGE: (1, 2, 3, 4)})
    return state, events


def example_3() -> State:
    state, _events = example_2()
    act(state, SellGoods(1))
    return state


def example_4() -> State:
    state = example_3()
    act(state, HireGuest(2), PayGoods((1, 0, 1, 0)), MoveFirst())
    return state


def example_5() -> State:
    state = example_4()
    buy(state, 0, 3, 0, 0)
    return state


def example_7() -> State:
    """E7: Yellow does nothing at the Bakers, and nobody deals at the guilds 3 and 4."""
    state = example_5()
    while GAME.pending(state)[0].kind == "ACT":
        act(state, DoNothing())
    return state


def test_B14_E1_set_up() -> None:
    state = example_1()
    for guild in range(1, 5):
        assert store_of(state, guild) == [9 if good == guild else 0 for good in range(1, 5)]
    for seat in range(3):
        assert (opened(state).talers[seat], opened(state).supply[seat], opened(state).reserve[seat]) == (25, 4, 4)
        assert goods_of(state, seat) == [1, 1, 1, 1]
    assert opened(state).lodgings[::4] == [0, 0, 0, 0]
    assert len(opened(state).pile) == 24
    assert state.prestige_house == 0
    assert state.prestige_stock == 3


def test_B14_E2_planning() -> None:
    state = example_1()
    assert [len(GAME.legal_actions(state, seat)) for seat in range(3)] == [16, 16, 16]
    _state, events = example_2()
    assert events[0] == PlansLaid((4, 2, 3))


def test_B14_E3_calling_and_selling() -> None:
    state, _events = example_2()
    assert state.called == 0
    assert (opened(state).supply, opened(state).on_card) == ([3, 3, 4], [1, 1, 0])
    assert asked(state) == ("ACT", ORANGE)
    act(state, SellGoods(1))
    assert opened(state).talers[ORANGE] == 31
    assert goods_of(state, ORANGE)[0] == 0
    assert store_of(state, 1)[0] == 10
    assert roof_of(state, 1) == 1


def test_B14_E4_hiring() -> None:
    state = example_3()
    assert asked(state) == ("ACT", BLUE)
    assert options(state) == [DoNothing(), SellGoods(1), HireGuest(2), HireGuest(3), EnterStorehouse()]
    act(state, HireGuest(2))
    assert options(state) == [PayGoods((1, 1, 0, 0)), PayGoods((1, 0, 1, 0)), PayGoods((1, 0, 0, 1))]
    act(state, PayGoods((1, 0, 1, 0)))
    assert store_of(state, 1) == [11, 0, 1, 0]
    assert (opened(state).supply[BLUE], opened(state).reserve[BLUE]) == (4, 3)
    assert len(opened(state).pile) == 25
    assert opened(state).returned == [COUNCILLOR]
    assert opened(state).talers[BLUE] == 26
    assert asked(state) == ("TURN_ORDER", BLUE)
    act(state, MoveFirst())
    assert opened(state).track == [BLUE, ORANGE, YELLOW]
    assert roof_of(state, 1) == 2
    assert opened(state).lodgings[:4] == [0, 0, PRINTER_7, MUSICIAN_3]
    check_invariants(state)


def test_B14_E5_buying() -> None:
    state = example_4()
    assert (state.called, opened(state).on_card) == (1, [1, 0, 1])
    assert asked(state) == ("ACT", ORANGE)
    buy(state, 0, 3, 0, 0)
    assert opened(state).talers[ORANGE] == 25
    assert goods_of(state, ORANGE)[1] == 4
    assert store_of(state, 2)[1] == 6
    assert roof_of(state, 2) == 1


def test_B14_E6_nothing() -> None:
    state = example_5()
    before = GAME.clone(state)
    assert asked(state) == ("ACT", YELLOW)
    act(state, DoNothing())
    assert roof_of(state, 2) == 2
    for name in ("talers", "loose", "stores"):
        assert getattr(opened(state), name) == getattr(opened(before), name)


def test_B14_E7_end_of_turn() -> None:
    state = example_7()
    assert opened(state).supply == [0, 3, 1]
    assert opened(state).finished == [1, 0, 0]
    assert [decision.seat for decision in GAME.pending(state)] == [BLUE, YELLOW]
    assert (state.round, state.turn) == (1, 2)
    assert len(GAME.legal_actions(state, YELLOW)) == 5
    assert len(GAME.legal_actions(state, BLUE)) == 15


def test_B14_E8_end_of_the_round() -> None:
    state = example_7()
    events = plan(state, {BLUE: (1, 2, 3)})
    assert events[0] == PlansLaid((-1, 3, 0))
    assert opened(state).finished == [1, 0, 1]
    assert opened(state).supply[YELLOW] == 1
    while state.round == 1:
        assert state.turn == 2
        act(state, DoNothing())
    assert opened(state).finished == [0, 0, 0]


def example_9() -> State:
    """E9: the end of round 1, before step 1; Blue spent his beer and Yellow kept his (B11.4)."""
    state = example_7()
    opened(state).finished = [1, 1, 1]
    assert [goods_of(state, seat)[0] for seat in (ORANGE, BLUE, YELLOW)] == [0, 0, 1]
    assert store_of(state, 1)[0] == 11
    return state


def test_B14_E9_favourite() -> None:
    state = example_9()
    events = told(choose_favourites, state)
    assert events[0] == FavouriteChosen(YELLOW, 1, (artisan(1, 6),), True)
    assert not any(isinstance(event, TalersShown) and event.guild == 1 for event in events)
    assert store_of(state, 1)[0] == 12
    assert goods_of(state, YELLOW)[0] == 0
    assert artisan(1, 6) in tiles_of(state, YELLOW)
    assert opened(state).blazons[YELLOW * 4] == 1
    assert opened(state).prestige[YELLOW] == 1


def end_round_until_tokens(state: State) -> None:
    """Steps 1 to 4 of the end of a round."""
    told(choose_favourites, state)
    recall_agents(state)
    told(collect_income, state)
    turn_tokens(state)


def test_B14_E10_masters_and_lodgings() -> None:
    state = example_9()
    end_round_until_tokens(state)
    first, second = opened(state).pile[-1], opened(state).pile[-2]
    promote_masters(state)
    told(refill_lodgings, state)
    assert price(state, 0) == 4
    assert not [tile for tile in opened(state).discards if tile // 100 == 1]
    assert opened(state).lodgings[:4] == [PRINTER_7, MUSICIAN_3, first, second]


def test_B14_E11_prestige() -> None:
    state = example_9()
    end_round_until_tokens(state)
    promote_masters(state)
    told(refill_lodgings, state)
    put_masters(state, 4, 3, 5, 5)
    told(move_prestige, state)
    assert state.prestige_house == 2
    assert state.prestige_stock == 2


def example_12() -> State:
    """E12: the holdings at the end of the game."""
    state = new_state(3)
    state.agenda_count = 0
    hold(state, BLUE, 12, [[3], [], [7, 4], [7, 6, 6, 5, 4, 3]], [FOREMAN_4, APPRENTICE], [1, 0, 2, 3], 2)
    hold(state, ORANGE, 9, [[6, 5], [5, 2], [6, 3], [2]], [ENGRAVER], [1, 2, 1, 1], 1)
    hold(state, YELLOW, 34, [[7, 6, 4], [6, 5, 3], [5], [2]], [NOBLEMAN_3, TAX_COLLECTOR], [2, 2, 1, 0], 1)
    return state


def hold(
    state: State,
    seat: Seat,
    talers: int,
    artisans: list[list[int]],
    citizens: list[int],
    blazons: list[int],
    prestige: int,
) -> None:
    tiles = [artisan(guild, value) for guild, values in enumerate(artisans, 1) for value in values] + citizens
    opened(state).talers[seat] = talers
    for tile in tiles:
        own(state, seat, tile)
    opened(state).blazons[seat * 4 : seat * 4 + 4] = blazons
    opened(state).prestige[seat] = prestige


def test_B14_E12_final_scoring() -> None:
    """B11.5: the items give Orange 30, not the 41 that the rulebook prints, and so Yellow wins."""
    lines = {
        line.seat: (
            line.citizens,
            line.majority,
            line.value_thirty,
            line.all_types,
            line.richest,
            line.blazons,
            line.total,
            line.rank,
        )
        for line in scores(example_12())
    }
    assert lines[BLUE] == (2, 12, 2, 0, 0, 9, 25, 3)
    assert lines[ORANGE] == (0, 11, 0, 5, 0, 14, 30, 2)
    assert lines[YELLOW] == (6, 14, 0, 5, 5, 5, 35, 1)
    outcome = GAME.outcome(example_12())
    assert outcome is not None
    assert outcome.ranks == (2, 3, 1)
    assert outcome.scores == (30, 25, 35)


def test_B14_E2_a_pass_is_told_as_no_cards() -> None:
    state = example_1()
    events = GAME.apply(state, {0: PassRound(), 1: PassRound(), 2: PassRound()})
    assert events[0] == PlansLaid((0, 0, 0))
