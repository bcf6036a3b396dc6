"""N6, N7: wayrights, prestige, council cards, victory, time and ranking."""

from __future__ import annotations

from referee.games.nuremberg.actions import (
    BuildTollBar,
    BuildTower,
    BuildWall,
    EndTurn,
    KeepCouncilCard,
    SwapCouncilCard,
)
from referee.games.nuremberg.components import Corner, CouncilCard, Road
from referee.games.nuremberg.events import CouncilCardTaken, VictoryReached, WayrightTaken
from referee.games.nuremberg.game import GAME
from referee.games.nuremberg.state import Ending, State
from tests.rules.nuremberg.builders import (
    asked,
    bare_table,
    draw,
    grant,
    hold,
    opened,
    options,
    play,
    put_bars,
    put_prestige,
    put_settlements,
    put_workshops,
    refusal,
    stack_deck,
)


def test_N6_1_a_tie_never_moves_a_wayright_and_a_majority_does() -> None:
    state = bare_table()
    put_bars(state, Road.II, 1, 1, 0)
    state.wayrights[Road.II] = 1
    hold(state, 0, wood=2, brick=2)
    play(state, BuildTollBar(Road.II))
    assert state.wayrights[Road.II] == 1
    assert play(state, BuildTollBar(Road.II))[-1] == WayrightTaken(0, Road.II, 1)


def test_N6_2_the_third_chip_takes_the_best_free_card() -> None:
    """N6.4: the fourth to reach three chips finds none."""
    state = bare_table()
    for seat, council in enumerate(([0, -1, -1], [0, 1, -1], [0, 1, 2], [0, 1, 2])):
        grant(state, seat, 3)
        assert opened(state).council == council
        assert asked(state) == [("main_action", 0)]


def test_N6_2_a_replaced_player_may_replace_another() -> None:
    """The cascade: 3 takes seven from 0, who takes small from 1, who takes great from 2, who is left without."""
    state = bare_table()
    put_prestige(state, 6, 5, 4, 6)
    opened(state).council = [0, 1, 2]
    grant(state, 3, 1)
    for decider, victim in ((3, 0), (0, 1), (1, 2)):
        assert asked(state) == [("council_swap", decider)]
        assert SwapCouncilCard(victim) in options(state)
        assert GAME.default_action(state, decider) == options(state)[1]
        play(state, SwapCouncilCard(victim))
    assert opened(state).council == [3, 0, 1]
    assert asked(state) == [("main_action", 0)]


def test_N6_2_passing_stops_the_loop() -> None:
    state = bare_table()
    put_prestige(state, 5, 5, 0, 0)
    opened(state).council = [0, 1, -1]
    grant(state, 1, 1)
    play(state, KeepCouncilCard())
    assert opened(state).council == [0, 1, -1]
    assert asked(state) == [("main_action", 0)]
    grant(state, 1, 1)
    assert asked(state) == [("council_swap", 1)]


def test_N6_2_candidates_have_fewer_chips_and_a_better_card() -> None:
    state = bare_table()
    put_prestige(state, 6, 4, 3, 5)
    opened(state).council = [0, 2, 1]  # seven with 6 chips, small with 3, great with 4
    grant(state, 3, 1)
    assert state.prestige[3] == 6
    assert options(state) == [KeepCouncilCard(), SwapCouncilCard(2), SwapCouncilCard(1)]
    for seat in (0, 3, 4, -1):
        assert refusal(state, SwapCouncilCard(seat)) == "N6.2.2"
    play(state, SwapCouncilCard(2))
    # The replaced seat gave its card for nothing and has too few chips to claim another.
    assert opened(state).council == [0, 3, 1]
    assert asked(state) == [("main_action", 0)]


def test_N6_2_a_tower_is_settled_chip_by_chip() -> None:
    """The second chip is granted only after the exchanges of the first."""
    state = bare_table()
    put_prestige(state, 4, 4, 0, 0)
    opened(state).council = [1, 0, -1]
    put_workshops(state, 0, Corner.B_N)
    hold(state, 0, wood=1, brick=1, gold=3)
    play(state, BuildTower())
    assert state.prestige[0] == 5
    assert GAME.observe(state, 2).chips_due == 1
    play(state, SwapCouncilCard(1))
    assert state.prestige[0] == 6
    assert opened(state).council == [0, 1, -1]


