"""Records as tests compare them."""

from __future__ import annotations

import json


def without_times(text: str) -> str:
    """Return a record reduced to what happened: no times, no comments, and so no seals."""
    lines = []
    for line in text.splitlines():
        plain = json.loads(line)
        lines.append(json.dumps({key: plain[key] for key in plain if key not in ("times_us", "comments", "seal")}))
    return "\n".join(lines) + "\n"
