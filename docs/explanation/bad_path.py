"""One request whose path is not UTF-8 ends a server of grpc.aio; prints what happens to a bare one.

python docs/explanation/bad_path.py
"""

import asyncio
import contextlib
import socket
import sys

import grpc
import grpc.aio


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return a frame of HTTP/2."""
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


HEADERS = {
    b":method": b"POST",
    b":scheme": b"http",
    b":path": b"/\xff",
    b":authority": b"x",
    b"content-type": b"application/grpc",
    b"te": b"trailers",
}
BLOCK = b"".join(bytes((0, len(name))) + name + bytes((len(HEADERS[name]),)) + HEADERS[name] for name in HEADERS)
REQUEST = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0) + frame(1, 5, 1, BLOCK)


async def is_closed(port: int) -> bool:
    """Whether the port refuses connections within five seconds: gRPC closes it a little after the loop has died."""
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            return True
        await asyncio.sleep(0.01)
    return False


async def main() -> None:
    """Start a server, send it the request, and connect again."""
    died: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: died.append(repr(context["exception"])))
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST)
    said = b""
    while b"grpc-status" not in said and (data := await reader.read(1 << 16)):
        said += data
    writer.close()
    for _ in range(500):  # the loop hears of it when the failed task is collected
        if not died:
            await asyncio.sleep(0.01)
    found = "listens no longer" if await is_closed(port) else "still listens"
    for _ in range(2):  # the first time it raises again what it died of
        with contextlib.suppress(UnicodeDecodeError):
            await server.stop(None)
    sys.stdout.write(f"grpcio {grpc.__version__}: {', '.join(died) or 'nothing was raised'}; the server {found}\n")


if __name__ == "__main__":
    asyncio.run(main())
