"""arena lookahead: the rules engine as a service for a local bot."""

from __future__ import annotations

import os
import signal

import click

from arena.bots.process import LOOKAHEAD
from arena.cli.options import json_option
from arena.cli.output import say
from referee.mistakes import UserError

HERE = ("127.0.0.1", "localhost", "[::1]")


@click.command("lookahead")
@click.option(
    "--listen", default="127.0.0.1:0", show_default=True, metavar="ADDRESS",
    help="unix:PATH, or a local HOST:PORT; port 0 picks a free one.",
)  # fmt: skip
@json_option
def command(listen: str, as_json: bool) -> None:
    """Serve the rules engine to a local bot.

    It runs until interrupted. A bot whose manifest says `lookahead = true` does not need this command: hosted, or run
    by arena connect, it has its own helper. Use this for a bot that you start yourself.

    \b
    Example: arena lookahead --listen 127.0.0.1:7500
    """
    if not listen.startswith("unix:"):
        host, _, port = listen.rpartition(":")
        if host not in HERE or not port.isdigit() or int(port) > 65_535:
            expected = f"expected unix:PATH or a port of this machine, such as {HERE[0]}:7500"
            raise UserError(f"--listen: {listen!r} is not allowed; {expected}")
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # we report bind errors ourselves
    from referee.lookahead.service import start  # gRPC is slow to import

    # Set before the address is printed; a signal ends the wait below, and with it the program.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.stop(0))
    try:
        server, address = start(listen)
    except RuntimeError as error:
        raise UserError(f"--listen: cannot listen on {listen}: {error}") from None
    text = f"The rules are at {address}; start your bot with {LOOKAHEAD}={address}"
    say(text, {"address": address}, as_json=as_json)
    server.wait_for_termination()
