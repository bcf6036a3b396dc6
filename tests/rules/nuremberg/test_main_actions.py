"""N5.1 to N5.9: ending the turn, building, selling and the bank."""

from __future__ import annotations

from referee.games.nuremberg.actions import (
    BuildSettlement,
    BuildTollBar,
    BuildTower,
    BuildWall,
    BuildWorkshop,
    EndTurn,
    ProposeTrade,
    SellWare,
    TradeWithBank,
)
from referee.games.nuremberg.components import WARE_COSTS, Commodity, Corner, Road, Ware
from referee.games.nuremberg.events import BankTraded, WareSold
from referee.games.nuremberg.scoring import points
from tests.rules.nuremberg.builders import (
    accepts,
    asked,
    bare_table,
    beginner_table,
    draw,
    goods,
    hold,
    opened,
    options,
    play,
    purse,
    put_bars,
    put_settlements,
    put_workshops,
    refusal,
)


def test_N5_1_ending_is_always_legal_and_stands_alone_with_nothing_in_hand() -> None:
    state = bare_table()
    assert options(state) == [EndTurn()]
    assert accepts(state, EndTurn())


def test_N5_2_building_pays_the_bank_and_works_at_once() -> None:
    """A workshop sells doubled wares and trades at its rate in the turn it is built."""
    state = bare_table()
    hold(state, 0, grain=2, ore=4, wood=1, wool=2)
    play(state, BuildWorkshop(Corner.M_SW))
    assert state.bank[Commodity.GRAIN] == 20
    play(state, SellWare(Ware.ZIRKEL), TradeWithBank(Commodity.WOOL, Commodity.BRICK))
    assert purse(state, 0) == {"gold": 6, "brick": 1}


def test_N5_3_bars_fill_a_road_from_the_city_whoever_owns_them() -> None:
    state = bare_table()
    put_bars(state, Road.V, 2, 1)
    state.wayrights[Road.V] = 2
    hold(state, 0, wood=1, brick=1)
    play(state, BuildTollBar(Road.V))
    assert state.bar_owners[34:38] == [2, 1, 0, -1]
    assert purse(state, 0) == {}
    assert state.wayrights[Road.V] == 2


def test_N5_3_a_bar_needs_wood_and_brick() -> None:
    state = bare_table()
    hold(state, 0, wood=3)
    assert refusal(state, BuildTollBar(Road.I)) == "N5.3"


def test_N1_1_a_player_without_the_piece_cannot_build_it() -> None:
    state = bare_table()
    hold(state, 0, wood=5, wool=5, grain=5, brick=5, ore=5)
    put_bars(state, Road.I, *[0] * 8)
    put_bars(state, Road.II, *[0] * 7)
    put_settlements(state, 0, "I:1", "I:3", "I:5", "II:1", "II:3")
    put_workshops(state, 0, Corner.M_N, Corner.M_NE, Corner.B_N, Corner.B_S)
    assert refusal(state, BuildTollBar(Road.III)) == "N1.1"
    assert refusal(state, BuildSettlement(Road.I, 9)) == "N1.1"
    assert refusal(state, BuildWorkshop(Corner.B_NW)) == "N1.1"
    assert not any(isinstance(o, BuildTollBar | BuildSettlement | BuildWorkshop) for o in options(state))


def test_N5_4_a_settlement_needs_an_own_bar_but_need_not_touch_it() -> None:
    state = bare_table()
    put_bars(state, Road.II, 0)
    put_bars(state, Road.III, 1)
    hold(state, 0, wood=1, wool=1, grain=1, brick=1)
    assert refusal(state, BuildSettlement(Road.III, 1)) == "N5.4"
    listed = [(o.road, o.crossing) for o in options(state) if isinstance(o, BuildSettlement)]
    assert listed == [(Road.II, crossing) for crossing in range(1, 10)]
    play(state, BuildSettlement(Road.II, 9))
    assert points(state, 0) == 1


def test_N5_4_roman_numerals_are_no_sites() -> None:
    state = bare_table()
    put_bars(state, Road.I, 0)
    hold(state, 0, wood=1, wool=1, grain=1, brick=1)
    assert refusal(state, BuildSettlement(Road.I, 0)) == "N5.4"
    assert refusal(state, BuildSettlement(Road.I, 10)) == "N5.4"


