"""The judge: the same judgement anywhere, of what seats knew, never certain, never of an open round."""

from __future__ import annotations

import dataclasses
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.analysis.judge import judge
from arena.analysis.judgement import JUDGE, Judgement, Opinion, Phase, Worlds
from arena.analysis.judges import Case, judge_all
from arena.analysis.keeping import judge_in_background
from arena.analysis.moments import JudgedMoment, course_of
from arena.analysis.playing_on import (
    NoisyPolicy,
    RandomPolicy,
    Sight,
    ahead,
    beaten,
    dice_for,
    play_on,
    policy_for,
)
from arena.analysis.race import STAGES, UNCUT_BIAS, Gains, WorldSource, bias_of, mean_and_error, prior_of
from arena.bench.analysis import is_outranked
from arena.cli.play_report import print_report
from arena.reports.bot_play import difference_to, judged_matches, play_report
from arena.reports.judgement import curve_of, judgement_of, text_of
from arena.store.database import open_store, open_to_read
from arena.store.judgements import JudgementKey
from ratings.ledger import queries
from ratings.ledger.chain import head
from referee.game import Game
from referee.games import GAMES
from referee.heuristic import TO_THE_END
from referee.mistakes import UserError
from referee.record import How, Record, read
from referee.rng import Rng, seeded
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import small_database

GOLDEN = Path(__file__).parents[2] / "golden"
RANDOM_BOT = Path(__file__).parents[3] / "sample_bots" / "python"
JUDGE_IT = """
import sys
from arena.analysis.judge import judge
from arena.analysis.judgement import Worlds
print(judge(open(sys.argv[1]).read(), Worlds.KNEW, 1, [1]).to_json())
"""
NAMED = {"norenberc": "3 dd068741ae9d4c9a", "toy": "3 0c3677c25aa4a44f"}
"""Judgements of the golden matches by their hashes: where one differs, the judge is another version."""


def golden(slug: str) -> str:
    return (GOLDEN / f"{slug}.jsonl").read_text(encoding="ascii")


@pytest.fixture(scope="module")
def toy() -> Judgement:
    return judge(golden("toy"), Worlds.LUCK, 1)


def moments_of(record: Record) -> tuple[JudgedMoment, ...]:
    return course_of(record, policy_for(record.game), range(record.seats), Rng(1)).moments


@cache
def said_by_a_process(slug: str, hash_seed: str) -> str:
    """Return what a process of its own says of a golden match, for the second seat by what it knew."""
    return subprocess.run(
        [sys.executable, "-c", JUDGE_IT, str(GOLDEN / f"{slug}.jsonl")],
        env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize("slug", list(NAMED))
def test_a_record_is_judged_the_same_in_every_process(slug: str) -> None:
    """Byte for byte, whatever the hash seed; a judge that says otherwise than before raises its version."""
    one, other = (said_by_a_process(slug, hash_seed) for hash_seed in ("1", "2"))
    assert one == other
    assert f"{JUDGE} {blake2b(one.encode(), digest_size=8).hexdigest()}" == NAMED[slug]


def test_a_judgement_survives_being_written_and_read(toy: Judgement) -> None:
    assert Judgement.from_json(toy.to_json()) == toy
    assert toy.decisions


def test_a_seat_judged_alone_is_judged_the_same(toy: Judgement) -> None:
    alone = judge(golden("toy"), Worlds.LUCK, 1, [1])
    assert alone.decisions == toy.of_seat(1).decisions
    assert alone.curve == toy.curve
    assert alone.seats[0].others is None, "the choices of the others were not looked at"


def test_nothing_is_ever_certain(toy: Judgement) -> None:
    assert all(each.error > 0 and each.own_error > 0 for each in toy.decisions)
    assert all(error > 0 for point in toy.curve[:-1] for error in point.errors)
    assert mean_and_error([72.5] * 16)[1] > 1
    assert text_of(72.5, 0.0) == "+72 ± 1"


def test_the_heuristic_of_a_plug_in_is_judged_by(toy: Judgement) -> None:
    policy = policy_for(GAMES["toy"])
    assert isinstance(policy, NoisyPolicy)
    assert (policy.heuristic, policy.scale) == (GAMES["toy"].heuristic(), GAMES["toy"].scale)
    assert not toy.is_weak
    assert all(blunder.second is not None for blunder in toy.blunders())


def test_a_game_without_a_heuristic_is_judged_weakly_and_has_no_second_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES["toy"]), "heuristic", Game.heuristic)
    found = judge(golden("toy"), Worlds.LUCK, 1)
    assert found.is_weak
    assert isinstance(policy_for(GAMES["toy"]), RandomPolicy)
    assert found.blunders()
    assert all(blunder.second is None for blunder in found.blunders())


