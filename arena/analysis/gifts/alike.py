"""T21.10: which bots answer most alike, by the prompts on which others differ; a ranked list, never a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Any

from referee.game import AnyGame, Seat
from referee.record import How, Record, replay
from referee.rng import seeded


@dataclass(frozen=True, slots=True)
class RecordedPrompt:
    """A position from a record in which one seat has a choice."""

    game: AnyGame
    options: Any
    seats: int
    seat: Seat
    state: Any


@dataclass(frozen=True, slots=True)
class AlikePair:
    """How alike two bots answer."""

    bots: tuple[str, str]
    contested: int
    """Prompts that both answered and on which not everybody agreed."""
    agreed: int
    score: float


def prompt_of(record: Record) -> RecordedPrompt | None:
    """Return a prompt of a record, drawn by its digest: the first real choice from a random step on, if any."""
    if not record.steps:
        return None
    game = record.game
    first = seeded(int(record.result_digest, 16)).fork("prompt").index(len(record.steps))
    before = game.new(record.seats, record.header["seed"], record.options)
    for step, after, _events in replay(record):
        if step.number > first:
            for choice in step.choices:
                if choice.how is How.ANSWERED and len(game.legal_actions(before, choice.seat)) > 1:
                    return RecordedPrompt(game, record.options, record.seats, choice.seat, before)
        if step.number >= first:
            before = game.clone(after)
    return None


def alike_pairs(answers: Mapping[str, Sequence[str | None]]) -> list[AlikePair]:
    """T21.10: score all pairs of bots by their answers to the same prompts, the most alike first.

    Agreement weighs the more, the fewer of the others answer so. None stands for no answer.
    """
    prompts = list(zip(*answers.values(), strict=True))
    bots = list(answers)
    found = []
    for one, other in combinations(range(len(bots)), 2):
        contested = agreed = 0
        score = 0.0
        for given in prompts:
            counts = Counter(answer for answer in given if answer is not None)
            if given[one] is None or given[other] is None or len(counts) < 2:
                continue
            contested += 1
            if given[one] == given[other]:
                agreed += 1
                score -= log((counts[given[one]] - 2 + 1) / (sum(counts.values()) - 2 + 1))
        found.append(AlikePair((bots[one], bots[other]), contested, agreed, score / contested if contested else 0.0))
    return sorted(found, key=lambda pair: (-pair.score, pair.bots))
