"""Regenerate the golden records and their stories.

    python -m tools.golden

A golden is a real record, as `arena replay show` reads it, of a match between random seats. A long match
is truncated and ends as voided. A commit that changes a golden says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from arena.bench.recorded_match import random_chooser, record_match
from arena.reports.story import Viewpoint, tell
from referee.order import MatchOrder, SeatOrder
from referee.record import verify

HERE = Path(__file__).parents[1] / "tests" / "golden"
EVERYTHING = Viewpoint(is_open=True)


@dataclass(frozen=True)
class Golden:
    """One golden match: the game, its set-up, and the number of steps before it is truncated."""

    slug: str
    seats: int
    seed: int
    max_steps: int
    options: dict[str, object] = field(default_factory=dict)
    told_to: Viewpoint = EVERYTHING
    file: str = ""  # for the second golden of a game

    @property
    def name(self) -> str:
        """Return the name of the match and of its files."""
        return self.file or self.slug

    @property
    def record_file(self) -> Path:
        """Return the path of the record."""
        return HERE / f"{self.name}.jsonl"

    @property
    def story_file(self) -> Path:
        """Return the path of the story."""
        return HERE / f"{self.name}.txt"


GOLDENS = (
    Golden("carcassonne_city", 2, 2, 60),
    Golden("furstenfeld", 2, 1, 60, {"variant": "advanced"}),
    Golden("norenberc", 2, 1, 80),
    Golden("nuremberg", 3, 2, 60, {"setup": "advanced"}),
    Golden("nuremberg", 4, 347, 60, {"setup": "beginner"}, file="nuremberg_beginner"),
    Golden("toy", 2, 1, 60, {}, Viewpoint(seat=1)),
)


def make_record(golden: Golden) -> str:
    """Play the match and return its record."""
    names = tuple(SeatOrder(f"seat{seat}", "") for seat in range(golden.seats))
    order = MatchOrder(f"golden-{golden.name}", golden.slug, golden.options, names, golden.seed)
    return record_match(order, random_chooser(golden.seed), golden.max_steps).record


def story_of(golden: Golden, record: str) -> str:
    """Return the story of a record as kept."""
    return "\n".join(tell(verify(record), golden.told_to)) + "\n"


def main() -> None:
    """Write every record and story."""
    for golden in GOLDENS:
        record = make_record(golden)
        golden.record_file.write_text(record, encoding="ascii")
        golden.story_file.write_text(story_of(golden, record), encoding="utf-8")


if __name__ == "__main__":
    main()
