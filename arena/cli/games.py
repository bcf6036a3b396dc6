"""arena games: list the installed games."""

from __future__ import annotations

from enum import Enum
from typing import Any

import click

from arena.cli.options import json_option
from arena.cli.output import print_json
from referee.game import AnyGame
from referee.games import GAMES
from referee.values import FieldOfValue, fields_of


@click.command("games")
@json_option
def command(as_json: bool) -> None:
    """List the games with their seats and options.

    \b
    Example: arena games --json
    """
    described = [describe(game) for game in GAMES.values()]
    if as_json:
        print_json(described)
        return
    for game in described:
        seats = f"{game['seats'][0]} to {game['seats'][-1]} seats"
        click.echo(f"{game['slug']}  {game['title']}, {seats}, rules {game['rules_version']}")
        for option in game["options"]:
            allowed = f" ({', '.join(map(str, option['choices']))})" if option["choices"] else ""
            click.echo(f"    {option['key']} = {option['default']}{allowed}  {option['about']}")


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
