"""N3, N4: turn order, harvest and the events of the cards."""

from __future__ import annotations

import pytest

from referee.games.nuremberg.actions import (
    BuildFreeWall,
    DiscardCards,
    EndTurn,
    MoveRobber,
    RobNobody,
    RobPlayer,
    SkipFreeWall,
    SwapCouncilCard,
)
from referee.games.nuremberg.components import CASTLE, EventKind, Resource, Road, site_of
from referee.games.nuremberg.events import (
    CardRobbed,
    EventDrawn,
    Harvested,
    HarvestFellShort,
    NobodyRobbed,
    RoadTollPaid,
    TurnStarted,
    YearsPassed,
)
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import Ending
from referee.rng import Rng
from tests.rules.nuremberg.builders import (
    asked,
    bare_table,
    beginner_table,
    cards,
    draw,
    hold,
    opened,
    options,
    play,
    purse,
    put_prestige,
    put_settlements,
    refusal,
    stack_deck,
)


def test_N3_1_turns_pass_clockwise_and_open_with_a_card() -> None:
    """N0.1, N0.2, N3.2: the card is revealed, discarded, harvested, then carried out."""
    state = bare_table(3, active=2)
    stack_deck(state, 26)
    events = play(state, EndTurn())
    assert events[1] == TurnStarted(0, 2)
    assert events[2] == EventDrawn(26, 2, EventKind.NONE)
    assert opened(state).discard[-1] == 25
    assert asked(state) == [("main_action", 0)]
    assert (state.main_actions, state.proposals) == (0, 0)


def test_N3_3_all_players_harvest_and_a_settlement_earns_from_each_landscape() -> None:
    state = bare_table()
    put_settlements(state, 0, "III:1")  # M6 H10 H5
    put_settlements(state, 3, "III:3")  # H10 M9 F12
    draw(state, 29)
    assert purse(state, 0) == {"brick": 1}
    assert purse(state, 3) == {"brick": 1}
    state = bare_table()
    put_settlements(state, 1, "I:8", "I:9")
    draw(state, 7)
    assert purse(state, 1) == {"wood": 2}


def test_N3_3_city_and_castle_never_yield() -> None:
    state = bare_table()
    put_settlements(state, 0, "V:7")
    draw(state, 31)
    assert purse(state, 0) == {}


def test_N3_4_the_robber_blocks_one_landscape_only() -> None:
    state = bare_table()
    put_settlements(state, 0, "V:3")  # H5 F3 M6
    put_settlements(state, 1, "IV:4")  # F6 P5 P12
    state.robber = 14  # L15, mountain 6
    draw(state, 28)
    assert purse(state, 0) == {}
    assert purse(state, 1) == {"wood": 1}


def test_N3_5_a_robber_card_pays_no_harvest() -> None:
    state = beginner_table()
    before = [purse(state, seat) for seat in range(4)]
    draw(state, 31)
    assert [purse(state, seat) for seat in range(4)] == before


def test_N3_6_a_sole_claimant_takes_what_is_left() -> None:
    state = bare_table()
    put_settlements(state, 0, "I:8", "I:9")  # both at F11
    hold(state, 2, wood=19)
    events = draw(state, 7)
    assert HarvestFellShort(Resource.WOOD) in events
    assert purse(state, 0) == {"wood": 1}


def test_N3_6_several_claimants_get_nothing_of_a_short_kind() -> None:
    """Wood runs short for the number 11; wool of the same number is paid."""
    state = bare_table()
    put_settlements(state, 0, "I:8", "II:3")  # F11, P11
    put_settlements(state, 1, "V:1")  # F11
    hold(state, 2, wood=19)
    events = draw(state, 7)
    assert [event for event in events if isinstance(event, Harvested)] == [Harvested(0, cards(wool=1))]
    assert purse(state, 1) == {}


def test_N3_7_the_main_phase_lasts_until_the_turn_is_ended() -> None:
    state = bare_table()
    hold(state, 0, wood=8)
    while len(options(state)) > 1:
        assert asked(state) == [("main_action", 0)]
        play(state, options(state)[-1])
        while asked(state)[0][0] != "main_action":
            play(state, options(state)[0])
        if state.proposals == 5:
            break
    play(state, EndTurn())
    assert state.active == 1


