"""N12: the worked examples W1 to W25 of the rule page."""

from __future__ import annotations

from referee.games.nuremberg.actions import (
    AcceptTrade,
    BuildFreeWall,
    BuildSettlement,
    BuildTollBar,
    BuildTower,
    BuildWall,
    CounterTrade,
    DeclineTrade,
    DiscardCards,
    KeepCouncilCard,
    PickReply,
    ProposeTrade,
    SellWare,
    SkipFreeWall,
    SwapCouncilCard,
    TradeWithBank,
)
from referee.games.nuremberg.components import CASTLE, Commodity, Corner, CouncilCard, Road, Ware
from referee.games.nuremberg.events import Harvested, RoadTollPaid
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.scoring import points
from referee.games.nuremberg.state import Ending
from tests.rules.nuremberg.builders import (
    asked,
    bare_table,
    beginner_table,
    cards,
    draw,
    goods,
    grant,
    hold,
    in_main_phase,
    opened,
    options,
    play,
    purse,
    put_bars,
    put_prestige,
    put_settlements,
    put_workshops,
    refusal,
)

SEVEN, SMALL, GREAT = CouncilCard


def test_W1_a_four_yields_wool_grain_and_ore() -> None:
    state = bare_table(3)
    put_settlements(state, 0, "I:5")
    put_settlements(state, 1, "III:8")
    put_settlements(state, 2, "I:9")
    draw(state, 27)  # E27: 4, no event
    assert [purse(state, seat) for seat in range(3)] == [{"wool": 1}, {"grain": 1}, {"ore": 1}]


def test_W2_one_settlement_earns_from_three_landscapes() -> None:
    for card, earned in ((4, "wood"), (5, "brick"), (28, "ore")):  # a 3, a 5 and a 6
        state = bare_table()
        put_settlements(state, 0, "V:3")
        draw(state, card)
        assert purse(state, 0) == {earned: 1}


def test_W3_the_beginner_set_up_for_four() -> None:
    state = beginner_table()
    assert purse(state, 0) == {"wool": 1, "grain": 2, "gold": 2}
    assert purse(state, 1) == {"wood": 1, "wool": 1, "grain": 1, "gold": 2}
    assert purse(state, 2) == {"wood": 1, "brick": 1, "gold": 2}
    assert purse(state, 3) == {"grain": 1, "brick": 1, "ore": 1, "gold": 2}
    assert opened(state).bank == [18, 18, 16, 18, 19, 138]
    assert [points(state, seat) for seat in range(4)] == [3, 3, 3, 3]
    assert opened(state).wayrights == [-1, 1, 0, 3, 2]


def test_W4_a_nine_for_red_blue_and_orange() -> None:
    state = beginner_table(active=1)
    events = draw(state, 6)
    harvests = [event for event in events if isinstance(event, Harvested)]
    assert harvests == [Harvested(1, cards(brick=1)), Harvested(2, cards(ore=1)), Harvested(3, cards(ore=1))]
    assert state.robber == CASTLE


def test_W5_the_distance_rule_looks_along_one_road_only() -> None:
    state = in_main_phase(beginner_table(), 3)
    put_bars(state, Road.III, 3)
    put_bars(state, Road.V, 3)
    hold(state, 3, wood=1, wool=1, grain=1, brick=1)
    sites = [(o.road, o.crossing) for o in options(state) if isinstance(o, BuildSettlement)]
    assert [crossing for road, crossing in sites if road is Road.III] == [1, 2, 3, 9]
    assert [crossing for road, crossing in sites if road is Road.V] == [1, 7]
    for crossing in (4, 6, 8):
        assert refusal(state, BuildSettlement(Road.III, crossing)) == "N5.4"


def test_W6_building_a_settlement() -> None:
    state = bare_table()
    put_bars(state, Road.IV, 0)
    put_settlements(state, 1, "IV:1")
    hold(state, 0, wood=1, wool=1, grain=1, brick=1)
    before = points(state, 0)
    assert refusal(state, BuildSettlement(Road.IV, 2)) == "N5.4"
    play(state, BuildSettlement(Road.IV, 3))
    assert purse(state, 0) == {}
    assert state.bank[:5] == [20] * 5
    assert points(state, 0) == before + 1


