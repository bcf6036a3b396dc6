"""Slips: in a share of its decisions the bot takes any option, each with equal chance."""

from __future__ import annotations

import argparse
from hashlib import blake2b

from referee.rng import Rng


def slip(match_id: str, seat: int, prompt_id: int, options: int, noise: int) -> int | None:
    """Return the option of a slip, None if there is none; the same for the same match, seat and prompt."""
    name = f"{match_id}/{seat}/{prompt_id}"
    dice = Rng(int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big"))
    return dice.index(options) if dice.index(100) < noise else None


def noise_of(arguments: list[str]) -> int:
    """Read the command line: `--noise N`, the slips in a hundred decisions."""
    parser = argparse.ArgumentParser(description="Play by the heuristic, with slips.")
    parser.add_argument("--noise", type=int, required=True, help="slips in a hundred decisions")
    noise: int = parser.parse_args(arguments).noise
    if not 0 <= noise <= 100:
        parser.error("expected --noise from 0 to 100")
    return noise
