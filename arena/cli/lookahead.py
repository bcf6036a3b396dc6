"""arena lookahead: the rules as a service for a bot on this machine."""

from __future__ import annotations

import os
import signal

import click

from arena.bots.process import LOOKAHEAD
from arena.cli.options import json_option
from arena.cli.output import print_json
from referee.mistakes import UserError

HERE = ("127.0.0.1", "localhost", "[::1]")


@click.command("lookahead")
@click.option(
    "--listen",
    default="127.0.0.1:0",
    show_default=True,
    metavar="ADDRESS",
    help="unix:PATH, or HOST:PORT of this machine; port 0 takes a free one.",
)
@json_option
def command(listen: str, as_json: bool) -> None:
    """Serve the rules to a bot that runs here and looks ahead.

    It runs until interrupted. A bot whose manifest says `lookahead = true` needs no such command: hosted, or played by
    arena connect, it has a helper of its own. This is for one that you start yourself.

    \b
    Example: arena lookahead --listen 127.0.0.1:7500
    """
    if not listen.startswith("unix:"):
        host, _, port = listen.rpartition(":")
        if host not in HERE or not port.isdigit() or int(port) > 65_535:
            expected = f"expected unix:PATH or a port of this machine, such as {HERE[0]}:7500"
            raise UserError(f"--listen: {listen!r} is not allowed; {expected}")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # we say ourselves that an address cannot be listened on
    from referee.lookahead.service import start  # gRPC takes its time to load

    # Set before anybody can be told the address; a signal ends the wait below, and with it the program.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.stop(0))
    try:
        server, address = start(listen)
    except RuntimeError as error:
        raise UserError(f"--listen: cannot listen on {listen}: {error}") from None
    if as_json:
        print_json({"address": address})
    else:
        click.echo(f"The rules are at {address}; start your bot with {LOOKAHEAD}={address}")
    server.wait_for_termination()
