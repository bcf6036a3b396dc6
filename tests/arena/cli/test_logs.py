"""Log lines: on standard error, from every command, and next to free for commands that write none."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from referee.logs import LEVELS, configure_logs, log


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    out, err = capsys.readouterr()
    assert out == ""
    return [json.loads(line) for line in err.splitlines()]


def test_a_program_that_configures_nothing_logs_to_standard_error() -> None:
    program = "from referee.logs import log; log.info('calm'); log.warning('storm', wind=9); print('{}')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "{}\n"
    assert "calm" not in done.stderr
    assert "storm" in done.stderr
    assert "wind=9" in done.stderr


def test_nothing_is_loaded_for_a_line_below_the_level() -> None:
    program = "import sys; from referee.logs import configure_logs, log; configure_logs('error', as_json=True)\n"
    program += "log.warning('storm'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert not {"structlog", "rich", "asyncio"} & set(done.stdout.split())


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
def test_lines_of_the_level_and_above_are_written(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(level, as_json=True)
    for name in ("debug", "info", "warning", "error"):
        getattr(log, name)("told", rank=LEVELS[name])
    told = lines_of(capsys)
    assert [line["level"] for line in told] == [name for name in LEVELS if LEVELS[level] <= LEVELS[name] <= 40]
    assert [line["rank"] for line in told] == [rank for rank in LEVELS.values() if LEVELS[level] <= rank <= 40]
    assert all({"event", "timestamp"} <= line.keys() for line in told)


def test_an_exception_is_an_error_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("error", as_json=True)
    try:
        raise ValueError("of ours")
    except ValueError:
        log.exception("call.failed", method="Play")
        configure_logs("error", as_json=False)
        log.exception("call.failed", method="Play")
    out, err = capsys.readouterr()
    assert out == ""
    first, _, rest = err.partition("\n")
    line = json.loads(first)
    assert (line["event"], line["level"], line["method"]) == ("call.failed", "error", "Play")
    for told in (line["exception"], rest):
        assert "Traceback" in told
        assert "ValueError: of ours" in told
