"""arena games: list the installed games, describe one, and print its messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import click

from arena.bots.shipped import shipped_folder
from arena.cli.options import json_option
from arena.cli.output import print_json
from referee.codec import stubs_of
from referee.derived_messages import describe as describe_messages
from referee.derived_messages import proto_text
from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES, families, family
from referee.hooks import HookError
from referee.mistakes import UserError
from referee.order import find_game
from referee.values import FieldOfValue, fields_of

MAX_OF_A_FAMILY = 5  # games of a family that are listed one by one unless it is named


@click.group("games", invoke_without_command=True)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the games, one per line; the games of a large family stand in one.

    \b
    Example: arena games
    """
    if context.invoked_subcommand is None:
        _list("", as_json=as_json)
    elif as_json:
        raise UserError(f"--json stands behind {context.invoked_subcommand}")


@command.command("list")
@click.argument("family_name", metavar="[FAMILY]", default="")
@json_option
def list_command(family_name: str, as_json: bool) -> None:
    """List the games, or those of a family.

    \b
    Example: arena games list --json
    """
    if family_name and family_name not in families():
        raise UserError(f"family: {family_name!r} is unknown; expected one of: {', '.join(families()) or 'none'}")
    _list(family_name, as_json=as_json)


@command.command("show")
@click.argument("slug", metavar="GAME")
@json_option
def show_command(slug: str, as_json: bool) -> None:
    """Describe a game: its seats and options, and its rules in short.

    \b
    Example: arena games show furstenfeld
    """
    game = find_game(slug)
    described = describe(game)
    if as_json:
        print_json(described)
        return
    click.echo(_line(game))
    for option in described["options"]:
        allowed = f" ({', '.join(map(str, option['choices']))})" if option["choices"] else ""
        click.echo(f"    {option['key']} = {option['default']}{allowed}  {option['about']}")
    if game.summary:
        click.echo(game.summary)


@command.command("proto")
@click.argument("slug", metavar="GAME")
def proto_command(slug: str) -> None:
    """Print a game's messages as a .proto file.

    It is for bots in other languages. Beside the module of a game without stubs, GAME.proto freezes the numbers of its
    messages.

    \b
    Example: arena games proto norenberc > norenberc.proto
    """
    game = find_game(slug)
    if slug in BUILT_IN:
        path = f"referee/games/{slug}/v1/{slug}.proto"
        folder = shipped_folder("proto", "proto", path)
        if folder is None:
            raise UserError(f"{slug}: its messages are not installed here")
        click.echo((folder / path).read_text("utf-8"), nl=False)
        return
    module = getattr(stubs_of(game), "__name__", "")
    if module:
        raise UserError(f"{slug}: its messages are not derived from its types, but generated: {module}")
    click.echo(proto_text(describe_messages(game)), nl=False)


def _list(family_name: str, *, as_json: bool) -> None:
    known = families()
    slugs: Sequence[str] = known[family_name] if family_name else list(GAMES)
    if as_json:
        print_json([describe(game) for game in _sound(slugs)])
        return
    folded = {} if family_name else {name: games for name, games in known.items() if len(games) > MAX_OF_A_FAMILY}
    hidden = {slug for games in folded.values() for slug in games}
    for game in _sound([slug for slug in slugs if slug not in hidden]):
        click.echo(_line(game))
    for name, games in folded.items():
        title = family(name).title
        click.echo(f"{name}_…  {title and f'{title}, '}{len(games)} games: arena games list {name}")
    click.echo("Options of a game: arena games show GAME", err=True)


def _sound(slugs: Sequence[str]) -> Iterator[AnyGame]:
    """Yield these games, except a plug-in that cannot be loaded, which is named on standard error."""
    for slug in slugs:
        try:
            yield GAMES[slug]
        except HookError as error:
            click.echo(f"arena: {error}", err=True)


def _line(game: AnyGame) -> str:
    first, last = game.table_sizes[0], game.table_sizes[-1]
    seats = f"{first} seats" if first == last else f"{first} to {last} seats"
    return f"{game.slug}  {game.title}, {seats}, rules {game.rules_version}"


def describe(game: AnyGame) -> dict[str, Any]:
    """Return what is needed to set up a match of this game."""
    return {
        "slug": game.slug,
        "title": game.title,
        "rules_version": game.rules_version,
        "seats": list(game.table_sizes),
        "preferred_seats": game.preferred_seats,
        "options": [_describe_option(field) for field in fields_of(game.types.options)],
    }


def _describe_option(field: FieldOfValue) -> dict[str, Any]:
    rules, default = field.metadata, field.default
    choices: list[Any] = list(rules.get("choices", ()))
    if isinstance(default, Enum):
        choices = [member.name.lower() for member in type(default)]
        default = default.name.lower()
    elif isinstance(default, bool):
        choices = [False, True]
    elif rules.get("min") is not None:
        choices = [f"{rules['min']} to {rules['max']}"]
    return {"key": field.name, "default": default, "choices": choices, "about": rules.get("about", "")}
