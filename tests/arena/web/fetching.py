"""Pages as any client fetches them."""

from __future__ import annotations

import urllib.error
import urllib.request


def get(address: str) -> tuple[int, str, dict[str, str]]:
    """Return status, text and headers of a page."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode(), {key.lower(): value for key, value in answer.headers.items()}
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), {key.lower(): value for key, value in error.headers.items()}
