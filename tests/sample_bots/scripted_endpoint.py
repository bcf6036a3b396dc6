"""A chat-completions endpoint on this machine that says what it is told to say."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Answer: TypeAlias = tuple[int, bytes, float] | tuple[int, bytes, float, dict[str, str]]
"""A status, what is said, a delay in seconds, and perhaps headers."""


def completion(text: str, tokens: object = 7, **usage: object) -> bytes:
    plain = {"choices": [{"message": {"content": text}}], "usage": {"total_tokens": tokens} | usage}
    return json.dumps(plain).encode()


@contextmanager
def endpoint(
    *answers: Answer | Callable[[dict[str, Any]], bytes],
    before: Callable[[dict[str, Any]], None] = lambda _question: None,
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve answers in turn, each with its status and after a delay in seconds; the last one for ever after.

    An answer may be a function of the question.

    `before` is called with every question, and may wait as long as it likes; it has its turn after that.
    """
    asked: list[dict[str, Any]] = []
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            before(body)
            scripted = answers[min(len(asked), len(answers) - 1)]
            status, answer, seconds, *headers = (200, scripted(body), 0.0) if callable(scripted) else scripted
            asked.append({"path": self.path, "key": self.headers["authorization"]} | body)
            over.wait(seconds)
            try:
                self.send_response(status)
                for name, value in headers[0].items() if headers else ():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)
            except OSError:
                pass  # the client has gone

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions", asked
    finally:
        over.set()
        server.shutdown()
        server.server_close()
