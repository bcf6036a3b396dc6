"""The verifier process: records on standard input, verdicts on standard output, one per line.

In: {"id", "record"}. Out: {"id", "error"}, where the error is null for a record that replays to the byte.
"""

from __future__ import annotations

import json
import sys

from referee.record import RecordError, verify
from referee.standard_output import say_line


def main() -> None:
    """Verify until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            verify(request["record"])
            error = None
        except RecordError as refused:
            error = str(refused)
        except Exception as broken:  # a forged record may cause any error; continue with the next
            error = f"it cannot be replayed: {broken!r}"
        say_line({"id": request["id"], "error": error})


if __name__ == "__main__":
    main()