def test_W7_compasses_and_the_toll_to_frankfurt() -> None:
    for workshop, holder, seller_gold, holder_gold in (
        (False, 1, 1, 2),
        (True, 1, 4, 2),
        (True, -1, 6, 0),
        (True, 0, 6, 0),
    ):
        state = bare_table()
        hold(state, 0, ore=1, wood=1)
        state.wayrights[Road.I] = holder
        if workshop:
            put_workshops(state, 0, Corner.M_SW)
        play(state, SellWare(Ware.ZIRKEL))
        assert purse(state, 0) == {"gold": seller_gold}
        assert purse(state, 1).get("gold", 0) == holder_gold


def test_W8_helmets_are_doubled_once() -> None:
    for corners in ((Corner.M_N,), (Corner.M_N, Corner.M_NE)):
        state = bare_table()
        hold(state, 0, ore=2, wood=1)
        state.wayrights[Road.I] = 0
        put_workshops(state, 0, *corners)
        play(state, SellWare(Ware.HELME))
        assert purse(state, 0) == {"gold": 8}


def test_W9_a_market_corner_trades_its_own_symbol_at_two() -> None:
    state = bare_table()
    put_workshops(state, 0, Corner.M_SW)
    hold(state, 0, wool=2, grain=3)
    assert refusal(state, TradeWithBank(Commodity.GRAIN, Commodity.ORE)) == "N5.9"
    play(state, TradeWithBank(Commodity.WOOL, Commodity.ORE))
    assert purse(state, 0) == {"grain": 3, "ore": 1}
    hold(state, 0, grain=4)
    play(state, TradeWithBank(Commodity.GRAIN, Commodity.ORE))
    assert purse(state, 0) == {"ore": 1}


def test_W10_gold_trades_at_four_or_three() -> None:
    state = bare_table()
    hold(state, 0, gold=4, ore=4)
    play(state, TradeWithBank(Commodity.GOLD, Commodity.BRICK))
    assert purse(state, 0) == {"ore": 4, "brick": 1}
    play(state, TradeWithBank(Commodity.ORE, Commodity.GOLD))
    assert purse(state, 0) == {"brick": 1, "gold": 1}
    put_workshops(state, 0, Corner.M_N)
    hold(state, 0, gold=3, grain=3)
    play(state, TradeWithBank(Commodity.GOLD, Commodity.BRICK), TradeWithBank(Commodity.GRAIN, Commodity.ORE))
    assert purse(state, 0) == {"brick": 1, "ore": 1}


def test_W11_peter_gets_his_ore_at_the_second_try() -> None:
    """Peter sits on seat 0, Wolfgang on seat 2."""
    state = bare_table()
    hold(state, 0, wool=3, gold=2)
    hold(state, 2, ore=1)
    play(state, ProposeTrade(goods(wool=1), goods(ore=1)), DeclineTrade(), DeclineTrade(), DeclineTrade())
    assert options(state)[1:] == []
    (nobody,) = options(state)
    play(state, nobody)
    play(state, ProposeTrade(goods(wool=2), goods(ore=1)), DeclineTrade())
    play(state, CounterTrade(goods(wool=2, gold=1), goods(ore=1)), DeclineTrade(), PickReply(2))
    assert purse(state, 0) == {"wool": 1, "gold": 1, "ore": 1}
    assert purse(state, 2) == {"wool": 2, "gold": 1}
    assert state.proposals == 2
    assert asked(state) == [("main_action", 0)]


def test_W12_a_tower_takes_one_card_and_swaps_it_for_another() -> None:
    """Peter is seat 1, Fritz seat 2, Wolfgang seat 0."""
    state = bare_table()
    put_prestige(state, 2, 3, 3, 0)
    opened(state).council = [1, 2, -1]
    put_workshops(state, 0, Corner.B_S)
    hold(state, 0, wood=1, brick=1, gold=3)
    play(state, BuildTower())
    assert opened(state).council == [1, 2, 0]
    assert asked(state) == [("council_swap", 0)]
    assert options(state) == [KeepCouncilCard(), SwapCouncilCard(1), SwapCouncilCard(2)]
    play(state, SwapCouncilCard(1))
    assert opened(state).council == [0, 2, 1]
    assert asked(state) == [("main_action", 0)]
    assert [GAME.observe(state, None).points[seat] for seat in (0, 1, 2)] == [4 + 1, 2, 3]


