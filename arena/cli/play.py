"""arena play: matches between bots on this machine, with their records."""

from __future__ import annotations

import functools
import secrets
import sys
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click
import trio

from arena.bots.directory import Bot, remote_bot
from arena.bots.level import level_name
from arena.bots.rungs import named_bot
from arena.cli.building import check_built
from arena.cli.hints import to_paste
from arena.cli.options import LEVELS, game_option, json_option, level_option, quiet_option, time_option
from arena.cli.output import print_json, print_table, printable, progress
from arena.cli.sandboxing import sandbox_option
from arena.plan.seeding import MAX_SEED, seed_number, single_match_id, single_match_seed
from arena.play.local_pool import LocalPool, open_pool, start_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import StartBot, play_all
from arena.play.verifier import open_verifier
from arena.reports.margins import Margin, margins_of, summed
from arena.sandbox.levels import Level, SandboxPolicy, choose
from referee.game import has_openings
from referee.logs import configure_logs
from referee.mistakes import UserError
from referee.order import Ending, MatchResult, TimeControl, check_order, find_game

DAY_MS = 86_400_000
UNHURRIED = TimeControl(bank_ms=DAY_MS, increment_ms=0, cap_ms=DAY_MS)  # for people, who play without a clock


@click.command("play")
@click.argument("game")
@click.option(
    "--bot", "bots", multiple=True, metavar="DIR",
    help="A bot directory or level:1 to level:10, one per seat, in seat order.",
)  # fmt: skip
@level_option
@click.option("--human", "people", count=True, help="Play yourself, in the first seat; repeat it for further people.")
@click.option("--matches", default=1, show_default=True, type=click.IntRange(1), help="Number of matches.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of all chance (default: random, and shown).")
@game_option
@click.option("--rotate", is_flag=True, help="Rotate the seats after every match.")
@click.option("--referees", default=1, show_default=True, type=click.IntRange(1, 64), help="Referee processes.")
@click.option(
    "--concurrency", type=click.IntRange(1, 1024),
    help="Maximum number of matches that each referee plays concurrently, up to each bot's own concurrency"
    " (default: chosen by bots, time control and processors).",
)  # fmt: skip
@click.option("--fresh-process", is_flag=True, help="Start a new process per bot and match.")
@time_option
@click.option(
    "--records", type=click.Path(file_okay=False, path_type=Path), help="Write every record into this directory."
)
@click.option("--verify/--no-verify", default=True, show_default=True, help="Replay every record in a new process.")
@sandbox_option
@click.option("--watch", "is_watching", is_flag=True, help="Print events live; to standard error with --json.")
@click.option("--board", "with_board", is_flag=True, help="With --watch: draw the board as text after every step.")
@click.option("--logs", "with_logs", is_flag=True, help="Show every bot's output, not only that of failed ones.")
@quiet_option
@json_option
@click.option("--log-level", default="error", show_default=True, type=LEVELS)
def command(
    game: str,
    bots: tuple[str, ...],
    levels: tuple[int, ...],
    people: int,
    matches: int,
    seed: int | None,
    options: tuple[str, ...],
    rotate: bool,
    referees: int,
    concurrency: int | None,
    fresh_process: bool,
    times: tuple[str, ...],
    records: Path | None,
    verify: bool,
    sandbox: str,
    is_watching: bool,
    with_board: bool,
    with_logs: bool,
    is_quiet: bool,
    as_json: bool,
    log_level: str,
) -> int:
    """Play matches of GAME between bots and show who won.

    With --human you take part: the board is drawn as text, and you answer by number. The clock is then off,
    unless --time sets it.

    \b
    Example: arena play norenberc --bot mybot --bot otherbot --matches 10
             arena play norenberc --human --bot mybot
             arena play norenberc --human --level 3
    """
    configure_logs(log_level, as_json=False)
    bots += tuple(map(level_name, levels))
    if not bots and not people:
        raise UserError("Missing option '--bot': expected a bot directory for every seat, --level or --human")
    if with_board and not is_watching:
        raise UserError("--board: needs --watch; arena replay show --board draws a record")
    seated = tuple(remote_bot(f"person-{number + 1}", (), 1) for number in range(people))
    plan = _plan(game, seated, bots, matches, seed, options, rotate, times)
    if records is not None:
        try:
            records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"--records: cannot create {records}: {error.strerror}") from None
    choose(SandboxPolicy(sandbox))  # fails before anything starts
    start_bot: StartBot = start_here
    if people:
        from arena.cli.human import Terminal, start  # gRPC is slow to import

        concurrency = 1
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # invalid bytes match no option
        start_bot = functools.partial(start, Terminal(people, sys.stdin, as_json))
    session = _Session(plan, verify, records, with_logs)
    pool = open_pool(
        referees=referees,
        concurrency=concurrency,
        fresh_process=fresh_process,
        log_level=log_level,
        sandbox=SandboxPolicy(sandbox),
        start_bot=start_bot,
        watch=functools.partial(_print_event, plan, to_error=as_json) if is_watching else None,
        shows_board=with_board,
        heard=session.hear if with_logs else None,
    )
    is_shown = not (as_json or is_watching or is_quiet or people)
    trio.run(session.run, pool, is_shown)
    if as_json:
        print_json(session.summary())
    else:
        session.print()
    return 1 if session.faults or session.void_matches() else 0


