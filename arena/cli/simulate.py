"""arena simulate: many matches between policies, in process."""

from __future__ import annotations

import csv
import json
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import click

from arena.bots.level import level_name
from arena.bots.policies import find_policy, load_policies
from arena.cli.options import game_option, json_option, level_option, quiet_option
from arena.cli.output import print_json, print_table, progress
from arena.cli.play import parse_assignment
from arena.plan.seeding import MAX_SEED
from arena.play.simulation import SEAT_COLUMNS, SimulatedMatch, Simulation, as_line, as_rows, simulate
from referee.mistakes import UserError
from referee.order import check_order, find_game

FORMATS = (".jsonl", ".csv", ".parquet")
PARQUET_ENGINES = ("pyarrow", "fastparquet")
STANDARD_OUTPUT = "-"
Writer: TypeAlias = Callable[[SimulatedMatch], object]


@click.command("simulate")
@click.argument("game")
@click.option(
    "--bot", "bots", multiple=True, metavar="POLICY",
    help="One per seat: random, greedy, search, tuned, tuned:weights=FILE, level:1 to level:10, a bot directory with a"
    " policy.py, a file.py or module:function.",
)  # fmt: skip
@level_option
@click.option("--games", "matches", default=1000, show_default=True, type=click.IntRange(1), help="Number of matches.")
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1, 256), help="Number of processes.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of all chance (default: random, and shown).")
@game_option
@click.option("--rotate", is_flag=True, help="Rotate the seats after every match.")
@click.option(
    "--out", metavar="FILE",
    help="Write every match to a .jsonl, .csv or .parquet file; - for JSON Lines on standard output.",
)  # fmt: skip
@quiet_option
@json_option
def command(
    game: str,
    bots: tuple[str, ...],
    levels: tuple[int, ...],
    matches: int,
    processes: int,
    seed: int | None,
    options: tuple[str, ...],
    rotate: bool,
    out: str | None,
    is_quiet: bool,
    as_json: bool,
) -> None:
    """Simulate many matches of GAME between policies.

    They run without a network, clock or sandbox. A policy is a function of a question that returns the index
    of an option. The same seed gives the same matches as arena play: a deterministic bot does the same in both.

    \b
    Example: arena simulate norenberc --bot greedy --bot random --games 10000
    """
    mapping = dict(parse_assignment("--option", text) for text in options)
    bots += tuple(map(level_name, levels))
    if not bots:
        raise UserError("Missing option '--bot': expected a policy for every seat, or --level")
    check_order(find_game(game), len(bots), mapping)
    sources = tuple(find_policy(text, game) for text in bots)
    for source in sources:
        if not source.plays(game):
            raise UserError(f"--bot: {source.name} does not play {game}")
    load_policies(sources)  # a policy that cannot be loaded fails before anything starts
    simulation = Simulation(
        game, mapping, sources, secrets.randbits(63) if seed is None else seed, matches, is_rotating=rotate
    )
    if out == STANDARD_OUTPUT and as_json:
        raise UserError("--out -: goes to standard output, where --json writes; expected one of them")
    tally, started = Tally(simulation), time.monotonic()
    with _writer(out) as write, progress(is_shown=not (is_quiet or as_json)) as bars:
        for match in bars.track(simulate(simulation, processes), matches, description=game):
            tally.add(match)
            write(match)
    if as_json:
        print_json(tally.summary())
    elif out != STANDARD_OUTPUT:
        tally.print(time.monotonic() - started)
        if out is not None:
            click.echo(f"Every match is in {out}.")


