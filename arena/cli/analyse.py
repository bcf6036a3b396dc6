"""arena analyse: why did I lose? The judge's word on a match, or on all matches of a tournament."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click
import trio
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.analysis.judge import judge
from arena.analysis.judgement import DEFAULT_EFFORT, EFFORTS, JUDGE, JudgedDecision, Judgement, Worlds
from arena.analysis.judges import JudgeAll, judges_here
from arena.analysis.keeping import judge_matches, keep, kept, refuse_open_round
from arena.cli.options import check_cluster, db_option, json_option, quiet_option, reading, server_options, writing
from arena.cli.output import SHORT_ID, print_json, print_table
from arena.cli.replay import load_text
from arena.remote.address import ServerAddress
from arena.reports.judgement import Opinion, text_of
from arena.store.database import open_store
from referee.game import Seat
from referee.mistakes import UserError

MATCH_ID = re.compile(r"[0-9a-f]{1,64}")
MAX_MARKS = 6
ASKED_OF = {
    Worlds.KNEW: "by what the seats knew",
    Worlds.LUCK: "in the true state, with luck drawn anew",
    Worlds.HINDSIGHT: "in hindsight, with the luck that came",
}
SECOND = {Opinion.AGREES: "agrees", Opinion.UNSURE: "is unsure", Opinion.DISAGREES: "DISAGREES"}


@click.command("analyse")
@click.argument("target", required=False, metavar="[MATCH|RECORD]")
@click.option("--seat", type=click.IntRange(0), help="Only this seat.")
@click.option(
    "--worlds",
    default=Worlds.KNEW.value,
    show_default=True,
    type=click.Choice([each.value for each in Worlds]),
    help="Judge by what the seat knew, by the true state with luck drawn anew, or in hindsight.",
)
@click.option(
    "--effort",
    default=DEFAULT_EFFORT,
    show_default=True,
    type=click.IntRange(EFFORTS[0], EFFORTS[-1]),
    help="How many worlds are tried: twice the effort, twice the worlds.",
)
@click.option("--tournament", metavar="NAME", help="Judge all matches of the closed rounds of this tournament.")
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    help="With --tournament: judges at once; without it, one per core.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS|FILE",
    help="With --tournament: have it judged by the workers of the Dask scheduler at this address, or of this file.",
)
@click.option("--anew", is_flag=True, help="Judge again what was judged before.")
@click.option("--drop", is_flag=True, help="Throw away all judgements in the database and stop.")
@server_options
@db_option
@quiet_option
@json_option
def command(
    target: str | None,
    seat: int | None,
    worlds: str,
    effort: int,
    tournament: str | None,
    processes: int | None,
    cluster: str | None,
    anew: bool,
    drop: bool,
    server: ServerAddress | None,
    db: Path,
    is_quiet: bool,
    as_json: bool,
) -> int:
    """Judge a match: which decisions cost most, and what was better.

    Every decision is compared with others by playing on from it in many worlds. A match is named by the beginning of
    its ID, or is a record file. What is found in a database is kept there, and no rating depends on it. Matches of a
    round that is still open are judged for nobody.

    \b
    Example: arena analyse 3f9a --seat 1
    Example: arena analyse --tournament autumn
    """
    if sum((target is not None, tournament is not None, drop)) != 1:
        raise UserError("expected exactly one of MATCH|RECORD, --tournament and --drop")
    if target is None and (seat is not None or server is not None):
        raise UserError(f"--{'seat' if seat is not None else 'server'}: expected with MATCH|RECORD only")
    if tournament is None and (processes is not None or cluster is not None):
        raise UserError(f"--{'cluster' if processes is None else 'processes'}: expected with --tournament only")
    if processes is not None and cluster is not None:
        raise UserError("--processes: the workers have their own cores; expected one of --processes and --cluster")
    if drop:
        count = writing(db).drop_judgements()
        print_json({"dropped": count}) if as_json else click.echo(f"{count:,} judgements dropped.")
        return 0
    if tournament is not None:
        judge_all = _judges(processes, cluster)
        return _judge_tournament(tournament, Worlds(worlds), effort, judge_all, db, anew, is_quiet, as_json)
    assert target is not None
    found = _judge_one(target, seat, Worlds(worlds), effort, server, db, anew, is_quiet)
    if as_json:
        print_json(found.to_plain())
    else:
        _print(found)
    return 0


def _judge_one(
    target: str,
    seat: Seat | None,
    worlds: Worlds,
    effort: int,
    server: ServerAddress | None,
    db: Path,
    anew: bool,
    is_quiet: bool,
) -> Judgement:
    is_stored = server is None and MATCH_ID.fullmatch(target) is not None and not Path(target).exists()
    if is_stored:
        store = reading(db)
        match = store.match(target)
        refuse_open_round(store, match)
        found = None if anew else kept(store, match, worlds, effort)
        if found is not None:
            return found if seat is None else found.of_seat(seat)
    text = load_text(target, db, server)
    console = Console(stderr=True, quiet=is_quiet)
    try:
        with console.status("judging …") if console.is_terminal else console:
            found = judge(text, worlds, effort, None if seat is None else [seat])
    except UserError as error:
        raise UserError(f"{target}: {error}") from None
    if is_stored and seat is None:
        writer = open_store(db)
        keep(writer, found)
        writer.close()
    return found


def _judges(processes: int | None, cluster: str | None) -> JudgeAll:
    """Return what judges: the workers of a cluster, if one was given, or else processes of this machine."""
    if cluster is None:
        return judges_here(processes or os.cpu_count() or 1, is_idle=False)
    check_cluster(cluster)
    from arena.cluster.judging import judges_on

    return judges_on(cluster)


def _judge_tournament(
    name: str,
    worlds: Worlds,
    effort: int,
    judge_all: JudgeAll,
    db: Path,
    anew: bool,
    is_quiet: bool,
    as_json: bool,
) -> int:
    store = writing(db)
    store.tournament(name)  # an UserError if there is none
    if anew:
        matches = [m.id for m in store.matches(name) if store.is_settled(m) and m.places]
    else:
        matches = store.unjudged(JUDGE, worlds, effort, name)
    faults: dict[str, str] = {}
    console = Console(stderr=True)
    columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    is_shown = console.is_terminal and not is_quiet
    with Progress(*columns, console=console, transient=True, disable=not is_shown) as progress:
        task = progress.add_task("judging", total=len(matches))

        def done(match: str, fault: str | None) -> None:
            progress.advance(task)
            if fault is not None:
                faults[match] = fault

        async def work() -> None:
            await judge_matches(store, iter(matches), worlds, effort, judge_all=judge_all, done=done)

        if matches:
            trio.run(work)
    if as_json:
        print_json({"tournament": name, "judged": len(matches) - len(faults), "faults": faults})
    else:
        click.echo(f"{len(matches) - len(faults):,} matches of {name} judged, all others were before.")
        for match, fault in faults.items():
            click.echo(f"arena: match {match[:SHORT_ID]}: {fault}", err=True)
    return int(bool(faults))


def _print(found: Judgement) -> None:
    click.echo(f"{found.game}, {found.steps} steps, judged {ASKED_OF[found.worlds]}; effort {found.effort}")
    if found.is_weak:
        click.echo("WEAK: this game has no heuristic, so that everything rests on random play.")
    click.echo("Points of 100: the share of opponents that a seat beats, half by its place and half by its lead.\n")
    columns = {"seat": "right", "bot": "left", "start": "right", "own choices": "right", "others'": "right"}
    columns |= {"unexplained": "right", "end": "right"}
    rows = [
        (
            each.seat,
            each.bot,
            f"{each.start:.0f}",
            text_of(each.own, each.own_error),
            "" if each.others is None else f"{each.others:+.0f}",
            f"{each.unexplained:+.0f}",
            f"{each.end:.0f}",
        )
        for each in found.seats
    ]
    print_table("", columns, rows)
    for each in found.seats:
        marks = found.marks(each.seat)
        click.echo(f"\nseat {each.seat}, {each.bot}: {_counted(len(marks), 'costly decision')}")
        for mark in marks[:MAX_MARKS]:
            _print_mark(mark)
        if len(marks) > MAX_MARKS:
            click.echo(f"  … and {len(marks) - MAX_MARKS} more: --json shows all")


def _print_mark(mark: JudgedDecision) -> None:
    late = "" if mark.how == "answered" else f", {mark.how}: the safe default was played"
    click.echo(f"  step {mark.step}, {mark.kind} ({mark.clause}){late}: {text_of(-mark.gain, mark.error)}")
    click.echo(f"      chose  {mark.chosen}")
    click.echo(f"      better {mark.better}")
    if mark.second is not None:
        said = f"{text_of(mark.second.gain, mark.second.error)} for the better one"
        click.echo(f"      The second judge {SECOND[mark.second.opinion]}: {said}.")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