def test_N4_1_no_event_leads_straight_to_the_main_phase() -> None:
    state = bare_table()
    events = draw(state, 26)
    assert [type(event).__name__ for event in events] == ["TurnStarted", "EventDrawn"]


def test_N4_2_years_pass_one_field_at_a_time() -> None:
    state = bare_table()
    assert YearsPassed(1360) in draw(state, 1)
    assert len(opened(state).discard) == 1
    assert YearsPassed(1365) in draw(state, 2)
    draw(state, 3)
    assert opened(state).discard == []
    assert sorted(opened(state).deck) == list(range(36))
    for year, left in ((1375, 35), (1380, 34), (1385, 36), (1390, 35), (1395, 34)):
        draw(state, (state.year % 3) + 1)
        assert GAME.observe(state, None).year == year
        assert len(opened(state).deck) == left


def test_N4_2_N7_3_the_last_year_ends_the_game_before_the_main_phase() -> None:
    state = bare_table()
    state.year = 8
    events = draw(state, 2)
    assert [type(event).__name__ for event in events][-2:] == ["YearsPassed", "TimeRanOut"]
    assert opened(state).ending is Ending.TIME


def test_N4_3_the_margrave_has_no_effect_on_a_robber_at_home() -> None:
    state = bare_table()
    assert [type(event).__name__ for event in draw(state, 4)] == ["TurnStarted", "EventDrawn"]
    state.robber = 3
    assert "RobberSentHome" in [type(event).__name__ for event in draw(state, 5)]
    assert state.robber == CASTLE


def test_N4_4_nobody_is_asked_without_gold_or_without_a_place() -> None:
    state = bare_table()
    hold(state, 0, gold=2)
    draw(state, 8)
    assert asked(state) == [("main_action", 0)]
    state = bare_table()
    state.walls = 26
    hold(state, 1, gold=9)
    draw(state, 8)
    assert asked(state) == [("main_action", 0)]


def test_N4_4_the_last_wall_place_goes_to_whoever_comes_first() -> None:
    state = bare_table()
    state.walls = 25
    for seat in range(4):
        hold(state, seat, gold=3)
    draw(state, 8)
    play(state, SkipFreeWall(), BuildFreeWall())
    assert asked(state) == [("main_action", 0)]
    assert opened(state).prestige == [0, 1, 0, 0]


def test_N4_4_the_council_is_settled_before_the_next_player_is_asked() -> None:
    state = bare_table()
    put_prestige(state, 4, 4, 0, 0)
    opened(state).council = [0, 1, -1]
    hold(state, 1, gold=3)
    hold(state, 2, gold=3)
    draw(state, 8)
    play(state, BuildFreeWall())
    assert asked(state) == [("council_swap", 1)]
    play(state, SwapCouncilCard(0))
    assert opened(state).council == [1, 0, -1]
    assert asked(state) == [("free_wall", 2)]


def test_N4_4_free_brick_can_win_the_game_for_the_active_player_only() -> None:
    """N7.1, N7.2: unfinished event steps are dropped."""
    for active, ends in ((0, True), (1, False)):
        state = bare_table(active=active)
        put_prestige(state, 2, 0, 0, 0)
        state.settlements[0], state.workshops[0] = 5, 0b1111
        opened(state).site_owners = [0 if site in (0, 2, 4, 6, 8) else -1 for site in range(41)]
        hold(state, 0, gold=3)
        hold(state, 2, gold=3)
        draw(state, 8)
        while asked(state) and asked(state)[0][1] != 0:
            play(state, SkipFreeWall())
        play(state, BuildFreeWall())
        assert GAME.observe(state, None).points[0] == 13
        assert (opened(state).ending is Ending.VICTORY) == ends


def test_N4_5_without_a_holder_nobody_pays() -> None:
    state = beginner_table()
    put_settlements(state, 0, "I:3")
    assert not any(isinstance(event, RoadTollPaid) for event in draw(state, 22))


