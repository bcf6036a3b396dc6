"""arena evaluate: how good is this bot? One call, bounded in cost, for scripts and people."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import Any

import click
import trio

from arena.bots.one_file import is_bot
from arena.bots.rungs import named_bot, read_ladder
from arena.cli.building import check_built
from arena.cli.options import FILE, json_option, quiet_option, time_option
from arena.cli.output import print_json, progress
from arena.cli.play import parse_assignment
from arena.cli.sandboxing import sandbox_option
from arena.evaluation.answer import as_junit, as_lines, as_markdown, to_plain
from arena.evaluation.evaluating import EvaluatedBot, Request, evaluate
from arena.evaluation.journal import BlockJournal
from arena.plan.seeding import MAX_SEED
from arena.sandbox.levels import SandboxPolicy, choose
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import TimeControl, check_order, find_game

MAX_BUDGET = 1_000_000
BUDGET = re.compile(r"([1-9][0-9]{0,6})(s?)")


@click.command("evaluate")
@click.argument("bot", metavar="BOT", type=click.Path(path_type=Path))
@click.option("--game", required=True, help="The game to play.")
@click.option(
    "--budget", default="40", show_default=True, metavar="N|Ns",
    help="Games to play, or with an s seconds of the bots' thinking time.",
)  # fmt: skip
@click.option(
    "--opponent", "opponents", multiple=True, metavar="DIR",
    help="Play against this bot or level:N, one per other seat (default: the ladder of the game).",
)  # fmt: skip
@click.option("--min-level", type=click.IntRange(1), metavar="N", help="Exit with 1 below this rung of the ladder.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Keep records and a journal here; the same call again resumes it.",
)  # fmt: skip
@click.option("--judge", "judged", default=1, show_default=True, type=click.IntRange(0, 20), help="Games to judge.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of all chance (default: secret and new).")
@click.option("--junit", type=FILE, help="Write the stages to this JUnit file.")
@click.option("--markdown", type=FILE, help="Append a summary to this Markdown file.")
@time_option
@sandbox_option
@quiet_option
@json_option
def command(
    bot: Path,
    game: str,
    budget: str,
    opponents: tuple[str, ...],
    min_level: int | None,
    out: Path | None,
    judged: int,
    seed: int | None,
    junit: Path | None,
    markdown: Path | None,
    times: tuple[str, ...],
    sandbox: str,
    is_quiet: bool,
    as_json: bool,
) -> int:
    """Evaluate BOT: how good is it, what fails, and which decisions cost most?

    Cheap stages come first: the bot loads, keeps the protocol, plays one block, and then blocks until the budget is
    used up. Seeds are new and secret every time. The exit code is 0 if all stages are passed, 1 if the bot fails one or
    stays below --min-level, and 2 if the call is wrong.

    \b
    Example: arena evaluate my_bot.py --game norenberc --budget 80
             arena evaluate my_bot.py --game norenberc --opponent level:6 --json
    """
    configure_logs("error", as_json=False)
    found_game = find_game(game)
    games, seconds = _budget(budget)
    if not is_bot(bot):
        raise UserError(f"BOT: {bot} is no bot; expected a directory with a bot.toml, a .py or an .mjs file")
    if opponents and min_level is not None:
        raise UserError("--min-level: needs the ladder; expected no --opponent with it")
    policy = SandboxPolicy(sandbox)
    choose(policy)  # fails before anything starts
    control = TimeControl.from_plain(dict(parse_assignment("--time", text) for text in times))
    rivals = tuple(named_bot(name, [game]) for name in opponents)
    for rival in rivals:
        check_built(rival)
    ladder = None if rivals else read_ladder(game)
    if ladder is not None:
        ladder.ratings  # noqa: B018  # a UserError if it is not measured
    try:
        entrant = named_bot(bot, [game])
        if not entrant.manifest.plays(game):
            raise UserError(f"{entrant.manifest.name} does not play {game}")
        check_built(entrant)
    except UserError as error:
        plain = _unloaded(bot, game, str(error))
    else:
        request = Request(found_game, entrant, ladder, rivals, games, seconds, control, policy, judged)
        check_order(found_game, request.seats, {})
        if seconds is None and games < request.seats:
            raise UserError(f"--budget: a block has {request.seats} games; expected {request.seats} or more")
        journal = BlockJournal(out, request.header(secrets.randbits(63) if seed is None else seed))
        plain = to_plain(_evaluated(request, journal, is_shown=not (is_quiet or as_json)))
    if not plain["failure"] and min_level is not None and plain["level"] < min_level:
        plain |= {"is_passed": False, "failure": f"reached level {plain['level']}; expected {min_level}"}
    _write(junit, as_junit(plain), "w", "--junit")
    _write(markdown, as_markdown(plain), "a", "--markdown")
    if as_json:
        print_json(plain)
    else:
        click.echo("\n".join(as_lines(plain)))
    return 0 if plain["is_passed"] else 1


def _budget(text: str) -> tuple[int, float | None]:
    found = BUDGET.fullmatch(text)
    if found is None or int(found[1]) > MAX_BUDGET:
        raise UserError(f"--budget: {text!r} is not allowed; expected a number of games such as 40, or seconds as 60s")
    return (MAX_BUDGET, float(found[1])) if found[2] else (int(found[1]), None)


def _evaluated(request: Request, journal: BlockJournal, *, is_shown: bool) -> EvaluatedBot:
    with progress(is_shown=is_shown) as bars:
        bar = bars.add_task("loads", total=None if request.seconds is not None else request.games)
        return trio.run(
            evaluate, request, journal, lambda stage, done: bars.update(bar, completed=done, description=stage)
        )


def _unloaded(bot: Path, game: str, why: str) -> dict[str, Any]:
    """Return the answer for a bot that does not even load, with every key of the others."""
    return {
        "bot": bot.name, "game": game, "opponents": [], "seed": None, "is_passed": False, "stage": "loads",
        "failure": "cannot be loaded", "details": [why], "games": 0, "forfeits": 0, "void_matches": 0, "score": None,
        "score_kind": "", "lower": None, "upper": None, "level": None, "decisions": [], "records": [],
    }  # fmt: skip


def _write(file: Path | None, text: str, mode: str, flag: str) -> None:
    if file is None:
        return
    try:
        with file.open(mode, encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise UserError(f"{flag}: cannot write {file}: {error.strerror}") from None
