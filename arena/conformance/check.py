"""Checking a bot: all steps in order, each with its verdict as soon as it is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.bots.directory import BotDirectory
from arena.bots.process import BotStartError
from arena.bots.scratch import scratch_folder
from arena.conformance.report import MAX_PRINTED, Report, StepError, StepResult, StepVerdict, percentiles
from arena.conformance.steps import DECLARED, NotAskedError, Suite, SuiteStep, reproducible, steps
from arena.conformance.test_server import open_test_server
from arena.sandbox.levels import SandboxPolicy, choose
from referee.game import AnyGame

OPENING = "hello"


async def check(
    bot: BotDirectory,
    games: Sequence[AnyGame],
    patience: float,
    sandbox: SandboxPolicy,
    tell: Callable[[StepVerdict], None],
) -> Report:
    """Play all steps with a bot, report each verdict as it comes, and return the report."""
    level = choose(sandbox)
    report = Report(bot.label, level)

    def give(verdict: StepVerdict) -> None:
        report.verdicts.append(verdict)
        tell(verdict)

    with scratch_folder() as folder:
        async with open_test_server(folder, level) as server:
            suite = Suite(bot, server, games, patience)
            try:
                await _play_all(suite, give)
            finally:
                await suite.close()
    report.thinking_ms = percentiles(suite.thinking_ns)
    give(StepVerdict("thinking", "time for an answer", StepResult.NOTED, _in_words(report.thinking_ms)))
    return report


async def _play_all(suite: Suite, give: Callable[[StepVerdict], None]) -> None:
    is_lost = False
    for step in steps(suite.games):
        if is_lost:
            give(StepVerdict(step[0], step[2], StepResult.NOT_REACHED))
            continue
        verdict = await _play(suite, step, StepResult.PASSED)
        # Nothing else can be tested with a bot that fails its hello.
        is_lost = verdict.step == OPENING and verdict.result is StepResult.FAILED
        give(verdict)
    if not is_lost:
        step = ("reproducible", reproducible, "play the same match the same way again")
        verdict = await _play(suite, step, StepResult.NOTED)
        # Required only of a bot that declares it; any other cause of a failure has its own step.
        if verdict.result is not StepResult.NOTED and verdict.expected != DECLARED:
            verdict = StepVerdict(verdict.step, verdict.about, StepResult.NOT_REACHED)
        give(verdict)


async def _play(suite: Suite, step: SuiteStep, good: StepResult) -> StepVerdict:
    name, run, about = step
    suite.printed = ""
    try:
        return StepVerdict(name, about, good, await run(suite))
    except NotAskedError as reason:
        return StepVerdict(name, about, StepResult.NOT_ASKED, str(reason))
    except StepError as error:
        printed = suite.printed.strip()[-MAX_PRINTED:]
        return StepVerdict(name, about, StepResult.FAILED, "", error.sent, error.came, error.expected, printed)
    except BotStartError as error:
        expected = "the command of bot.toml can be started" + ("; was it built?" if suite.bot.manifest.build else "")
        return StepVerdict(name, about, StepResult.FAILED, "", "the command of bot.toml", str(error), expected)


def _in_words(times: dict[str, float]) -> str:
    if not times:
        return "no answers"
    shares = f"median {times['p50']} ms, 90 % {times['p90']} ms, 99 % {times['p99']} ms, most {times['most']} ms"
    return f"{shares} of {times['answers']:.0f} answers"