def test_a_game_that_imagines_nothing_is_not_judged_by_what_its_seats_knew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAMES["toy"]), "imagine", Game.imagine)
    with pytest.raises(UserError, match=r"^worlds: toy cannot determinize a seat's view; expected luck or hindsight$"):
        judge(golden("toy"), Worlds.KNEW, 1)
    assert judge(golden("toy"), Worlds.LUCK, 1).is_weak


def test_of_ten_moves_seven_are_the_best_two_the_second_and_one_the_third() -> None:
    record = read(golden("norenberc"))
    policy = policy_for(record.game)
    assert isinstance(policy, NoisyPolicy)
    moment = next(each for each in moments_of(record) if each.listed > 3)
    ratings = policy.heuristic.rate(moment.before, moment.seat, record.game.legal_actions(moment.before, moment.seat))
    best = sorted(set(ratings), reverse=True)
    dice = seeded(5)
    options = record.game.legal_actions(moment.before, moment.seat)
    taken = Counter(policy.pick(moment.before, moment.seat, dice) for _ in range(1000))
    shares = [count / 1000 for _, count in taken.most_common()]
    assert len(best) > 2
    assert ratings[options.index(taken.most_common(1)[0][0])] == best[0]
    assert shares == pytest.approx([0.7, 0.2, 0.1], abs=0.05)
    assert policy.shares(3) == (0.7, 0.2, 0.1)
    assert policy.shares(2) == pytest.approx((0.7, 0.3))


def test_all_options_of_a_decision_meet_the_same_worlds_and_dice() -> None:
    """So the same option tried twice differs from itself in nothing, in any kind of world."""
    record = read(golden("norenberc"))
    moment = moments_of(record)[-1]
    for worlds in Worlds:
        table = WorldSource(record.game, worlds, seeded(3), record.seats, len(record.steps))
        tried = table.try_options(policy_for(record.game), moment, (0, 0), range(2), Sight.LONG)
        assert [first for first, _ in tried] == [again for _, again in tried]


def test_a_decision_in_which_the_heuristic_sees_one_way_only_is_no_moment() -> None:
    """Every option but the one chosen may be one that the heuristic never plays."""
    record = read(golden("norenberc"))
    game, policy = record.game, policy_for(record.game)
    moments = moments_of(record)
    assert all(len(moment.options) > 1 and sum(moment.usual) == pytest.approx(1) for moment in moments)
    assert isinstance(policy, NoisyPolicy)

    def one_way(_state: Any, _seat: int, options: Sequence[Any]) -> list[float]:
        return [0.0] + [-99.0] * (len(options) - 1)

    narrow = NoisyPolicy(game, dataclasses.replace(policy.heuristic, rate=one_way))
    found = course_of(record, narrow, range(record.seats), Rng(1)).moments
    assert 0 < len(found) < len(moments)
    assert all(len(moment.options) == 2 and moment.usual == (0.0, 1.0) for moment in found)


def test_worlds_are_what_they_are_called() -> None:
    record = read(golden("norenberc"))
    game, moment = record.game, moments_of(record)[3]
    opened = {
        worlds: WorldSource(game, worlds, seeded(3), record.seats, len(record.steps)).open_world(moment, 0)
        for worlds in Worlds
    }
    assert game.digest(opened[Worlds.HINDSIGHT]) == game.digest(moment.before)
    assert len({game.digest(world) for world in opened.values()}) == 3
    assert game.observe(opened[Worlds.KNEW], moment.seat) == game.observe(moment.before, moment.seat)
    for seat in (None, *range(record.seats)):
        assert game.observe(opened[Worlds.LUCK], seat) == game.observe(moment.before, seat)


