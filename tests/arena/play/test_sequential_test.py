"""T14 on the command line: two bots tested against each other by real referees, stopped, resumed, audited."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.directory import BotDirectory, read_bot
from arena.plan.settings import RunSettings
from arena.plan.test_plan import TestPlan, check_test, plan_test, settings_of_games
from arena.play.test_runner import TestRunner
from arena.reports.test_report import progress_words, report_of_test
from arena.store.database import Store, open_store
from arena.store.heads import heads_file, read_heads
from arena.store.local_time import local_now
from ratings.ledger import queries
from ratings.ledger.audit import audit
from ratings.ledger.chain import Kind, entries
from ratings.sequential.test import Verdict, terms
from referee.games import GAMES
from referee.order import OrderError, TimeControl
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import QUITTER, small_plan

RANDOM = Path(__file__).parents[3] / "sample_bots" / "python"


def bot_called(folder: Path, name: str) -> BotDirectory:
    """The random bot under another name, and so another version."""
    copy = folder / name
    copy.mkdir(exist_ok=True)
    for file in RANDOM.iterdir():
        if file.is_file():
            text = file.read_text(encoding="utf-8")
            (copy / file.name).write_text(text.replace('name = "random"', f'name = "{name}"'), encoding="utf-8")
    return read_bot(copy)


def quitter(folder: Path) -> BotDirectory:
    small_plan(folder)
    return read_bot(folder / QUITTER)


def planned_test(folder: Path, **changes: Any) -> TestPlan:
    """The random bot against one that forfeits every game, beside a random bot: better within a few blocks."""
    changes.setdefault("alpha", Decimal("0.3"))
    copies = changes.get("copies", 1)
    agreed = terms(4 if copies == 2 else 3, **changes)
    new, old = bot_called(folder, "ann"), quitter(folder)
    settings = settings_of_games({}, TimeControl(join_ms=60_000, grace_ms=0), fresh_process=False)
    fillers = () if copies == 2 else (bot_called(folder, "bob"),)
    return plan_test(GAMES["toy"], new, old, agreed, fillers, 7, settings, ())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "arena.db", create=True)


def verdict_payload(store: Store, test_id: str) -> str:
    with store.reading() as connection:
        (body,) = (entry.body for entry in entries(connection, Kind.VERDICT) if entry.key == f"verdict:{test_id}")
    return json.dumps(body, sort_keys=True)


class Interrupted(Exception):
    """Stands for the end of the process."""


class Killer:
    """Ends a test after a number of blocks, wherever the next ones are."""

    def __init__(self, blocks: int) -> None:
        self.blocks = blocks

    def judged(self, runner: TestRunner) -> None:
        if runner.posted == self.blocks:
            raise Interrupted


def run(
    plan: TestPlan, store: Store, kill_at: int | None = None, *, referees: int = 1, concurrency: int = 4
) -> TestRunner:
    runner = TestRunner(plan, store, local_now, run=RunSettings(referees, concurrency))
    runner.enter()
    trio.run(runner.run, None if kill_at is None else Killer(kill_at))
    return runner


def test_T14_8_a_test_that_was_killed_ends_in_the_same_verdict(tmp_path: Path, store: Store) -> None:
    """The blocks posted so far are judged again, those under way are finished, and the VERDICT has the same bytes."""
    plan = planned_test(tmp_path)
    whole = open_store(tmp_path / "whole.db", create=True)
    done = run(plan, whole)
    assert done.progress.verdict is Verdict.BETTER
    with pytest.raises(BaseExceptionGroup) as ended:
        run(plan, store, kill_at=1)
    assert ended.group_contains(Interrupted)
    assert [verdict for _test, verdict in store.tests.all()] == [None]
    resumed = run(plan, store)
    assert resumed.progress.verdict is Verdict.BETTER
    assert verdict_payload(store, plan.test.id) == verdict_payload(whole, plan.test.id)
    with store.reading() as connection:
        found = audit(connection)
    assert found.findings == ()
    (note,) = found.notes
    assert note.endswith(": seed chosen by the caller"), "T17.5"


def test_T19_5_the_ledger_of_a_test_is_the_same_on_a_small_machine_a_large_one_and_after_a_kill(
    tmp_path: Path, store: Store
) -> None:
    """What is drawn ahead, and rated after the verdict, follows from the blocks alone."""
    plan = planned_test(tmp_path)
    stores = [store, *(open_store(tmp_path / f"{name}.db", create=True) for name in ("large", "killed"))]
    run(plan, stores[0], concurrency=1)
    run(plan, stores[1], referees=3, concurrency=8)
    with pytest.raises(BaseExceptionGroup):
        run(plan, stores[2], kill_at=2, referees=2)
    done = run(plan, stores[2])
    assert done.progress.blocks < done.posted, "some are rated after the verdict"
    ledgers = []
    for each in stores:
        with each.reading() as connection:
            ledgers.append([(entry.kind, entry.key, entry.body) for entry in entries(connection)])
    assert ledgers[0] == ledgers[1] == ledgers[2]
    assert len({each.heads.latest() for each in stores}) == 1


def test_T17_the_ledger_has_the_test_before_its_games_and_the_fit_at_its_verdict(tmp_path: Path, store: Store) -> None:
    plan = planned_test(tmp_path)
    runner = run(plan, store)
    with store.reading() as connection:
        kinds = [entry.kind for entry in entries(connection)]
    assert kinds.index(Kind.TEST) < kinds.index(Kind.ROUND) < kinds.index(Kind.MATCH)
    assert kinds[-2:] == [Kind.FIT, Kind.VERDICT]
    assert kinds.count(Kind.FIT) == 1
    assert kinds.count(Kind.ROUND) == kinds.count(Kind.CHECKPOINT) == runner.posted
    assert kinds.count(Kind.MATCH) == 3 * runner.posted
    assert store.tournaments.all() == []  # a test is no tournament
    (published,) = read_heads(heads_file(store.path()))
    assert (published.seq, published.hash) == (len(kinds), store.heads.latest()), "T13.10: a verdict is published too"


def test_T14_9_copies_sit_twice_and_rate_nobody(tmp_path: Path, store: Store) -> None:
    plan = planned_test(tmp_path, copies=2)
    runner = run(plan, store)
    assert runner.progress.verdict is Verdict.BETTER
    with store.reading() as connection:
        counts = [entry.kind for entry in entries(connection)]
        found = audit(connection)
        standing = queries.standing(connection, plan.test.pool)
    assert (Kind.RATE in counts, Kind.FIT in counts, Kind.MATCH in counts) == (False, False, True)
    assert standing == []
    assert found.findings == ()


def test_T14_5_the_block_limit_ends_a_test_as_inconclusive(tmp_path: Path, store: Store) -> None:
    plan = planned_test(tmp_path, max_blocks=1)
    assert run(plan, store).progress.verdict is Verdict.INCONCLUSIVE
    again = plan_test(
        GAMES["toy"], plan.new, plan.old, plan.test.terms, plan.everybody[2:], 7, plan.test.settings, [plan.test]
    )
    assert again.test.count == 2  # T14.8: a new one may begin after a verdict, and is counted
    run(again, store)
    with store.reading() as connection:
        *seeds, note = audit(connection).notes
    assert len(seeds) == 2
    assert "alpha <= 2 x 0.3" in note


def test_T17_5_a_verdict_that_was_not_due_is_found(tmp_path: Path, store: Store) -> None:
    plan = planned_test(tmp_path)
    with pytest.raises(BaseExceptionGroup):
        run(plan, store, kill_at=1)
    runner = TestRunner(plan, store, local_now)
    runner.enter()
    runner.progress.verdict = Verdict.BETTER
    store.tests.end(plan.test.id, runner.progress, "now")
    with store.reading() as connection:
        (finding,) = audit(connection).findings
    assert "do not give a verdict" in finding.message


def test_T14_10_progress_shows_the_evidence_the_games_and_a_forecast(tmp_path: Path, store: Store) -> None:
    runner = TestRunner(planned_test(tmp_path), store, local_now)
    words = progress_words(report_of_test(runner), 2.0)
    assert words.startswith("ann better: 1 to 1, needs 4 to 1; ann not better: 1 to 1, needs 20 to 1; 0 games; about ")
    assert words.endswith("min, to go")


def test_T19_6_a_game_without_chance_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned_test(tmp_path)
    monkeypatch.setattr(GAMES["toy"], "has_chance", False, raising=False)
    with pytest.raises(OrderError, match="has no element of chance"):
        check_test(GAMES["toy"], plan.new, plan.old, 3, {})


def test_T18_1_the_exit_code_tells_a_script(tmp_path: Path, command_line: CommandLine) -> None:
    bot_called(tmp_path, "ann")
    bot_called(tmp_path, "bob")
    quitter(tmp_path)
    words = ["--game", "toy", "--seats", "3", "--fillers", "bob", "--time", "grace_ms=0", "--referees", "1"]
    words.append("--keep-processes")  # quicker
    better = command_line("test", "ann", "--against", QUITTER, *words, "--json")
    assert (better.code, better.data["verdict"], better.data["exit_code"]) == (0, "better", 0)
    assert better.data["forfeits"]["old"] == better.data["games"]
    # By the same table the other way round, the bots now in the database by their names.
    worse = command_line("test", QUITTER, "--against", "ann", *words)
    assert worse.code == 1
    line, *below = worse.out.splitlines()
    games = re.fullmatch(r"quitter against ann: pairs by places 0-0-(\d+), (.+), (\d+) games: not better", line)
    assert games is not None
    assert games[1] == games[3], "it was placed behind in every game"
    meaning = "not better: quitter is not 20 Elo better at these tables, while this was played; had it been,"
    assert [each.startswith(meaning) for each in below].count(True) == 1
    assert not re.search(r"\btest 1\b", worse.out)  # but an id may begin with a 1
    none = command_line("test", "ann", "--against", QUITTER, *words, "--max-blocks", "1", "-q")
    assert none.code == 3
    assert "over all of them: alpha <= 2 x 0.05" in none.out
    verified = command_line("ledger", "verify", "--json")
    assert (verified.data["findings"], len(verified.data["notes"])) == ([], 1)


FORGETFUL = """
played = set()


