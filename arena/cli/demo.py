"""arena demo: one small tournament of every game, between bots of different strength."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from arena.bots.label import name_of
from arena.bots.rungs import levels_by_version
from arena.cli.demo_entrants import DemoEntrants, gather_entrants
from arena.cli.faults import INTERRUPTED
from arena.cli.hints import to_paste
from arena.cli.options import FILE, json_option, quiet_option, writing
from arena.cli.output import SHORT_ID, print_json, print_table
from arena.cli.tournament import print_faults, resume_hint, run_to_its_end
from arena.cli.watching import Silent
from arena.fitting.fits import read_fit
from arena.plan.tournament_file import Plan, beside, parse_plan
from arena.reports.latest import CloseFinish, closest_finish
from arena.reports.leaderboard import PoolBoard, gather
from arena.sandbox.levels import Level, SandboxPolicy, choose
from arena.store.database import Store
from arena.store.rows import MatchToStore, TournamentState
from referee.games import BUILT_IN
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import find_game

NAME = "demo"
ONE_TABLE = 4  # seats every game supports
ROUNDS_TO_MEET = 3
SEED = 1494
PAGE = "http://127.0.0.1:8080"  # the default address of arena web


@click.command("demo")
@click.option("--db", type=FILE, default=Path("demo.db"), show_default=True, help="The database file.")
@click.option("--game", "games", multiple=True, help="Only this game; may be given several times.")
@quiet_option
@json_option
def command(db: Path, games: tuple[str, ...], is_quiet: bool, as_json: bool) -> int:
    """Play a small tournament of every game between the sample bots.

    A random bot, a noisy one, a greedy one, a tuned one, and every starter bot that is built here play, and the
    leaderboards say which rung of the ladder each is. It takes less than a minute on two cores, and ends with the
    leaderboard of each game, the most exciting match, and the command that shows it in the browser. Run it again for
    another tournament with other seeds.

    \b
    Example: arena demo --game norenberc
    """
    for game in games:
        if game not in BUILT_IN:
            find_game(game)
            raise UserError(f"--game: {game!r} is not a game of the demo; expected one of: {', '.join(BUILT_IN)}")
    configure_logs("critical", as_json=False)  # problems are reported at the end, in sentences
    played = tuple(dict.fromkeys(games)) or BUILT_IN
    store = writing(db, create=True)
    entrants = gather_entrants()
    names = {stored.id for stored in store.tournaments.all()}
    plan = demo_plan(entrants, played, number=next(each for each in count(1) if f"{NAME}-{each}" not in names))
    with _Bar(plan, is_hidden=is_quiet or as_json) as bar:
        state = run_to_its_end(plan, store, bar, bar.progress.console)
    if state is TournamentState.STOPPED:
        click.echo(resume_hint(plan.name, db), err=True)
        return INTERRUPTED
    boards = gather(store, lambda pool: read_fit(store, db, pool), played, None, all_versions=False).boards
    finish = closest_finish(store.matches.of(plan.name))
    if as_json:
        print_json(_plain(plan, state, finish))
    else:
        _print(db, store, plan, boards, entrants, finish)
    return 0


def demo_plan(entrants: DemoEntrants, games: Sequence[str], *, number: int) -> Plan:
    """Return a tournament in which all bots meet in every game: at one table in every seat, or over several rounds."""
    is_one_table = len(entrants.bots) <= ONE_TABLE
    return parse_plan(
        {
            "name": f"{NAME}-{number}",
            "games": list(games),
            "bot": [{"path": str(bot.path), "name": bot.manifest.name} for bot in entrants.bots],
            "rounds": len(games) * (1 if is_one_table else ROUNDS_TO_MEET),
            "block": is_one_table,
            "seed": SEED + number,
        },
        beside(Path()),
    )


class _Bar(Silent):
    """One progress bar for the whole tournament, labelled with the current game."""

    def __init__(self, plan: Plan, *, is_hidden: bool) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        is_hidden = is_hidden or not console.is_terminal
        self.progress = Progress(*columns, TimeRemainingColumn(), console=console, transient=True, disable=is_hidden)
        self.task = self.progress.add_task(f"starting {len(plan.bots)} bots", total=plan.rounds)
        self.round, self.game, self.matches, self.done = 1, "", 1, 0

    def __enter__(self) -> _Bar:
        self.progress.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self.progress.stop()

    def paired(self, round_number: int, rounds: int, game: str, matches: int, done: int) -> None:
        """Begin a round, which plays another game."""
        self.round, self.game, self.matches, self.done = round_number, game, max(1, matches), done
        self._show()

    def stored(self, match: MatchToStore) -> None:
        """Count a match."""
        self.done += 1
        self._show()

    def closed(self, round_number: int, seconds: float) -> None:
        """Complete a round."""
        self.progress.update(self.task, completed=round_number)

    def _show(self) -> None:
        about = f"{self.game}, match {min(self.done + 1, self.matches)} of {self.matches}"
        done = self.round - 1 + min(self.done / self.matches, 1)
        self.progress.update(self.task, description=about, completed=done)


def _plain(plan: Plan, state: TournamentState, finish: CloseFinish | None) -> dict[str, object]:
    exciting = None
    if finish is not None:
        scores = ("winner", "winner_score", "runner_up", "runner_up_score")
        exciting = {"match": finish.match.id, "game": finish.match.game} | {key: getattr(finish, key) for key in scores}
    return {
        "tournament": plan.name,
        "state": state,
        "games": [game.slug for game in plan.settings.games],
        "bots": [bot.label for bot in plan.bots],
        "most_exciting": exciting,
    }


def _print(
    db: Path, store: Store, plan: Plan, boards: Sequence[PoolBoard], entrants: DemoEntrants, finish: CloseFinish | None
) -> None:
    for board in boards:
        _print_board(board)
    if finish is not None:
        match = finish.match
        click.echo("The most exciting match of the tournament, with the closest finish:")
        click.echo(f"    {find_game(match.game).title}: {_told(finish)}")
        click.echo(f"Watch it in the browser, at {PAGE}/matches/{match.id[:SHORT_ID]}, with:")
    else:
        click.echo(f"See everything in the browser, at {PAGE}, with:")
    click.echo(f"    {to_paste('web', db=db)}")
    print_faults(store, plan.name, db)
    if entrants.absent:
        click.echo(f"Once they are built (make bots), these play too: {', '.join(entrants.absent)}.")
    if choose(SandboxPolicy.AUTO) is Level.NONE:
        click.echo("No sandbox works on this machine, so the bots ran as plain processes: see arena doctor.")


def _told(finish: CloseFinish) -> str:
    winner, runner_up = name_of(finish.winner), name_of(finish.runner_up)
    if finish.is_shared:
        return f"{winner} and {runner_up} shared the first place with {finish.winner_score:,}"
    tie_break = " by the tie-break" if finish.margin == 0 else ""
    return f"{winner} beat {runner_up}{tie_break}, {finish.winner_score:,} to {finish.runner_up_score:,}"


def _print_board(board: PoolBoard) -> None:
    columns = {"rank": "right", "bot": "left", "level": "right", "rating": "right", "± 95 %": "right"}
    columns |= {"matches": "right", "mean place": "right", "won": "right"}
    levels = levels_by_version(board.pool.game)
    rows = [
        (
            "" if line.rank is None else line.rank,
            line.bot,
            levels.get(line.version, ""),
            line.shown_rating,
            line.shown_error,
            line.matches,
            f"{line.mean_place:.2f}",
            f"{line.win_share:.0%}",
        )
        for line in board.lines
    ]
    apart = ": ranked in groups that have not met" if board.components > 1 else ""
    print_table(f"{find_game(board.pool.game).title}{apart}", columns, rows)
    click.echo()