def test_play_is_cut_at_the_horizon_and_goes_to_the_end_when_that_is_near() -> None:
    game = GAMES["nuremberg"]
    policy = policy_for(game)
    table = WorldSource(game, Worlds.LUCK, seeded(1), seats=4, steps=200)
    assert table.horizon(policy, 10, Sight.LONG) == (30, 160)
    assert table.horizon(policy, 10, Sight.SHORT) == (8, 182)
    assert table.horizon(policy, 10, Sight.FAR) == (TO_THE_END, 0)
    assert table.horizon(policy, 170, Sight.SHORT) == (TO_THE_END, 0)
    assert table.horizon(RandomPolicy(game), 0, Sight.SHORT) == (TO_THE_END, 0)


def test_a_lead_counts_the_less_the_more_is_to_come() -> None:
    game = GAMES["carcassonne_city"]
    policy = policy_for(game)
    assert isinstance(policy, NoisyPolicy)
    state = game.new(2, 1, game.options({}))
    state.scores[0] += 20
    late, early = policy.rated(state, 0), policy.rated(state, 100)
    assert 5_000 < early[0] < late[0] < 10_000
    assert sum(early) == pytest.approx(10_000, abs=1)


def test_points_are_the_share_of_opponents_beaten() -> None:
    assert beaten((1, 2, 3)) == [1.0, 0.5, 0.0]
    assert beaten((1, 1, 3)) == [0.75, 0.75, 0.0]
    assert ahead((10, 10), 4.0) == [0.5, 0.5]


def test_who_plays_at_random_counts_leads_only_where_he_knows_their_scale() -> None:
    game = GAMES["toy"]
    state = game.new(3, 1, game.options({}))
    plain, second = RandomPolicy(game), RandomPolicy(game, lead=4.0)
    play_on(game, plain, state, dice_for(3, seeded(2)), TO_THE_END)
    outcome = game.outcome(state)
    assert outcome is not None
    places, leads = beaten(outcome.ranks), ahead(outcome.scores, 4.0)
    assert plain.rated(state, 0) == pytest.approx([10_000 * share for share in places], abs=1)
    both = [5_000 * (share + lead) for share, lead in zip(places, leads, strict=True)]
    assert second.rated(state, 0) == pytest.approx(both, abs=1)
    assert second.rated(state, 0) != plain.rated(state, 0)


def a_moment(options: tuple[str, ...], usual: tuple[float, ...]) -> JudgedMoment:
    toy = GAMES["toy"]
    decision = next(iter(toy.pending(toy.new(2, 1, toy.options({})))))
    return JudgedMoment(1, decision, Phase.OPENING, How.ANSWERED, None, {}, options, usual, len(options))


def test_gains_are_drawn_towards_nothing_and_grow_surer_with_worlds() -> None:
    gains = Gains(a_moment(("chosen", "better"), (0.5, 0.5)))
    assert gains.gain == 0.0
    assert gains.error == pytest.approx(5.0)
    gains.add([[[2_000, 8_000], [5_000, 5_000]]] * 3, (0, 1), bias=0.0)
    first = (gains.gain, gains.error)
    gains.add([[[2_000, 8_000], [5_000, 5_000]]] * 16, (0, 1), bias=0.0)
    assert 0 < first[0] < gains.gain < 30
    assert gains.error < first[1]
    assert gains.effect(0)[0] == pytest.approx(-15.0)
    assert gains.effect(1)[0] == pytest.approx(15.0)


def test_a_lap_of_some_options_says_nothing_of_the_others() -> None:
    gains = Gains(a_moment(("chosen", "worse", "better", "good"), (0.7, 0.2, 0.1, 0.0)))
    gains.add([[[5_000, 5_000], [2_000, 8_000], [9_000, 1_000], [8_000, 2_000]]] * 3, range(4), bias=0.0)
    assert gains.likeliest(2) == [0, 2, 3]
    assert gains.likeliest(9) == [0, 1, 2, 3]
    gains.add([[[5_000, 5_000], [1_000, 9_000], [8_500, 1_500]]] * 50, (0, 2, 3), bias=0.0)
    assert gains.best == 3
    assert gains.likeliest(2) == [0, 1, 3], "the one that turned out bad is behind the one that was not tried again"
    assert gains.worlds == 53


