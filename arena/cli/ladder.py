"""arena ladder: the rungs of every game, a bot's place among them, and their calibration."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
import trio
from rich.console import Console

from arena.bots.directory import BotDirectory
from arena.bots.label import HASH_DIGITS
from arena.bots.policies import find_policy, policy_of_rung
from arena.bots.rungs import FOLDER, Ladder, Rung, games_with_ladder, named_bot, read_ladder, rung_bot
from arena.cli.building import check_built
from arena.cli.faults import INTERRUPTED
from arena.cli.options import FILE, cluster_option, json_option, pool_on, quiet_option, time_option, writing
from arena.cli.output import print_json, print_table, progress, say
from arena.cli.play import parse_assignment
from arena.cli.sandboxing import sandbox_option
from arena.cli.tournament import resume_hint, run_to_its_end
from arena.cli.watching import LiveDisplay, Silent
from arena.ladder.calibration import LEDGER_ENDING, calibration_plan, read_calibration
from arena.ladder.climbing import MAX_GAMES, PRECISION, Climb, climb_to_the_end
from arena.ladder.playing import InProcessTables, ProcessTables
from arena.plan.seeding import MAX_SEED
from arena.play.local_pool import open_pool
from arena.play.policy_pool import with_policies
from arena.sandbox.levels import SandboxPolicy, choose
from arena.store.rows import TournamentState
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import TimeControl, find_game

folder_option = click.option(
    "--folder", default=lambda: FOLDER, type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where ladders are declared and their ratings and ledgers lie.  [default: those that are shipped]",
)  # fmt: skip
COLUMNS = {
    "level": "right", "bot": "left", "settings": "left", "rating": "right", "± 95 %": "right", "matches": "right",
    "version": "left",
}  # fmt: skip


@click.group("ladder")
def command() -> None:
    """Show the rungs of a game, or find a bot's rung.

    \b
    Example: arena ladder show norenberc
    """


@command.command("show")
@click.argument("game", required=False)
@folder_option
@json_option
def show(game: str | None, folder: Path, as_json: bool) -> None:
    """Show the rungs of GAME, or of every game, and their ratings.

    Ratings are in Elo above level 1, which plays at random. A rung is frozen by its version, the hash of its files and
    settings. The sign between two rungs is what the ledger of their calibration claims (T16): > for better, ? for
    open. That ledger is shipped; the line below the table says how to verify it.

    \b
    Example: arena ladder show norenberc --json
    """
    if game is not None:
        find_game(game)
    ladders = [read_ladder(slug, folder) for slug in ((game,) if game is not None else games_with_ladder(folder))]
    if as_json:
        plain = [plain_ladder(ladder, folder) for ladder in ladders]
        print_json(plain if game is None else plain[0])
        return
    for ladder in ladders:
        _print(ladder, folder)


def plain_ladder(ladder: Ladder, folder: Path = FOLDER) -> dict[str, Any]:
    """Return a ladder as plain data."""
    return {
        "game": ladder.game,
        "seats": ladder.seats,
        "seed": ladder.seed,
        "matches": ladder.matches,
        "head": ladder.head,
        "ledger": str(folder / f"{ladder.game}{LEDGER_ENDING}") if ladder.head else None,
        "rungs": [_plain_rung(rung) for rung in ladder.rungs],
        "claims": [claim._asdict() for claim in ladder.claims],
    }


def _plain_rung(rung: Rung) -> dict[str, Any]:
    found = {"level": rung.level, "name": rung.name, "bot": rung.bot, "arguments": list(rung.arguments)}
    return found | ({} if rung.measured is None else rung.measured._asdict())


def _print(ladder: Ladder, folder: Path) -> None:
    signs = {claim.above: claim.word for claim in ladder.claims}
    rows = []
    for rung in reversed(ladder.rungs):
        measured = rung.measured
        found = ("", "", "", "")
        if measured is not None:
            version = measured.version[:HASH_DIGITS]
            found = (str(measured.rating), str(measured.error), f"{measured.matches:,}", version)
        rows.append((rung.level, rung.name, " ".join(rung.arguments), *found, signs.get(rung.level, "")))
    print_table(find_game(ladder.game).title, COLUMNS | {"next": "left"}, rows)
    if ladder.head:
        click.echo(f"Measured in {ladder.matches:,} matches, at tables of {ladder.seats}; the head of the ledger is")
        click.echo(f"{ladder.head}; verify it with:")
        click.echo(f"    arena ledger verify --entries {folder / ladder.game}{LEDGER_ENDING}")
    else:
        click.echo(f"Not measured yet; measure it with: arena ladder calibrate {ladder.game}")


@command.command("calibrate")
@click.argument("game")
@click.option("--db", type=FILE, help="The database of the calibration.  [default: ladder-GAME-….db]")
@folder_option
@click.option("--referees", default=1, show_default=True, type=click.IntRange(1, 64), help="Referee processes.")
@click.option("--in-process", is_flag=True, help="Play policies in these processes: the same ledger, but sooner.")
@cluster_option
@quiet_option
@json_option
def calibrate(
    game: str,
    db: Path | None,
    folder: Path,
    referees: int,
    in_process: bool,
    cluster: str | None,
    is_quiet: bool,
    as_json: bool,
) -> int:
    """Measure the rungs of GAME again, and write the ladder.

    The rungs play a tournament until every neighbour in the fitted order is decided (T16.3), or the budget of matches
    is used up. It is resumed by the same command; the same rungs and seed give the same ledger, to the byte, with
    --in-process too. The exit code is 1 if some rung is not claimed to be better than the one below.

    \b
    Example: arena ladder calibrate norenberc
    """
    find_game(game)
    if in_process and cluster is not None:
        raise UserError("--in-process: policies play here; expected no --cluster")
    ladder = read_ladder(game, folder)
    plan = calibration_plan(ladder, referees)
    for bot in plan.bots:
        if isinstance(bot, BotDirectory):
            check_built(bot)
    db = Path(f"{plan.name}.db") if db is None else db
    console = Console(stderr=True)
    is_live = console.is_terminal and not (as_json or is_quiet)
    configure_logs("error", as_json=False)
    open_pool = with_policies(referees) if in_process else pool_on(cluster)
    store = writing(db, create=True)
    so_far = store.matches.of(plan.name) if is_live and store.tournaments.has(plan.name) else ()
    with LiveDisplay(console, plan, so_far) if is_live else nullcontext(Silent()) as watcher:
        state = run_to_its_end(plan, store, watcher, console, open_pool=open_pool)
    if state is TournamentState.STOPPED:
        click.echo(resume_hint(plan.name, db, cluster), err=True)
        return INTERRUPTED
    found = read_calibration(ladder, plan, store)
    found.write(game, folder)
    text = f"{game}: {found.plain['matches']:,} matches, head {found.plain['head']}"
    if found.open_levels:
        text += f"\nnot claimed to be better than the one below: level {', '.join(map(str, found.open_levels))}"
    say(text, found.plain, as_json=as_json)
    return int(bool(found.open_levels))


@command.command("climb")
@click.argument("bot", metavar="BOT")
@click.option("--game", required=True, help="The game.")
@click.option(
    "--precision", default=PRECISION, show_default=True, type=click.IntRange(10, 400), metavar="ELO",
    help="Half of the 95 % interval at which the climb ends.",
)  # fmt: skip
@click.option("--max-games", default=MAX_GAMES, show_default=True, type=click.IntRange(2, 100_000), help="Most games.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of all chance (default: random, and shown).")
@click.option("--in-process", is_flag=True, help="Play policies in this process, as arena simulate does.")
@click.option("--referees", default=1, show_default=True, type=click.IntRange(1, 64), help="Referee processes.")
@folder_option
@time_option
@sandbox_option
@quiet_option
@json_option
def climb(
    bot: str,
    game: str,
    precision: int,
    max_games: int,
    seed: int | None,
    in_process: bool,
    referees: int,
    folder: Path,
    times: tuple[str, ...],
    sandbox: str,
    is_quiet: bool,
    as_json: bool,
) -> int:
    """Find the rung of BOT in the ladder of a game.

    BOT plays at tables of rungs, once in every seat: far apart at first, then among those nearest to it, until its
    rating is known to --precision. That takes a hundred games or two, however many rungs there are. The result is in
    Elo above random play, with a 95 % interval for this one look; nothing is entered in a ledger. To be sure that it is
    better than a rung, use arena test BOT --level N.

    \b
    Example: arena ladder climb mybot --game norenberc
    """
    configure_logs("error", as_json=False)
    found_game = find_game(game)
    ladder = read_ladder(game, folder)
    seats = ladder.seats or found_game.preferred_seats
    climbing = Climb(ladder.ratings, seats, precision, max_games)
    seed = secrets.randbits(63) if seed is None else seed
    rungs = [rung_bot(ladder, rung.level) for rung in ladder.rungs]
    forfeits = voids = 0
    with progress(is_shown=not (is_quiet or as_json)) as bars:
        bar = bars.add_task("games", total=max_games)

        def told(climbing: Climb) -> None:
            about = f"{climbing.rating:.0f} ± {climbing.error:.0f} Elo, level {climbing.level}"
            bars.update(bar, completed=climbing.games, description=about)

        if in_process:
            if times:
                raise UserError("--time: there is no clock with --in-process")
            source = find_policy(bot, game)
            if not source.plays(game):
                raise UserError(f"{source.name} does not play {game}")
            label = source.label
            here = InProcessTables(found_game, source, list(map(policy_of_rung, rungs)), seed)
            climb_to_the_end(climbing, here.play, told)
        else:
            policy = SandboxPolicy(sandbox)
            choose(policy)  # fails before anything starts
            entrant = named_bot(bot, [game])
            if not entrant.manifest.plays(game):
                raise UserError(f"{entrant.manifest.name} does not play {game}")
            check_built(entrant)
            label = entrant.label
            control = TimeControl.from_plain(dict(parse_assignment("--time", text) for text in times))
            tables = ProcessTables(found_game, entrant, rungs, seed, control)
            trio.run(_climb_by_processes, tables, climbing, told, referees, policy)
            forfeits, voids = tables.forfeits, tables.voids
    plain = _plain_climb(ladder, climbing, label, seed) | {"forfeits": forfeits, "void_matches": voids}
    say("\n".join(_climb_lines(plain)), plain, as_json=as_json)
    return 0


async def _climb_by_processes(
    tables: ProcessTables, climbing: Climb, told: Callable[[Climb], None], referees: int, policy: SandboxPolicy
) -> None:
    async with open_pool(referees=referees, log_level="error", sandbox=policy) as pool:
        await tables.climb(climbing, pool, told)


def _plain_climb(ladder: Ladder, climbing: Climb, label: str, seed: int) -> dict[str, Any]:
    """Return the result of a climb as plain data."""
    below = None if climbing.level == 0 else ladder.rung(climbing.level)
    above = ladder.rung(climbing.level + 1) if climbing.level < len(ladder.rungs) else None
    return {
        "bot": label,
        "game": ladder.game,
        "seed": seed,
        "games": climbing.games,
        "rating": round(climbing.rating),
        "error": round(climbing.error),
        "is_precise": climbing.error <= climbing.precision,
        "level": climbing.level,
        "level_below": None if below is None else _plain_rung(below),
        "level_above": None if above is None else _plain_rung(above),
    }


def _climb_lines(plain: dict[str, Any]) -> Iterator[str]:
    yield f"{plain['bot']}: {plain['rating']} ± {plain['error']} Elo above random play, after {plain['games']} games"
    for key, word in (("level_above", "below"), ("level_below", "above")):
        if rung := plain[key]:
            yield f"{word} level {rung['level']}, {rung['name']}, at {rung['rating']} ± {rung['error']}"
    if plain["forfeits"]:
        yield f"it forfeited {plain['forfeits']} games"
    if plain["void_matches"]:
        yield f"{plain['void_matches']} matches were void through no fault of a bot"
    if not plain["is_precise"]:
        yield "the games were used up before the precision was reached; raise --max-games"
    yield f"seed {plain['seed']}"
