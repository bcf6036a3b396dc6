"""arena tune: better values for the constants of a heuristic, found by playing."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.bots.directory import read_bot
from arena.bots.one_file import is_bot
from arena.cli.building import check_built
from arena.cli.options import check_cluster, cluster_option, game_option, json_option, pool_on, quiet_option
from arena.cli.output import print_json, print_table, progress
from arena.cli.play import parse_assignment
from arena.plan.seeding import MAX_SEED
from arena.plan.test_plan import game_of
from ratings.sequential.written_number import read_number
from referee.game import AnyGame
from referee.games import GAMES
from referee.heuristic import Weight
from referee.mistakes import UserError
from referee.order import check_order, find_game

if TYPE_CHECKING:
    from arena.tuning.journal import Journal
    from arena.tuning.players import Players
    from arena.tuning.tuning import Tuned, Tuning

BOT_OPPONENTS = ("heuristic=1", "champion=1")
DEFAULT_OPPONENTS = ("heuristic=4", "champion=4", "search:nodes=4=1")
JOURNAL = ".journal"
MAX_OPPONENT_BLOCKS = 1000
COLUMNS = {"seats": "right", "verdict": "left", "Elo": "right", "blocks": "right", "last step": "right"}


@click.command("tune")
@click.argument("target", metavar="GAME|BOT")
@click.option("--game", help="The game of BOT; needed unless it declares only one.")
@click.option("--seats", type=int, multiple=True, help="A table size; several are tuned in turn (default: all).")
@click.option(
    "--generations", default=100, show_default=True, type=click.IntRange(1), help="Generations at each table size."
)
@click.option("--population", type=click.IntRange(4, 1000), help="Candidates in a generation (default: by constants).")
@click.option(
    "--step", default=0.2, show_default=True, type=click.FloatRange(0.001, 2), help="How far the first candidates go."
)
@click.option(
    "--opponent", "opponents", multiple=True, metavar="NAME=BLOCKS",
    help="Blocks that every candidate plays with heuristic, champion, search:nodes=N or a policy"
    f" (default: {', '.join(DEFAULT_OPPONENTS)}; of a bot: {', '.join(BOT_OPPONENTS)}).",
)  # fmt: skip
@click.option("--start", metavar="FILE", help="Weights to start from (default: those in force).")
@click.option("--elo1", default="20", show_default=True, help="Upper Elo bound of the test (H1).")
@click.option("--alpha", default="0.05", show_default=True, help="Error rate of the tests of all table sizes together.")
@click.option(
    "--max-blocks", default=5000, show_default=True, type=click.IntRange(1, 1_000_000),
    help="Number of blocks after which a test ends as inconclusive.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="The seed of all chance (default: random, and shown).")
@game_option
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1, 256), help="Number of processes.")
@cluster_option
@click.option("--out", default="weights.json", show_default=True, metavar="FILE", help="The file of weights to write.")
@click.option(
    "--note-cpu", is_flag=True, help="Write the CPU time into the file too, which then differs from run to run."
)
@quiet_option
@json_option
def command(
    target: str,
    game: str | None,
    seats: tuple[int, ...],
    generations: int,
    population: int | None,
    step: float,
    opponents: tuple[str, ...],
    start: str | None,
    elo1: str,
    alpha: str,
    max_blocks: int,
    seed: int | None,
    options: tuple[str, ...],
    processes: int,
    cluster: str | None,
    out: str,
    note_cpu: bool,
    is_quiet: bool,
    as_json: bool,
) -> int:
    """Tune a heuristic's weights or a bot's constants by playing.

    Candidates of CMA-ES play whole blocks on common seeds, with the seats rotated, at each table size. Then the
    favourite meets the weights in force on fresh seeds, in the sequential test of arena test, and only what is found
    better enters the file. A tuning that was stopped or killed is resumed by the same command.

    A heuristic plays in process. BOT is a bot directory whose manifest names its constants in [tune]; its versions
    are real bots in real processes.

    The exit code is 0 if a table size got better weights, otherwise 1.

    \b
    Example: arena tune norenberc --seats 2 --generations 50
    """
    from arena.tuning.journal import Journal, seed_in
    from arena.tuning.optimiser import require_optimiser
    from arena.tuning.weight_file import weight_file

    require_optimiser()
    if cluster is not None:
        check_cluster(cluster)
    journal_file = Path(f"{out}{JOURNAL}")
    if seed is None:
        seed = seed_in(journal_file)
    if seed is None:
        seed = secrets.randbits(63)
    mapping = dict(parse_assignment("--option", text) for text in options)
    blocks = dict(map(_opponent, opponents or (BOT_OPPONENTS if is_bot(target) else DEFAULT_OPPONENTS)))
    subject = (_bot if is_bot(target) else _heuristic)(target, game, seats, mapping)
    with subject.play(blocks, processes, cluster) as (players, versions):
        tuning = _tuning(
            subject, mapping, versions, generations, population, step, blocks, start, elo1, alpha, max_blocks, seed
        )
        journal = Journal(journal_file, tuning.terms())
        try:
            found = []
            for tuned in _shown(tuning, players, journal, is_shown=not (is_quiet or as_json)):
                found.append(tuned)
                cpu = journal.cpu if note_cpu else None
                text = weight_file(tuning, found, _command(target, tuning, start), cpu)
                Path(out).write_text(text, encoding="utf-8")
        finally:
            journal.close()
    if as_json:
        print_json({"out": out, "seed": seed, "cpu_seconds": journal.cpu, "seats": [asdict(each) for each in found]})
    else:
        print_table(f"{target}, seed {seed}", COLUMNS, map(_cells, found))
        click.echo(f"{journal.cpu:,.0f} CPU-seconds. The weights that are better are in {out}.")
    return 0 if any(each.is_better for each in found) else 1


@dataclass(frozen=True, slots=True)
class _Subject:
    """A heuristic or a bot, as far as they differ."""

    game: AnyGame
    constants: Mapping[str, Weight]
    seats: tuple[int, ...]
    in_force: Callable[[int], dict[str, float]]
    """Returns the values at a table size."""
    play: Callable[[Mapping[str, int], int, str | None], AbstractContextManager[tuple[Players, Mapping[str, str]]]]
    """Opens who plays against these opponents, with the versions of all of them."""


def _sizes(game: AnyGame, sizes: tuple[int, ...], options: Mapping[str, object]) -> tuple[int, ...]:
    seats = tuple(dict.fromkeys(sizes)) or tuple(game.table_sizes)
    for size in seats:
        check_order(game, size, options)
    return seats


def _heuristic(slug: str, named: str | None, sizes: tuple[int, ...], options: dict[str, object]) -> _Subject:
    """Return the heuristic of a game, which plays in process."""
    from arena.tuning.contest import CHAMPION, HEURISTIC, Contest, known_values, opponent_of, tunable
    from arena.tuning.players import open_players

    if named not in (None, slug):
        raise UserError(f"--game: {named}: expected none beside the game {slug}")
    game = find_game(slug)
    heuristic = tunable(game)

    @contextmanager
    def play(
        blocks: Mapping[str, int], processes: int, cluster: str | None
    ) -> Iterator[tuple[Players, Mapping[str, str]]]:
        sources = {name: opponent_of(name) for name in blocks if name not in (HEURISTIC, CHAMPION)}
        with open_players(Contest(slug, options, sources), processes, cluster) as players:
            yield players, {name: source.label for name, source in sources.items()}

    return _Subject(game, heuristic.weights, _sizes(game, sizes, options), partial(known_values, game), play)


def _bot(path: str, named: str | None, sizes: tuple[int, ...], options: dict[str, object]) -> _Subject:
    """Return a bot, which plays in processes of its own."""
    from arena.tuning.bots import constants_of, open_bots, weights_in
    from arena.tuning.contest import CHAMPION, Contest

    bot = read_bot(Path(path))
    check_built(bot)
    constants = constants_of(bot)
    game = game_of(named, [bot], GAMES)

    @contextmanager
    def play(
        blocks: Mapping[str, int], processes: int, cluster: str | None
    ) -> Iterator[tuple[Players, Mapping[str, str]]]:
        others = [name for name in blocks if name != CHAMPION]
        with open_bots(Contest(game.slug, options), bot, others, processes, pool_on(cluster)) as players:
            yield players, players.versions

    return _Subject(game, constants, _sizes(game, sizes, options), partial(weights_in, bot, constants), play)


def _tuning(
    subject: _Subject,
    options: dict[str, object],
    versions: Mapping[str, str],
    generations: int,
    population: int | None,
    step: float,
    blocks: Mapping[str, int],
    start: str | None,
    elo1: str,
    alpha: str,
    max_blocks: int,
    seed: int,
) -> Tuning:
    """Put a tuning together; a UserError says what is wrong."""
    from arena.tuning.constants import Constants
    from arena.tuning.tuning import Tuning
    from arena.tuning.weight_file import read_file

    old = {size: subject.in_force(size) for size in subject.seats}
    given = read_file(Path(start), subject.constants) if start is not None else {}
    begun = {size: old[size] | given.get(size, {}) for size in subject.seats}
    made = Tuning(
        subject.game.slug, options, versions, Constants(subject.constants), subject.seats, seed, generations,
        population, step, blocks, begun, old, _decimal("--elo1", elo1), _decimal("--alpha", alpha), max_blocks,
    )  # fmt: skip
    for size in subject.seats:
        made.test_terms(size)
    return made


def _opponent(text: str) -> tuple[str, int]:
    name, _, blocks = text.rpartition("=")
    if not name or not blocks.isascii() or not blocks.isdigit() or not 0 < int(blocks) <= MAX_OPPONENT_BLOCKS:
        raise UserError(f"--opponent: {text!r}: expected NAME=BLOCKS, such as heuristic=4")
    return name, int(blocks)


def _decimal(flag: str, text: str) -> Decimal:
    try:
        return read_number(text)
    except ValueError as error:
        raise UserError(f"{flag}: {error}") from None


def _shown(tuning: Tuning, players: Players, journal: Journal, *, is_shown: bool) -> Iterator[Tuned]:
    """Tune, with a bar of generations, then one of the blocks of a test, for each table size."""
    from arena.tuning.tuning import Generation, tune

    with progress(is_shown=is_shown) as bars:
        bar, tests = bars.add_task("", total=tuning.generations), bars.add_task("test", total=None)

        def watch(step: Generation | int) -> None:
            if isinstance(step, Generation):
                words = f"{step.seats} seats: share {step.share:.3f}, step {step.step:.3f}"
                bars.update(bar, completed=step.number, description=words)
                bars.reset(tests, total=tuning.max_blocks)
            else:
                bars.advance(tests, step)

        yield from tune(tuning, players, journal, watch)


def _command(target: str, tuning: Tuning, start: str | None) -> str:
    """Return the command that gives the same weights anywhere."""
    words = ["arena", "tune", target]
    words += [] if target == tuning.game else ["--game", tuning.game]
    for seats in tuning.seats:
        words += ["--seats", str(seats)]
    words += ["--generations", str(tuning.generations), "--step", f"{tuning.step:g}"]
    words += [] if tuning.population is None else ["--population", str(tuning.population)]
    for name, blocks in tuning.blocks.items():
        words += ["--opponent", f"{name}={blocks}"]
    for key, value in tuning.options.items():
        words += ["--option", f"{key}={value}"]
    words += [] if start is None else ["--start", start]
    words += ["--elo1", str(tuning.elo1), "--alpha", str(tuning.error), "--max-blocks", str(tuning.max_blocks)]
    return shlex.join([*words, "--seed", str(tuning.seed)])


def _cells(tuned: Tuned) -> tuple[object, ...]:
    elo = "–" if tuned.elo_tenths is None else f"{tuned.elo_tenths / 10:+.1f}"
    error = "" if tuned.elo_error_tenths is None else f" ± {tuned.elo_error_tenths / 10:.1f}"
    return tuned.seats, tuned.verdict.value, elo + error, f"{tuned.blocks:,}", f"{tuned.step:.3f}"
