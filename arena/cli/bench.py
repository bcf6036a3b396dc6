"""arena bench: the benchmarks, run one after another."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click

from arena.cli.output import print_json, say
from referee.mistakes import UserError
from referee.native import running

PACKAGE = "arena.bench"
BENCHMARKS = {
    "engine": "decisions per CPU-second, clone, observe, encode and digest of every game",
    "wire": "refereed decisions compared with a bare echo of the same frames",
    "matches": "CPU time of whole matches: referee, verifier, arena and bots",
    "concurrency": "CPU time of the referee per decision, by the number of concurrent matches; only when named",
    "bots": "prompt size in bytes, and CPU time per decision of each starter bot",
    "lookahead": "playouts per CPU-second through the look-ahead helper, compared with one Python process",
    "server": "remote bots: 200 play and half of them are killed; 2,000 are connected",
    "pages": "CPU time of one step of a long match on the web, compared with the smallest page",
    "startup": "CPU time of arena --help and of a four-match tournament, compared with bare Python",
    "cluster": "ledger equality, worker kills, speed and throughput of a local cluster; only when named",
    "guard": "CPU time of the arena per match, with and without the sandbox; only when named",
    "pairing": "pairing Swiss rounds",
    "defending": "a tournament verified, replayed and reproduced, compared with playing it; only when named",
    "ledger_million": "a ledger of a million ratings",
    "fitting": "fitted ratings of a million results",
    "coverage": "coverage of the fit's intervals in simulated tournaments; only when named",
    "disqualification": "order of the others after a bot is disqualified, by strike, void and forfeit; only when named",
    "intransitivity": "false alarms and power of the test for cycles in simulated tournaments; only when named",
    "sequential": "error rates of tests, comparisons and claims on simulated entrants; only when named",
    "analysis": "how well the judge judges: planted blunders, flagged decisions, bots told apart; only when named",
    "search": "search at one budget against a third of it, and with each of its ideas changed; only when named",
    "ladder": "the rungs of every game, and climbs compared with full tournaments; only when named",
    "tuned": "tuned weights against the heuristics as they were, at every table size; only when named",
    "gifts": "planted pairs that collude found, clean fields flagged; only when named",
    "fairness": "win shares by seat, turn order and colour, random and greedy; only when named",
    "catanatron": "Die Siedler von Nürnberg compared with the catanatron package; only when named",
    "first_game": "seconds and lines of the how-to on a first game, from an empty directory; only when named",
    "memory": "memory of arena and referee over 10,000 matches in one tournament; only when named",
}
ONLY_WHEN_NAMED = [name for name, about in BENCHMARKS.items() if about.endswith("only when named")]


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME…]")
@click.option("--list", "is_listing", is_flag=True, help="List the benchmarks and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every benchmark with its output.")
@click.option(
    "--results", type=click.Path(path_type=Path, file_okay=False),
    help="Write the figures that the docs show as JSON into this directory.",
)  # fmt: skip
def command(names: tuple[str, ...], is_listing: bool, as_json: bool, results: Path | None) -> int:
    """Run benchmarks.

    Without a NAME, all except those listed as "only when named" by --list.

    \b
    Example: arena bench engine
    """
    for name in names:
        if name not in BENCHMARKS:
            raise UserError(f"benchmark: {name!r} is unknown; expected some of: {', '.join(BENCHMARKS)}")
    if is_listing:
        say("\n".join(f"{name}  {about}" for name, about in BENCHMARKS.items()), BENCHMARKS, as_json=as_json)
        return 0
    chosen = names or [name for name in BENCHMARKS if name not in ONLY_WHEN_NAMED]
    if not as_json:
        click.echo(f"rules and referee: {running().value}")
    reports = [run(name, is_captured=as_json, results=results) for name in chosen]
    if as_json:
        print_json(reports)
    return int(any(report["exit_code"] for report in reports))


def run(name: str, *, is_captured: bool, results: Path | None = None) -> dict[str, Any]:
    """Run one benchmark in its own process and report the outcome."""
    if not is_captured:
        click.echo(f"{name}: {BENCHMARKS[name]}")
    started = time.monotonic()
    output = subprocess.PIPE if is_captured else None
    asked = {} if results is None else {"MEISTERSINGER_RESULTS": str(results.resolve())}
    command = [sys.executable, "-m", f"{PACKAGE}.{name}"]
    done = subprocess.run(command, env={**os.environ, **asked}, stdout=output, text=True, check=False)
    seconds = round(time.monotonic() - started, 1)
    return {
        "name": name,
        "exit_code": done.returncode,
        "seconds": seconds,
        "running": running().value,
        "output": done.stdout,
    }
