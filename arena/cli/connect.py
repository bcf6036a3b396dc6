"""arena connect: run a bot locally and play on a server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from arena.bots.directory import read_bot
from arena.cli.options import connect, json_option, only_server_options
from arena.cli.output import say
from arena.remote.address import ServerAddress
from referee.mistakes import UserError


@click.command("connect")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@only_server_options
@json_option
def command(directory: Path, server: ServerAddress | None, as_json: bool) -> int:
    """Run the bot in DIR locally and play on a server.

    It plays until interrupted or disconnected. The bot is entered under its name and can be named in tournaments
    while it is connected. Its files stay here; network time counts against its clock, unless the tournament
    forgives some.

    \b
    Example: arena connect mybot --server arena.example.org:7494
    """
    if server is None:
        raise UserError("--server: missing; expected the server to play on")
    bot = read_bot(directory)
    manifest = bot.manifest
    with connect(server) as client:
        entered = client.connect(manifest.name, manifest.games, manifest.concurrency)
    text = f"{entered.label} is entered and plays from this machine."
    say(text, {"label": entered.label, "address": entered.address}, as_json=as_json)
    from arena.remote.forwarding import play_elsewhere  # gRPC's asyncio is slow to import

    return asyncio.run(play_elsewhere(bot, server, entered.ticket))
