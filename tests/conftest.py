"""What holds for every test: it has a time limit, logs go where a command sends them, the processes that it starts hear
Ctrl-C, and missing parts are counted.

Tests whose part is missing are counted by it at the end of a run, and in CI they fail.
"""

from __future__ import annotations

import signal
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from referee.logs import configure_logs
from tests.parts import IS_CI, PARTS, part_of, tally
from tests.patience import factor, time_limit

# However busy the machine is, an example that takes long is no mistake of what it tries.
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--lacking",
        default="",
        metavar="PART,…",
        help=f"with CI=true, skip the tests of these parts instead of failing them: {', '.join(PARTS)}",
    )


def pytest_configure(config: pytest.Config) -> None:
    unknown = _lacking(config) - set(PARTS)
    if unknown:
        raise pytest.UsageError(f"--lacking: {sorted(unknown)[0]} is unknown; expected some of: {', '.join(PARTS)}")
    try:
        factor()
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    # A shell starts what runs in the background with Ctrl-C ignored, which all processes of the tests would inherit.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that hangs fails with the stacks of all threads, and the others go on."""
    for item in items:
        if item.get_closest_marker("timeout") is None:
            is_long = any(item.get_closest_marker(kind) for kind in ("long", "nightly"))
            item.add_marker(pytest.mark.timeout(time_limit(is_long=is_long)))


def _lacking(config: pytest.Config) -> set[str]:
    return {part for part in config.getoption("--lacking", default="").split(",") if part}


@pytest.fixture(autouse=True)
def _logs_as_of_a_command() -> None:
    """Send log lines to standard error, whatever an earlier test in this process has set: output is for data."""
    configure_logs("warning", as_json=False)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if IS_CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = _reason(report)
        if part_of(reason) not in _lacking(item.config):
            report.outcome = "failed"
            report.longrepr = f"with CI=true nothing is skipped: {reason.removeprefix('Skipped: ')}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
    yield  # first what pytest itself has to say, so that this is the last line but one
    terminalreporter.line(tally(map(_reason, terminalreporter.stats.get("skipped", []))))
