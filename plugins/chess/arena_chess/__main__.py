"""arena-chess: engines as bots, opening books, and PGN."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import Any

import click

from referee.mistakes import UserError

PATH = click.Path(path_type=Path)


@contextmanager
def _one_line() -> Iterator[None]:
    """Bad input ends the command with one line and exit code 2."""
    try:
        yield
    except UserError as error:
        click.echo(f"arena-chess: {error}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(141)


def _clear(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def run(*arguments: Any, **named: Any) -> Any:
        with _one_line():
            return command(*arguments, **named)

    return run


@click.group()
def main() -> None:
    """Chess for the arena: engines as bots, opening books, and PGN.

    Matches are played by arena itself: arena play chess --bot DIR --bot DIR
    """


@main.command("new-bot")
@click.argument("directory", metavar="DIR", type=PATH)
@click.argument("engine", metavar="ENGINE…", nargs=-1, required=True)
@click.option("--name", help="The bot's name (default: that of DIR).")
@click.option(
    "--limit", "limits", multiple=True, metavar="LIMIT", help="nodes=N, depth=N, movetime=MS or clock (default)."
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="An option of the engine.")
@click.option(
    "--deterministic", "is_deterministic", is_flag=True,
    help="Declare that its moves depend only on the match: one thread, limited by nodes or depth.",
)  # fmt: skip
@_clear
def new_bot(
    directory: Path, engine: tuple[str, ...], name: str | None, limits: tuple[str, ...], settings: tuple[str, ...],
    *, is_deterministic: bool,
) -> None:  # fmt: skip
    """Make a bot in DIR that plays by a UCI ENGINE.

    The engine is started once, to see that it speaks UCI and knows its options.

    \b
    Example: arena-chess new-bot sf1000 stockfish --limit nodes=1000 --set Threads=1
    """
    from arena_chess.new_bot import write_bot

    found = write_bot(
        directory, name or directory.resolve().name, engine, settings, limits, is_deterministic=is_deterministic
    )
    click.echo(f"{directory}: plays by {found}; next:")
    click.echo(f"    arena play chess --bot {directory} --bot {directory}")


@main.group("book")
def book() -> None:
    """Keep opening books."""


@book.command("add")
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--plies", default=8, show_default=True, type=click.IntRange(1, 100), help="Half-moves of a PGN game.")
@_clear
def add(file: Path, plies: int) -> None:
    """Keep the positions of an EPD or PGN FILE, and print the option that plays them.

    \b
    Example: arena-chess book add UHO.epd
    """
    from arena_chess.books import add_book

    name, count = add_book(file, plies)
    click.echo(f"{count:,} positions", err=True)
    click.echo(f"book:{name}")


@main.group("pgn")
def pgn() -> None:
    """Exchange games with other chess programs."""


@pgn.command("export")
@click.argument("files", metavar="[RECORD…]", nargs=-1, type=PATH)
@click.option("--db", type=PATH, help="Export the chess matches of a database's closed rounds.")
@click.option("--tournament", help="Only those of a tournament.")
@_clear
def export(files: tuple[Path, ...], db: Path | None, tournament: str | None) -> None:
    """Write matches as PGN, with scores, depths and times as comments.

    \b
    Example: arena-chess pgn export --db arena.db > games.pgn
    """
    from arena_chess.export import exported

    if not files and db is None:
        raise UserError("RECORD: missing; expected record files or --db")
    if tournament is not None and db is None:
        raise UserError("--tournament: needs --db")
    for game in exported(files, db, tournament):
        click.echo(f"{game}\n")


@pgn.command("import")
@click.argument("file", metavar="FILE", type=PATH)
@click.option("--out", required=True, type=PATH, metavar="DIR", help="Where the records go, one file per game.")
@_clear
def import_(file: Path, out: Path) -> int:
    """Write the games of a PGN FILE as records, which arena replay shows and verifies.

    The exit code is 1 if a game was left out.

    \b
    Example: arena-chess pgn import games.pgn --out records
    """
    from arena_chess.pgn import Refused, read_games, record_of

    out.mkdir(parents=True, exist_ok=True)
    written = left_out = 0
    for game in read_games(file):
        try:
            if isinstance(game, Refused):
                raise UserError(f"game {game.number}: {game.reason}")
            text = record_of(game)
        except UserError as error:
            click.echo(f"left out, {error}", err=True)
            left_out += 1
            continue
        (out / f"{game.number:05}.jsonl").write_text(text, encoding="ascii")
        written += 1
    click.echo(f"{written:,} records in {out}, {left_out:,} games left out")
    sys.exit(int(left_out > 0))


@pgn.command("rate")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=PATH)
@_clear
def rate(files: tuple[Path, ...]) -> None:
    """Fit the ratings of all players of PGN files, as the arena's leaderboards do.

    Two games of one opening with reversed colours are one block.

    \b
    Example: arena-chess pgn rate games.pgn
    """
    from arena_chess.standings import fitted, pairs_of

    from arena.cli.output import print_table

    pairs, single = pairs_of(_games(files))
    found = fitted(pairs, single)
    columns = {"player": "left", "Elo": "right", "± 95 %": "right", "games": "right"}
    rows = [(line.bot, f"{line.rating:.0f}", f"{line.error:.0f}", line.matches) for line in found.ratings()]
    print_table(f"{len(pairs):,} pairs and {len(single):,} single games", columns, rows)


@pgn.command("test")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=PATH)
@click.option("--new", required=True, help="The player that may be better.")
@click.option("--against", "old", required=True, help="The player it is compared with.")
@click.option("--elo0", default="0", show_default=True, help="Lower Elo bound (H0).")
@click.option("--elo1", default="20", show_default=True, help="Upper Elo bound (H1).")
@click.option("--alpha", default="0.05", show_default=True, help="False-positive rate.")
@click.option("--beta", default="0.05", show_default=True, help="False-negative rate.")
@_clear
def test(files: tuple[Path, ...], new: str, old: str, elo0: str, elo1: str, alpha: str, beta: str) -> None:
    """Judge the pairs of two players as arena test would have, in the order of the files.

    The exit code is that of arena test: 0 for better, 1 for not better, 3 for anything else.

    \b
    Example: arena-chess pgn test games.pgn --new dev --against master
    """
    from arena_chess.standings import five_counts, judged, pairs_of

    from ratings.sequential.compare import compare
    from ratings.sequential.result_line import result_line
    from ratings.sequential.test import Verdict
    from ratings.sequential.written_number import read_number

    pairs, _single = pairs_of(_games(files))
    numbers: list[Decimal] = []
    for option, text in (("--elo0", elo0), ("--elo1", elo1), ("--alpha", alpha), ("--beta", beta)):
        try:
            numbers.append(read_number(text))
        except ValueError as error:
            raise UserError(f"{option}: {error}") from None
    try:
        found, counted, fives = judged(
            pairs, new, old, elo0=numbers[0], elo1=numbers[1], alpha=numbers[2], beta=numbers[3]
        )
    except ValueError as error:
        raise UserError(str(error)) from None
    against = compare(found.judged, 2)
    elo = None if against.elo_tenths is None else against.elo_tenths / 10
    spread = None if against.elo_error_tenths is None else against.elo_error_tenths / 10
    verdict = str(found.verdict or "open")
    click.echo(f"{new} against {old}: {result_line(counted, 2, 2 * found.blocks, elo, spread, verdict)}")
    click.echo(f"pairs by points 0, ½, 1, 1½, 2: {', '.join(map(str, five_counts(fives)))}")
    sys.exit({Verdict.BETTER: 0, Verdict.NOT_BETTER: 1}.get(found.verdict or Verdict.INCONCLUSIVE, 3))


def _games(files: tuple[Path, ...]) -> list[Any]:
    """Return the games of PGN files; what is left out is told."""
    from arena_chess.pgn import Refused, read_games

    games = []
    for file in files:
        for game in read_games(file):
            if isinstance(game, Refused):
                click.echo(f"left out, {file}: game {game.number}: {game.reason}", err=True)
            else:
                games.append(game)
    return games


if __name__ == "__main__":
    main(prog_name="arena-chess")