def test_what_usual_play_never_does_is_doubted_sooner() -> None:
    policy = policy_for(GAMES["norenberc"])
    moments = [a_moment(("chosen", "better"), often) for often in ((0.7, 0.3), (0.0, 1.0))]
    usual, unusual = (Gains(moment, prior_of(policy, moment)) for moment in moments)
    for gains in (usual, unusual):
        gains.add([[[2_000, 8_000], [5_000, 5_000]]] * 3, (0, 1), bias=0.0)
    assert 0 < usual.gain < unusual.gain < 30
    at_random = RandomPolicy(GAMES["toy"])
    assert prior_of(at_random, moments[0]) == prior_of(at_random, moments[1]), "random play has no habits"


def test_a_cut_and_random_play_are_trusted_less_than_play_to_the_end() -> None:
    game, first = GAMES["nuremberg"], STAGES[0]
    table = WorldSource(game, Worlds.LUCK, seeded(1), seats=4, steps=200)
    early = a_moment(("chosen", "better"), (0.5, 0.5))
    late = dataclasses.replace(early, step=199)
    assert bias_of(table, policy_for(game), early, first) == first.bias
    assert bias_of(table, policy_for(game), late, first) == UNCUT_BIAS < first.bias
    assert bias_of(table, RandomPolicy(game), late, first) == first.bias


def test_who_is_unsure_looks_again() -> None:
    sure, unsure = Gains(a_moment(("chosen", "better"), (0.5, 0.5))), Gains(a_moment(("c", "b"), (0.5, 0.5)))
    sure.add([[[5_000, 5_000], [5_100, 4_900]]] * 100, (0, 1), bias=0.0)
    assert sure.gain > unsure.gain
    assert sure.hope < unsure.hope


def test_the_decisions_that_cost_most_get_the_most_worlds() -> None:
    found = Judgement.from_json(said_by_a_process("norenberc", "1"))
    counts = Counter(each.worlds for each in found.decisions)
    first, second, third = (stage.worlds for stage in STAGES)
    assert counts[first + second + third] == 8
    assert counts[first + second] == 8
    assert counts[first] == len(found.decisions) - 16
    assert [each.better for each in found.decisions if each.worlds == first] == [""] * counts[first]
    assert all(blunder.second is not None and blunder.second.opinion in Opinion for blunder in found.blunders())
    assert curve_of(found, 1)[0][0] == 0
    assert curve_of(found, 1)[-1] == (50, found.seats[0].end, 0.0)


def test_the_benchmark_forgives_a_plant_only_what_truly_costs_more() -> None:
    assert is_outranked([30.0, 27.0, 16.0, 12.0]), "three decisions of greedy cost more than the plant"
    assert is_outranked([30.0, 27.0, 1.0, 16.0, 12.0])
    assert not is_outranked([30.0, 27.0, 2.0, 12.0]), "a judge who is right would have named it third"
    assert not is_outranked([30.0, 27.0, 12.0, 12.0])


def test_a_match_that_came_to_nothing_is_not_judged() -> None:
    with pytest.raises(UserError, match="the match is void: there is no result to explain"):
        judge(golden("furstenfeld"), Worlds.LUCK, 1)
    with pytest.raises(UserError, match="the record is refused"):
        judge(golden("toy").replace("BID", "BUD", 1).replace('"seed":', '"seed": '), Worlds.LUCK, 1)


# In a database.


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return small_database(tmp_path)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    return CommandLine(monkeypatch, capsys, tmp_path)


def first_match(db: Path) -> Any:
    store = open_to_read(db)
    match = next(each for each in store.matches.of("cup") if each.places)
    store.close()
    return match