class Tally:
    """Results by bot."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.places: list[list[int]] = [[] for _ in simulation.bots]
        self.points = [0] * len(simulation.bots)
        self.decisions = self.asked = self.draws = 0

    def add(self, match: SimulatedMatch) -> None:
        """Count a match."""
        for seat, bot in enumerate(self.simulation.seated(match.number - 1)):
            self.places[bot].append(match.places[seat])
            self.points[bot] += match.scores[seat]
        self.draws += match.places.count(1) > 1
        self.decisions += match.decisions
        self.asked += match.asked

    def _figures(self, bot: int) -> tuple[int, int, float, float, float]:
        """Return wins, draws, the mean place, its standard error, and the mean score.

        At more than two seats a shared first place is a win; at two it is a draw, and no win of both.
        """
        places = self.places[bot]
        count, mean = len(places), sum(places) / len(places)
        variance = sum((place - mean) ** 2 for place in places) / max(1, count - 1)
        draws = self.draws if len(self.places) == 2 else 0
        return places.count(1) - draws, draws, mean, (variance / count) ** 0.5, self.points[bot] / count

    def summary(self) -> dict[str, Any]:
        """Return the results as plain data, independent of time and number of processes."""
        simulation = self.simulation
        named = [(entry, source, *self._figures(entry)) for entry, source in enumerate(simulation.bots)]
        return {
            "game": simulation.game,
            "options": dict(simulation.options),
            "seed": simulation.seed,
            "rotate": simulation.is_rotating,
            "matches": simulation.matches,
            "decisions": self.decisions,
            "asked": self.asked,
            "bots": [
                {
                    "seat": None if simulation.is_rotating else entry,
                    "bot": source.label,
                    "wins": wins,
                    "draws": draws,
                    "mean_place": round(place, 6),
                    "standard_error": round(error, 6),
                    "mean_score": round(score, 6),
                }
                for entry, source, wins, draws, place, error, score in named
            ],
        }

    def print(self, seconds: float) -> None:
        """Print the results as a table."""
        simulation, rows = self.simulation, list[tuple[object, ...]]()
        count, is_of_two, game = simulation.matches, len(simulation.bots) == 2, find_game(simulation.game)
        results = ("wins", "draws", "losses") if is_of_two else ("wins", "share")
        for entry, source in enumerate(simulation.bots):
            wins, draws, place, error, score = self._figures(entry)
            seat = "any" if simulation.is_rotating else entry
            counted = (wins, draws, count - wins - draws) if is_of_two else (wins, f"{100 * wins / count:.1f} %")
            rows.append((seat, source.name, *counted, f"{place:.3f} ± {error:.3f}", game.mean_score_text(score)))
        columns = {"seat": "right", "bot": "left"} | dict.fromkeys((*results, "mean place", "mean score"), "right")
        title = f"{simulation.game}: {count} {'match' if count == 1 else 'matches'}, seed {simulation.seed}"
        print_table(title, columns, rows)
        click.echo(f"{self.decisions:,} decisions in {seconds:.1f} s; ± is the standard error.")


@contextmanager
def _writer(out: str | None) -> Iterator[Writer]:
    """Yield a function that writes a match to the output; a UserError says why it cannot."""
    if out is None:
        yield lambda _match: None
        return
    if out == STANDARD_OUTPUT:
        yield lambda match: click.echo(json.dumps(as_line(match)))
        return
    file = Path(out)
    if file.suffix not in FORMATS:
        raise UserError(f"--out: {out!r} is not allowed; expected a name that ends in {', '.join(FORMATS)}, or -")
    if file.suffix == ".parquet" and (find_spec("pandas") is None or not any(map(find_spec, PARQUET_ENGINES))):
        raise UserError(f"--out: {out} needs pandas and fastparquet: pip install 'meistersinger[parquet]'")
    try:
        opened = file.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"--out: cannot write {out}: {error.strerror}") from None
    with opened as stream:
        if file.suffix == ".jsonl":
            yield lambda match: stream.write(json.dumps(as_line(match)) + "\n")
        elif file.suffix == ".csv":
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(SEAT_COLUMNS)
            yield lambda match: writer.writerows(as_rows(match))
        else:
            import pandas

            rows: list[tuple[Any, ...]] = []
            try:
                yield lambda match: rows.extend(as_rows(match))
            finally:  # keep matches played before Ctrl-C, as the other formats do
                pandas.DataFrame(rows, columns=list(SEAT_COLUMNS)).to_parquet(file, index=False)
