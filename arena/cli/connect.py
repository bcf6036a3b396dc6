"""arena connect: run a bot locally and play on a server."""

from __future__ import annotations

from pathlib import Path

import click

from arena.bots.directory import read_bot
from arena.cli.options import json_option, only_server_options
from arena.cli.output import say
from arena.cli.signing import EXISTING
from arena.remote.address import ServerAddress
from referee.keys import read_signer
from referee.logs import configure_logs
from referee.mistakes import UserError


@click.command("connect")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--key", "key_path", type=EXISTING,
    help="Your private key, which signs every answer of the bot; arena ledger key makes one.",
)  # fmt: skip
@only_server_options
@json_option
def command(directory: Path, key_path: Path | None, server: ServerAddress | None, as_json: bool) -> int:
    """Run the bot in DIR locally and play on a server.

    It plays until interrupted. The bot is entered under its name and can be named in tournaments while it is
    connected. Its files stay here; network time counts against its clock, unless the tournament forgives some.

    With --key, records prove that your key made the bot's choices, and that no one played for it. The key is a part of
    the bot's version, and stays here.

    If the connection is lost, for example when the server restarts, it waits, then re-enters and restarts the bot. It
    ends when the bot exits, the token is revoked, or the bot is retired or connected elsewhere.

    \b
    Example: arena connect mybot --server arena.example.org:7494
    """
    if server is None:
        raise UserError("--server: missing; expected the server to play on")
    bot = read_bot(directory)
    signer = None if key_path is None else read_signer(key_path)
    from arena.remote.reconnecting import enter, stay_connected  # gRPC is slow to import

    entered = enter(bot, server, signer)
    text = f"{entered.label} is entered and plays from this machine."
    told = {"label": entered.label, "address": entered.address}
    if signer is not None:
        text = f"{text[:-1]}; its answers are signed by {signer.public_key}."
        told["public_key"] = str(signer.public_key)
    say(text, told, as_json=as_json)
    configure_logs("info", as_json=False)
    return stay_connected(bot, server, entered.ticket, signer)
