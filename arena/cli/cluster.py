"""arena cluster: workers, queue, and matches that came out differently in a rerun."""

from __future__ import annotations

import dataclasses
import getpass
import time
from pathlib import Path
from typing import Any

import click
import trio

from arena.cli.options import database_options, json_option, reading, writing
from arena.cli.output import SHORT_ID, print_json, print_table
from arena.plan.correcting import void_matches
from referee.mistakes import UserError

FRESH_SECONDS = 10.0
"""An arena that has reported nothing for longer than this has ended."""


@click.group("cluster")
def command() -> None:
    """Inspect a cluster's workers and the matches they played.

    \b
    Example: arena cluster status 127.0.0.1:8786
    """


@command.command("status")
@click.argument("address", metavar="ADDRESS|FILE")
@json_option
def status(address: str, as_json: bool) -> None:
    """Show a cluster's workers, their matches and the queue.

    Calibration compares machines, in thousands of hashes per CPU second; clocks are never scaled by
    it.

    \b
    Example: arena cluster status scheduler.json
    """
    from arena.cluster.address import require_engine, scheduler_address, unreachable

    require_engine("cluster")
    if fault := unreachable(scheduler_address(address, "ADDRESS")):
        raise UserError(f"ADDRESS: {fault}")
    from arena.cluster.engine import EngineLostError, open_engine
    from arena.cluster.identity import unfit
    from arena.sandbox.levels import Level

    async def ask() -> str:
        async with open_engine(address, "ADDRESS") as engine:
            try:
                workers = sorted(await engine.call(engine.workers), key=lambda worker: worker.name)
                board = await engine.call(engine.board)
            except EngineLostError as error:
                return str(error)
        arenas = [said for said in board.values() if time.time() - float(said["at"]) < FRESH_SECONDS]
        waiting = sum(int(said["waiting"]) for said in arenas)
        if as_json:
            plain = [dataclasses.asdict(each) | {"refused": unfit(each, Level.NONE)} for each in workers]
            print_json({"workers": plain, "arenas": arenas, "waiting": waiting})
            return ""
        columns = {"worker": "left", "plays": "left", "cores": "right", "matches": "right", "per second": "right"}
        columns |= {"calibration": "right", "sandbox": "left", "class": "left", "software": "left"}
        rows = [
            (
                each.name,
                unfit(each, Level.NONE) or ", ".join(f"{count} of {name}" for name, count in each.playing) or "–",
                each.cores,
                f"{each.played:,}",
                f"{each.per_second:.2f}",
                f"{each.calibration:,}",
                each.sandbox,
                each.machine_class,
                each.software,
            )
            for each in workers
        ]
        print_table("1 worker" if len(workers) == 1 else f"{len(workers):,} workers", columns, rows)
        for said in arenas:
            click.echo(
                f"{said['tournament']}: {int(said['with_workers']):,} matches with workers,"
                f" {int(said['waiting']):,} waiting"
            )
        rate = sum(each.per_second for each in workers)
        click.echo(f"{rate:.2f} matches per second over the last minute, {waiting:,} waiting")
        return ""

    if fault := trio.run(ask):
        raise UserError(f"ADDRESS: {fault}")


@command.command("rechecks")
@click.option("--tournament", help="Only matches of this tournament.")
@click.option("--worker", help="Select every match of this worker, not only those that differ.")
@click.option("--void", "is_voiding", is_flag=True, help="Void all selected matches; needs --reason.")
@click.option("--reason", help="The reason, public in the ledger.")
@click.option("--who", default=getpass.getuser, show_default="your user name", help="Who made the decision.")
@database_options
def rechecks(
    tournament: str | None, worker: str | None, is_voiding: bool, reason: str | None, who: str, db: Path, as_json: bool
) -> None:
    """Show matches that came out differently in a rerun.

    Another worker reruns a sample, set by `recheck`, of the matches between bots that declare themselves deterministic.
    A difference means that the workers run different code, or that a bot is not deterministic.

    \b
    Example: arena cluster rechecks --worker w7 --void --reason "other code"
    """
    if is_voiding and reason is None:
        raise UserError("--reason: missing; expected why these matches are void")
    store = writing(db) if is_voiding else reading(db)
    checked, differing = store.workers.recheck_counts(tournament)
    found = store.workers.differing(tournament)
    matches = [each.match for each in found] if worker is None else store.workers.played_by(worker, tournament)
    voided: list[str] = []
    if is_voiding:
        entered = [match.id for match in matches if not match.is_void and store.matches.is_settled(match)]
        voided = [each.match for each in void_matches(store, entered, reason or "", who)] if entered else []
    again = {each.match.id: each.again.worker for each in found}
    lines: list[dict[str, Any]] = [
        {
            "match": match.id,
            "tournament": match.tournament,
            "round": match.round,
            "bots": match.seating,
            "worker": None if (played := store.workers.played_on(match.id)) is None else played.worker,
            "again_on": again.get(match.id),
            "is_void": match.is_void or match.id in voided,
        }
        for match in matches
    ]
    if as_json:
        print_json({"rechecked": checked, "differing": differing, "matches": lines, "voided": voided})
        return
    columns = {"match": "left", "tournament": "left", "round": "right", "bots": "left", "worker": "left"}
    columns |= {"again on": "left", "void": "left"}
    rows = [
        (match[:SHORT_ID], name, number, ", ".join(bots), player or "", rerun or "", "void" if is_void else "")
        for match, name, number, bots, player, rerun, is_void in (line.values() for line in lines)
    ]
    if rows:
        print_table("", columns, rows)
    click.echo(f"{checked:,} matches were rerun, {differing:,} came out differently.")
    if is_voiding:
        click.echo(f"{len(voided):,} matches are void now.")
