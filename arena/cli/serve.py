"""arena serve: the arena's server."""

from __future__ import annotations

import gc
import json
import resource
import socket
import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import grpc
import trio

from arena.analysis.judgement import EFFORTS
from arena.analysis.keeping import judge_in_background
from arena.bots import archive
from arena.cli.options import (
    cluster_option,
    db_option,
    json_option,
    listen_option,
    log_options,
    pool_on,
    site_option,
    writing,
)
from arena.cli.tasks import signalled, unwrapped
from arena.plan.timetable import ScheduledTournament, read_timetable
from arena.play.live import LiveTournaments
from arena.play.local_pool import open_here
from arena.play.pool import OpenPool
from arena.sandbox.levels import SandboxPolicy, choose
from arena.sandbox.loopback import is_loopback
from arena.server import bridge, sturdy
from arena.server.metrics import MatchCounters, ServerGauges, app_of
from arena.server.remote import RemoteBots
from arena.server.scheduled import Clock, WallClock, keep_timetable
from arena.server.service import METHODS, SERVICE, Service
from arena.server.submissions import Submissions
from arena.server.survival import Listener, Serving
from arena.server.tests import QUOTA_GAMES, Tests
from arena.server.tournaments import Tournaments
from arena.server.watchdog import lag, watching
from arena.store.beside import bots_folder
from arena.store.database import Store
from arena.store.token_secrets import is_good
from referee.logs import configure_logs, log
from referee.mistakes import UserError
from referee.wire import SERVICE as PLAY_SERVICE


@dataclass(frozen=True, slots=True)
class Settings:
    """The server's settings at start."""

    db: Path
    listeners: tuple[Listener, ...]
    sockets: tuple[Path, ...] = ()
    public_address: str | None = None
    web: str | None = None
    site: str | None = None
    """Public URL of the site."""
    sandbox: SandboxPolicy = SandboxPolicy.REQUIRED
    timetable: tuple[ScheduledTournament, ...] = ()
    as_json: bool = False
    test_games: int = QUOTA_GAMES
    judge: int = 0
    """The effort at which matches of closed rounds are judged in the background; 0 is off."""
    open_pool: OpenPool = open_here
    metrics: str | None = None


