"""Opens every kind of connection but the one that it has."""

import os
import socket

from player import TARGETS, attempt, begin, play


def connect(family: int, address: tuple[str, int] | str, kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(family, kind) as out:
        out.settimeout(2)
        out.connect(address)
        out.send(b"hello")


begin()
attempt("tcp", lambda: connect(socket.AF_INET, ("127.0.0.1", TARGETS["tcp"])))
attempt("tcp by name", lambda: socket.create_connection(("localhost", TARGETS["tcp"]), timeout=2))
attempt("tcp to the world", lambda: connect(socket.AF_INET, ("192.0.2.1", 80)))
# Sending to its own empty loopback is no breach: the test looks whether anything has arrived.
try:
    connect(socket.AF_INET, ("127.0.0.1", TARGETS["udp"]), socket.SOCK_DGRAM)
except OSError as error:
    print(f"held: udp: {error}", flush=True)
attempt("udp to the world", lambda: connect(socket.AF_INET, ("192.0.2.1", 53), socket.SOCK_DGRAM))
attempt("unix socket", lambda: connect(socket.AF_UNIX, TARGETS["unix"]))
attempt("abstract socket", lambda: connect(socket.AF_UNIX, "\0" + TARGETS["abstract"]))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM))
attempt("netlink", lambda: socket.socket(16, socket.SOCK_RAW))
attempt("packet", lambda: socket.socket(17, socket.SOCK_RAW))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("remove the referee's socket", lambda: os.unlink("/referee/socket"))
attempt("replace the referee's socket", lambda: os.rename("/referee/socket", "/referee/gone"))
play()