def test_W13_twelve_chips_make_a_card_safe() -> None:
    """Wolfgang is seat 0, Peter seat 1."""
    state = bare_table()
    put_prestige(state, 11, 11, 0, 0)
    opened(state).council = [1, 0, -1]
    hold(state, 0, brick=1, gold=3)
    play(state, BuildWall(), SwapCouncilCard(1))
    assert opened(state).council == [0, 1, -1]
    state.prestige[1] = 12
    grant(state, 1, 1)
    assert state.prestige[:2] == [12, 13]
    assert asked(state) == [("main_action", 0)]
    assert opened(state).council == [0, 1, -1]


def test_W14_four_chips_in_one_turn_pass_the_first() -> None:
    state = bare_table(active=1)
    put_prestige(state, 3, 0, 0, 0)
    opened(state).council = [0, -1, -1]
    grant(state, 1, 3)
    assert opened(state).council == [0, 1, -1]
    grant(state, 1, 1)
    assert options(state) == [KeepCouncilCard(), SwapCouncilCard(0)]
    play(state, SwapCouncilCard(0))
    assert opened(state).council == [1, 0, -1]


def test_W15_road_toll_after_the_harvest() -> None:
    state = beginner_table()
    events = draw(state, 23)
    kinds = [type(event) for event in events]
    assert kinds.index(Harvested) < kinds.index(RoadTollPaid)
    assert [purse(state, seat).get("gold", 0) for seat in range(4)] == [2, 3, 2, 1]
    state = beginner_table()
    put_settlements(state, 3, "II:3")
    draw(state, 23)
    assert [purse(state, seat).get("gold", 0) for seat in range(4)] == [2, 4, 2, 0]


def test_W16_who_lacks_gold_pays_in_cards() -> None:
    for gold, paid in ((1, {"gold": 1, "wool": 1}), (0, {"wool": 1})):
        state = bare_table()
        state.wayrights[Road.II] = 0
        put_settlements(state, 1, "II:5", "II:7")  # neither earns from an 8 while the robber sits on L13
        state.robber = 12
        hold(state, 1, gold=gold, wool=1)
        draw(state, 23)
        assert purse(state, 1) == {}
        assert purse(state, 0) == paid


def test_W17_more_than_seven_cards_lose_half() -> None:
    state = bare_table()
    hold(state, 0, wood=7, gold=9)
    hold(state, 1, wool=8)
    hold(state, 2, grain=9)
    hold(state, 3, brick=15)
    events = draw(state, 31)
    assert not any(isinstance(event, Harvested) for event in events)
    assert asked(state) == [("discard", 1), ("discard", 2), ("discard", 3)]
    GAME.apply(
        state,
        {1: DiscardCards(cards(wool=4)), 2: DiscardCards(cards(grain=4)), 3: DiscardCards(cards(brick=7))},
    )
    assert [purse(state, seat) for seat in range(4)] == [
        {"wood": 7, "gold": 9},
        {"wool": 4},
        {"grain": 5},
        {"brick": 8},
    ]


def test_W18_the_robber_blocks_the_harvest_that_sends_him_home() -> None:
    state = beginner_table(active=1)
    put_settlements(state, 0, "I:7")  # at L01
    state.robber = 24  # L25
    events = draw(state, 6)
    harvests = [event for event in events if isinstance(event, Harvested)]
    assert harvests == [Harvested(0, cards(ore=1)), Harvested(1, cards(brick=1))]
    assert state.robber == CASTLE


