"""arena tournament: run, resume, list, show, standings, stop, export."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields, replace
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click
import trio
from rich.console import Console

from arena.analysis.judgement import EFFORTS
from arena.analysis.keeping import judge_in_background, still_unjudged
from arena.cli.faults import INTERRUPTED
from arena.cli.hints import to_paste
from arena.cli.options import (
    Source,
    check_sendable,
    cluster_option,
    connect,
    database_options,
    db_option,
    json_option,
    log_options,
    only_server_options,
    pool_on,
    quiet_option,
    reading,
    server_options,
    source_options,
    writing,
)
from arena.cli.output import SHORT_ID, print_json, print_table, printable, say
from arena.cli.publish import html_option, write_site
from arena.cli.standings import print_standings
from arena.cli.tasks import unwrapped
from arena.cli.watching import LiveDisplay, Silent
from arena.plan.entrants import enter_bot, find_entry, withdraw_bot
from arena.plan.entries import local_plan
from arena.plan.rounds import read_history
from arena.plan.schedules.schedule import OrderWords
from arena.plan.stored_plan import plan_of
from arena.plan.swiss import missed_targets
from arena.plan.tournament_file import Plan, seed_warning
from arena.play.local_pool import open_here
from arena.play.pool import OpenPool
from arena.play.runner import Runner, Watcher
from arena.remote.address import ServerAddress
from arena.reports.standings import StandingLine, order_words, standings
from arena.reports.tournament import (
    MatchLine,
    TournamentSummary,
    corrected_matches,
    forecast_of,
    metrics,
    quality_of,
    round_lines,
    round_matches,
    summary,
)
from arena.store.database import Store
from arena.store.local_time import local_now
from arena.store.rows import TournamentState
from referee.logs import configure_logs
from referee.mistakes import NotFoundError, UserError


@dataclass(frozen=True, slots=True)
class RunTerms:
    """Local settings of a tournament run: the pool, what runs beside it, and the output."""

    cluster: str | None
    web: str | None
    judge: int | None
    """The effort of the judge; None where it was not chosen."""
    log_json: bool
    log_level: str
    is_quiet: bool
    as_json: bool


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a local tournament run to a command, which gets `terms`."""

    @log_options
    @click.option("--web", metavar="HOST:PORT", help="Serve the web site meanwhile, to watch matches live.")
    @click.option(
        "--judge", default=None, show_default=str(EFFORTS[0]), type=click.IntRange(0, EFFORTS[-1]),
        help="Judge the matches of closed rounds meanwhile, at this effort and the lowest priority; 0: off, unset: 1.",
    )  # fmt: skip
    @cluster_option
    @quiet_option
    @json_option
    @wraps(function)
    def with_terms(*arguments: Any, **values: Any) -> Any:
        terms = RunTerms(**{field.name: values.pop(field.name) for field in fields(RunTerms)})
        return function(*arguments, terms=terms, **values)

    return with_terms


@click.group("tournament")
def command() -> None:
    """Run and inspect tournaments.

    \b
    Example: arena tournament run autumn.toml
    """


@command.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--detach", is_flag=True, help="With --server: start it and return immediately.")
@server_options
@db_option
@run_options
def run(file: Path, detach: bool, server: ServerAddress | None, db: Path, terms: RunTerms) -> int:
    """Run the tournament that FILE describes.

    Run the same file again to resume it. Its bots are directories beside the file, or names of bots submitted
    to the same database.

    With --server the tournament runs there: the file names bots as they were submitted, "*" for all of them, and this
    command follows it to its end; if interrupted, it leaves the tournament running.

    \b
    Example: arena tournament run autumn.toml --db autumn.db
    """
    if server is not None:
        for option, value in (("web", terms.web), ("judge", terms.judge), ("cluster", terms.cluster)):
            if value:
                raise UserError(f"--{option}: the server has its own setting; expected one of --{option} and --server")
        from arena.cli.remote_tournament import run_on_server  # imports protos that nothing else here needs

        return run_on_server(file, server, detach=detach, as_json=terms.as_json)
    open_pool = _pool(terms)
    store = writing(db) if db.is_file() else None
    plan = local_plan(file, store)  # report a faulty file before creating a database
    if warning := seed_warning(plan.settings):
        click.echo(f"arena: {warning}", err=True)
    check_sendable(terms.cluster, (*plan.bots, *plan.house_bots))
    return run_plan(plan, store or writing(db, create=True), db, terms, open_pool)