def test_a_stored_match_is_judged_once_and_kept(arena: CommandLine, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = first_match(db)
    first = arena("analyse", match.id[:16], "--effort", "1", "--json")
    assert first.code == 0
    assert first.data["digest"] == match.record_digest
    assert (first.data["worlds"], first.data["judge"]) == ("knew", JUDGE)

    def never(*_: object) -> Judgement:
        raise AssertionError("it was judged before")

    monkeypatch.setattr("arena.cli.analyse.judge", never)
    again = arena("analyse", match.id[:16], "--effort", "1", "--json")
    assert again.out == first.out
    one = arena("analyse", match.id[:16], "--effort", "1", "--seat", "1")
    assert f"seat 1, {match.seating[1]}" in one.out
    assert "seat 0," not in one.out
    store = open_to_read(db)
    shown = judgement_of(store, match)
    assert shown is not None
    assert shown.to_plain() == Judgement.from_plain(first.data).to_plain()
    assert judgement_of(store, match, Worlds.LUCK) is None
    store.close()


def test_a_match_of_an_open_round_is_judged_for_nobody(arena: CommandLine, db: Path) -> None:
    match = first_match(db)
    assert arena("analyse", match.id[:16], "--effort", "1").code == 0
    connection = sqlite3.connect(db)
    connection.execute("UPDATE round SET state = 'paired' WHERE number = ?", (match.round,))
    connection.commit()
    connection.close()
    refused = arena("analyse", match.id[:16], "--effort", "1")
    assert refused.code == 2
    assert refused.err == (
        f"arena: match {match.id[:12]}: round {match.round} of cup is open; it can be judged once it is closed\n"
    )
    store = open_to_read(db)
    assert judgement_of(store, match) is None, "not even what was kept is shown"
    assert match.id not in store.judgements.missing(JUDGE, "knew", 5)
    assert match.id not in [judged for judged, _ in store.judgements.of_bots(JUDGE, match.seating)]
    store.close()


def test_a_match_of_a_test_is_judged_when_the_test_has_ended(db: Path) -> None:
    """The id of a test, which its matches tell, foretells the games to come."""
    match = first_match(db)
    store = open_store(db)
    for settings, state, is_judged in (
        ("test", "running", False),
        ("test", "finished", True),
        ("swiss", "running", True),
    ):
        store.connection.execute(
            "UPDATE tournament SET settings = json_set(settings, '$.format', ?), state = ?", (settings, state)
        )
        assert (match.id in store.judgements.missing(JUDGE, "knew", 1)) is is_judged
        assert store.matches.is_settled(match) is is_judged
    store.close()


@pytest.mark.long
def test_a_whole_tournament_is_judged_on_several_processes_and_no_rating_knows(arena: CommandLine, db: Path) -> None:
    store = open_to_read(db)
    played = [match for match in store.matches.of("cup") if match.places]
    before = head(store.connection)
    waiting = store.judgements.missing(JUDGE, "knew", 1, "cup")
    store.close()
    assert sorted(waiting) == sorted(match.id for match in played)
    done = arena("analyse", "--tournament", "cup", "--effort", "1", "--processes", "2", "--json")
    assert (done.code, done.data) == (0, {"tournament": "cup", "judged": len(played), "faults": {}})
    assert arena("analyse", "--tournament", "cup", "--effort", "1").out.startswith("0 matches of cup judged")
    store = open_to_read(db)
    assert head(store.connection) == before
    assert store.judgements.missing(JUDGE, "knew", 1, "cup") == []
    assert len(store.judgements.missing(JUDGE, "luck", 1, "cup")) == len(played)
    store.close()
    text = judge(open_to_read(db).matches.record(played[0].id), Worlds.KNEW, 1).to_json()
    kept = open_to_read(db)
    found = judgement_of(kept, played[0])
    kept.close()
    assert found is not None
    assert found.to_json() == text, "in another process, the same bytes"
    assert arena("analyse", "--drop").out == f"{len(played)} judgements dropped.\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ((), "expected exactly one of MATCH|RECORD, --tournament and --drop"),
        (("abcd", "--drop"), "expected exactly one of MATCH|RECORD, --tournament and --drop"),
        (("--tournament", "cup", "--seat", "1"), "--seat: expected with MATCH|RECORD only"),
        (("--tournament", "nope"), "--tournament: 'nope' is not in this database; expected one of: cup"),
        (("nosuch.jsonl",), "nosuch.jsonl: cannot be read: No such file or directory"),
        (("abcd", "--effort", "6"), "Invalid value for '--effort': 6 is not in the range 1<=x<=5."),
        ((str(GOLDEN / "toy.jsonl"), "--seat", "7"), f"{GOLDEN}/toy.jsonl: seat: 7 is not allowed; expected 0 to 1"),
    ],
)
def test_what_cannot_be_judged_is_said_in_one_line(
    arena: CommandLine, db: Path, words: tuple[str, ...], line: str
) -> None:
    refused = arena("analyse", *words)
    assert (refused.code, refused.err) == (2, f"arena: {line}\n")