def once(prompt, dice):
    played.add(prompt.match_id)
    if len(played) > 1:
        sys.exit(3)
    return at_random(prompt, dice)


if __name__"""


def test_T14_12_every_game_of_a_test_has_fresh_processes_unless_they_are_kept(
    tmp_path: Path, command_line: CommandLine
) -> None:
    """By a bot that ends its process in its second match."""
    bot = bot_called(tmp_path, "once").path
    bot_called(tmp_path, "ann")
    program = (bot / "bot.py").read_text(encoding="utf-8").replace("\nif __name__", FORGETFUL)
    program = program.replace("    main(at_random)", "    main(once)").replace(
        "\nimport random", "\nimport random\nimport sys"
    )
    (bot / "bot.py").write_text(program, encoding="utf-8")
    words = ["test", "once", "--against", "ann", "--game", "toy", "--seats", "2", "--max-blocks", "2"]
    words += ["--referees", "1", "--concurrency", "1", "--time", "grace_ms=0", "-q"]
    fresh = command_line(*words, "--json")
    assert (fresh.data["fresh_process"], fresh.data["forfeits"]) == (True, {"new": 0, "old": 0})
    kept = command_line(*words, "--keep-processes", "--db", "kept.db").out
    assert re.search(r"forfeits: once [1-4], ann 0\n", kept)
    assert "\nProcesses played on from game to game" in kept
    for db, is_fresh in (("arena.db", True), ("kept.db", False)):
        for test, _verdict in open_store(tmp_path / db).tests.all():
            assert test.settings["fresh_process"] is is_fresh, "T17.1"


def test_T14_13_a_seed_is_drawn_and_a_chosen_one_marks_every_output(tmp_path: Path, command_line: CommandLine) -> None:
    bot_called(tmp_path, "ann")
    quitter(tmp_path)
    words = ["test", "ann", "--against", QUITTER, "--game", "toy", "--seats", "2", "--max-blocks", "1"]
    words += ["--time", "grace_ms=0", "--referees", "1", "--keep-processes"]
    mark = "seed chosen by the caller"
    drawn = command_line(*words)
    assert "seed drawn by the arena" in drawn.err, "before the first game"
    assert drawn.out.splitlines()[-1].endswith("the first test of this pair in this ledger; seed drawn by the arena")
    assert mark not in drawn.out + command_line("compare", "ann", QUITTER).out + command_line("test", "--list").out
    chosen = command_line(*words, "--seed", "29")
    assert mark in chosen.err
    line = chosen.out.splitlines()[0]
    assert line.endswith(f"2 games: inconclusive ({mark})")
    told = command_line(*words, "--seed", "29", "--json").data
    assert (told["seed_by"], told["line"]) == ("caller", line.partition(": ")[2])
    *_, last = command_line("test", "--list", "--json").data
    assert last["seed_by"] == "caller"
    assert f"inconclusive ({mark})" in command_line("test", "--list").out
    assert f": open (2 of 3 blocks by a {mark})" in command_line("compare", "ann", QUITTER).out
    notes = command_line("ledger", "verify", "--json").data["notes"]
    assert sum(note.endswith(mark) for note in notes) == 2
    tests = [test for test, _verdict in open_store(tmp_path / "arena.db").tests.all()]
    assert [(test.seed_by, test.seed) for test in tests[1:]] == [("caller", 29), ("caller", 29)]
    assert (tests[0].seed_by, len(str(tests[0].seed))) == ("arena", 64)
    assert len({test.id for test in tests}) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ann", "--against", "ann"], "NEW and OLD are the same files"),
        (["nobody", "--against", "ann"], "nobody: not a bot directory"),
        (["ann", "--against", "bob", "--seats", "3", "--fillers", "ann"], "cannot fill their own table"),
        (["ann", "--against", "bob", "--seats", "5"], "needs 3 other bots, but only 2"),
        (["ann", "--against", "bob", "--elo1", "-5"], "expected elo0 < elo1"),
        (["ann", "--against", "bob", "--alpha", "5"], "an error rate must be between 0 and 1"),
        (["ann", "--against", "bob", "--seats", "3", "--copies", "2"], "two at tables of 4 or 5"),
        (["ann", "--against", "bob", "--abandon"], "no test of these two bots with these settings is open"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_one_line(
    words: list[str], said: str, tmp_path: Path, command_line: CommandLine
) -> None:
    bot_called(tmp_path, "ann")
    bot_called(tmp_path, "bob")
    refused = command_line("test", *words, "--game", "toy")
    assert refused.code == 2
    assert said in refused.err
    assert refused.err.count("\n") == 1
