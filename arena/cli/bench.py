"""arena bench: the benchmarks, run one after another."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click

from referee.mistakes import UserError
from referee.native import running

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = {
    "engine": "decisions per CPU-second, clone, observe, encode and digest of every game",
    "wire": "refereed decisions against a bare echo of the same frames",
    "matches": "processor time of whole matches: referee, verifier, arena and bots",
    "bots": "bytes of a prompt, and processor time for a decision of each starter bot",
    "lookahead": "playouts per CPU-second through the look-ahead helper, beside the same in one Python process",
    "server": "remote bots: 200 play and half of them are killed; 2,000 are connected",
    "pages": "processor time of a step of a long match on the web page, beside the smallest page",
    "startup": "processor time of arena --help and of a tournament of four matches, beside a bare Python",
    "cluster": "equal ledgers, kills, speed and intake of a cluster on this machine; only when named",
    "pairing": "pairing Swiss rounds",
    "ledger_million": "a ledger of a million ratings",
    "fitting": "fitted ratings of a million results",
    "coverage": "how often the intervals of the fit hold the truth, in simulated tournaments; only when named",
    "sequential": "error rates of tests, comparisons and claims on simulated fields; only when named",
    "analysis": "how well the judge judges: planted blunders, blunders found, bots told apart; only when named",
    "focus": "neighbours decided with focus rounds and without, in real games; only when named",
    "fairness": "win shares by seat, turn order and colour, random and greedy; only when named",
    "norenberc_balance": "the figures of B15 on Norenberc's tiles; only when named",
    "catanatron_side_by_side": "Die Siedler von Nürnberg beside the package catanatron; only when named",
    "environments": "our environments beside OpenSpiel and PettingZoo's classics, as far as installed; only when named",
    "clocks": "what an honest bot is charged beside one that burns or floods; needs a quiet machine, only when named",
    "memory": "memory of arena and referee over 10,000 matches in one tournament; only when named",
    "soak": "random play with every invariant checked; only when named",
}
ONLY_WHEN_NAMED = [name for name, about in BENCHMARKS.items() if about.endswith("only when named")]
NEEDS_TESTS = ("soak", "clocks")  # which are not installed


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME…]")
@click.option("--list", "is_listing", is_flag=True, help="List the benchmarks and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every benchmark with its output.")
def command(names: tuple[str, ...], is_listing: bool, as_json: bool) -> int:
    """Run benchmarks.

    Without a NAME, all but those that --list says are "only when named".

    \b
    Example: arena bench engine
    """
    present = available()
    for name in names:
        if name not in present:
            raise UserError(f"benchmark: {name!r} is unknown; expected some of: {', '.join(present)}")
    if is_listing:
        listed = "\n".join(f"{name}  {about}" for name, about in present.items())
        click.echo(json.dumps(present, indent=2) if as_json else listed)
        return 0
    chosen = names or [name for name in present if name not in ONLY_WHEN_NAMED]
    if not as_json:
        click.echo(f"rules and referee: {running().value}")
    reports = [run(name, is_captured=as_json) for name in chosen]
    if as_json:
        click.echo(json.dumps(reports, indent=2))
    return int(any(report["exit_code"] for report in reports))


def available() -> dict[str, str]:
    """Return the benchmarks that are installed; a UserError says that there is none."""
    has_tests = (ROOT / "tests").is_dir()
    present = {
        name: about
        for name, about in BENCHMARKS.items()
        if (ROOT / "benchmarks" / f"{name}.py").is_file() and (has_tests or name not in NEEDS_TESTS)
    }
    if not present:
        raise UserError("benchmarks: none is installed here; expected them beside the package arena")
    return present


def run(name: str, *, is_captured: bool) -> dict[str, Any]:
    """Run one benchmark in its own process and report how it went."""
    if not is_captured:
        click.echo(f"{name}: {BENCHMARKS[name]}")
    started = time.monotonic()
    output = subprocess.PIPE if is_captured else None
    done = subprocess.run(
        [sys.executable, "-m", f"arena.bench.{name}"], cwd=ROOT, stdout=output, text=True, check=False
    )
    seconds = round(time.monotonic() - started, 1)
    return {
        "name": name,
        "exit_code": done.returncode,
        "seconds": seconds,
        "running": running().value,
        "output": done.stdout,
    }
