"""T14.10: reports on tests, without anything that T14.6 forbids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from arena.bots.label import name_of
from arena.plan.seeding import Seeding
from arena.plan.test_request import TestQuestion
from arena.play.test_runner import TestRunner
from arena.reports.compare import elo_of
from arena.store.database import Store
from arena.store.rows import RoundState, TournamentState
from arena.store.tournaments import SHOWN_ID
from ratings.points.points import UNIT
from ratings.sequential.compare import block_gain, compare
from ratings.sequential.forecast import blocks_to_verdict, forecast_words_of_test
from ratings.sequential.result_line import CHOSEN_SEED, any_look_words, result_line
from ratings.sequential.test import SeedBy, Verdict
from ratings.sequential.test_words import (
    COPIES_WARNING,
    KEPT_PROCESSES_WARNING,
    e_value,
    evidence_words,
    repeats_words,
    seed_words,
    verdict_sentence,
)

EXIT_CODES = {Verdict.BETTER: 0, Verdict.NOT_BETTER: 1}
UNDECIDED = 3
"""T18.1: the exit code of a test that has decided nothing."""


def exit_code(verdict: str) -> int:
    """T18.1: 0 for better, 1 for not better, 3 for everything else."""
    return EXIT_CODES.get(Verdict(verdict), UNDECIDED) if verdict else UNDECIDED


@dataclass(frozen=True, slots=True)
class TestReport:
    """T14.10: where a test stands, or how it ended."""

    test: str
    """Its id, of which only the beginning is shown until there is a verdict."""
    verdict: str
    """Empty while the test is open."""
    new_bot: str
    """Labels, here and below."""
    old_bot: str
    new_name: str
    """What the two are called in sentences."""
    old_name: str
    pool: str
    seats: int
    copies: int
    seeding: str
    fillers: tuple[str, ...]
    elo0: str
    elo1: str
    alpha: str
    beta: str
    max_blocks: int
    blocks: int
    """Judged."""
    dropped_blocks: int
    blocks_after_verdict: int
    """In progress at the verdict: entered, not judged."""
    for_better: int
    """The evidence for either verdict, in micro-nats."""
    for_not_better: int
    elo: float | None
    """The mean as Elo; None before the verdict, and where it has none, as before the first block."""
    elo_at_least: float | None
    """The interval that holds at any look; None before the verdict, and where it is open on this side."""
    elo_at_most: float | None
    block_gain: float | None
    """T12.2: of games that share seeds only."""
    new_forfeits: int
    old_forfeits: int
    tests_of_this_pair: int
    blocks_to_go: int
    """A rough guess; 0 once there is a verdict."""
    wins: int
    """T14.11: NEW against OLD by places in the judged games."""
    draws: int
    losses: int
    elo_error: float | None
    """T14.11: the error of `elo` at one look; None before the verdict, and where it is unknown."""
    line: str
    """T14.11: the result in one line; empty before the verdict."""
    any_look: str
    """T15.8: the interval in words; empty before the verdict, and where it says nothing."""
    fresh_process: bool
    seed_by: str
    """T14.13: who chose the seed; empty where an older release did not enter it."""
    pentanomial: tuple[int, ...] = ()
    """T14.14: at two seats, the judged pairs of games by NEW's points in them: 0, ½, 1, 1½, 2."""

    @property
    def games(self) -> int:
        """The number of judged games."""
        return self.blocks * self.seats

    @property
    def posted(self) -> int:
        """The number of blocks in the ledger."""
        return self.blocks + self.dropped_blocks + self.blocks_after_verdict


def _terms(report: TestReport) -> TestQuestion:
    """Return the terms of a report as sentences need them."""
    elo0, elo1, alpha, beta = map(Decimal, (report.elo0, report.elo1, report.alpha, report.beta))
    return TestQuestion(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, max_blocks=report.max_blocks)


