"""Lines between processes arrive whole, whatever interrupts their writer."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import patience

LENGTH = 1_000_000  # many times what a pipe holds
WRITER = f'from referee.standard_output import say_line\nsay_line({{"record": "x" * {LENGTH}}})\n'


def wait_until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + patience(30)
    while not is_so():
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.001)


@pytest.mark.parametrize("unbuffered", ["1", ""])
def test_a_line_is_whole_though_its_writer_was_stopped_and_continued(unbuffered: str) -> None:
    """A write to a full pipe ends early when the process is stopped, frozen or traced."""
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    writer = subprocess.Popen([sys.executable, "-c", WRITER], stdout=subprocess.PIPE, env=environment)
    assert writer.stdout is not None
    pipe = writer.stdout.fileno()
    size = fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)

    def is_full() -> bool:
        return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder) == size

    def is_stopped() -> bool:
        return Path(f"/proc/{writer.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"

    wait_until(is_full)
    writer.send_signal(signal.SIGSTOP)
    wait_until(is_stopped)
    writer.send_signal(signal.SIGCONT)
    with writer:
        assert json.loads(writer.stdout.read()) == {"record": "x" * LENGTH}
    assert writer.returncode == 0
