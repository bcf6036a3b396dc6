"""The verifier process: records in by line on standard input, verdicts out by line on standard output.

In: {"id", "record"}. Out: {"id", "error"}, where the error is null for a record that replays to the byte.
"""

from __future__ import annotations

import json
import sys

from referee.record import RecordError, verify


def main() -> None:
    """Verify until the input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            verify(request["record"])
            error = None
        except RecordError as refused:
            error = str(refused)
        except Exception as broken:  # any failure of a forged record is its own fault; go on with the next
            error = f"it cannot be replayed: {broken!r}"
        sys.stdout.write(json.dumps({"id": request["id"], "error": error}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
