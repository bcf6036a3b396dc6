"""Learning in torch: autograd, so that the network can be changed without deriving a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from arena.lab.example.network import FORGETTING, STEADIER, STEP, Array, Lesson, Weights

torch.set_num_threads(1)  # every playing process has its own core


def gradient(weights: Weights, lessons: Sequence[Lesson]) -> list[Array]:
    """Return the policy gradient of the lessons, part by part, each choice weighted by its advantage."""
    parts = [torch.from_numpy(part).requires_grad_() for part in weights.parts()]
    if lessons:
        (_likelihood(parts, lessons) * torch.tensor([lesson.worth for lesson in lessons])).sum().backward()
    return [np.zeros_like(kept) if part.grad is None else part.grad.numpy()
            for part, kept in zip(parts, weights.parts(), strict=True)]  # fmt: skip


def _likelihood(parts: Sequence[Any], lessons: Sequence[Lesson]) -> Any:
    """Return the log-likelihood of every choice; the options of all lessons are rated in one batch."""
    view, option, bias, hidden, direct = parts
    seen = torch.from_numpy(np.stack([lesson.seen for lesson in lessons]))
    rows = torch.from_numpy(np.concatenate([lesson.rows for lesson in lessons]))
    counts = torch.tensor([len(lesson.rows) for lesson in lessons])
    owner = torch.repeat_interleave(torch.arange(len(lessons)), counts)
    chosen = torch.cumsum(counts, 0) - counts + torch.tensor([lesson.chosen for lesson in lessons])
    ratings = torch.tanh((seen @ view)[owner] + rows @ option + bias) @ hidden + rows @ direct
    highest = torch.zeros(len(lessons)).scatter_reduce(0, owner, ratings.detach(), "amax", include_self=False)
    total = torch.zeros(len(lessons)).index_add(0, owner, torch.exp(ratings - highest[owner]))
    return ratings[chosen] - highest - torch.log(total)


class Climber:
    """Torch's Adam, on the same memory as the weights."""

    def __init__(self, weights: Weights) -> None:
        self._parts = [torch.from_numpy(part).requires_grad_() for part in weights.parts()]
        self._adam = torch.optim.Adam(self._parts, lr=STEP, betas=FORGETTING, eps=STEADIER, maximize=True)

    def climb(self, slopes: Sequence[Array]) -> None:
        """Take one step, in place."""
        for part, slope in zip(self._parts, slopes, strict=True):
            part.grad = torch.from_numpy(slope)
        self._adam.step()
