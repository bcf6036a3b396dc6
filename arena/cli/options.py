"""Options that many verbs share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.bots.level import MAX_LEVEL
from arena.remote.address import ServerAddress
from arena.store.database import DEFAULT_DB, Store, open_store, open_to_read

if TYPE_CHECKING:
    from arena.bots.directory import Bot
    from arena.play.pool import OpenPool
    from arena.remote.client import Client

T = TypeVar("T")
LEVELS = click.Choice(["debug", "info", "warning", "error"])
FILE = click.Path(dir_okay=False, path_type=Path)

db_option = click.option("--db", type=FILE, default=DEFAULT_DB, show_default=True, help="The database file.")
quiet_option = click.option(
    "--quiet", "-q", "is_quiet", is_flag=True, help="Show no progress and no log lines, only results and errors."
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS|FILE", help="Play matches on the Dask cluster with this scheduler address or file."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
game_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; see arena games show."
)
level_option = click.option(
    "--level", "levels", multiple=True, type=click.IntRange(1, MAX_LEVEL), metavar="N",
    help="The rung of the game's ladder at this level, as --bot level:N; takes the seats after the bots.",
)  # fmt: skip
time_option = click.option(
    "--time", "times", multiple=True, metavar="KEY=MS",
    help="Time control, e.g. bank_ms=60000, increment_ms=500, cap_ms=10000.",
)  # fmt: skip
site_option = click.option(
    "--site", metavar="URL", help="Public URL of the site, such as https://arena.example, for link previews."
)


def database_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command on a database only, which gets `db` and `as_json`."""
    return db_option(json_option(function))


def listen_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a command that serves choose its address."""
    about = "Where to listen; port 0 picks a free one."
    return click.option("--listen", default=default, show_default=True, metavar="HOST:PORT", help=about)


def log_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add logging options to a long-running command, which gets `log_json` and `log_level`."""
    function = click.option("--log-level", default="info", show_default=True, type=LEVELS)(function)
    return click.option("--log-json", is_flag=True, help="Log JSON lines instead of text.")(function)


def pool_on(cluster: str | None, *, must_answer: bool = True) -> OpenPool:
    """Return a function that opens pools on the cluster, if one was given, otherwise on this machine."""
    if cluster is None:
        from arena.play.local_pool import open_here

        return open_here
    check_cluster(cluster, must_answer=must_answer)
    from arena.cluster.pool import on_cluster

    return on_cluster(cluster)


def check_cluster(cluster: str, *, must_answer: bool = True) -> None:
    """Refuse a cluster without Dask, without an address, or without a scheduler that must answer now."""
    from arena.cluster.address import require_engine, scheduler_address

    require_engine("cluster")
    scheduler_address(cluster, "cluster")  # fails before anything is stored
    from arena.cluster.engine import check_answers

    if must_answer:
        check_answers(cluster, "cluster")


def check_sendable(cluster: str | None, bots: Iterable[Bot]) -> None:
    """Refuse bots that cannot be sent to the cluster, if there is one."""
    if cluster is not None:
        from arena.cluster.pool import check_bots

        check_bots(bots)


def reading(db: Path) -> Store:
    """Open a database to read until the command ends."""
    return _until_the_end(open_to_read(db))


def writing(db: Path, *, create: bool = False) -> Store:
    """Open a database to write until the command ends."""
    return _until_the_end(open_store(db, create=create))


def _until_the_end(store: Store) -> Store:
    click.get_current_context().call_on_close(store.close)
    return store


def server_options(
    function: Callable[..., Any], asked: str = "Ask this server (HOST:PORT or unix:PATH) instead of a database."
) -> Callable[..., Any]:
    """Add server options to a command, which gets `server`, None without --server."""

    @click.option("--server", metavar="ADDRESS", envvar="ARENA_SERVER", help=asked)
    @click.option("--token", envvar="ARENA_TOKEN", help="Your token on the server; prefer the ARENA_TOKEN variable.")
    @click.option("--tls-ca", type=FILE, help="The certificate to trust (default: the system's).")
    @click.option(
        "--allow-plaintext", is_flag=True, help="Send the token without TLS over a network that others could read."
    )
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


def connect(server: ServerAddress) -> AbstractContextManager[Client]:
    """Connect to a server; a ServerError carries its refusal, or says that it cannot be reached."""
    from arena.remote.client import connect  # gRPC is slow to import, and most commands need no server

    return connect(server)


@dataclass(frozen=True, slots=True)
class Source:
    """A command's database, and the server to ask instead, if one was given."""

    db: Path
    server: ServerAddress | None

    def ask(
        self, here: Callable[[Store], T], there: Callable[[Client], T], opened: Callable[[Path], Store] = reading
    ) -> T:
        """Return the answer from the server, if one was given, otherwise from the database."""
        if self.server is None:
            return here(opened(self.db))
        with connect(self.server) as client:
            return there(client)


def source_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a command that answers from a database or a server: it gets `source` and `as_json`."""

    @server_options
    @database_options
    @functools.wraps(function)
    def with_source(*arguments: Any, server: ServerAddress | None, db: Path, **values: Any) -> Any:
        return function(*arguments, source=Source(db, server), **values)

    return with_source
