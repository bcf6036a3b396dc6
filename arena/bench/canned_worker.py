"""A worker that plays nothing: it answers immediately with a canned match, adapted to the order.

    python -m arena.bench.canned_worker RESULT ADDRESS OPTIONS…

The rest is the arena's work: splitting, sending, checking, storing, rating. RESULT is a result as JSON; a record
made from it agrees with order and result, but does not replay.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.cli import main
from arena.cluster import task
from arena.cluster.task import Plain
from arena.store.matches import pack_record
from referee.record import bound_header


def dressed_up(order: Plain, played: Plain) -> Plain:
    """Return a result of this order with an arbitrary winner."""
    first, *lines, last = str(played["record"]).splitlines()
    header: Plain = json.loads(first)
    header |= {key: order[key] for key in ("match_id", "seed", "time_control")}
    header["bots"] = [f"{name}@{version[:12]}" for name, version in order["bots"]]
    header |= bound_header(order["terms"], [version for _name, version in order["bots"]])
    end: Plain = json.loads(last)
    ranks = list(range(1, len(order["bots"]) + 1))
    random.Random(order["match_id"]).shuffle(ranks)
    end["result"] |= {"ranks": ranks, "scores": [10 - rank for rank in ranks]}
    end["digest"] = sha256(order["match_id"].encode()).hexdigest()
    record = "\n".join([_line(header), *lines, _line(end)]) + "\n"
    claimed = {key: end["result"][key] for key in ("ranks", "scores")}
    claimed |= {"match_id": order["match_id"], "digest": end["digest"]}
    return {**played, **claimed, "record": pack_record(record), "printed": {}, "sandbox": "default"}


def _line(plain: Plain) -> str:
    return json.dumps(plain, separators=(",", ":"))


def answering(played: Plain) -> Any:
    """Return the substitute for play_chunk."""

    def answer(chunk: Plain, _archives: Mapping[str, bytes]) -> Plain:
        from distributed import get_worker

        worker = get_worker()
        results = [dressed_up(order, played) for order in chunk["orders"]]
        return {"worker": str(worker.name), "address": worker.address, "calibration": 1, "results": results}

    return answer


if __name__ == "__main__":
    # Dask looks a task up by name: this worker runs whatever has that name.
    task.play_chunk = answering(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    sys.argv = ["arena", "worker", *sys.argv[2:]]
    main()