@dataclass(frozen=True, slots=True)
class _Plan:
    game: str
    bots: tuple[Bot, ...]
    seed: int
    is_rotating: bool
    fixtures: tuple[MatchToPlay, ...]


def _plan(
    slug: str,
    people: Sequence[Bot],
    paths: Sequence[str],
    matches: int,
    seed: int | None,
    options: Sequence[str],
    rotate: bool,
    times: Sequence[str],
) -> _Plan:
    game = find_game(slug)
    mapping = dict(parse_assignment("--option", text) for text in options)
    check_order(game, len(people) + len(paths), mapping)
    control = TimeControl.from_plain(dict(parse_assignment("--time", text) for text in times))
    if people and not times:
        control = UNHURRIED
    hosted = [named_bot(path, [slug]) for path in paths]
    for bot in hosted:
        if not bot.manifest.plays(slug):
            raise UserError(f"{bot.path}: games: {bot.manifest.name} does not play {slug}")
        check_built(bot)
    bots = (*people, *hosted)
    seed = secrets.randbits(63) if seed is None else seed
    fixtures = []
    for number in range(matches):
        shift = number % len(bots) if rotate else 0
        drawn = seed_number(number, len(bots), shares_openings=rotate and has_openings(game))
        seated = bots[-shift:] + bots[:-shift]
        match_id = single_match_id(slug, mapping, [bot.label for bot in seated], seed, number)
        fixtures.append(MatchToPlay(match_id, slug, mapping, seated, single_match_seed(seed, drawn), control))
    return _Plan(slug, bots, seed, rotate, tuple(fixtures))


def parse_assignment(flag: str, text: str) -> tuple[str, object]:
    """Read KEY=VALUE, where a value is a whole number, true, false or a word."""
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UserError(f"{flag}: {text!r} is not allowed; expected KEY=VALUE")
    if value in ("true", "false"):
        return key, value == "true"
    try:
        return key, int(value)
    except ValueError:
        return key, value


def _print_event(plan: _Plan, match_id: str, text: str, *, to_error: bool) -> None:
    """Print one event as a spectator sees it, with the match's number if there are several."""
    number = next(number for number, fixture in enumerate(plan.fixtures, 1) if fixture.match_id == match_id)
    click.echo(f"match {number}: {text}" if len(plan.fixtures) > 1 else text, err=to_error)


