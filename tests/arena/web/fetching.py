"""Pages as any client fetches them."""

from __future__ import annotations

import re
import urllib.error
import urllib.request

SPOT = re.compile(r'<button type="button" class="spot"[^>]*>([^<]*)</button>')


def unpointed(text: str) -> str:
    """Return a page whose words are not cut by the names of places at which one can point."""
    return SPOT.sub(r"\1", text)


def get(address: str) -> tuple[int, str, dict[str, str]]:
    """Return status, text and headers of a page."""
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status, answer.read().decode(), {key.lower(): value for key, value in answer.headers.items()}
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), {key.lower(): value for key, value in error.headers.items()}