@command.command("watch")
@click.argument("tournament")
@only_server_options
@json_option
def watch(tournament: str, server: ServerAddress | None, as_json: bool) -> None:
    """Follow a tournament on a server to its end.

    It prints one line per round and match.

    \b
    Example: arena tournament watch autumn --server arena.example.org:7494
    """
    if server is None:
        raise UserError("--server: missing; expected the server on which the tournament runs")
    with connect(server) as client:
        from arena.cli.remote_tournament import watch

        watch(client, tournament, as_json=as_json)


@command.command("resume")
@click.argument("tournament")
@click.option("--referees", type=click.IntRange(1, 64), help="Referee processes (default: unchanged).")
@db_option
@run_options
def resume(tournament: str, referees: int | None, db: Path, terms: RunTerms) -> int:
    """Resume a tournament that was stopped or killed.

    \b
    Example: arena tournament resume autumn
    """
    open_pool = _pool(terms)
    store = writing(db)
    plan = plan_of(store, store.tournaments.find(tournament))
    if referees is not None:
        plan = replace(plan, run=replace(plan.run, referees=referees))
    check_sendable(terms.cluster, (*plan.bots, *plan.house_bots))
    return run_plan(plan, store, db, terms, open_pool)


@command.command("nonce")
@click.argument("tournament")
@click.argument("origin", metavar="SOURCE")
@click.argument("value")
@source_options
def nonce(tournament: str, origin: str, value: str, source: Source, as_json: bool) -> None:
    """Mix a value into the seed of a tournament that has not begun.

    SOURCE is `beacon` or the name of an author, as the tournament's file has them. The ledger is committed to
    a secret of its own before, and opens it at the end: nobody alone has chosen the seed. The value stays as it is. On
    a server, authors give their own value, under the name of their token, and organisers the beacon's.

    \b
    Example: arena tournament nonce autumn beacon "3 17 22 31 40 44"
    """
    missing = source.ask(
        lambda store: store.tournaments.add_nonce(tournament, origin, value),
        lambda client: client.add_nonce(tournament, origin, value),
        writing,
    )
    if as_json:
        print_json({"tournament": tournament, "source": origin, "missing": missing})
        return
    waits = f"{tournament} still waits for {', '.join(missing)}" if missing else f"{tournament} can begin"
    click.echo(f"The nonce of {origin} is entered; {waits}.")


def _pool(terms: RunTerms) -> OpenPool:
    """Return the pool of a run; a wrong address of the web site or the cluster fails before anything starts."""
    if terms.web is not None:
        from arena.web.serving import read_listen

        read_listen(terms.web, "web")
    return pool_on(terms.cluster)


async def _run_in_company(runner: Runner, web: str | None, judge: int, console: Console) -> TournamentState:
    """Run a tournament with the web site or the judge beside it, stopped when it ends."""
    with unwrapped(UserError):
        async with trio.open_nursery() as nursery:
            if web is not None:
                await _start_page(nursery, runner, web, console)
            if judge:
                nursery.start_soon(judge_in_background, runner.store, judge, runner.plan.name)
            state = await runner.run()
            nursery.cancel_scope.cancel()
    return state


async def _start_page(nursery: trio.Nursery, runner: Runner, web: str, console: Console) -> None:
    from arena.web.app import create_app
    from arena.web.serving import serve

    app = create_app(runner.store.path(), live=runner.live)
    addresses = await nursery.start(partial(serve, app, web, shutdown=trio.sleep_forever, option="web"))
    # On the display's console, which prints the line above the display instead of losing it.
    console.print(f"arena: the web site is at {', '.join(addresses)} until the tournament ends", markup=False)


def run_to_its_end(
    plan: Plan,
    store: Store,
    watcher: Watcher,
    console: Console,
    web: str | None = None,
    judge: int = 0,
    open_pool: OpenPool = open_here,
) -> TournamentState:
    """Run a tournament until it is finished or stopped; messages meanwhile go to the console."""
    runner = Runner(plan, store, watcher, local_now, open_pool=open_pool)
    if isinstance(watcher, LiveDisplay):
        watcher.pool_status = lambda: "" if runner.pool is None else runner.pool.status()
    runner.enter()
    if web is None and not judge:
        return trio.run(runner.run)
    return trio.run(_run_in_company, runner, web, judge, console)


def resume_hint(tournament: str, db: Path, cluster: str | None = None) -> str:
    """Return the command that resumes a tournament on the same pool, ready to paste."""
    where = () if cluster is None else ("--cluster", cluster)
    return f"arena: resume it with: {to_paste('tournament', 'resume', tournament, *where, db=db)}"


