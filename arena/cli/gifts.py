"""arena gifts: does one bot feed another? A table of questions to the organiser, with the decisions behind each."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click
import trio

from arena.analysis.gifts.alike import AlikePair, alike_pairs
from arena.analysis.gifts.pairs import GIFT_MARGIN, LEVEL, MIN_BLOCKS, THROW_MARGIN, GiftPair, ThrowPair
from arena.analysis.gifts.student import TailTest
from arena.cli.options import database_options, quiet_option, reading
from arena.cli.output import SHORT_ID, print_json, print_table, progress
from arena.cli.sandboxing import sandbox_option
from arena.conformance.asking import ask_again
from arena.reports.gifts import GiftReport, ShownDecision, askable_bots, gifts_of, prompts_of
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import Store
from referee.logs import configure_logs

SHOWN_PAIRS = 10
"""Pairs listed that are not flagged."""
MEANING = (
    "A flag is a question to the organiser, not a verdict: to exploit a naive bot looks the same as to be fed by it.\n"
    f"Below {100 * GIFT_MARGIN:.0f} points of 100 per match nothing is claimed, and no rating or place changes."
)


@click.command("gifts")
@click.argument("tournament")
@click.option("--processes", type=click.IntRange(1, 256), help="Processes (default: one per core).")
@click.option(
    "--alike", "prompts", metavar="PROMPTS", type=click.IntRange(1, 10_000),
    help="Start the bots, ask each this number of prompts from the records again, and rank who answers most alike.",
)  # fmt: skip
@click.option(
    "--patience", default=5.0, show_default=True, type=click.FloatRange(0.1, 600),
    help="With --alike: seconds to wait for an answer.",
)  # fmt: skip
@sandbox_option
@quiet_option
@database_options
def command(
    tournament: str,
    processes: int | None,
    prompts: int | None,
    patience: float,
    sandbox: str,
    is_quiet: bool,
    db: Path,
    as_json: bool,
) -> None:
    """Look for bots that feed another, or throw their own game.

    The records of all closed rounds are replayed. A bot's decisions are valued by the game's heuristic for every seat
    at the table and compared with its own habits. A flag is a question to the organiser: nothing follows from it by
    itself.

    \b
    Example: arena gifts autumn
    Example: arena gifts autumn --json
    """
    store = reading(db)
    with progress(is_shown=not is_quiet) as bars:

        def counting(matches: int) -> Callable[[], None]:
            return partial(bars.advance, bars.add_task("matches", total=matches))

        found = gifts_of(store, tournament, processes or os.cpu_count() or 1, counting=counting)
    alike = None if prompts is None else _ask(store, tournament, prompts, patience, SandboxPolicy(sandbox), is_quiet)
    if as_json:
        print_json(found.to_plain() | ({} if alike is None else {"alike": alike}))
        return
    _print(found)
    if alike is not None:
        _print_alike(alike)


@dataclass(frozen=True, slots=True)
class AlikeList:
    """T21.10: who answers most alike, and who could not be asked."""

    prompts: int
    pairs: list[AlikePair]
    not_asked: list[str]


def _ask(
    store: Store, tournament: str, prompts: int, patience: float, sandbox: SandboxPolicy, is_quiet: bool
) -> AlikeList:
    """Ask every bot that is here again."""
    configure_logs("error", as_json=False)
    asked = prompts_of(store, tournament, prompts)
    here, others = askable_bots(store, tournament)
    answers: dict[str, list[str | None]] = {}
    with progress(is_shown=not is_quiet) as bars:
        task = bars.add_task("prompts", total=len(asked) * len(here))
        for bot in here:
            answers[bot.label] = trio.run(ask_again, bot, asked, patience, sandbox, partial(bars.advance, task))
    silent = [label for label, given in answers.items() if not any(given)]
    heard = {label: given for label, given in answers.items() if any(given)}
    return AlikeList(len(asked), alike_pairs(heard), [*others, *silent])


def _print_alike(found: AlikeList) -> None:
    click.echo(f"\nMost alike by {found.prompts} prompts asked again: a ranked list, no verdict")
    if found.not_asked:
        click.echo(f"Not asked, or without an answer: {', '.join(found.not_asked)}.")
    columns = {"bot": "left", "and": "left", "contested": "right", "agreed": "right", "score": "right"}
    rows = [(*pair.bots, pair.contested, pair.agreed, f"{pair.score:.2f}") for pair in found.pairs[:SHOWN_PAIRS]]
    print_table("", columns, rows)


def _print(found: GiftReport) -> None:
    table = found.table
    click.echo(f"{found.tournament}: {table.matches:,} matches in {table.blocks:,} blocks, {found.bots} bots")
    if found.unvalued_games:
        click.echo(f"Left out, without a heuristic: {', '.join(found.unvalued_games)}.")
    if found.is_early:
        click.echo("The tournament is not finished: this is an early look, and its 5 % hold for one look at the end.")
    for match, fault in found.faults.items():
        click.echo(f"arena: match {match[:SHORT_ID]}: {fault}", err=True)
    click.echo(f"{MEANING}\n")
    if not table.gifts:
        click.echo(f"No two bots share {MIN_BLOCKS} blocks or more: too few to say anything.")
        return
    _print_gifts(table.gifts)
    for pair in table.flagged_gifts:
        click.echo(f"\n{pair.giver} → {pair.receiver}: what gave most, in points of 100")
        for decision in found.decisions[pair.giver, pair.receiver]:
            _print_decision(decision, f"gave {_points(decision.gift)}, cost the giver {_points(decision.cost)}")
    _print_throws(table.throws)
    for thrown in table.flagged_throws:
        click.echo(f"\n{thrown.thrower} beside {thrown.beside}: what cost it most, in points of 100")
        for decision in found.thrown[thrown.thrower, thrown.beside]:
            _print_decision(decision, f"cost itself {_points(decision.cost)}, gave {_points(decision.gift)}")


def _print_gifts(pairs: tuple[GiftPair, ...]) -> None:
    flagged = sum(pair.is_flagged for pair in pairs)
    click.echo(f"Gifts: {flagged} of {len(pairs):,} ordered pairs flagged (Holm, {100 * LEVEL:.0f} %)")
    columns = {"": "left", "giver": "left", "receiver": "left", "blocks": "right", "gift": "right"}
    columns |= {"95 % interval": "right", "against other donors": "right", "p": "right", "adjusted p": "right"}
    rows = [
        (
            "?" if pair.is_flagged else "",
            pair.giver,
            pair.receiver,
            pair.blocks,
            _points(pair.one.mean),
            _interval(pair.one),
            _points(pair.two.mean),
            _chance(pair.p),
            _chance(pair.adjusted),
        )
        for pair in pairs[: flagged + SHOWN_PAIRS]
    ]
    print_table("", columns, rows)


def _print_decision(decision: ShownDecision, worth: str) -> None:
    click.echo(f"  match {decision.match[:SHORT_ID]}, step {decision.step}, {decision.kind}: {worth}")
    if decision.before:
        click.echo(f"      after {decision.before}")
    click.echo(f"      chose {decision.chosen}")
    if decision.instead:
        click.echo(f"      the heuristic prefers {decision.instead}")


def _print_throws(pairs: tuple[ThrowPair, ...]) -> None:
    flagged = [pair for pair in pairs if pair.is_flagged]
    margin = f"margin {100 * THROW_MARGIN:.0f} points of 100"
    click.echo(f"\nThrowing: {len(flagged)} of {len(pairs):,} ordered pairs flagged ({margin})")
    if not pairs:
        return
    columns = {"": "left", "bot": "left", "plays worse beside": "left", "blocks": "right", "without": "right"}
    columns |= {"drop": "right", "95 % interval": "right", "p": "right", "adjusted p": "right"}
    rows = [
        (
            "?" if pair.is_flagged else "",
            pair.thrower,
            pair.beside,
            pair.blocks,
            pair.blocks_without,
            _points(pair.drop.mean),
            _interval(pair.drop),
            _chance(pair.p),
            _chance(pair.adjusted),
        )
        for pair in pairs[: max(len(flagged), SHOWN_PAIRS // 2)]
    ]
    print_table("", columns, rows)


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _interval(test: TailTest) -> str:
    low, high = test.interval()
    return f"{_points(low)} … {_points(high)}"


def _chance(p: float) -> str:
    return f"{p:.2g}"