@click.command("serve")
@listen_option("127.0.0.1:7494")
@click.option("--unix", type=click.Path(path_type=Path), help="Also listen on this unix socket.")
@click.option("--tls-cert", type=click.Path(path_type=Path), help="The certificate chain, PEM; needs --tls-key.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="The private key of the certificate, PEM.")
@click.option("--allow-plaintext", is_flag=True, help="Listen without TLS even where others could read the tokens.")
@click.option(
    "--allow-unsandboxed", is_flag=True, help="Run submitted bots even where the sandbox is not fit for them."
)
@click.option("--public-address", metavar="HOST:PORT", help="The address for remote bots, if not --listen.")
@click.option("--web", metavar="HOST:PORT", help="Also serve the web site, at this address.")
@site_option
@click.option("--metrics", metavar="HOST:PORT", help="Also serve metrics for Prometheus, at this address.")
@cluster_option
@click.option("--config", type=click.Path(path_type=Path), help="A file with the tournaments to start on a schedule.")
@click.option(
    "--test-games", default=QUOTA_GAMES, show_default=True, type=click.IntRange(0, 1_000_000_000),
    help="Test games per author and day.",
)  # fmt: skip
@click.option(
    "--judge", default=EFFORTS[0], show_default=True, type=click.IntRange(0, EFFORTS[-1]),
    help="Judge the matches of closed rounds in the background, at this effort and lowest priority; 0 turns it off.",
)  # fmt: skip
@log_options
@db_option
@json_option
def command(
    listen: str,
    unix: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    allow_plaintext: bool,
    allow_unsandboxed: bool,
    public_address: str | None,
    web: str | None,
    site: str | None,
    metrics: str | None,
    cluster: str | None,
    config: Path | None,
    test_games: int,
    judge: int,
    log_json: bool,
    log_level: str,
    db: Path,
    as_json: bool,
) -> None:
    """Run the arena's server: submissions, tournaments, results.

    It serves authors, organisers and spectators over gRPC until interrupted. Authors submit bots with `arena bots
    submit DIR --server ADDRESS`; create tokens for them with `arena tokens create`. Tournaments and tests interrupted
    by a stop are resumed.

    \b
    Example: arena serve --db autumn.db --web 127.0.0.1:8080
    """
    sturdy.quieten()
    configure_logs(log_level, as_json=log_json)
    log.load()
    timetable = () if config is None else read_timetable(config)
    credentials = _credentials(tls_cert, tls_key)
    host = _host(listen)
    if metrics is not None:
        from arena.web.serving import read_listen  # the web part is slow to import

        read_listen(metrics, "metrics")
    if credentials is None and not allow_plaintext and not is_loopback(host):
        advice = "expected --tls-cert and --tls-key, or --allow-plaintext"
        raise UserError(f"--listen: {listen} can be reached by others, who could read the tokens; {advice}")
    listeners = [Listener(listen, credentials)]
    if unix is not None:
        _free_socket(unix)
        listeners.append(Listener(f"unix:{unix.absolute()}"))
    open_pool = pool_on(cluster, must_answer=False)  # it may start after the server
    sandbox = SandboxPolicy.AUTO if allow_unsandboxed else SandboxPolicy.REQUIRED
    choose(sandbox)  # fails before anything starts
    _raise_descriptors()
    store = writing(db, create=True)
    sockets = () if unix is None else (unix,)
    settings = Settings(
        db, tuple(listeners), sockets, public_address, web, _site(site, web), sandbox, timetable, as_json, test_games,
        judge, open_pool, metrics,
    )  # fmt: skip
    trio.run(_serve, settings, store)


def _site(site: str | None, web: str | None) -> str | None:
    """Return the public URL of the site, checked."""
    if site is None:
        return None
    if web is None:
        raise UserError("--site: there is no web site; expected --web with it")
    from arena.web.previews import read_address  # the web part is slow to import

    return read_address(site, "--site")


def _raise_descriptors() -> None:
    """Raise the soft limit of file descriptors to the hard one: each connection costs one, and 1,024 run out soon."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _serve(settings: Settings, store: Store) -> None:
    try:
        with unwrapped(UserError, bridge.CannotListenError):
            async with signalled() as stopping:
                with watching(stopping):
                    async with trio.open_nursery() as nursery:
                        await nursery.start(serve_until, stopping, settings, store, WallClock())
                        # What has been loaded stays loaded: to look for garbage in it would hold up the loop for 40 ms.
                        gc.freeze()
    except bridge.CannotListenError as error:
        raise UserError(f"--listen: {error}") from None
    finally:
        for path in settings.sockets:
            with suppress(OSError):
                path.unlink()


async def serve_until(
    stopping: trio.Event,
    settings: Settings,
    store: Store,
    clock: Clock,
    *,
    task_status: trio.TaskStatus[list[str]] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until told to stop, then shut down in order; the addresses are reported once it listens."""
    folder = bots_folder(settings.db)
    archive.sweep(folder)
    async with trio.open_nursery() as running:
        live, counters = LiveTournaments(), MatchCounters()
        remote = RemoteBots(partial(is_good, store))
        tournaments = Tournaments(
            store=store, nursery=running, remote=remote, now=clock.now, sandbox=settings.sandbox,
            open_pool=settings.open_pool, timetable=settings.timetable, live=live, count=counters.stored,
        )  # fmt: skip
        submissions = Submissions(store, folder, settings.sandbox, clock.now)
        tests = Tests(
            store=store, nursery=running, remote=remote, now=clock.now, sandbox=settings.sandbox,
            open_pool=settings.open_pool, quota=settings.test_games,
        )  # fmt: skip
        service = Service(store, settings.db, submissions, tournaments, tests, remote)
        state = Serving()
        try:
            async with trio.open_nursery() as serving:
                bound: list[str] = await serving.start(
                    bridge.serve, SERVICE, tuple(METHODS), settings.listeners, service.answer, {PLAY_SERVICE: remote},
                    state,
                )  # fmt: skip
                service.public_address = settings.public_address or bound[0]
                pages = await _start_web(serving, settings, live, state) if settings.web else []
                metrics: list[str] = []
                if settings.metrics is not None:
                    gauges = ServerGauges(settings.db, choose(settings.sandbox), live, tournaments, tests, remote)
                    metrics = await _start_metrics(serving, settings.metrics, counters, gauges)
                await tournaments.go_on()
                await tests.go_on()
                serving.start_soon(keep_timetable, settings.timetable, tournaments, clock)
                if settings.judge:
                    serving.start_soon(judge_in_background, store, settings.judge)
                _announce(settings, bound, pages, metrics)
                task_status.started(bound)
                await stopping.wait()
                log.info("server.stopping")
                serving.cancel_scope.cancel()
            running.cancel_scope.cancel()
        finally:
            service.reader.close()
    log.info("server.stopped")


async def _start_web(nursery: trio.Nursery, settings: Settings, live: LiveTournaments, state: Serving) -> list[str]:
    from arena.web.app import create_app
    from arena.web.serving import serve

    assert settings.web is not None
    app = create_app(settings.db, live=live, address=settings.site, is_serving=lambda: state.is_serving)
    pages: list[str] = await nursery.start(partial(serve, app, settings.web, shutdown=trio.sleep_forever, option="web"))
    return pages


async def _start_metrics(
    nursery: trio.Nursery, listen: str, counters: MatchCounters, gauges: ServerGauges
) -> list[str]:
    from arena.web.serving import serve

    lag.observe = counters.late
    app = app_of(counters, gauges)
    found: list[str] = await nursery.start(partial(serve, app, listen, shutdown=trio.sleep_forever, option="metrics"))
    return found


def _announce(settings: Settings, bound: Sequence[str], pages: Sequence[str], metrics: Sequence[str]) -> None:
    if settings.as_json:
        click.echo(json.dumps({"addresses": bound, "web": pages, "metrics": metrics}))
    else:
        click.echo(f"The arena listens on {', '.join(bound)}")
        if pages:
            click.echo(f"The web site is at {', '.join(pages)}")
        if metrics:
            click.echo(f"Metrics are at {', '.join(metrics)}")
    log.info("server.started", addresses=bound, web=pages, metrics=metrics, sandbox=choose(settings.sandbox))


def _credentials(cert: Path | None, key: Path | None) -> Any:
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise UserError("--tls-cert: expected both --tls-cert and --tls-key, or neither")
    contents = []
    for option, file in (("--tls-key", key), ("--tls-cert", cert)):
        try:
            contents.append(file.read_bytes())
        except OSError as error:
            raise UserError(f"{option}: {file} cannot be read: {error.strerror}") from None
    return grpc.ssl_server_credentials([(contents[0], contents[1])])


def _host(listen: str) -> str:
    host, _, port = listen.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65_535:
        raise UserError(f"--listen: {listen!r} is not an address; expected HOST:PORT, such as 127.0.0.1:7494")
    return host.strip("[]")


def _free_socket(path: Path) -> None:
    """Remove the stale socket of a killed server; a UserError if it is anything else."""
    try:
        is_socket = stat.S_ISSOCK(path.lstat().st_mode)
    except FileNotFoundError:
        return
    if not is_socket:
        raise UserError(f"--unix: {path} already exists and is not a socket")
    with suppress(ConnectionRefusedError), socket.socket(socket.AF_UNIX) as other:
        other.connect(str(path))
        raise UserError(f"--unix: {path} is already in use")
    path.unlink()