def test_N5_4_a_new_settlement_harvests() -> None:
    state = bare_table()
    put_bars(state, Road.V, 0)
    hold(state, 0, wood=1, wool=1, grain=1, brick=1)
    play(state, BuildSettlement(Road.V, 1))  # M6 F11 H12
    draw(state, 28, active=1)
    assert purse(state, 0) == {"ore": 1}


def test_N5_5_corners_hold_one_workshop_and_may_be_neighbours() -> None:
    state = bare_table()
    put_workshops(state, 1, Corner.M_N, Corner.B_N)
    hold(state, 0, grain=4, ore=6)
    assert refusal(state, BuildWorkshop(Corner.M_N)) == "N5.5"
    listed = [o.corner for o in options(state) if isinstance(o, BuildWorkshop)]
    assert listed == [corner for corner in Corner if corner not in (Corner.M_N, Corner.B_N)]
    play(state, BuildWorkshop(Corner.M_NE), BuildWorkshop(Corner.M_SE))
    assert points(state, 0) == 2
    hold(state, 0, grain=2, ore=2)
    assert refusal(state, BuildWorkshop(Corner.M_S)) == "N5.5"


def test_N5_6_walls_need_no_workshop_and_end_at_26() -> None:
    state = bare_table()
    hold(state, 0, brick=3, gold=9)
    play(state, BuildWall(), BuildWall())
    assert (state.walls, state.prestige[0]) == (2, 2)
    state.walls = 26
    assert refusal(state, BuildWall()) == "N5.6"
    assert BuildWall() not in options(state)
    state.walls = 5
    hold(state, 0, brick=1, gold=2)
    assert refusal(state, BuildWall()) == "N5.6"


def test_N5_7_a_market_workshop_builds_no_tower() -> None:
    state = bare_table()
    state.walls = 2
    put_workshops(state, 0, Corner.M_S)
    hold(state, 0, wood=1, brick=1, gold=3)
    assert refusal(state, BuildTower()) == "N5.7"
    put_workshops(state, 0, Corner.B_NW)
    assert BuildTower() in options(state)
    hold(state, 0, wood=1, brick=1, gold=2)
    assert refusal(state, BuildTower()) == "N5.7"


def test_N5_7_a_tower_gives_two_prestige() -> None:
    state = bare_table()
    state.walls, state.prestige[1] = 2, 2
    put_workshops(state, 0, Corner.B_NW)
    hold(state, 0, wood=1, brick=1, gold=3)
    play(state, BuildTower())
    assert (state.towers, state.prestige[0]) == (1, 2)
    assert purse(state, 0) == {}


def test_N5_8_every_ware_is_sold_for_its_price() -> None:
    for ware, price in zip(Ware, (4, 3, 3, 5, 3), strict=True):
        state = bare_table()
        cost = {Commodity(kind).name.lower(): amount for kind, amount in WARE_COSTS[ware]}
        hold(state, 0, **cost)
        assert play(state, SellWare(ware)) == [WareSold(0, ware, price, 0, None)]
        assert purse(state, 0) == {"gold": price}
        assert refusal(state, SellWare(ware)) == "N5.8"


def test_N5_8_the_toll_goes_to_the_market_roads_holder_and_is_never_doubled() -> None:
    state = bare_table()
    opened(state).wayrights = [1, 2, 3, 1, 1]
    put_workshops(state, 0, Corner.B_S)
    hold(state, 0, wood=2, ore=3, wool=1)
    play(state, SellWare(Ware.RUESTUNGEN), SellWare(Ware.TAND))
    assert purse(state, 0) == {"gold": 10 - 1 + 6 - 1}
    assert [purse(state, seat) for seat in (1, 2, 3)] == [{}, {"gold": 1}, {"gold": 1}]


def test_N5_8_nobody_pays_toll_to_himself() -> None:
    state = bare_table()
    state.wayrights[Road.I] = 0
    hold(state, 0, wool=2)
    assert play(state, SellWare(Ware.PAPIER)) == [WareSold(0, Ware.PAPIER, 3, 0, None)]


