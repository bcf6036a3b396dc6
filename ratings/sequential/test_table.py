"""T14.1: the seating of a test, block by block, drawn by public keys."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256

FILLERS = 6
"""T14.1: the most pool bots in the default list of fillers."""

FILLER_REACH = 200_000
"""T14.1: their largest distance from OLD, in milli-Elo."""


def copies_of(bot: str, copies: int) -> tuple[str, ...]:
    """T19.7: the name of a bot in the keys, with #1 and #2 appended if it sits twice."""
    return (bot,) if copies == 1 else tuple(f"{bot}#{number}" for number in range(1, copies + 1))


def seated_bot(label: str) -> str:
    """T19.7: the bot behind a label of `copies_of`."""
    return label.partition("#")[0]


def block_seating(
    test_id: str, block: int, new: str, old: str, fillers: Sequence[str], seats: int, copies: int = 1
) -> tuple[str, ...]:
    """T14.1: the bots of a block by base seat, drawn for every block; bots are version hashes in hex."""
    chosen = _drawn("fill", test_id, block, fillers)[: seats - 2 * copies]
    if len(chosen) < seats - 2 * copies:
        raise ValueError(f"T14.1: a table of {seats} needs {seats - 2 * copies} fillers, not {len(chosen)}")
    bots = (*copies_of(new, copies), *copies_of(old, copies), *chosen)
    if len(set(bots)) < len(bots):
        raise ValueError("T14.1: only copies may sit twice at the table of a test")
    return _drawn("seat", test_id, block, bots)


def _drawn(what: str, test_id: str, block: int, bots: Iterable[str]) -> tuple[str, ...]:
    """T19.7: by the whole SHA-256("what|test id|block|bot"), the smallest first, ties by the bot."""
    keyed = [(sha256(f"{what}|{test_id}|{block}|{bot}".encode()).digest(), bot) for bot in bots]
    return tuple(bot for _, bot in sorted(keyed))


def default_fillers(
    new: str, old: str, ratings: Mapping[str, int], house_bots: Collection[str], seats: int, copies: int = 1
) -> tuple[str, ...]:
    """T14.1 and T19.9: up to 6 bots of the pool nearest to OLD, within 200 Elo; house bots where they are too few.

    `ratings` are the fitted ratings of record in milli-Elo, by version hash. ValueError if too few bots are found.
    """
    needed = seats - 2 * copies
    if needed == 0:
        return ()
    near = []
    if old in ratings:
        distances = {bot: abs(rating - ratings[old]) for bot, rating in ratings.items() if bot not in (new, old)}
        near = sorted((distance, bot) for bot, distance in distances.items() if distance <= FILLER_REACH)[:FILLERS]
    chosen = [bot for _, bot in near]
    spare = [bot for bot in sorted(house_bots) if bot not in (new, old, *chosen)]
    chosen += spare[: max(0, needed - len(chosen))]
    if len(chosen) < needed:
        raise ValueError(
            f"T19.9: a table of {seats} needs {needed} other bots, but only {len(chosen)} are within"
            f" {FILLER_REACH // 1000} Elo of OLD or house bots"
        )
    return tuple(chosen)


def check_fillers(new: str, old: str, fillers: Sequence[str], seats: int, copies: int = 1) -> None:
    """T14.1: raise ValueError unless these fillers can sit at the tables of a test."""
    needed = seats - 2 * copies
    if len(set(fillers)) < len(fillers):
        raise ValueError("T14.1: a filler is named twice")
    if {new, old} & set(fillers):
        raise ValueError("T14.1: NEW and OLD cannot fill their own table")
    if len(fillers) < needed:
        raise ValueError(f"T14.1: a table of {seats} needs {needed} fillers, not {len(fillers)}")
