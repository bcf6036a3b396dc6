"""Tests that run in the background, as `nohup make test &` does it, are those that run in front."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SAYS = "import signal; print(signal.getsignal(signal.SIGINT) == signal.default_int_handler)"


def test_processes_of_tests_hear_ctrl_c() -> None:
    done = subprocess.run([sys.executable, "-c", SAYS], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_processes_of_tests_in_the_background_hear_ctrl_c() -> None:
    """A shell without job control starts them with SIGINT ignored."""
    test = f"{__file__}::{test_processes_of_tests_hear_ctrl_c.__name__}"
    for workers in ("0", "1"):  # in pytest's own process, and in one of its workers
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", workers, test]
        done = subprocess.run(
            ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