def report_of_test(runner: TestRunner) -> TestReport:
    """T14.10: report on a test from its runner; the interval, which is slow, only once it has ended."""
    test, progress, agreed = runner.plan.test, runner.progress, runner.progress.terms
    word = progress.verdict or (Verdict.ABANDONED if runner.is_abandoned else None)
    found = compare(progress.judged if word else (), agreed.seats, agreed.alpha, agreed.copies)
    elo, error, at_least, at_most = map(
        elo_of, (found.elo_tenths, found.elo_error_tenths, found.lower_elo_tenths, found.upper_elo_tenths)
    )
    games = len(progress.judged) * agreed.seats
    mark = CHOSEN_SEED if test.seed_by == SeedBy.CALLER else ""
    has_gain = runner.plan.seeding_in(1) is Seeding.PER_BLOCK and runner.game_differences
    return TestReport(
        test=test.id if word else test.id[:SHOWN_ID],
        verdict=word.value if word else "",
        new_bot=runner.plan.new.label,
        old_bot=runner.plan.old.label,
        new_name=runner.plan.names[0],
        old_name=runner.plan.names[1],
        pool=test.pool,
        seats=agreed.seats,
        copies=agreed.copies,
        seeding=test.seeding,
        fillers=tuple(runner.plan.bots[version].label for version in test.fillers),
        elo0=str(agreed.elo0),
        elo1=str(agreed.elo1),
        alpha=str(agreed.alpha),
        beta=str(agreed.beta),
        max_blocks=agreed.max_blocks,
        blocks=len(progress.judged),
        dropped_blocks=progress.dropped,
        blocks_after_verdict=runner.posted - progress.blocks,
        for_better=progress.for_better.micronats,
        for_not_better=progress.for_not_better.micronats,
        elo=elo,
        elo_at_least=at_least,
        elo_at_most=at_most,
        block_gain=block_gain(runner.game_differences) if has_gain else None,
        new_forfeits=runner.forfeits[test.new],
        old_forfeits=runner.forfeits[test.old],
        tests_of_this_pair=test.count,
        blocks_to_go=0 if word else blocks_to_verdict(progress),
        wins=runner.pairs.wins,
        draws=runner.pairs.draws,
        losses=runner.pairs.losses,
        elo_error=error,
        line=result_line(runner.pairs, agreed.seats, games, elo, error, word.value, mark) if word else "",
        any_look=any_look_words(at_least, at_most, agreed.elo0, agreed.elo1, agreed.alpha),
        fresh_process=runner.plan.fresh_process,
        seed_by=test.seed_by,
        pentanomial=pentanomial(progress.judged) if agreed.seats == 2 else (),
    )