def run_plan(plan: Plan, store: Store, db: Path, terms: RunTerms, open_pool: OpenPool) -> int:
    """Run a tournament to its end with the display that this terminal supports, and print the standings."""
    console = Console(stderr=True)
    effort = EFFORTS[0] if terms.judge is None else terms.judge
    is_live = console.is_terminal and not (terms.as_json or terms.log_json or terms.is_quiet)
    configure_logs("error" if is_live or terms.is_quiet else terms.log_level, as_json=terms.log_json)
    so_far = store.matches.of(plan.name) if is_live and store.tournaments.has(plan.name) else ()
    with LiveDisplay(console, plan, so_far) if is_live else nullcontext(Silent()) as watcher:
        state = run_to_its_end(plan, store, watcher, console, terms.web, effort, open_pool)
    reason = store.tournaments.find(plan.name).reason
    words, lines = _standings(store, plan.name)
    if terms.as_json:
        print_json({"tournament": plan.name, "state": state, "reason": reason, "standings": lines})
    else:
        print_standings(plan.name, words, lines)
        print_faults(store, plan.name, db)
        click.echo(f"{plan.name} is {state}{'' if reason == state else f': {reason}'}.")
    is_asked = terms.judge is not None or is_live
    if effort and is_asked and (waiting := still_unjudged(store, effort, plan.name)):
        hint = to_paste("analyse", "--tournament", plan.name, "--effort", str(effort), db=db)
        click.echo(f"arena: matches not judged yet: {waiting:,}; judge them with: {hint}", err=True)
    if state is TournamentState.STOPPED:
        click.echo(resume_hint(plan.name, db, terms.cluster), err=True)
        return INTERRUPTED
    return 0


@command.command("list")
@source_options
def list_tournaments(source: Source, as_json: bool) -> None:
    """List the tournaments of a database or a server.

    \b
    Example: arena tournament list --db autumn.db
    """
    rows = source.ask(_summaries, lambda client: client.tournaments())
    if as_json:
        print_json(rows)
        return
    columns = {"tournament": "left", "state": "left", "games": "left", "bots": "right", "rounds": "right"}
    columns |= {"matches": "right", "started": "left", "why it ended": "left"}
    cells = [
        (
            row.tournament,
            row.state,
            ", ".join(row.games),
            f"{row.bots:,}",
            f"{row.rounds_closed} of {row.rounds_planned}",
            f"{row.matches:,}" + (f" ({row.void_matches:,} void)" if row.void_matches else ""),
            row.started_at,
            row.reason,
        )
        for row in rows
    ]
    print_table("", columns, cells)


def _summaries(store: Store) -> list[TournamentSummary]:
    return [summary(store, stored) for stored in store.tournaments.all()]


@command.command("show")
@click.argument("tournament")
@click.option("--quality", "with_quality", is_flag=True, help="Show the pairing quality.")
@click.option("--round", "round_number", type=click.IntRange(1), help="Show the tables of one round.")
@database_options
def show(tournament: str, with_quality: bool, round_number: int | None, db: Path, as_json: bool) -> None:
    """Show a tournament with its rounds.

    \b
    Example: arena tournament show autumn --quality
    """
    store = reading(db)
    stored = store.tournaments.find(tournament)
    found = quality_of(stored, read_history(store, stored))
    rounds = round_lines(store, tournament)
    corrected = corrected_matches(store, tournament)
    if round_number is not None and round_number not in [each.round for each in rounds]:
        paired = f"expected 1 to {len(rounds)}" if rounds else "none is"
        raise NotFoundError(f"--round: round {round_number} of {tournament} is not paired; {paired}")
    matches = [] if round_number is None else round_matches(store, tournament, round_number)
    if as_json:
        plain = {
            **asdict(summary(store, stored)),
            "settings": stored.settings,
            "rounds": rounds,
            "corrected": [asdict(match) | {"result": match.result} for match in corrected.lines],
            "quality": {**found.as_integers(), "missed_targets": missed_targets(found)},
        }
        if round_number is not None:
            plain["matches"] = [asdict(match) | {"result": match.result} for match in matches]
        print_json(plain)
        return
    columns = {"round": "right", "game": "left", "kind": "left", "tables": "right", "byes": "right"}
    columns |= {"state": "left", "seconds": "right"}
    rows = [(row.round, row.game, row.kind, row.tables, len(row.byes), row.state, row.seconds) for row in rounds]
    print_table(f"{stored.id} is {stored.state}{f': {stored.reason}' if stored.reason else ''}", columns, rows)
    if (expected := forecast_of(store, stored)) is not None:
        click.echo(expected.words)
    for match in matches:
        _print_match(f"table {match.table} game {match.game_number}", match)
    if round_number is None:
        for match in corrected.lines:
            _print_match(f"round {match.round} table {match.table} game {match.game_number}", match)
        if corrected.more:
            click.echo(f"{corrected.more:,} more matches were corrected: see --round.")
    if with_quality:
        columns = {"metric": "left", "value": "left"}
        print_table("\npairing quality", columns, [(each.name, each.value) for each in metrics(found)])
        missed = missed_targets(found)
        click.echo(f"Targets missed: {'; '.join(missed)}" if missed else "All targets of T7 are met.")


