"""A real server in a process of its own, and people with tokens who talk to it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc

from arena.bots.archive import pack
from arena.bots.directory import read_bot
from arena.store.database import open_store
from arena.store.token_secrets import create
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from arena.v1 import arena_pb2_grpc as rpc
from tests.parts import program as installed
from tests.patience import patience

ARENA = (sys.executable, "-m", "arena")
ON_ANY_MACHINE = "--allow-unsandboxed"
"""These tests are about the server, not about what holds bots: they run at the best level that a machine has."""
QUIETLY = ("--judge", "0")
"""No judge in the background, unless a test asks for one."""
PATIENCE_SECONDS = patience(30)
"""For whatever is still to come; nothing takes so long unless it never comes, however busy the machine is."""
ROOT = Path(__file__).parents[3]
RANDOM_BOT = ROOT / "sample_bots" / "python"


@dataclass
class Server:
    """A running server: where it listens, its database, and its log."""

    folder: Path
    process: subprocess.Popen[str]
    addresses: list[str]
    web: list[str]
    metrics: list[str] = field(default_factory=list)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def db(self) -> Path:
        return self.folder / "arena.db"

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_SECONDS)

    def token(self, name: str, role: str = "author") -> str:
        """Make a token while the server runs; the same name and role get the same one."""
        key = f"{name} {role}"
        if key not in self.tokens:
            store = open_store(self.db)
            _token, self.tokens[key] = create(store, name, Role(role), "today")
            store.close()
        return self.tokens[key]

    @contextmanager
    def stub(self) -> Iterator[rpc.ArenaServiceStub]:
        with grpc.insecure_channel(self.addresses[0]) as channel:
            yield rpc.ArenaServiceStub(channel)

    def call(self, method: str, request: Any, token: str | None) -> Any:
        """Make one call, as somebody or as nobody; what comes as a stream is returned as a list."""
        with self.stub() as stub:
            return drained(getattr(stub, method)(request, metadata=bearer(token), timeout=PATIENCE_SECONDS))

    def submit(self, name: str, content: bytes, token: str | None, **changes: Any) -> pb.SubmitBotResponse:
        response: pb.SubmitBotResponse = self.call("SubmitBot", parts(name, content, **changes), token)
        return response


def by_name(channel: grpc.Channel, method: str) -> Any:
    """A call that knows no messages: bytes in, bytes out."""
    unary: Any = channel.unary_unary
    return unary(f"/arena.v1.ArenaService/{method}")


def drained(answer: Any) -> Any:
    return list(answer) if hasattr(answer, "__next__") else answer


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    return () if token is None else (("authorization", f"Bearer {token}"),)


def parts(name: str, content: bytes, **changes: Any) -> Iterator[pb.SubmitBotRequest]:
    """The messages of a submission; `changes` are lies in its manifest."""
    honest: dict[str, Any] = {"name": name, "archive_size": len(content), "archive_sha256": sha256(content).hexdigest()}
    yield pb.SubmitBotRequest(manifest=pb.SubmissionManifest(**(honest | changes)))
    for start in range(0, len(content), 1 << 16):
        yield pb.SubmitBotRequest(chunk=content[start : start + (1 << 16)])


def arena(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [*ARENA, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
        env=os.environ | environment,
    )


def start(
    folder: Path,
    *options: object,
    listen: str = "127.0.0.1:0",
    sandbox: tuple[str, ...] = (ON_ANY_MACHINE,),
    descriptors: int | None = None,
    program: tuple[str, ...] = ARENA,
) -> Server:
    """Start a server, with at most this many descriptors if given, and return when it listens."""
    shell = () if descriptors is None else ("sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh")
    options = (*sandbox, *options)
    folder.mkdir(exist_ok=True)
    with (folder / "server.log").open("a") as log:
        process = subprocess.Popen(
            [
                *shell, *program, "serve", "--db", str(folder / "arena.db"), "--listen", listen, "--json", *QUIETLY,
                *map(str, options),
            ],
            stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True,
        )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        process.wait(timeout=PATIENCE_SECONDS)
        raise AssertionError((folder / "server.log").read_text())
    said = json.loads(line)
    return Server(folder, process, said["addresses"], said["web"], said["metrics"])


@contextmanager
def running(
    folder: Path,
    *options: object,
    sandbox: tuple[str, ...] = (ON_ANY_MACHINE,),
    descriptors: int | None = None,
    program: tuple[str, ...] = ARENA,
) -> Iterator[Server]:
    """Lend a server and end it in order."""
    server = start(folder, *options, sandbox=sandbox, descriptors=descriptors, program=program)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        assert server.process.stdout is not None
        server.process.stdout.close()


def bot_directory(folder: Path, name: str, *, games: str = '["toy"]', program: str | None = None) -> Path:
    """Make a bot: the random one under another name, or one with a program of its own."""
    bot = folder / name
    bot.mkdir(parents=True)
    (bot / "bot.toml").write_text(
        f'name = "{name}"\ngames = {games}\ncommand = ["python3", "bot.py"]\nconcurrency = 16\n'
    )
    if program is None:
        for file in RANDOM_BOT.glob("*.py"):
            shutil.copy(file, bot)
    else:
        (bot / "bot.py").write_text(program)
    return bot


def bot_archive(folder: Path, name: str, **kind: Any) -> bytes:
    return pack(bot_directory(folder, name, **kind))


PATIENTLY = """
import time
from pathlib import Path

GATE, PARENT, begun = Path(__file__).parent / "open", os.getppid(), set()


def patiently(prompt, dice):
    begun.add(prompt.match_id)
    while len(begun) > {matches} and not GATE.is_dir() and os.getppid() == PARENT:
        time.sleep(0.02)
    return at_random(prompt, dice)


if __name__"""
NO_HURRY = "time_control = {bank_ms = 3600000, cap_ms = 3600000, join_ms = 300000}\n"
"""Of a tournament in which a patient bot plays."""


@dataclass
class PatientBot:
    """A bot that holds a tournament up for as long as a test needs, however long that takes."""

    label: str
    gate: Path

    def go_on(self) -> None:
        """Let it play on."""
        self.gate.mkdir()


def enter_patient_bot(db: Path, folder: Path, matches: int = 1, games: str = '["toy"]') -> PatientBot:
    """Enter an operator's bot that plays `matches` matches at random at every referee, and then waits."""
    program = (RANDOM_BOT / "bot.py").read_text()
    waiting = program.replace("\nif __name__", PATIENTLY.format(matches=matches))
    waiting = waiting.replace("    main(at_random)", "    main(patiently)")
    place = bot_directory(folder, "patient", games=games, program=waiting)
    manifest = (place / "bot.toml").read_text()
    (place / "bot.toml").write_text(manifest.replace("concurrency = 16", "concurrency = 1"))
    bot = read_bot(place)
    store = open_store(db)
    store.bots.add(bot.label, "patient", bot.version, str(bot.path), bot.stored(), "today")
    store.close()
    return PatientBot(bot.label, place / "open")  # a directory is no part of a version


def wait_until(condition: Callable[[], object], why: Callable[[], str] = lambda: "it did not come to pass") -> None:
    """Look again and again until something is so."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, why()
        time.sleep(0.05)


def everything(db: Path) -> list[str]:
    """Return all that is in a database, as text."""
    connection = sqlite3.connect(db, timeout=PATIENCE_SECONDS)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a self-signed certificate for this machine's loopback address, and its key."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            installed("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=arena", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
            "-keyout", str(key), "-out", str(cert),
        ],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key