def test_N6_3_a_safe_card_stays_unless_its_owner_takes_a_better_one() -> None:
    state = bare_table()
    put_prestige(state, 12, 8, 0, 14)
    opened(state).council = [1, 0, 3]
    grant(state, 3, 1)
    assert options(state) == [KeepCouncilCard(), SwapCouncilCard(1)]  # seat 0 is safe with 12
    play(state, KeepCouncilCard())
    grant(state, 0, 1)
    play(state, SwapCouncilCard(1))
    assert opened(state).council == [0, 1, 3]


def rich_table(seats: int = 4, active: int = 0, points: int = 12) -> State:
    """Seat 0 has this many points from settlements, workshops and wayrights."""
    state = bare_table(seats, active)
    put_settlements(state, 0, "I:1", "I:3", "I:5", "I:7", "I:9")
    put_workshops(state, 0, Corner.M_N, Corner.M_NE, Corner.M_S, Corner.M_SE)
    for road in list(Road)[: points - 9]:
        put_bars(state, road, 0)
        state.wayrights[road] = 0
    return state


def test_N7_1_thirteen_points_win_at_once_on_the_own_turn() -> None:
    state = rich_table()
    hold(state, 0, wood=1, brick=1)
    assert play(state, BuildTollBar(Road.IV))[-1] == VictoryReached(0, 13)
    assert opened(state).ending is Ending.VICTORY
    assert asked(state) == []


def test_N7_1_a_council_card_wins_when_its_chip_is_settled() -> None:
    state = rich_table(points=9)
    put_prestige(state, 2, 0, 0, 0)
    hold(state, 0, brick=1, gold=3)
    events = play(state, BuildWall())
    assert events[-2:] == [CouncilCardTaken(0, CouncilCard.SEVEN, None), VictoryReached(0, 13)]


def test_N7_2_points_of_another_turn_count_when_the_own_turn_starts() -> None:
    state = rich_table(active=3, points=13)
    stack_deck(state, 26)
    events = play(state, EndTurn())
    assert events[-1] == VictoryReached(0, 13)
    assert opened(state).deck[0] == 25, "the card is not drawn any more"


def test_N7_2_lost_points_do_not_win() -> None:
    state = rich_table(active=3, points=13)
    state.wayrights[Road.I] = 3
    stack_deck(state, 26)
    play(state, EndTurn())
    assert asked(state) == [("main_action", 0)]


def finish_by_time(state: State) -> tuple[int, ...]:
    state.year = 8
    draw(state, 1)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome.ranks


def test_N7_3_most_points_win_at_1400_and_the_council_card_breaks_ties() -> None:
    state = bare_table()
    put_settlements(state, 0, "II:1", "II:3", "II:5", "II:7")  # four points each, without any card
    put_settlements(state, 1, "IV:2", "V:2")
    opened(state).council = [-1, -1, 1]
    state.prestige[1] = 3
    put_settlements(state, 2, "III:1")
    assert finish_by_time(state) == (2, 1, 3, 4)


def test_N7_4_prestige_gold_and_cards_break_further_ties() -> None:
    for key in range(3):
        state = bare_table(3)
        if key == 0:
            put_prestige(state, 0, 1, 2)
        elif key == 1:
            hold(state, 1, gold=1)
            hold(state, 2, gold=2)
        else:
            hold(state, 1, ore=1)
            hold(state, 2, ore=2)
        assert finish_by_time(state) == (3, 2, 1)


def test_N7_4_equal_players_share_a_place() -> None:
    state = bare_table()
    hold(state, 1, gold=2)
    hold(state, 2, gold=2)
    hold(state, 3, gold=3)
    assert finish_by_time(state) == (4, 2, 2, 1)


def test_N7_4_the_winner_by_points_is_first_regardless() -> None:
    """Another player may have more points out of turn; the keys order the rest."""
    state = rich_table(active=0)
    put_settlements(state, 1, "II:1", "II:3", "II:5", "II:7", "II:9")
    put_workshops(state, 1, Corner.B_N, Corner.B_NE, Corner.B_S, Corner.B_SE)
    put_prestige(state, 0, 12, 0, 0)
    opened(state).council = [1, -1, -1]
    state.wayrights[Road.V] = 1
    state.wayrights[Road.II] = -1
    hold(state, 0, wood=4, brick=4)
    play(state, BuildTollBar(Road.II), BuildTollBar(Road.IV))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores[:2] == (13, 14)
    assert outcome.ranks == (1, 2, 3, 3)
    assert outcome.reason == "seat 0 reached 13 points on its own turn"
