"""Mutations of bytes, by a seeded generator: the same seed tries the same things on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

TOKENS = (
    b"", b"\0", b"\xff", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", b"\n", b"{}", b"[]", b"null", b"-1", b"1e999",
    b"NaN", b"99999999999999999999", b'"', b"'", b"\\", b"../", b"/", b"%00", b"%ff", b"%2e%2e%2f", b"--", b"-h", b"=",
    b"@", b"*", "ä".encode(), "\u202e".encode(), b"\xed\xa0\x80", b"<script>", b"' OR 1=1 --", b"[" * 200, b"true",
    b"inf", b"2026-13-45",
)  # fmt: skip


def mutated(random: Random, seeds: Sequence[bytes]) -> bytes:
    """Return a seed with a few small changes, sometimes joined to another."""
    data = bytearray(random.choice(seeds))
    for _ in range(random.choice((1, 1, 1, 2, 4, 8))):
        at = random.randrange(len(data) + 1)
        end = min(len(data), at + random.choice((1, 1, 2, 4, 16, 64)))
        match random.randrange(7):
            case 0 if data:
                data[min(at, len(data) - 1)] ^= 1 << random.randrange(8)
            case 1:
                data[at:at] = random.choice(TOKENS)
            case 2:
                data[at:end] = random.choice(TOKENS)
            case 3:
                del data[at:end]
            case 4:
                data[at:at] = data[at:end] * random.choice((1, 2, 50))
            case 5:
                other = random.choice(seeds)
                cut = random.randrange(len(other) + 1)
                data[at:] = other[cut:]
            case _:
                data[at:at] = random.randbytes(random.randrange(1, 9))
    return bytes(data)


def many(seed: int, seeds: Sequence[bytes]) -> Iterator[bytes]:
    """Yield mutations without end."""
    random = Random(seed)
    while True:
        yield mutated(random, seeds)