def test_N4_5_one_card_collects_on_roads_four_and_five_in_turn_order() -> None:
    state = beginner_table(active=1)
    put_settlements(state, 0, "IV:5")
    put_settlements(state, 1, "IV:3")
    for seat in range(4):
        hold(state, seat, gold=2)
    events = [event for event in draw(state, 25) if isinstance(event, RoadTollPaid)]
    assert [(event.road, event.seat, event.holder, event.gold) for event in events] == [
        (Road.IV, 1, 3, 1),
        (Road.IV, 0, 3, 1),
        (Road.V, 0, 2, 1),
    ]


def test_N4_5_what_is_still_missing_is_forgiven() -> None:
    state = bare_table()
    state.wayrights[Road.I] = 1
    put_settlements(state, 0, "I:1", "I:3")
    (event,) = [event for event in draw(state, 22) if isinstance(event, RoadTollPaid)]
    assert (event.gold, event.card_count, event.cards) == (0, 0, ())


def test_N4_6_the_robber_moves_to_another_numbered_landscape() -> None:
    state = bare_table()
    state.robber = 0
    draw(state, 31)
    assert asked(state) == [("robber_move", 0)]
    ids = [option.landscape for option in options(state) if isinstance(option, MoveRobber)]
    assert ids == [number for number in range(2, 32) if number not in (16, 28)]
    for landscape in (1, 16, 28, 0, 32, -1):
        assert refusal(state, MoveRobber(landscape)) == "N4.6.2"
    play(state, MoveRobber(5))
    assert state.robber == 4
    assert asked(state) == [("robber_steal", 0)]


def test_N4_6_the_first_robber_can_go_anywhere_numbered() -> None:
    state = bare_table()
    draw(state, 31)
    assert len(options(state)) == 29


@pytest.mark.parametrize("seed", range(6))
def test_N4_6_a_robbed_card_is_drawn_at_random(seed: int) -> None:
    state = bare_table(active=1)
    state.word = seed
    hold(state, 3, wood=2, ore=2, gold=5)
    draw(state, 32)
    play(state, MoveRobber(1))
    assert options(state) == [RobNobody(), RobPlayer(3)]
    (event,) = [event for event in play(state, RobPlayer(3)) if isinstance(event, CardRobbed)]
    assert event.resource is not None
    assert purse(state, 1) == {event.resource.name.lower(): 1}
    assert purse(state, 3)["gold"] == 5
    assert sum(purse(state, 3).values()) == 5 + 3


def test_N8_4_a_random_card_is_an_index_into_the_sorted_hand() -> None:
    """Every position of the hand in canonical order is drawn by its own index."""
    for position, kind in enumerate(("wood", "wood", "grain", "ore", "ore")):
        state = bare_table()
        hold(state, 1, wood=2, grain=1, ore=2)
        word = next(w for w in range(1000) if Rng(w).index(5) == position)
        state.word = word
        draw(state, 31)
        play(state, MoveRobber(1), RobPlayer(1))
        assert purse(state, 0) == {kind: 1}


def test_N4_6_nobody_need_be_robbed_and_empty_hands_cannot() -> None:
    state = bare_table()
    hold(state, 2, wool=1)
    hold(state, 3, gold=4)
    draw(state, 33)
    play(state, MoveRobber(2))
    assert refusal(state, RobPlayer(3)) == "N4.6.3"
    assert refusal(state, RobPlayer(0)) == "N4.6.3"
    assert NobodyRobbed(0) in play(state, RobNobody())
    assert purse(state, 2) == {"wool": 1}


def test_N4_6_an_odd_hand_rounds_its_discard_down() -> None:
    state = bare_table()
    hold(state, 0, wood=4, wool=5)
    draw(state, 31)
    for wrong in (cards(wood=4, wool=1), cards(wood=3), cards(wood=5), cards(wood=-1, wool=5)):
        assert refusal(state, DiscardCards(wrong)) == "N4.6.1"
    GAME.apply(state, {0: DiscardCards(cards(wood=2, wool=2))})
    assert purse(state, 0) == {"wood": 2, "wool": 3}
    assert state.bank[:2] == [18, 17]


def test_N4_6_the_robber_on_a_landscape_stays_there() -> None:
    state = beginner_table()
    draw(state, 31)
    play(state, MoveRobber(25), RobNobody())
    before = purse(state, 3)
    draw(state, 19)  # a 9; blue and orange sit at L25
    assert state.robber == 24
    assert purse(state, 3) == before
    assert state.site_owners[site_of("IV:1")] == 3
