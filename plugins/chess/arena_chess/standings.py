"""Results of games from elsewhere in the arena's own terms: pairs, fitted ratings, and a sequential test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

from arena_chess.pgn import ImportedGame

from ratings.fit.fit import Fit, fit
from ratings.points.result import Result
from ratings.sequential.evidence import CountedBlock, Pairs
from ratings.sequential.test import SequentialTest, judge, terms
from referee.mistakes import UserError

Pair = tuple[ImportedGame, ImportedGame]


def pairs_of(games: Iterable[ImportedGame]) -> tuple[list[Pair], list[ImportedGame]]:
    """Return the pairs of games with one opening and reversed colours, in order of their second games, and the rest.

    A game is paired with the first one that is still alone; games from the initial array are paired by their round,
    where the file names one ("3.1" and "3.2" are of round 3).
    """
    alone: dict[tuple[object, ...], list[ImportedGame]] = defaultdict(list)
    pairs: list[Pair] = []
    for game in games:
        round_name = game.round.partition(".")[0]
        key = (game.start, round_name, *game.players)
        if waiting := alone.get((game.start, round_name, *game.players[::-1])):
            pairs.append((waiting.pop(0), game))
        else:
            alone[key].append(game)
    single = sorted((game for waiting in alone.values() for game in waiting), key=lambda game: game.number)
    return pairs, single


def results_of(pairs: Sequence[Pair], single: Sequence[ImportedGame]) -> list[Result]:
    """Return games as the fit reads them: the two of a pair are one block."""
    paired = [
        Result(game.players, game.places, ("pgn", number, 1)) for number, pair in enumerate(pairs, 1) for game in pair
    ]
    return paired + [Result(game.players, game.places) for game in single]


def fitted(pairs: Sequence[Pair], single: Sequence[ImportedGame]) -> Fit:
    """T8.5: fit the ratings of all players."""
    results = results_of(pairs, single)
    if not results:
        raise UserError("there is no game to fit")
    return fit(results)


def block_of(pair: Pair) -> CountedBlock:
    """T2: a pair as a complete block: its bots are White and Black of its first game."""
    first, second = pair
    return CountedBlock(first.players, (first.places, second.places[::-1]))


def judged(
    pairs: Iterable[Pair], new: str, old: str, *, elo0: Decimal, elo1: Decimal, alpha: Decimal, beta: Decimal
) -> tuple[SequentialTest, Pairs, Counter[int]]:
    """T14: judge the pairs of two players in order, with their W-D-L and their pentanomial counts up to the verdict.

    The counts are by half-points of NEW in a pair, 0 to 4, as fishtest counts them.
    """
    blocks = [block_of(pair) for pair in pairs if {*pair[0].players} == {new, old}]
    if not blocks:
        raise UserError(f"there is no pair of games between {new} and {old}")
    agreed = terms(2, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta, max_blocks=len(blocks) + 1)
    test = judge(agreed, [block.difference(new, old) for block in blocks])
    counted, fives = Pairs(), Counter[int]()
    for block in blocks[: test.blocks]:
        found = block.pairs(new, old)
        counted = counted.plus(found)
        fives[2 * found.wins + found.draws] += 1
    return test, counted, fives


def five_counts(counts: Counter[int]) -> tuple[int, ...]:
    """Return pentanomial counts in order: pairs with 0, ½, 1, 1½ and 2 points for NEW."""
    return tuple(counts[half_points] for half_points in range(5))
