"""Options that many verbs share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.remote.address import ServerAddress
from arena.store.database import DEFAULT_DB, Store, open_store, open_to_read

if TYPE_CHECKING:
    from arena.bots.directory import Bot
    from arena.play.pool import OpenPool
    from arena.remote.client import Client

db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_DB,
    show_default=True,
    help="The database file.",
)
quiet_option = click.option(
    "--quiet", "-q", "is_quiet", is_flag=True, help="Show no progress and no log lines, only results and errors."
)
cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS|FILE",
    help="Have matches played by the workers of the Dask scheduler at this address, or of this scheduler file.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def log_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a command that runs for long say what it logs, and how; it gets `log_json` and `log_level`."""
    levels = click.Choice(["debug", "info", "warning", "error"])
    function = click.option("--log-level", default="info", show_default=True, type=levels)(function)
    return click.option("--log-json", is_flag=True, help="Log JSON lines instead of text.")(function)


def pool_on(cluster: str | None, *, must_answer: bool = True) -> OpenPool:
    """Return what opens pools: on a cluster, if one was given, or else on this machine.

    A scheduler that must answer is asked at once: whoever sits before a terminal wants to know of a wrong address.
    """
    if cluster is None:
        from arena.play.local_pool import open_here

        return open_here
    check_cluster(cluster, must_answer=must_answer)
    from arena.cluster.pool import on_cluster

    return on_cluster(cluster)


def check_cluster(cluster: str, *, must_answer: bool = True) -> None:
    """Refuse a cluster without Dask here, without an address, or without a scheduler that answers."""
    from arena.cluster.address import require_engine, scheduler_address

    require_engine("cluster")
    scheduler_address(cluster, "cluster")  # refused before anything is entered
    from arena.cluster.engine import check_answers

    if must_answer:
        check_answers(cluster, "cluster")


def check_sendable(cluster: str | None, bots: Iterable[Bot]) -> None:
    """Refuse bots that cannot be sent to a cluster, if there is one."""
    if cluster is not None:
        from arena.cluster.pool import check_bots

        check_bots(bots)


def reading(db: Path) -> Store:
    """Open a database to read until the command ends."""
    store = open_to_read(db)
    click.get_current_context().call_on_close(store.close)
    return store


def writing(db: Path) -> Store:
    """Open a database to write until the command ends."""
    store = open_store(db)
    click.get_current_context().call_on_close(store.close)
    return store


def server_options(
    function: Callable[..., Any], asked: str = "Ask this server (HOST:PORT or unix:PATH) instead of a database."
) -> Callable[..., Any]:
    """Let a command talk to a server instead of a database; it gets `server`, which is None without --server."""
    file = click.Path(dir_okay=False, path_type=Path)

    @click.option("--server", metavar="ADDRESS", envvar="ARENA_SERVER", help=asked)
    @click.option("--token", envvar="ARENA_TOKEN", help="Your token on the server; better kept in ARENA_TOKEN.")
    @click.option("--tls-ca", type=file, help="The certificate to trust; without it, those of the system.")
    @click.option("--allow-plaintext", is_flag=True, help="Send the token without TLS even where others could read it.")
    @functools.wraps(function)
    def with_server(
        *arguments: Any,
        server: str | None,
        token: str | None,
        tls_ca: Path | None,
        allow_plaintext: bool,
        **values: Any,
    ) -> Any:
        address = None if server is None else ServerAddress(server, token or "", tls_ca, allow_plaintext)
        return function(*arguments, server=address, **values)

    return with_server


only_server_options = functools.partial(server_options, asked="The server: HOST:PORT or unix:PATH.")
"""For a command that needs a server."""


@contextmanager
def connect(server: ServerAddress) -> Iterator[Client]:
    """Lend a client of a server; a ServerError says what it has refused, or that it is not there."""
    from arena.remote.client import connect  # gRPC takes its time to load, and most commands need no server

    with connect(server) as client:
        yield client


site_option = click.option(
    "--site",
    metavar="URL",
    help="Where the world finds the web page, such as https://arena.example; previews of links name it.",
)