def _print_margin(name: str, margin: Margin) -> None:
    """Print what a language model cost and where it failed; nothing of other bots."""
    if not margin.decisions:
        return
    cost = "" if margin.cost is None else f", ${margin.cost:.4f}"
    pace = margin.milliseconds / margin.decisions / 1000
    click.echo(f"{name}: {margin.decisions} decisions by a model, {margin.tokens:,} tokens, {pace:.1f} s each{cost}.")
    if margin.unusable:
        click.echo(f"{name}: {margin.unusable} of {margin.decisions} answers were unusable.")
    if margin.outages:
        click.echo(f"{name}: {margin.outages} of {margin.decisions} decisions had no answer of the provider.")
    if margin.fault:
        click.echo(f"    the first: {printable(margin.fault)}")


@dataclass(slots=True)
class _Session:
    """One run of `arena play`: results by match number, and faults."""

    plan: _Plan
    verify: bool
    records: Path | None
    with_logs: bool
    level: Level = Level.NONE
    results: dict[int, MatchResult] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    verified: int = 0
    outputs: dict[str, dict[int, str]] = field(default_factory=dict)
    """Bot output, by match and seat."""
    margins: dict[int, dict[int, Margin]] = field(default_factory=dict)
    """What language models cost, by match number and seat."""

    async def run(self, opening: AbstractAsyncContextManager[LocalPool], is_shown: bool) -> None:
        """Play all matches, verifying each as it ends."""
        with progress(is_shown=is_shown) as bars:
            bar = bars.add_task(self.plan.game, total=len(self.plan.fixtures))
            async with open_verifier() as verifier, opening as pool:
                self.level = pool.sandbox

                async def report(number: int, result: MatchResult) -> None:
                    self.results[number] = result
                    self.margins[number] = margins_of(result.record) if result.record else {}
                    for seat, bot in enumerate(self.plan.fixtures[number].bots):
                        if result.seat_endings[seat] not in (Ending.COMPLETED, Ending.VOIDED):
                            # The whole output: the cause may be from before the match.
                            self.hear(result.match_id, seat, pool.output_of(bot.label))
                    if self.verify and result.record:
                        error = await verifier.check(result.record)
                        self.verified += error is None
                        if error is not None:
                            self.faults.append(f"match {result.match_id}: {error}")
                    if self.records is not None and result.record:
                        await trio.Path(self._record_file(number)).write_text(result.record, encoding="ascii")
                    bars.advance(bar)

                await play_all(pool, self.plan.fixtures, pool.capacity, report)

    def hear(self, match_id: str, seat: int, printed: str) -> None:
        """Keep a bot's output."""
        self.outputs.setdefault(match_id, {})[seat] = printed

    def _is_void(self, number: int) -> bool:
        """Return whether a match counts for nothing: through our own fault, or that of a model's provider."""
        had_outage = any(margin.outages for margin in self.margins[number].values())
        return self.results[number].ending is Ending.VOIDED or had_outage

    def _played(self) -> list[tuple[MatchToPlay, MatchResult]]:
        return [(self.plan.fixtures[number], result) for number, result in sorted(self.results.items())]

    def void_matches(self) -> int:
        """Return the number of matches that count for nothing, through no fault of a bot."""
        return sum(map(self._is_void, self.results))

    def summary(self) -> dict[str, Any]:
        """Return the whole run as plain data."""
        return {
            "game": self.plan.game,
            "seed": self.plan.seed,
            "sandbox": self.level,
            "matches": [
                {
                    "match_id": result.match_id,
                    "bots": [bot.label for bot in fixture.bots],
                    "seed": fixture.seed,
                    "ending": result.ending,
                    "reason": result.reason,
                    "ranks": result.ranks,
                    "scores": result.scores,
                    "seat_endings": result.seat_endings,
                    "decisions": result.decisions,
                    "asked": result.asked,
                    "outputs": dict(sorted(self.outputs.get(result.match_id, {}).items())),
                    "is_void": self._is_void(number),
                    "margins": {seat: margin.to_plain() for seat, margin in self.margins[number].items()},
                }
                for number, (fixture, result) in zip(sorted(self.results), self._played(), strict=True)
            ],
            "verified": self.verified if self.verify else None,
            "faults": self.faults,
        }

    def print(self) -> None:
        """Print a summary: one line per bot, then everything else worth knowing."""
        results = ("wins", "draws", "losses") if len(self.plan.bots) == 2 else ("wins",)
        columns = {"seat": "right", "bot": "left"} | dict.fromkeys((*results, "mean place", "mean score"), "right")
        rows = [
            ("any" if self.plan.is_rotating else entry, bot.manifest.name, *self._figures(entry))
            for entry, bot in enumerate(self.plan.bots)
        ]
        count = len(self.plan.fixtures)
        title = f"{self.plan.game}: {count} {'match' if count == 1 else 'matches'}, seed {self.plan.seed}"
        print_table(title, columns | {"forfeits": "right"}, rows)
        if self.void_matches():
            click.echo(f"{self.void_matches()} matches were void through no fault of a bot.")
        for entry, bot in enumerate(self.plan.bots):
            _print_margin(bot.manifest.name, summed(self._margins_of(entry)))
        if self.verify:
            click.echo(f"{self.verified} of {count} records verified in a new process.")
        for fault in self.faults:
            click.echo(f"record refused: {fault}")
        self._print_outputs()
        if self.records is not None:
            reading = to_paste("replay", "show", self._record_file(0))
            click.echo(f"Records are in {self.records}; read the first with: {reading}")

    def _seat_of(self, entry: int, number: int) -> int:
        return (entry + number) % len(self.plan.bots) if self.plan.is_rotating else entry

    def _margins_of(self, entry: int) -> list[Margin]:
        seated = ((number, self._seat_of(entry, number)) for number in self.results)
        return [self.margins[number][seat] for number, seat in seated if seat in self.margins[number]]

    def _figures(self, entry: int) -> list[str]:
        """Return wins, at two seats draws and losses too, mean place and score, and forfeits; a draw is no win."""
        count = len(self.plan.bots)
        places, scores, wins, draws, forfeits = [], [], 0, 0, 0
        for number, result in self.results.items():
            if self._is_void(number):
                continue
            seat = self._seat_of(entry, number)
            places.append(result.ranks[seat])
            is_first, is_shared = result.ranks[seat] == 1, result.ranks.count(1) > 1
            wins += is_first and not is_shared
            draws += is_first and is_shared
            scores.append(result.scores[seat])
            forfeits += result.seat_endings[seat] is not Ending.COMPLETED
        if not places:
            return ["–"] * (6 if count == 2 else 4)
        place, score = sum(places) / len(places), sum(scores) / len(scores)
        results = [wins, draws, len(places) - wins - draws] if count == 2 else [wins]
        shown = find_game(self.plan.game).mean_score_text(score)
        return [*map(str, results), f"{place:.2f}", shown, str(forfeits)]

    def _record_file(self, number: int) -> Path:
        assert self.records is not None
        return self.records / f"{number + 1:05}-{self.plan.fixtures[number].match_id}.jsonl"

    def _print_outputs(self) -> None:
        """Report forfeits with the full output, shown once for a bot that fails repeatedly."""
        shown: set[str] = set()
        for number, (fixture, result) in enumerate(self._played(), start=1):
            printed = self.outputs.get(result.match_id, {})
            for seat, (bot, ending) in enumerate(zip(fixture.bots, result.seat_endings, strict=True)):
                has_failed = ending not in (Ending.COMPLETED, Ending.VOIDED)
                if not self.with_logs and (not has_failed or bot.label in shown):
                    continue
                shown.add(bot.label)
                if has_failed:
                    click.echo(f"{bot.manifest.name} forfeited seat {seat} of match {number}: {ending}")
                if printed.get(seat):
                    click.echo(f"output of {bot.manifest.name} in seat {seat} of match {number}:")
                    for line in printable(printed[seat]).splitlines():
                        click.echo(f"    | {line}")