def test_a_judgement_that_cannot_be_read_counts_as_none(db: Path) -> None:
    match = first_match(db)
    store = open_store(db)
    store.connection.execute("INSERT INTO judgement VALUES (?, ?, 'knew', 1, x'00')", (match.record_digest, JUDGE))
    assert judgement_of(store, match) is None
    store.close()


# Over many matches.


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small tournament, judged in the background until there is nothing left to do."""
    db = small_database(tmp_path_factory.mktemp("judged"))
    store = open_store(db)

    async def judge_everything() -> None:
        async with trio.open_nursery() as nursery:
            # Not idly: where every core is busy with tests, nothing would ever be judged.
            nursery.start_soon(partial(judge_in_background, store, 1, is_idle=False))
            while store.judgements.missing(JUDGE, Worlds.KNEW, 1):  # noqa: ASYNC110  the judge says nothing when it is done
                await trio.sleep(0.05)
            nursery.cancel_scope.cancel()

    before = head(store.connection)
    trio.run(judge_everything)
    assert head(store.connection) == before, "the ledger knows nothing of it"
    store.close()
    return db


def test_the_background_judges_what_has_closed_by_what_seats_knew(judged: Path) -> None:
    store = open_to_read(judged)
    for match in store.matches.of("cup"):
        found = judgement_of(store, match)
        assert (found is None) == (not match.places)
        assert found is None or (found.worlds, found.effort) == (Worlds.KNEW, 1)
    store.close()


def test_a_judge_in_the_background_gives_way_to_everything() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import os; from arena.analysis.__main__ import give_way; give_way();"
         "print(os.nice(0), os.sched_getscheduler(0) == os.SCHED_IDLE)"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said == "19 True\n"


def test_a_judge_that_is_killed_is_replaced_and_the_next_match_is_judged() -> None:
    said: list[str | UserError] = []
    record = golden("toy")

    async def report(_case: Case, found: str | UserError) -> None:
        said.append(found)

    async def judge_two(nursery: trio.Nursery) -> None:
        cases = iter(
            [
                Case("long", JudgementKey("", JUDGE, Worlds.LUCK, 1000), partial(golden, "norenberc")),
                Case("next", JudgementKey("", JUDGE, Worlds.LUCK, 1), lambda: record),
            ]
        )
        await judge_all(cases, report, processes=1, is_idle=False)
        nursery.cancel_scope.cancel()

    async def kill_the_first() -> None:
        while not (children := our_judges()):  # noqa: ASYNC110  a process does not say that it has been started
            await trio.sleep(0.05)
        os.kill(children[0], signal.SIGKILL)
        await trio.sleep_forever()

    async def both() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(judge_two, nursery)
            nursery.start_soon(kill_the_first)

    trio.run(both)
    gone, judged = said
    assert str(gone) == "the judge's process ended early"
    assert judged == judge(record, Worlds.LUCK, 1).to_json()


def our_judges() -> list[int]:
    """Return the processes of judges that this one has started."""
    children = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()
    return [int(child) for child in children if b"arena.analysis" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_bot_is_told_what_it_loses_points_on(arena: CommandLine, judged: Path) -> None:
    said = arena("bots", "report", "ann", "--db", str(judged), "--json")
    assert said.code == 0
    (game,) = said.data["games"]
    store = open_to_read(judged)
    label = store.bots.find("ann").newest
    found = [(match, judgement_of(store, match)) for match in store.matches.of("cup") if label in match.seating]
    found = [(match, judgement) for match, judgement in found if judgement is not None]
    store.close()
    own = [
        sum(each.own for each in judgement.decisions if match.seating[each.seat] == label)
        for match, judgement in found
        if judgement is not None
    ]
    assert (game["game"], game["label"], game["matches"], game["is_weak"]) == ("toy", label, len(found), False)
    assert game["own"] == pytest.approx(sum(own) / len(own), abs=0.06)
    for parts in ("kinds", "phases"):
        assert sum(part["own"] for part in game[parts]) == pytest.approx(game["own"], abs=0.3)
        assert all(part["error"] > 0 for part in game[parts])
    assert [part["name"] for part in game["phases"]] == ["opening", "middle", "end"]
    assert len(said.data["lessons"]) <= 3
    lost = [lesson["lost"] for lesson in said.data["lessons"]]
    assert lost == sorted(lost, reverse=True)
    text = arena("bots", "report", label, "--db", str(judged), "--tournament", "cup").out
    assert "by kind of decision" in text
    assert "WEAK" not in text
    assert "± 0" not in text


def test_a_report_that_rests_on_random_play_says_so(judged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = open_to_read(judged)
    found = play_report(store, "ann")
    store.close()
    print_report(
        dataclasses.replace(found, games=tuple(dataclasses.replace(game, is_weak=True) for game in found.games))
    )
    assert "WEAK: random play only" in capsys.readouterr().out


def test_a_bot_is_compared_with_the_next_better_one_and_with_its_last_version(judged: Path) -> None:
    """Somebody stands above everybody but the first; a version compared with itself differs in nothing."""
    store = open_to_read(judged)
    order = [line.bot for line in sorted(queries.standing(store.connection, "toy:1"), key=lambda line: -line.rating)]
    for better, label in pairwise(order):
        next_better = play_report(store, label).games[0].next_better
        assert next_better is not None
        assert next_better.label == better
        assert [part.own for part in next_better.parts] == sorted(
            (part.own for part in next_better.parts), reverse=True
        )
    assert play_report(store, order[0]).games[0].next_better is None
    itself = difference_to(store, "toy", order[0], judged_matches(store, order[0], None)["toy"], None)
    assert itself is not None
    assert (itself.own, itself.habits) == (0.0, ())
    assert play_report(store, order[0]).games[0].last_version is None, "it has only one"
    store.close()


def test_a_bot_without_judged_matches_is_said_in_one_line(arena: CommandLine, db: Path) -> None:
    refused = arena("bots", "report", "ann")
    hint = "judge a tournament with: arena analyse --tournament NAME"
    assert (refused.code, refused.err) == (2, f"arena: bot: no match of ann has been judged; {hint}\n")
    assert arena("bots", "report", "nobody").code == 2


@pytest.mark.parametrize(("options", "efforts"), [((), [1]), (("--judge", "3"), [3]), (("--judge", "0"), [])])
def test_a_tournament_is_judged_meanwhile_unless_told_otherwise(
    arena: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], efforts: list[int]
) -> None:
    asked: list[int] = []

    async def note(_store: object, effort: int, _tournament: str) -> None:
        asked.append(effort)

    monkeypatch.setattr("arena.cli.tournament.judge_in_background", note)
    bots = "\n".join(f'[[bot]]\npath = "{RANDOM_BOT}"\nname = "{name}"' for name in ("ann", "bob"))
    (tmp_path / "duel.toml").write_text(f'name = "duel"\ngame = "toy"\nrounds = 1\nrating_rounds = 0\n{bots}\n')
    ran = arena("tournament", "run", "duel.toml", *options, "--quiet")
    assert (ran.code, asked) == (0, efforts)
    assert ("not judged yet" in ran.err) == (options == ("--judge", "3")), "what was not asked for is not missed"


def test_a_tournament_that_runs_with_a_judge_says_what_was_left_to_judge(arena: CommandLine, tmp_path: Path) -> None:
    bots = "\n".join(f'[[bot]]\npath = "{RANDOM_BOT}"\nname = "{name}"' for name in ("ann", "bob"))
    (tmp_path / "duel.toml").write_text(f'name = "duel"\ngame = "toy"\nrounds = 1\nrating_rounds = 0\n{bots}\n')
    ran = arena("tournament", "run", "duel.toml", "--judge", "1", "--quiet")
    assert ran.code == 0
    store = open_to_read(tmp_path / "arena.db")
    left = len(store.judgements.missing(JUDGE, Worlds.KNEW, 1, "duel"))
    played = len(store.matches.of("duel"))
    store.close()
    hint = "judge them with: arena analyse --tournament duel --effort 1"
    assert ran.err == (f"arena: matches not judged yet: {left}; {hint}\n" if left else "")
    assert arena("analyse", "--tournament", "duel", "--effort", "1", "--json").data["judged"] == left <= played
    refused = arena("tournament", "run", "duel.toml", "--judge", "1", "--server", "127.0.0.1:1")
    assert refused.code == 2
    assert "--judge: the server has its own setting" in refused.err
