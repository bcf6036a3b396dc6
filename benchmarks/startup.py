"""What it costs to start the command line: processor time of `arena --help`, beside a bare Python.

Run as `arena bench startup`. Each figure is the least of several runs, user and system time together. The exit code
is 1 when the help takes more than its limit.
"""

from __future__ import annotations

import resource
import subprocess
import sys

LIMIT_MS = 300
RUNS = 7
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "arena --help": ["-m", "arena", "--help"],
    "arena play --help": ["-m", "arena", "play", "--help"],
    "arena tournament --help": ["-m", "arena", "tournament", "--help"],
}


def cpu_ms(arguments: list[str]) -> float:
    """Return the processor time of one run in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)


def main() -> int:
    """Print the figures; exit code 1 if the help takes more than its limit."""
    figures = {name: min(cpu_ms(arguments) for _ in range(RUNS)) for name, arguments in COMMANDS.items()}
    bare = figures["python -c pass"]
    for name, figure in figures.items():
        print(f"{name:24} {figure:6.0f} CPU-ms   {figure / bare:5.1f} times a bare Python")
    held = figures["arena --help"] <= LIMIT_MS
    print(f"arena --help {'keeps' if held else 'EXCEEDS'} its limit of {LIMIT_MS} CPU-ms")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
