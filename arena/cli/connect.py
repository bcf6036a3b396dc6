"""arena connect: run a bot locally and play on a server."""

from __future__ import annotations

from pathlib import Path

import click

from arena.bots.directory import read_bot
from arena.cli.options import json_option, only_server_options
from arena.cli.output import say
from arena.remote.address import ServerAddress
from referee.logs import configure_logs
from referee.mistakes import UserError


@click.command("connect")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@only_server_options
@json_option
def command(directory: Path, server: ServerAddress | None, as_json: bool) -> int:
    """Run the bot in DIR locally and play on a server.

    It plays until interrupted. The bot is entered under its name and can be named in tournaments while it is
    connected. Its files stay here; network time counts against its clock, unless the tournament forgives some.

    If the connection is lost, for example when the server restarts, it waits, then re-enters and restarts the bot. It
    ends when the bot exits, the token is revoked, or the bot is retired or connected elsewhere.

    \b
    Example: arena connect mybot --server arena.example.org:7494
    """
    if server is None:
        raise UserError("--server: missing; expected the server to play on")
    bot = read_bot(directory)
    from arena.remote.reconnecting import enter, stay_connected  # gRPC is slow to import

    entered = enter(bot, server)
    text = f"{entered.label} is entered and plays from this machine."
    say(text, {"label": entered.label, "address": entered.address}, as_json=as_json)
    configure_logs("info", as_json=False)
    return stay_connected(bot, server, entered.ticket)
