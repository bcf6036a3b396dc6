"""arena web: the web site of a database."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click
import trio

from arena.cli.options import database_options, listen_option, site_option
from arena.cli.tasks import signalled, unwrapped
from referee.logs import configure_logs, log
from referee.mistakes import UserError


@click.command("web")
@listen_option("127.0.0.1:8080")
@site_option
@database_options
def command(listen: str, site: str | None, db: Path, as_json: bool) -> None:
    """Serve leaderboards, tournaments and replays as a web site.

    It runs until interrupted. The database is only read, but for judgements asked for on this machine. Anyone who can
    reach the address can read everything except bots' output; put a reverse proxy in front of it to serve the internet.

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

    with unwrapped(UserError):
        async with signalled() as stopping, trio.open_nursery() as nursery:
            addresses: list[str] = await nursery.start(partial(serve, app, listen, shutdown=stopping.wait))
            shown = json.dumps({"addresses": addresses}) if as_json else f"The web site is at {', '.join(addresses)}"
            click.echo(shown)