def test_N5_8_the_bank_must_cover_the_full_proceeds() -> None:
    state = bare_table()
    put_workshops(state, 0, Corner.M_SW)
    hold(state, 3, gold=141)
    hold(state, 0, wood=2, ore=2, wool=2)
    assert refusal(state, SellWare(Ware.ZIRKEL)) == "N5.8"
    assert [o for o in options(state) if isinstance(o, SellWare)] == [
        SellWare(Ware.HELME),
        SellWare(Ware.PAPIER),
        SellWare(Ware.TAND),
    ]
    hold(state, 3, gold=140)
    play(state, SellWare(Ware.ZIRKEL))
    assert purse(state, 0)["gold"] == 6


def test_N5_9_the_bank_gives_only_what_it_has_and_never_the_same() -> None:
    state = bare_table()
    hold(state, 1, ore=20)
    hold(state, 0, wood=4)
    assert refusal(state, TradeWithBank(Commodity.WOOD, Commodity.ORE)) == "N5.9"
    assert refusal(state, TradeWithBank(Commodity.WOOD, Commodity.WOOD)) == "N5.9"
    listed = [o for o in options(state) if isinstance(o, TradeWithBank)]
    expected = (Commodity.WOOL, Commodity.GRAIN, Commodity.BRICK, Commodity.GOLD)
    assert listed == [TradeWithBank(Commodity.WOOD, get) for get in expected]


def test_N5_9_the_cheapest_rate_applies() -> None:
    state = bare_table()
    put_workshops(state, 0, Corner.M_N, Corner.M_SE)
    hold(state, 0, ore=3, gold=3)
    events = play(state, TradeWithBank(Commodity.ORE, Commodity.WOOD), TradeWithBank(Commodity.GOLD, Commodity.WOOL))
    assert [(event.give, event.give_count) for event in events if isinstance(event, BankTraded)] == [
        (Commodity.ORE, 2),
        (Commodity.GOLD, 3),
    ]
    assert purse(state, 0) == {"ore": 1, "wood": 1, "wool": 1}


def test_N5_9_trading_with_the_bank_repeats_without_limit_but_the_cap() -> None:
    state = bare_table()
    hold(state, 0, wood=12)
    for _ in range(3):
        play(state, TradeWithBank(Commodity.WOOD, Commodity.ORE))
    assert purse(state, 0) == {"ore": 3}


def test_N8_2_after_fifty_main_actions_only_ending_is_left() -> None:
    state = bare_table()
    state.main_actions = 49
    hold(state, 0, wood=8)
    play(state, TradeWithBank(Commodity.WOOD, Commodity.ORE))
    assert options(state) == [EndTurn()]
    for action in (TradeWithBank(Commodity.WOOD, Commodity.ORE), ProposeTrade(goods(wood=1), goods(ore=1))):
        assert refusal(state, action) == "N8.2"
    play(state, EndTurn())
    assert state.main_actions == 0


def test_N8_2_a_loop_without_cost_ends_at_the_cap() -> None:
    """Doubled compasses bring 6 gold, which buy back wood and ore at 3:1."""
    state = bare_table()
    put_workshops(state, 0, Corner.M_N, Corner.M_SW)
    hold(state, 0, wood=1, ore=1)
    loop = (
        SellWare(Ware.ZIRKEL),
        TradeWithBank(Commodity.GOLD, Commodity.WOOD),
        TradeWithBank(Commodity.GOLD, Commodity.ORE),
    )
    for number in range(50):
        play(state, loop[number % 3])
    assert options(state) == [EndTurn()]


def test_N5_actions_of_opponents_wait_for_their_turn() -> None:
    state = bare_table(active=2)
    hold(state, 0, wood=4, brick=4)
    assert asked(state) == [("main_action", 2)]
    assert refusal(state, BuildTollBar(Road.I), seat=0) == "N9"


def test_N5_handling_and_building_mix_freely_in_one_turn() -> None:
    state = beginner_table()
    draw(state, 26)
    hold(state, 0, wood=6, wool=3, grain=1, brick=2, gold=3)
    play(
        state,
        BuildWall(),
        SellWare(Ware.PAPIER),
        TradeWithBank(Commodity.WOOD, Commodity.BRICK),
        BuildTollBar(Road.I),
        BuildSettlement(Road.I, 2),
    )
    assert state.main_actions == 5
    assert purse(state, 0) == {"gold": 3}  # paper brought 3, and nobody holds the road to Frankfurt
    assert points(state, 0) == 3 + 1 + 1
