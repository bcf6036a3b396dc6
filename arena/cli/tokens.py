"""arena tokens: access rights on a server of this database."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from arena.cli.options import database_options, reading, writing
from arena.cli.output import print_json, print_table, say
from arena.store.local_time import local_now
from arena.store.token_secrets import create
from arena.store.tokens import Role


@click.group("tokens")
def command() -> None:
    """Create, list and revoke server tokens.

    \b
    Example: arena tokens create --role author --name ann
    """


@command.command("create")
@click.option("--role", required=True, type=click.Choice([role.value for role in Role]), help="What the holder may do.")
@click.option("--name", required=True, help="Who holds it; bots submitted with it belong to this name.")
@database_options
def create_token(role: str, name: str, db: Path, as_json: bool) -> None:
    """Create a token and print it, once: only its hash is stored.

    A running server accepts it immediately.

    \b
    Example: arena tokens create --role author --name ann --db autumn.db
    """
    token, text = create(writing(db, create=True), name, Role(role), local_now().isoformat(timespec="seconds"))
    if as_json:
        print_json(dataclasses.asdict(token) | {"token": text})
    else:
        click.echo(text)
        click.echo(f"arena: the {role} token of {name} is shown only now; its ID is {token.id}", err=True)


@command.command("list")
@database_options
def list_tokens(db: Path, as_json: bool) -> None:
    """List all tokens, without their secrets.

    \b
    Example: arena tokens list --db autumn.db
    """
    found = reading(db).tokens.all()
    if as_json:
        print_json(found)
        return
    columns = dict.fromkeys(("id", "name", "role", "created", "revoked"), "left")
    rows = ((each.id, each.name, each.role, each.created_at, each.revoked_at or "") for each in found)
    print_table("", columns, rows)


@command.command("revoke")
@click.argument("token_id", metavar="ID")
@database_options
def revoke_token(token_id: str, db: Path, as_json: bool) -> None:
    """Revoke a token for good, by its ID.

    A running server refuses it immediately.

    \b
    Example: arena tokens revoke 5d0c9a1b2c3d --db autumn.db
    """
    token = writing(db).tokens.revoke(token_id, local_now().isoformat(timespec="seconds"))
    say(f"The {token.role} token {token.id} of {token.name} is revoked.", token, as_json=as_json)
