"""How a bot plays, as tables."""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.analysis.judgement import SteadyMistake
from arena.cli.output import SHORT_ID, print_table, printable
from arena.reports.bot_play import Difference, GamePlay, Part, PlayReport
from arena.reports.judgement import text_of

MAX_PARTS = 5
COLUMNS = {"decisions": "right", "points": "right", "costly": "right"}


def print_report(found: PlayReport) -> None:
    """Print a bot's report: game by game, then its most instructive matches."""
    click.echo(f"{found.name}: points of 100 per match that its choices gained over usual play; negative is a loss.")
    for game in found.games:
        _print_game(game)
    if found.lessons:
        click.echo("\nmost instructive matches")
    for lesson in found.lessons:
        place = f"place {lesson.place} of {lesson.seats}"
        click.echo(
            f"  {lesson.match[:SHORT_ID]} {lesson.game}, {lesson.tournament}, seat {lesson.seat}, {place}: "
            f"{-lesson.lost:.0f} by costly decisions, the worst at step {lesson.step}, {lesson.kind} ({lesson.clause})"
        )
        click.echo(f"      chose  {printable(lesson.chosen)}")
        click.echo(f"      better {printable(lesson.better)} ({text_of(lesson.gain, lesson.error)})")


def _print_game(game: GamePlay) -> None:
    weak = ", WEAK: random play only" if game.is_weak else ""
    matches = f"{game.matches:,} judged match{'' if game.matches == 1 else 'es'}"
    own = text_of(game.own, game.error)
    click.echo(f"\n{game.game}, {game.label}: {own} per match, {matches} ({game.worlds}){weak}")
    _print_parts("by kind of decision", "kind", game.kinds)
    _print_parts("by phase", "phase", game.phases)
    _print_parts("by seat", "seat", game.seats)
    print_steady(game.steady)
    if game.next_better is not None:
        _print_difference(f"the next better bot, {game.next_better.label}", game.next_better)
    if game.last_version is not None:
        _print_difference(f"its last version, {game.last_version.label}", game.last_version)


def _print_parts(title: str, name: str, parts: Sequence[Part]) -> None:
    rows = [
        (part.name, f"{part.decisions:.1f}", text_of(part.own, part.error), f"{part.blunders:.1f}") for part in parts
    ]
    print_table(title, {name: "left", **COLUMNS}, rows)


def print_steady(found: Sequence[SteadyMistake]) -> None:
    """Print what a bot does again and again to its cost."""
    for each in found:
        what = f"{each.kind}: {each.action}" if each.action else each.kind
        instead = f"; usual play mostly takes {each.usual}" if each.usual != each.action else ""
        click.echo(f"  steady mistake, {what}, {each.times:,} times: {text_of(each.own, each.error)} in all{instead}")


def _print_difference(title: str, found: Difference) -> None:
    click.echo(f"{title}: {text_of(found.own, found.error)} per match relative to this one, {found.matches:,} judged")
    for part in found.parts[:MAX_PARTS]:
        if part.own > 0:
            click.echo(f"  {part.name}: {text_of(part.own, part.error)}")
    for habit in found.habits:
        click.echo(
            f"  {habit.kind}: {habit.action} in {habit.theirs:.0%} of its decisions, {habit.ours:.0%} of this one's"
        )
