"""arena check-bot: does a bot follow the protocol?"""

from __future__ import annotations

import click
import trio

from arena.bots.directory import BotDirectory
from arena.bots.level import MAX_LEVEL, level_name
from arena.bots.rungs import named_bot
from arena.cli.building import build, check_built
from arena.cli.hints import to_paste
from arena.cli.options import json_option
from arena.cli.output import print_json
from arena.cli.sandboxing import sandbox_option
from arena.conformance.check import check
from arena.conformance.report import Report, StepVerdict, lines
from arena.sandbox.levels import SandboxPolicy
from referee.game import AnyGame
from referee.games import GAMES, families
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import find_game


@click.command("check-bot")
@click.argument("directory", metavar="DIR", required=False)
@click.option(
    "--level", type=click.IntRange(1, MAX_LEVEL), metavar="N", help="Check this rung of the game's ladder, as level:N."
)
@click.option("--game", "slugs", multiple=True, metavar="GAME", help="Check with this game only; may be repeated.")
@click.option("--build", "is_building", is_flag=True, help="Run the build step of bot.toml first.")
@click.option(
    "--patience", default=5.0, show_default=True, type=click.FloatRange(0.1, 600), help="Seconds to wait for an answer."
)
@sandbox_option
@json_option
def command(
    directory: str | None,
    level: int | None,
    slugs: tuple[str, ...],
    is_building: bool,
    patience: float,
    sandbox: str,
    as_json: bool,
) -> int:
    """Check that the bot in DIR follows the protocol.

    It must survive a series of scripted sessions. Every step prints a line; a failure shows what was sent, what came
    back and what was expected. The exit code is 1 when a required step fails. Time spent waiting for a busy machine's
    CPU does not count against the bot.

    \b
    Example: arena check-bot mybot --game norenberc
    """
    configure_logs("error", as_json=False)
    if (directory is None) == (level is None):
        raise UserError("Missing argument 'DIR': expected a bot directory, or --level")
    directory = level_name(level) if directory is None and level is not None else str(directory)
    for slug in slugs:
        find_game(slug)
    bot = named_bot(directory, slugs)
    if is_building:
        bot = build(bot)
    check_built(bot)
    games = chosen_games(bot, slugs)
    told = (lambda _verdict: None) if as_json else _tell
    report = trio.run(check, bot, games, patience, SandboxPolicy(sandbox), told)
    if as_json:
        print_json(report.to_plain())
    else:
        click.echo(summary(report))
        if bot.manifest.build and not is_building and not report.has_passed:
            click.echo(f"The bot has a build step; run it with: {to_paste('check-bot', '--build', directory)}")
    return 0 if report.has_passed else 1


def chosen_games(bot: BotDirectory, slugs: tuple[str, ...]) -> list[AnyGame]:
    """Return the games to check with; raise a UserError for one that the bot does not play.

    A game of a family is checked only if it is named, here or by the bot.
    """
    for slug in slugs:
        find_game(slug)
        if not bot.manifest.plays(slug):
            raise UserError(f"--game: {bot.manifest.name} does not play {slug}")
    named = slugs or bot.manifest.games
    apart = {slug for games in families().values() for slug in games}
    return [GAMES[slug] for slug in GAMES if (slug in named if named else slug not in apart)]


def summary(report: Report) -> str:
    """Return the last line: how many steps failed, if any."""
    failed = [verdict.step for verdict in report.verdicts if verdict.result == "failed"]
    what = f"fails {len(failed)} of the steps: {', '.join(failed)}" if failed else "passes every required step"
    return f"{report.bot} {what} (sandbox: {report.sandbox})"


def _tell(verdict: StepVerdict) -> None:
    for line in lines(verdict):
        click.echo(line)
