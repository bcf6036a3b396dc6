"""T11.8 to T11.12: a knockout keeps its bracket, at every disqualification."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from random import Random

import pytest

from arena.plan.entrants import enter_bot, withdraw_bot
from arena.plan.schedules.knockout import bracket
from arena.plan.settings import GameSettings, TournamentSettings
from arena.store.database import Store, open_store
from arena.store.rows import Results
from ratings.ledger import posting
from referee.mistakes import UserError
from tests.arena.paper_tournament import PaperTournament, faults, game, label, paper_settings

NAMES = "abcdef"
NUMBERS = count()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(tmp_path / "arena.db", create=True)
    found.connection.execute("PRAGMA synchronous=OFF")
    yield found
    found.close()


def cup(store: Store, names: str = NAMES, *games: GameSettings, **more: int) -> PaperTournament:
    house = "xyz"[: max((each.sizes.least for each in games), default=2) - 2]
    return PaperTournament(store, f"cup{next(NUMBERS)}", paper_settings(names, "knockout", *games, house=house, **more))


def followed(names: str, out: str, first_stage: int, *, third: bool) -> str:
    """The order by T11.8 to T11.11, where the better seed wins and `out` loses every duel from a stage on."""

    def lost(stage: int, one: str, other: str) -> str:
        return out if out in (one, other) and stage >= first_stage else max(one, other)

    size = 1 << (len(names) - 1).bit_length()
    present = [names[seed] if seed < len(names) else "" for seed in bracket(size)]
    behind: list[str] = []
    for stage in range(size.bit_length() - 1):
        pairs = list(zip(present[::2], present[1::2], strict=True))
        losers = sorted(lost(stage, one, other) for one, other in pairs if other)
        if len(pairs) == 1 and third:
            fourth = lost(stage, *behind[:2])
            behind[:2] = [bot for bot in behind[:2] if bot != fourth] + [fourth]
        behind = losers + behind
        present = [bot for bot in present if bot and bot not in losers]
    return "".join(sorted(present + behind, key=lambda bot: bot == out))


OPTIONS: Mapping[str, tuple[tuple[GameSettings, ...], Mapping[str, int], int]] = {
    "plain": ((), {}, 1),
    "third place": ((), {"third_place": True}, 1),
    "best of three": ((), {"best_of": 3}, 2),
    "house bots": ((game(seats=4),), {"third_place": True}, 1),
    "two games": ((game(), game("norenberc", 3)), {"best_of": 3, "third_place": True}, 2),
}
"""The games, the settings, and the rounds that a stage takes if the better seed wins them all."""


def try_all(store: Store, option: str, results_at: Callable[[int, int], Sequence[Results]]) -> None:
    """Disqualify every bot before the start, while every round is played, between rounds, and after the end."""
    games, more, rounds_per_stage = OPTIONS[option]
    for (at, bot), moment in product(enumerate(NAMES), range(6 * rounds_per_stage + 1)):
        for results in results_at(at, moment):
            each = cup(store, NAMES, *games, **more)
            played, is_during = divmod(moment, 2)
            for _ in range(played):
                assert each.draw()
                each.close()
            if is_during:
                assert each.draw()
            each.disqualify(label(bot), results)
            if is_during:
                each.close()
            later = each.play_out()
            case = f"{bot} out after {moment / 2} rounds with {results}"
            wanted = followed(NAMES, bot, played // rounds_per_stage, third="third_place" in more)
            assert each.names_in_order == wanted, case
            assert not any(label(bot) in table for tables in later for table in tables), case
            assert [line.disqualified for line in each.order] == [""] * 5 + ["cheats"]


@pytest.mark.parametrize("option", OPTIONS)
def test_T11_9_whoever_is_disqualified_whenever_decided_duels_stay_and_open_ones_are_lost(
    store: Store, option: str
) -> None:
    """Every bot at every moment, each with one of the three results; a third of that with the other options."""

    def one(at: int, moment: int) -> Sequence[Results]:
        is_tried = option == "plain" or (at + moment) % 3 == 0
        return [list(Results)[(at + 2 * moment) % 3]] if is_tried else []

    try_all(store, option, one)
    assert faults(store) == [], "every round is drawn again"


@pytest.mark.nightly
def test_T11_9_every_bot_at_every_moment_with_all_three_results(store: Store) -> None:
    try_all(store, "third place", lambda _at, _moment: list(Results))


@pytest.mark.parametrize("seed", range(24))
def test_T11_9_with_upsets_ties_and_several_disqualified_nobody_comes_back(store: Store, seed: int) -> None:
    """Results at random, disqualifications at any moment: of two that met one goes on, and the end stays as it was."""
    dice = Random(seed)
    names = "abcdefgh"[: dice.randint(2, 8)]
    settings = paper_settings(names, "knockout", best_of=dice.choice((1, 3)))
    each = PaperTournament(store, f"cup{next(NUMBERS)}", settings, lambda _bot: dice.randint(0, 3))
    out: set[str] = set()

    def maybe_disqualify() -> None:
        if dice.random() < 0.3 and len(out) < len(names) - 1:
            bot = dice.choice([name for name in names if name not in out])
            each.disqualify(label(bot), dice.choice(list(Results)))
            out.add(bot)

    duels: list[frozenset[str]] = []
    for _ in range(50):
        maybe_disqualify()
        tables = [frozenset(bot[0] for bot in table) for table in each.draw()]
        if not tables:
            break
        assert not out & frozenset().union(*tables), "nobody who is out is drawn"
        for met in set(duels):
            assert len(met & {bot for duel in tables if duel != met for bot in duel}) <= 1, "a loser came back"
        duels += tables
        maybe_disqualify()
        each.close()
    else:
        raise AssertionError("it never ends")
    assert set(each.names_in_order[len(names) - len(out) :]) == out
    for bot in dice.sample(sorted(set(names) - out), 1):
        before = each.names_in_order
        each.disqualify(label(bot), dice.choice(list(Results)))
        out.add(bot)
        assert [name for name in each.names_in_order if name not in out] == [b for b in before if b not in out]
        assert each.draw() == []
    assert faults(store) == []


def test_E13_the_winner_or_the_runner_up_is_disqualified(store: Store) -> None:
    for out, wanted in (("a", "bcdefa"), ("b", "acdefb")):
        each = cup(store)
        each.play_out()
        assert each.names_in_order == NAMES
        each.disqualify(label(out), Results.STRIKE)
        assert each.names_in_order == wanted
    each = cup(store)
    for tables in ([set("de"), set("cf")], [set("ad"), set("bc")]):
        assert sorted(map(sorted, each.draw())) == sorted(sorted(map(label, table)) for table in tables)
        each.close()
    each.disqualify(label("a"), Results.STRIKE)
    assert each.draw() == [], "there is no final, and d does not come back"
    assert each.names_in_order == "bcdefa"


def test_T11_10_a_finalist_that_leaves_is_not_replaced_by_the_bot_it_beat(store: Store) -> None:
    for is_during in (False, True):
        each = cup(store)
        for number in (1, 2):
            each.draw()
            if number == 2 and is_during:
                withdraw_bot(store, each.name, "a")
            each.close()
        if not is_during:
            withdraw_bot(store, each.name, "a")
        assert each.draw() == []
        assert each.names_in_order == NAMES.replace("ab", "ba"), "its results stay: it is second"


def test_T11_10_a_bot_that_left_and_is_disqualified_later_has_lost_when_it_left(store: Store) -> None:
    each = cup(store, "abcd", best_of=3)
    each.draw()
    each.close()
    withdraw_bot(store, each.name, "a")
    later = each.play_out()
    before = each.names_in_order
    assert (before, len(later)) == ("bdac", 3)
    each.disqualify(label("a"), Results.STRIKE)
    assert each.names_in_order == "bdca"
    assert each.draw() == []


def test_T11_10_a_tie_that_the_better_seed_would_win_is_lost_by_a_bot_that_is_out(store: Store) -> None:
    """Void blocks are shared ones, and the last shared one decides by seed: not for a bot that is disqualified."""
    for results in Results:
        each = PaperTournament(store, f"cup{next(NUMBERS)}", paper_settings("ab", "knockout"), lambda _bot: 1)
        each.draw()
        each.close()
        each.draw()
        each.disqualify(label("a"), results)
        each.close()
        assert each.play_out() == []
        assert each.names_in_order == "ba"


def test_T11_10_both_bots_of_a_final_may_be_gone(store: Store) -> None:
    each = cup(store)
    for _ in range(2):
        each.draw()
        each.close()
    for bot in "ba":
        each.disqualify(label(bot), Results.STRIKE)
    assert each.draw() == []
    assert each.names_in_order == "cdefab"


def test_T11_10_the_last_bot_left_has_won_before_the_first_round(store: Store) -> None:
    each = cup(store, "abc")
    for bot in "ab":
        each.disqualify(label(bot), Results.VOID)
    assert each.draw() == []
    assert each.names_in_order[0] == "c"
    assert {line.bot for line in each.order[1:]} == {label("a"), label("b")}


def test_T11_9_a_void_match_reopens_no_decided_duel_and_counts_in_an_open_one(store: Store) -> None:
    each = cup(store)
    for _ in range(2):
        each.draw()
        each.close()
    semi_final = store.matches.of(each.name, 2)[0]
    for match in store.matches.of(each.name):
        posting.void_match(store.connection, match.id, "by mistake", "tester")
    (final,) = each.draw()
    assert set(final) == {label("a"), label("b")}
    assert store.matches.find(semi_final.id).is_void
    each.close()
    assert each.names_in_order == NAMES
    open_one = cup(store, "ab", best_of=3)
    open_one.draw()
    open_one.close()
    for match in store.matches.of(open_one.name):
        posting.void_match(store.connection, match.id, "by mistake", "tester")
    assert len(open_one.play_out()) == 2, "the void block is shared: 0.5, 1.5, 2.5 of 3 points"
    assert faults(store) == []


def test_T11_12_nobody_joins_a_knockout_and_the_audit_names_an_entry(store: Store, tmp_path: Path) -> None:
    each = cup(store)
    each.draw()
    each.close()
    with pytest.raises(UserError, match=f"{each.name} is a knockout; only a Swiss tournament can be joined"):
        enter_bot(store, each.name, None, "now")  # type: ignore[arg-type]  # refused before the bot is looked at
    other = open_store(tmp_path / "other.db", create=True)
    forged = cup(other)
    other.bots.add(label("g"), "g", "0123456789ab" * 5, "/bots/g", {"name": "g"}, "now")
    forged.draw()
    forged.close()
    other.tournaments.add_change(forged.name, label("g"), is_entry=True)
    (fault,) = faults(other)
    assert "nobody joins a knockout" in fault
    other.close()


def as_in_0_1_0(settings: TournamentSettings) -> TournamentSettings:
    """The settings of a tournament that release 0.1.0 began: its ledger lacks the key."""
    plain = settings.to_plain()
    del plain["keeps_bracket"]
    return TournamentSettings.from_plain(plain)


def test_T11_9_a_knockout_of_0_1_0_is_drawn_as_it_was_and_ranked_by_the_bracket_it_had(store: Store) -> None:
    """There the bot that a disqualified finalist had beaten came back; such a ledger must still verify."""
    settings = as_in_0_1_0(paper_settings(NAMES, "knockout"))
    assert not settings.keeps_bracket
    old = PaperTournament(store, f"cup{next(NUMBERS)}", settings)
    for _ in range(2):
        old.draw()
        old.close()
    old.disqualify(label("a"), Results.VOID)
    (final,) = old.draw()
    assert set(final) == {label("b"), label("d")}
    old.close()
    assert old.draw() == []
    assert old.names_in_order == "bdcefa"
    old.disqualify(label("b"), Results.STRIKE)
    assert old.names_in_order == "dcefba", "what comes after its end no longer changes its bracket"
    assert faults(store) == []


def test_T11_9_the_rounds_that_0_1_0_drew_after_a_disqualification_are_drawn_again(store: Store) -> None:
    """Written down from release 0.1.0: c is out in the third round, f comes back, and a and d begin again."""
    settings = as_in_0_1_0(paper_settings(NAMES, "knockout", best_of=3))
    old = PaperTournament(store, "old", settings)
    drawn = []
    for number in range(1, 8):
        drawn.append(["".join(sorted(bot[0] for bot in table)) for table in old.draw()])
        if number == 3:
            old.disqualify(label("c"), Results.VOID)
        old.close()
    assert drawn == [["de", "cf"]] * 2 + [["ad", "bc"]] + [["ad", "bf"]] * 2 + [["ab"]] * 2
    assert old.draw() == []


def test_T11_9_other_formats_do_not_seal_the_key(store: Store) -> None:
    swiss = paper_settings(NAMES, "swiss")
    assert "keeps_bracket" not in swiss.to_plain()
    assert TournamentSettings.from_plain(swiss.to_plain()) == swiss
    assert TournamentSettings.from_plain(replace(swiss, format="knockout").to_plain()).keeps_bracket