def pentanomial(differences: Iterable[int]) -> tuple[int, ...]:
    """T14.14: count pairs of games by the points of the first bot in both: 0, ½, 1, 1½, 2."""
    counts = Counter(difference // UNIT + 2 for difference in differences)
    return tuple(counts[points] for points in range(5))


def plain_test(report: TestReport) -> dict[str, Any]:
    """T14.10: return a test as JSON."""
    new, old = report.new_name, report.old_name
    apart = {"new_bot", "old_bot", "new_name", "old_name", "new_forfeits", "old_forfeits", "blocks_to_go"}
    return {
        "test": report.test,
        "verdict": report.verdict,
        "says": verdict_sentence(Verdict(report.verdict), _terms(report), new, old) if report.verdict else "",
        "new": report.new_bot,
        "old": report.old_bot,
        **{key: value for key, value in asdict(report).items() if key not in apart},
        "games": report.games,
        "for_better": {"micronats": report.for_better, "e_value": e_value(report.for_better)},
        "for_not_better": {"micronats": report.for_not_better, "e_value": e_value(report.for_not_better)},
        "forfeits": {"new": report.new_forfeits, "old": report.old_forfeits},
        "exit_code": exit_code(report.verdict),
    }


def lines_of_test(report: TestReport) -> list[str]:
    """T14.10: return the report on an ended test in words."""
    terms, new, old = _terms(report), report.new_name, report.old_name
    lines = [
        f"{new} against {old}: {report.line}",
        *([report.any_look] if report.any_look else []),
        f"{report.verdict}: {verdict_sentence(Verdict(report.verdict), terms, new, old)}",
        *evidence_words(report.for_better, report.for_not_better, terms, new),
        f"{report.blocks:,} blocks of {report.seats} games judged, {report.dropped_blocks} dropped"
        f"; forfeits: {new} {report.new_forfeits}, {old} {report.old_forfeits}",
    ]
    if report.pentanomial:
        lines.append(f"pairs of games by points 0, ½, 1, 1½, 2: {', '.join(map(str, report.pentanomial))}")
    if report.block_gain is not None:
        lines.append(f"block gain: a game of these blocks was worth {report.block_gain:.2f} games with their own seeds")
    if report.blocks_after_verdict:
        lines.append(f"{report.blocks_after_verdict} further blocks were in progress; they are entered, not judged")
    if report.copies > 1:
        lines.append(COPIES_WARNING)
    if not report.fresh_process:
        lines.append(KEPT_PROCESSES_WARNING)
    repeats = repeats_words(report.tests_of_this_pair, terms)
    lines.append(f"test {report.test[:SHOWN_ID]}: {repeats}; {seed_words(report.seed_by)}")
    return lines


def progress_words(report: TestReport, seconds_per_block: float | None) -> str:
    """T14.10: return the evidence, the games so far, and a forecast in words."""
    evidence = "; ".join(evidence_words(report.for_better, report.for_not_better, _terms(report), report.new_name))
    if report.verdict:
        return f"{evidence}; {report.games:,} games; {report.verdict}, finishing open blocks"
    forecast = forecast_words_of_test(report.blocks_to_go, report.seats, seconds_per_block)
    return f"{evidence}; {report.games:,} games; {forecast}"


def opening_words(report: TestReport, *, is_resumed: bool) -> str:
    """T14.8: return the subject of a test, how often it was tested before, and the fillers, in words."""
    repeats = repeats_words(report.tests_of_this_pair, _terms(report))
    how = f"resumed at block {report.posted + 1:,}" if is_resumed else repeats
    names = ", ".join(name_of(label) for label in report.fillers)
    beside = f", beside {names}" if names else ""
    who = f"{report.new_name} against {report.old_name}{beside}"
    return f"test {report.test[:SHOWN_ID]}, {how}; {seed_words(report.seed_by)}: {who}"


@dataclass(frozen=True, slots=True)
class TestLine:
    """T17: one test in the list of tests."""

    test: str
    """The beginning of its id."""
    state: TournamentState
    verdict: str
    """Empty while the test is open."""
    new_bot: str
    old_bot: str
    pool: str
    seats: int
    copies: int
    blocks: int
    """The judged blocks after a verdict, those in the ledger before."""
    tests_of_this_pair: int
    asked_by: str | None
    """Who started it on a server; None if it was started without one."""
    started_at: str
    seed_by: str
    """T14.13: who chose the seed; empty where an older release did not enter it."""


def list_of_tests(store: Store, asked_by: str | None = None) -> list[TestLine]:
    """T17: return all tests in order, or those that one user started on the server."""
    found, askers = [], store.tests.askers()
    labels = {version.version: version.label for version in reversed(store.bots.versions())}
    for test, verdict in store.tests.all():
        if asked_by is not None and askers.get(test.id) != asked_by:
            continue
        state, started_at = store.tests.state(test.id)
        posted = store.tournaments.round_counts(test.id).get(RoundState.CLOSED, 0)
        found.append(
            TestLine(
                test=test.id[:SHOWN_ID],
                state=state,
                verdict="" if verdict is None else verdict["word"],
                new_bot=labels[test.new],
                old_bot=labels[test.old],
                pool=test.pool,
                seats=test.terms.seats,
                copies=test.terms.copies,
                blocks=posted if verdict is None else verdict["judged"],
                tests_of_this_pair=test.count,
                asked_by=askers.get(test.id),
                started_at=started_at,
                seed_by=test.seed_by,
            )
        )
    return found