def _print_match(where: str, match: MatchLine) -> None:
    """Print a line about a match, with enough of its id to name it."""
    click.echo(printable(f"{where}, match {match.match[:SHORT_ID]}: {match.result}"))


@command.command("standings")
@click.argument("tournament")
@source_options
def show_standings(tournament: str, source: Source, as_json: bool) -> None:
    """Show a tournament's standings with tie-breaks.

    \b
    Example: arena tournament standings autumn --json
    """
    words, lines = source.ask(lambda store: _standings(store, tournament), lambda client: client.standings(tournament))
    if as_json:
        print_json(lines)
    else:
        print_standings(tournament, words, lines)


def _standings(store: Store, tournament: str) -> tuple[OrderWords, tuple[StandingLine, ...]]:
    stored = store.tournaments.find(tournament)
    return order_words(stored), standings(store, stored)


def print_faults(store: Store, tournament: str, db: Path) -> None:
    """Report forfeited games by bot, and void games, if there are any."""
    for fault in store.matches.faults(tournament):
        click.echo(f"{fault.bot} forfeited {fault.count} games: {fault.ending}.")
    checked, differing = store.workers.recheck_counts(tournament)
    if checked:
        listing = to_paste("cluster", "rechecks", db=db)
        found = f"{differing} differ, listed by: {listing}" if differing else "all came out equal"
        click.echo(f"{checked} matches were rerun by another worker; {found}.")
    if given_up := store.matches.given_up_count(tournament):
        click.echo(f"{given_up} matches were void through no fault of a bot.")


@command.command("stop")
@click.argument("tournament")
@source_options
def stop(tournament: str, source: Source, as_json: bool) -> None:
    """Ask a running tournament to stop cleanly; it can be resumed.

    \b
    Example: arena tournament stop autumn
    """

    def request(store: Store) -> None:
        stored = store.tournaments.find(tournament)
        if stored.state is not TournamentState.RUNNING:
            raise UserError(f"tournament: {tournament} is {stored.state}, not running")
        store.tournaments.request_stop(tournament)

    source.ask(request, lambda client: client.stop(tournament), writing)
    said = f"{tournament} has been asked to stop."
    say(said, {"tournament": tournament, "stop": "requested"}, as_json=as_json)


@command.command("enter")
@click.argument("tournament")
@click.argument("bot")
@source_options
def enter(tournament: str, bot: str, source: Source, as_json: bool) -> None:
    """Let BOT join a Swiss tournament between two rounds.

    BOT is a bot directory or a submitted bot. It gets half a point once for all the points rounds that it
    missed.

    \b
    Example: arena tournament enter autumn bots/erin
    """

    def enter_here(store: Store) -> tuple[str, int]:
        found = find_entry(store, bot, folder=Path())
        return found.label, enter_bot(store, tournament, found, local_now().isoformat(timespec="seconds"))

    label, number = source.ask(enter_here, lambda client: client.enter(tournament, bot), writing)
    said = f"{label} plays in {tournament} from round {number} on."
    say(said, {"tournament": tournament, "bot": label, "round": number}, as_json=as_json)


@command.command("withdraw")
@click.argument("tournament")
@click.argument("bot")
@source_options
def withdraw(tournament: str, bot: str, source: Source, as_json: bool) -> None:
    """Take BOT out of a tournament between two rounds.

    BOT is its name or its label. Its results stay.

    \b
    Example: arena tournament withdraw autumn erin
    """
    label, number = source.ask(
        lambda store: withdraw_bot(store, tournament, bot), lambda client: client.withdraw(tournament, bot), writing
    )
    said = f"{label} is out of {tournament} from round {number} on."
    say(said, {"tournament": tournament, "bot": label, "round": number}, as_json=as_json)


@command.command("export")
@click.argument("tournament")
@html_option("Write web pages into this folder, or one page that needs no other file.")
@database_options
def export(tournament: str, html: Path | None, db: Path, as_json: bool) -> None:
    """Write a tournament as a static web site.

    The site has standings, rounds, cross-table, bots and matches. With --html FILE.html it is one self-contained page
    with standings, rounds and cross-table.

    \b
    Example: arena tournament export autumn --html site
    """
    if html is None:
        raise UserError("--html: expected a folder to write the pages to, or FILE.html")
    write_site(lambda site: site.write_tournament(db, tournament, html), html, as_json=as_json)