def test_W19_free_brick_is_offered_once_around() -> None:
    state = bare_table(active=1)
    for seat, gold in enumerate((3, 2, 6, 3)):
        hold(state, seat, gold=gold)
    draw(state, 8)
    order = []
    while asked(state)[0][0] == "free_wall":
        order.append(asked(state)[0][1])
        play(state, BuildFreeWall())
    assert order == [2, 3, 0]
    assert [purse(state, seat).get("gold", 0) for seat in range(4)] == [0, 2, 3, 0]
    assert state.walls == 3
    state = bare_table(active=1)
    hold(state, 1, gold=3)
    draw(state, 8)
    play(state, SkipFreeWall())
    assert state.walls == 0


def test_W20_red_years_reshuffle_and_the_last_one_ends() -> None:
    state = beginner_table()
    state.year = 2
    opened(state).deck, opened(state).discard = [0, 5, 6, 7], [card for card in range(36) if card not in (0, 5, 6, 7)]
    events = draw(state, 1)
    assert GAME.observe(state, None).year == 1370
    assert sorted(opened(state).deck) == list(range(36))
    assert opened(state).discard == []
    assert any(isinstance(event, Harvested) for event in events)
    assert asked(state) == [("main_action", 0)]
    state.year = 8
    events = draw(state, 1)
    assert GAME.observe(state, None).year == 1400
    assert any(isinstance(event, Harvested) for event in events)
    assert opened(state).ending is Ending.TIME
    assert asked(state) == []


def test_W21_the_wayright_goes_to_the_majority() -> None:
    state = bare_table(3)
    for seat, holder in ((0, 0), (1, 0), (1, 1), (0, 1)):
        in_main_phase(state, seat)
        hold(state, seat, wood=1, brick=1)
        play(state, BuildTollBar(Road.I))
        assert state.wayrights[Road.I] == holder
    assert state.bar_owners[:5] == [0, 1, 1, 0, -1]
    assert points(state, 1) == 1
    assert points(state, 0) == 0


def test_W22_the_stub_is_no_segment() -> None:
    state = bare_table()
    put_bars(state, Road.I, *[0, 1] * 4, 2)
    hold(state, 0, wood=1, brick=1)
    assert refusal(state, BuildTollBar(Road.I)) == "N5.3"
    assert [o.road for o in options(state) if isinstance(o, BuildTollBar)] == [Road.II, Road.III, Road.IV, Road.V]


def test_W23_towers_need_an_open_site_and_a_yard_workshop() -> None:
    state = bare_table()
    state.walls, state.towers, state.prestige[1] = 3, 1, 5
    state.council[SEVEN] = 1
    put_workshops(state, 0, Corner.B_S)
    hold(state, 0, wood=1, brick=2, gold=6)
    assert refusal(state, BuildTower()) == "N5.7"
    play(state, BuildWall())
    state.workshops[0] = 0
    assert refusal(state, BuildTower()) == "N5.7"
    put_workshops(state, 0, Corner.B_S)
    (tower,) = [event for event in play(state, BuildTower()) if type(event).__name__ == "TowerBuilt"]
    assert GAME.describe(tower) == "seat 0 builds a tower on site 2"
    assert state.prestige[0] == 1 + 2


def test_W24_three_players_share_two_cards() -> None:
    state = bare_table(3)
    grant(state, 0, 3)
    assert opened(state).council == [0, -1, -1]
    grant(state, 1, 3)
    assert opened(state).council == [0, -1, 1]
    grant(state, 2, 3)
    assert opened(state).council == [0, -1, 1]
    assert asked(state) == [("main_action", 0)]


def test_W25_four_grain_buy_one_ore() -> None:
    state = bare_table()
    hold(state, 0, grain=4)
    play(state, TradeWithBank(Commodity.GRAIN, Commodity.ORE))
    assert purse(state, 0) == {"ore": 1}
    assert opened(state).bank == [20, 20, 20, 20, 19, 146]


def test_W11_acceptance_would_have_cost_two_wool_only() -> None:
    state = bare_table()
    hold(state, 0, wool=2)
    hold(state, 2, ore=1)
    play(state, ProposeTrade(goods(wool=2), goods(ore=1)), DeclineTrade(), AcceptTrade(), DeclineTrade(), PickReply(2))
    assert purse(state, 0) == {"ore": 1}
    assert purse(state, 2) == {"wool": 2}
