"""arena ladder: the ten rungs of every game, a bot's place among them, and their calibration."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from arena.bots.directory import BotDirectory
from arena.bots.label import HASH_DIGITS
from arena.bots.rungs import FOLDER, Ladder, Rung, games_with_ladder, read_ladder
from arena.cli.building import check_built
from arena.cli.faults import INTERRUPTED
from arena.cli.options import FILE, cluster_option, json_option, pool_on, quiet_option, writing
from arena.cli.output import print_json, print_table, say
from arena.cli.tournament import resume_hint, run_to_its_end
from arena.cli.watching import LiveDisplay, Silent
from arena.ladder.calibration import LEDGER_ENDING, calibration_plan, read_calibration
from arena.store.rows import TournamentState
from referee.logs import configure_logs
from referee.order import find_game

COLUMNS = {
    "level": "right", "bot": "left", "settings": "left", "rating": "right", "± 95 %": "right", "matches": "right",
    "version": "left",
}  # fmt: skip


@click.group("ladder")
def command() -> None:
    """Show the ten rungs of a game, or find a bot's rung.

    \b
    Example: arena ladder show norenberc
    """


@command.command("show")
@click.argument("game", required=False)
@json_option
def show(game: str | None, as_json: bool) -> None:
    """Show the rungs of GAME, or of every game: bot, settings, rating, version and claims.

    Ratings are in Elo above level 1, which plays at random. A rung is frozen by its version, the hash of its files and
    settings. The sign between two rungs is what the ledger of their calibration claims (T16): > for better, ? for
    open. That ledger is shipped; the line below the table says how to verify it.

    \b
    Example: arena ladder show norenberc --json
    """
    if game is not None:
        find_game(game)
    ladders = [read_ladder(slug) for slug in ((game,) if game is not None else games_with_ladder())]
    if as_json:
        plain = [plain_ladder(ladder) for ladder in ladders]
        print_json(plain if game is None else plain[0])
        return
    for ladder in ladders:
        _print(ladder)


def plain_ladder(ladder: Ladder) -> dict[str, Any]:
    """Return a ladder as plain data."""
    return {
        "game": ladder.game,
        "seats": ladder.seats,
        "seed": ladder.seed,
        "matches": ladder.matches,
        "head": ladder.head,
        "ledger": str(ledger_file(ladder)) if ladder.head else None,
        "rungs": [_plain_rung(rung) for rung in ladder.rungs],
        "claims": [claim._asdict() for claim in ladder.claims],
    }


def _plain_rung(rung: Rung) -> dict[str, Any]:
    found = {"level": rung.level, "name": rung.name, "bot": rung.bot, "arguments": list(rung.arguments)}
    return found | ({} if rung.measured is None else rung.measured._asdict())


def ledger_file(ladder: Ladder) -> Path:
    """Return the shipped ledger of a ladder."""
    return FOLDER / f"{ladder.game}{LEDGER_ENDING}"


def _print(ladder: Ladder) -> None:
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
        click.echo(f"    arena ledger verify --entries {ledger_file(ladder)}")
    else:
        click.echo(f"Not measured yet; measure it with: arena ladder calibrate {ladder.game}")


@command.command("calibrate")
@click.argument("game")
@click.option("--db", type=FILE, help="The database of the calibration.  [default: ladder-GAME-….db]")
@click.option(
    "--into", default=FOLDER, type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Where the rungs are declared, and ratings and ledger are written.  [default: those that are shipped]",
)  # fmt: skip
@click.option("--referees", default=1, show_default=True, type=click.IntRange(1, 64), help="Referee processes.")
@cluster_option
@quiet_option
@json_option
def calibrate(
    game: str, db: Path | None, into: Path, referees: int, cluster: str | None, is_quiet: bool, as_json: bool
) -> int:
    """Measure the rungs of GAME after a change, and write their ratings and the ledger.

    The rungs play a tournament until every neighbour in the fitted order is decided (T16.3), or the budget of matches
    is used up. It is resumed by the same command; the same rungs and seed give the same ledger, to the byte. The exit
    code is 1 if some rung is not claimed to be better than the one below.

    \b
    Example: arena ladder calibrate norenberc
    """
    find_game(game)
    ladder = read_ladder(game, into)
    plan = calibration_plan(ladder, referees)
    for bot in plan.bots:
        if isinstance(bot, BotDirectory):
            check_built(bot)
    db = Path(f"{plan.name}.db") if db is None else db
    console = Console(stderr=True)
    is_live = console.is_terminal and not (as_json or is_quiet)
    configure_logs("error", as_json=False)
    open_pool = pool_on(cluster)
    store = writing(db, create=True)
    so_far = store.matches.of(plan.name) if is_live and store.tournaments.has(plan.name) else ()
    with LiveDisplay(console, plan, so_far) if is_live else nullcontext(Silent()) as watcher:
        state = run_to_its_end(plan, store, watcher, console, open_pool=open_pool)
    if state is TournamentState.STOPPED:
        click.echo(resume_hint(plan.name, db, cluster), err=True)
        return INTERRUPTED
    found = read_calibration(ladder, plan, store)
    found.write(game, into)
    text = f"{game}: {found.plain['matches']:,} matches, head {found.plain['head']}"
    if found.open_levels:
        text += f"\nnot claimed to be better than the one below: level {', '.join(map(str, found.open_levels))}"
    say(text, found.plain, as_json=as_json)
    return int(bool(found.open_levels))
