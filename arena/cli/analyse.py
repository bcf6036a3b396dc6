"""arena analyse: why did I lose? The judge's view of a match, or of all matches of a tournament."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click
import trio
from rich.console import Console

from arena.analysis.judge import judge
from arena.analysis.judgement import DEFAULT_EFFORT, EFFORTS, JUDGE, JudgedDecision, Judgement, Opinion, Worlds
from arena.analysis.judges import JudgeAll, judges_here
from arena.analysis.keeping import judge_matches, keep, kept, refuse_open_round
from arena.cli.options import Source, check_cluster, quiet_option, reading, source_options, writing
from arena.cli.output import SHORT_ID, print_json, print_table, progress, say
from arena.cli.play_report import print_steady
from arena.cli.replay import is_match_id, load_text
from arena.reports.judgement import text_of
from referee.game import Seat
from referee.mistakes import UserError

MAX_BLUNDERS = 6
ASKED_OF = {
    Worlds.KNEW: "by what the seats knew",
    Worlds.LUCK: "in the true state, with chance resampled",
    Worlds.HINDSIGHT: "in hindsight, with the actual chance",
}
SECOND = {Opinion.AGREES: "agrees", Opinion.UNSURE: "is unsure", Opinion.DISAGREES: "DISAGREES"}


@click.command("analyse")
@click.argument("target", required=False, metavar="[MATCH|RECORD]")
@click.option("--seat", type=click.IntRange(0), help="Only this seat.")
@click.option(
    "--worlds", default=Worlds.KNEW.value, show_default=True, type=click.Choice([each.value for each in Worlds]),
    help="Judge by what the seat knew, by the true state with chance resampled, or in hindsight.",
)  # fmt: skip
@click.option(
    "--effort", default=DEFAULT_EFFORT, show_default=True, type=click.IntRange(EFFORTS[0], EFFORTS[-1]),
    help="Scales the number of determinizations: twice the effort, twice as many.",
)  # fmt: skip
@click.option("--tournament", metavar="NAME", help="Judge all matches of the closed rounds of this tournament.")
@click.option("--processes", type=click.IntRange(1, 256), help="With --tournament: processes (default: one per core).")
@click.option(
    "--cluster", metavar="ADDRESS|FILE",
    help="With --tournament: judge on the Dask cluster with this scheduler address or file.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Re-analyse matches that were judged before.")
@click.option("--drop", is_flag=True, help="Delete all judgements from the database and stop.")
@quiet_option
@source_options
def command(
    target: str | None,
    seat: int | None,
    worlds: str,
    effort: int,
    tournament: str | None,
    processes: int | None,
    cluster: str | None,
    force: bool,
    drop: bool,
    is_quiet: bool,
    source: Source,
    as_json: bool,
) -> int:
    """Judge a match: which decisions cost most, and what was better.

    Every decision is compared with its alternatives by playouts over many determinizations. A match is named by the
    beginning of its ID, or is a record file. Judgements are kept in the database, and no rating depends on them.
    Matches of a round that is still open are not analysed.

    \b
    Example: arena analyse 3f9a --seat 1
    Example: arena analyse --tournament autumn
    """
    if sum((target is not None, tournament is not None, drop)) != 1:
        raise UserError("expected exactly one of MATCH|RECORD, --tournament and --drop")
    if target is None and (seat is not None or source.server is not None):
        raise UserError(f"--{'seat' if seat is not None else 'server'}: expected with MATCH|RECORD only")
    if tournament is None and (processes is not None or cluster is not None):
        raise UserError(f"--{'cluster' if processes is None else 'processes'}: expected with --tournament only")
    if processes is not None and cluster is not None:
        raise UserError("--processes: the workers have their own cores; expected one of --processes and --cluster")
    if drop:
        count = writing(source.db).judgements.drop()
        say(f"{count:,} judgements dropped.", {"dropped": count}, as_json=as_json)
        return 0
    if tournament is not None:
        judge_all = _judges(processes, cluster)
        return _judge_tournament(tournament, Worlds(worlds), effort, judge_all, source.db, force, is_quiet, as_json)
    assert target is not None
    found = _judge_one(target, seat, Worlds(worlds), effort, source, force, is_quiet)
    if as_json:
        print_json(found.to_plain())
    else:
        _print(found)
    return 0


def _judge_one(
    target: str, seat: Seat | None, worlds: Worlds, effort: int, source: Source, force: bool, is_quiet: bool
) -> Judgement:
    is_stored = source.server is None and is_match_id(target)
    if is_stored:
        store = reading(source.db)
        match = store.matches.find(target)
        refuse_open_round(store, match)
        found = None if force else kept(store, match, worlds, effort)
        if found is not None:
            return found if seat is None else found.of_seat(seat)
    text = load_text(target, source)
    console = Console(stderr=True, quiet=is_quiet)
    try:
        with console.status("judging …") if console.is_terminal else console:
            found = judge(text, worlds, effort, None if seat is None else [seat])
    except UserError as error:
        raise UserError(f"{target}: {error}") from None
    if is_stored and seat is None:
        keep(writing(source.db), found)
    return found


def _judges(processes: int | None, cluster: str | None) -> JudgeAll:
    """Return the judging backend: the cluster's workers if one was given, otherwise local processes."""
    if cluster is None:
        return judges_here(processes or os.cpu_count() or 1, is_idle=False)
    check_cluster(cluster)
    from arena.cluster.judging import judges_on

    return judges_on(cluster)


