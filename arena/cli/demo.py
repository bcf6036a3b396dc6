"""arena demo: a small Swiss tournament on every game there is, with the sample bots as players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from arena.bots.directory import BotDirectory, read_bot
from arena.cli import leaderboard
from arena.cli.tournament import run_plan
from arena.plan.tournament_file import Plan, parse_plan
from arena.store.database import open_store
from arena.store.rows import TournamentState
from referee.games import BUILT_IN
from referee.order import OrderError

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
ENTRANTS = 8
ROUNDS = 2
SEED = 1494


@click.command("demo")
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("demo.db"),
    show_default=True,
    help="The database file.",
)
@click.option("--game", "games", multiple=True, help="Only this game; may be given several times.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(db: Path, games: tuple[str, ...], as_json: bool) -> int:
    """Play a small tournament of every game with the sample bots.

    \b
    Example: arena demo --game norenberc
    """
    for game in games:
        if game not in BUILT_IN:
            raise OrderError(f"--game: {game!r} is unknown; expected one of: {', '.join(BUILT_IN)}")
    out = Console(highlight=False)
    store = open_store(db, create=True)
    finished = []
    for game in games or BUILT_IN:
        plan = demo_plan(game)
        code = run_plan(plan, store, log_level="error", log_json=False, as_json=False, quiet=True)
        if code:
            return code
        finished.append({"game": game, "tournament": plan.name, "state": TournamentState.FINISHED})
    if as_json:
        click.echo(json.dumps(finished, indent=2))
        return 0
    name = finished[-1]["tournament"]
    store.close()
    click.get_current_context().invoke(leaderboard.command, games=games, db=db)
    out.print(
        f"\nEverything is in {db}. Look further with:\n"
        f"  arena web --db {db}\n"
        f"  arena tournament standings {name} --db {db}\n"
        f"  arena tournament show {name} --round 1 --quality --db {db}\n"
        f"  arena ledger verify --replay --db {db}",
        markup=False,
    )
    return 0


def demo_plan(game: str) -> Plan:
    """Return a tournament that two cores play in a few seconds."""
    bots = [bot for bot in sample_bots() if bot.manifest.plays(game)]
    return parse_plan(
        {"name": f"demo-{game}", "game": game, "bot": _entries(bots), "rounds": ROUNDS, "seed": SEED, "block": False},
        Path(),
    )


def _entries(bots: Sequence[BotDirectory]) -> list[dict[str, str]]:
    """Fill the field: every sample bot in turn, numbered from its second entry on."""
    entries = []
    for number in range(ENTRANTS):
        bot, copy = bots[number % len(bots)], number // len(bots) + 1
        name = bot.manifest.name if copy == 1 else f"{bot.manifest.name}-{copy}"
        entries.append({"path": str(bot.path), "name": name})
    return entries


def sample_bots() -> list[BotDirectory]:
    """Return the quick sample bots in Python, which run wherever the arena does, in the order of their names."""
    found = [read_bot(manifest.parent) for manifest in sorted(SAMPLE_BOTS.rglob("bot.toml"))]
    usable = [
        bot
        for bot in found
        if bot.manifest.command[0] == "python3"
        and not bot.manifest.build
        and bot.manifest.concurrency > 1  # a bot that plays one match at a time thinks too long for a demo
    ]
    if not usable:
        raise OrderError("the sample bots are not here; run the demo from a checkout")
    return usable
