"""A worker that lies: the real one, with what it answers changed on its way out.

python -m tests.arena.cluster.lying_worker LIE ADDRESS OPTIONS…
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from arena.cli import main
from arena.cluster import task
from arena.cluster.task import Plain

honest = task.play_chunk


def swapped(answer: Plain) -> None:
    """Let the last come first."""
    for result in answer["results"]:
        result["ranks"] = result["ranks"][::-1]


def exchanged(answer: Plain) -> None:
    """Tell the record of another match."""
    records = [result["record"] for result in answer["results"]]
    for result, record in zip(answer["results"], records[1:] + records[:1], strict=True):
        result["record"] = record


def forged(answer: Plain) -> None:
    """Change a choice within the record."""
    for result in answer["results"]:
        text = zlib.decompress(result["record"]).replace(b'"how":"answered"', b'"how":"forced"', 1)
        result["record"] = zlib.compress(text)


def garbage(answer: Plain) -> None:
    """Answer with what is no result at all."""
    answer["results"] = [7, {"match_id": None}, {"record": b"x"}, *([] for _ in answer["results"])]


def silent(answer: Plain) -> None:
    """Leave results out."""
    answer["results"] = []


LIES: Mapping[str, Callable[[Plain], None]] = {
    lie.__name__: lie for lie in (swapped, exchanged, forged, garbage, silent)
}
told = itertools.cycle(LIES)


def lying(chunk: Plain, archives: Mapping[str, bytes]) -> Plain:
    """Play honestly and tell something else: one lie after another."""
    answer = honest(chunk, archives)
    if "results" in answer:
        lie = next(told)
        print("told", lie, flush=True)
        LIES[lie](answer)
    return answer


def with_foreign_code(chunk: Plain, archives: Mapping[str, bytes]) -> Plain:
    """Play with other code under the label of each bot: it takes the last option, always."""
    if archives:
        honest({**chunk, "orders": []}, archives)
        for bot in Path(task.host_here().ready["incoming"]).parent.glob("bots/*/bot.py"):
            text = bot.read_text("utf-8").replace("dice.randrange(prompt.option_count)", "prompt.option_count - 1")
            os.chmod(bot, 0o755)
            bot.write_text(text, "utf-8")
            shutil.rmtree(bot.parent / "__pycache__", ignore_errors=True)
    return honest(chunk, {})


if __name__ == "__main__":
    # Dask looks a task up by its name: what is there under that name is what this worker runs.
    task.play_chunk = with_foreign_code if sys.argv[1] == "foreign" else lying
    sys.argv = ["arena", "worker", *sys.argv[2:]]
    main()