def _judge_tournament(
    name: str, worlds: Worlds, effort: int, judge_all: JudgeAll, db: Path, force: bool, is_quiet: bool, as_json: bool
) -> int:
    store = writing(db)
    store.tournaments.find(name)  # a UserError if there is none
    if force:
        matches = [m.id for m in store.matches.of(name) if store.matches.is_settled(m) and m.places]
    else:
        matches = store.judgements.missing(JUDGE, worlds, effort, name)
    faults: dict[str, str] = {}
    with progress(is_shown=not is_quiet) as bars:
        task = bars.add_task("judging", total=len(matches))

        def done(match: str, fault: str | None) -> None:
            bars.advance(task)
            if fault is not None:
                faults[match] = fault

        if matches:
            trio.run(partial(judge_matches, store, iter(matches), worlds, effort, judge_all=judge_all, done=done))
    if as_json:
        print_json({"tournament": name, "judged": len(matches) - len(faults), "faults": faults})
    else:
        click.echo(f"{len(matches) - len(faults):,} matches of {name} judged; the rest were judged before.")
        for match, fault in faults.items():
            click.echo(f"arena: match {match[:SHORT_ID]}: {fault}", err=True)
    return int(bool(faults))


def _print(found: Judgement) -> None:
    click.echo(f"{found.game}, {found.steps} steps, judged {ASKED_OF[found.worlds]}; effort {found.effort}")
    if found.is_weak:
        click.echo("WEAK: this game has no heuristic, so the judgement rests on random playouts.")
    click.echo("Points of 100: the share of opponents that a seat beats, half by its place and half by its lead.\n")
    columns = {"seat": "right", "bot": "left", "start": "right", "own choices": "right", "others'": "right"}
    columns |= {"unexplained": "right", "end": "right"}
    rows = [
        (
            each.seat,
            each.bot,
            f"{each.start:.0f}",
            text_of(each.own, each.own_error),
            "" if each.others is None or each.others_error is None else text_of(each.others, each.others_error),
            text_of(each.unexplained, each.unexplained_error),
            f"{each.end:.0f}",
        )
        for each in found.seats
    ]
    print_table("", columns, rows)
    for each in found.seats:
        blunders = found.blunders(each.seat)
        click.echo(
            f"\nseat {each.seat}, {each.bot}: {len(blunders)} costly decision{'' if len(blunders) == 1 else 's'}"
        )
        for blunder in blunders[:MAX_BLUNDERS]:
            _print_blunder(blunder)
        if len(blunders) > MAX_BLUNDERS:
            click.echo(f"  … and {len(blunders) - MAX_BLUNDERS} more: --json shows all")
        print_steady(each.steady)


def _print_blunder(blunder: JudgedDecision) -> None:
    late = "" if blunder.how == "answered" else f", {blunder.how}: the safe default was played"
    click.echo(
        f"  step {blunder.step}, {blunder.kind} ({blunder.clause}){late}: {text_of(-blunder.gain, blunder.error)}"
    )
    click.echo(f"      chose  {blunder.chosen}")
    click.echo(f"      better {blunder.better}")
    if blunder.second is not None:
        said = f"{text_of(blunder.second.gain, blunder.second.error)} for the better one"
        click.echo(f"      The second judge {SECOND[blunder.second.opinion]}: {said}.")
