"""arena web: the web site of a database."""

from __future__ import annotations

import json
import signal
from functools import partial
from pathlib import Path

import click
import trio

from arena.cli.options import db_option, json_option, site_option
from arena.cli.unwrapping import unwrapped
from referee.logs import configure_logs, log
from referee.mistakes import UserError


@click.command("web")
@click.option(
    "--listen",
    default="127.0.0.1:8080",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to listen; port 0 picks a free one.",
)
@site_option
@db_option
@json_option
def command(listen: str, site: str | None, db: Path, as_json: bool) -> None:
    """Serve leaderboards, tournaments and replays as a web site.

    It runs until interrupted. The database is only read, even while a tournament writes to it. Anyone who can reach
    the address can read everything except bots' output; put a reverse proxy in front of it to serve the internet.

    \b
    Example: arena web --db autumn.db --listen 127.0.0.1:8080
    """
    from arena.web.app import create_app
    from arena.web.previews import read_address
    from arena.web.serving import read_listen

    configure_logs("info", as_json=False)
    log.load()
    read_listen(listen)
    address = None if site is None else read_address(site, "--site")
    trio.run(_serve, create_app(db, address=address), listen, as_json)


async def _serve(app: object, listen: str, as_json: bool) -> None:
    from arena.web.serving import serve

    stop = trio.Event()
    with unwrapped(UserError):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_stop_on_signal, stop, nursery.cancel_scope)
            addresses: list[str] = await nursery.start(partial(serve, app, listen, shutdown=stop.wait))
            shown = json.dumps({"addresses": addresses}) if as_json else f"The web site is at {', '.join(addresses)}"
            click.echo(shown)


async def _stop_on_signal(stop: trio.Event, everything: trio.CancelScope) -> None:
    """Stop cleanly on the first signal, immediately on the second."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _number in signals:
            if stop.is_set():
                everything.cancel()
            stop.set()
            return
