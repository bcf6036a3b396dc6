"""How well gifts are found: planted pairs that collude, and clean fields in which nobody does (T21).

    python -m arena.bench.gifts
    python -m arena.bench.gifts --pieces build/gifts --seconds 120
    python -m arena.bench.gifts --full --pieces build/gifts

Bots are played in this process and valued from real records of four seats; every piece has a seed of its own and is
kept in the directory of pieces, so that a run can be resumed.

- Planted pairs, in short: the helper plays blocks with random mates, its boss among them as often as in a tournament.
  From the mean gift of a pair and the standard deviation of a block, pooled over the pairs, follows the number of
  blocks that a whole tournament needs to flag it with 90 % power. A pair is *found* if 400 are enough: computed, not
  played.
- With --full: whole tournaments of 400 blocks, ten pairs of each plant, and twenty clean fields. It takes hours.
- Clean fields: noise, tastes, leader-bashers, honest traders, and givers that accept nearly everything.

Two plants value otherwise than the detector, and have rows of their own. Pairs and fields are held to their targets in
the full design only, the time always; the exit code is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf, sqrt
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any

from arena.analysis.gifts.pairs import GIFT_MARGIN, LEVEL, THROW_MARGIN, PlayedMatch, gift_table
from arena.analysis.gifts.valuing import value_match
from arena.bench.figures import Figures, Targets, Value, save
from arena.bench.gift_players import OTHER_VALUES, Plant, Player, Table, collude, honest
from arena.bench.recorded_match import record_match
from referee.game import Decision
from referee.games import GAMES
from referee.order import MatchOrder, SeatOrder
from referee.rng import seeded

SEATS = 4
TOURNAMENT_BLOCKS = 400
POWER = 0.9
CLEAN = "clean"
TARGETS = {
    ("nuremberg", Plant.FIRST): 9,
    ("nuremberg", Plant.FEEDING): 9,
    ("nuremberg", Plant.SOFT): 8,
    ("carcassonne_city", Plant.SOFT): 8,
    ("nuremberg", Plant.THROWING): 9,
}
"""Pairs of ten to be found."""
DESIGN: tuple[tuple[str, int, tuple[Plant, ...]], ...] = (
    ("nuremberg", 12, (Plant.FEEDING, Plant.SOFT, Plant.THROWING, Plant.FIRST)),
    ("carcassonne_city", 8, (Plant.SOFT,)),
    ("nuremberg", 12, OTHER_VALUES),
    ("carcassonne_city", 8, (Plant.SCORES,)),
)
"""Game, number of bots, and what is planted."""
MAX_FLAGGED_FIELDS, CLEAN_FIELDS = 1, 20
MAX_SECONDS = 0.3
HELPER, BOSS = "helper", "boss"


@dataclass(frozen=True, slots=True)
class Piece:
    """One simulation: a game, what is planted, and the number of the pair or field."""

    game: str
    plant: str
    number: int
    bots: int
    blocks: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.game}-{self.plant.replace(' ', '_')}-{self.number}-{self.bots}-{self.blocks}"


@dataclass
class Found:
    """What a piece came to."""

    game: str
    plant: str
    number: int
    bots: int
    blocks: int
    matches: int = 0
    seconds: float = 0.0
    """Processor time of valuing, of all matches."""
    shared: int = 0
    one: float = 0.0
    one_sd: float = 0.0
    two: float = 0.0
    two_sd: float = 0.0
    drop: float = 0.0
    drop_error: float = 0.0
    is_pair_flagged: bool = False
    others_flagged: int = 0
    largest_honest: float = 0.0
    """The largest mean gift of a pair that does not collude."""


def pieces(*, is_full: bool) -> Iterator[Piece]:
    """Yield every piece of the design, the short ones of all plants before the second of any."""
    for number in range(10):
        for game, bots, plants in DESIGN:
            for plant in plants:
                if is_full or number < 3 or (game, plant) in TARGETS:
                    yield Piece(game, plant, number, bots, TOURNAMENT_BLOCKS if is_full else _short(bots))
        for field_number in (2 * number, 2 * number + 1) if is_full else (number,) if number < 2 else ():
            yield Piece("nuremberg", CLEAN, field_number, 12, TOURNAMENT_BLOCKS if is_full else 48)


def _short(bots: int) -> int:
    """Return how many blocks of a helper have three with its boss, as in a tournament of this size."""
    return bots - 1


def tables_of(piece: Piece, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the bots of every block."""
    rng = seeded(piece.number).fork(f"tables {piece.game} {piece.plant}")
    if piece.plant == CLEAN or piece.blocks >= TOURNAMENT_BLOCKS:
        seated: list[list[str]] = []
        while len(seated) < piece.blocks:
            order = list(names)
            rng.shuffle(order)
            seated += [order[first : first + SEATS] for first in range(0, len(order) - SEATS + 1, SEATS)]
        yield from seated[: piece.blocks]
        return
    others = [name for name in names if name not in (HELPER, BOSS)]
    for block in range(piece.blocks):
        rng.shuffle(others)
        with_boss = block * (SEATS - 1) // piece.blocks != (block + 1) * (SEATS - 1) // piece.blocks
        table = [HELPER, *([BOSS] if with_boss else []), *others][:SEATS]
        rng.shuffle(table)
        yield table


def players_of(piece: Piece) -> dict[str, Player]:
    """Return the bots of a piece by name."""
    rng = seeded(1_000 + piece.number).fork(f"bots {piece.game} {piece.plant}")
    lead = GAMES[piece.game].scale.lead
    names = [f"bot{number}" for number in range(piece.bots)]
    if piece.plant != CLEAN:
        names[:2] = [HELPER, BOSS]
    players = {name: honest(name, rng.fork(name), lead) for name in names}
    if piece.plant != CLEAN:
        collude(Plant(piece.plant), players[HELPER], players[BOSS])
    return players


def play(players: dict[str, Player], piece: Piece, seating: Sequence[str], seed: int) -> str:
    """Play a match and return its record."""
    game = GAMES[piece.game]
    heuristic = game.heuristic()
    assert heuristic is not None, "the games of the benchmark have one"
    table = Table(game, heuristic, {name: seat for seat, name in enumerate(seating)})

    def choose(state: Any, decision: Decision, options: Sequence[Any]) -> int:
        return players[seating[decision.seat]].choose(table, state, decision, options)

    seats = tuple(SeatOrder(name, "") for name in seating)
    return record_match(MatchOrder(f"{piece.name}-{seed}", piece.game, {}, seats, seed), choose).record


def run(piece: Piece) -> Found:
    """Play and value a piece."""
    players = players_of(piece)
    found = Found(**asdict(piece))
    matches = []
    for block, table in enumerate(tables_of(piece, list(players)), start=1):
        for rotation in range(SEATS):
            seating = [table[(seat - rotation) % SEATS] for seat in range(SEATS)]
            seed = seeded(piece.number).fork(f"{piece.game} {piece.plant} {block} {rotation}").next64() >> 1
            text = play(players, piece, seating, seed)
            begun = time.process_time()
            matches.append(PlayedMatch(f"{block}-{rotation}", (block, 1), value_match(text)))
            found.seconds += time.process_time() - begun
    found.matches = len(matches)
    tested = gift_table(matches, min_blocks=5 if piece.blocks >= TOURNAMENT_BLOCKS else 2)
    is_throwing = piece.plant == Plant.THROWING
    for pair in tested.gifts:
        if (pair.giver, pair.receiver) == (HELPER, BOSS):
            found.shared, found.one, found.two = pair.blocks, pair.one.mean, pair.two.mean
            found.one_sd, found.two_sd = (test.error * sqrt(pair.blocks) for test in (pair.one, pair.two))
            found.is_pair_flagged |= pair.is_flagged and not is_throwing
        elif (pair.giver, pair.receiver) != (BOSS, HELPER):
            found.others_flagged += pair.is_flagged
            if pair.blocks >= 5:
                found.largest_honest = max(found.largest_honest, pair.one.mean)
    for thrown in tested.throws:
        if (thrown.thrower, thrown.beside) == (HELPER, BOSS):
            found.drop, found.drop_error = thrown.drop.mean, thrown.drop.error
            found.is_pair_flagged |= thrown.is_flagged and is_throwing
        else:
            found.others_flagged += thrown.is_flagged and thrown.thrower != HELPER
    return found


def blocks_needed(mean: float, sd: float, margin: float, bots: int) -> float:
    """Return the blocks of a tournament after which a pair with this mean is flagged with 90 % power."""
    if mean <= margin:
        return inf
    normal = NormalDist()
    level, power = normal.inv_cdf(1 - LEVEL / (bots * (bots - 1))), normal.inv_cdf(POWER)
    shared = ((level + power) * sd / (mean - margin)) ** 2 + level**2 / 2
    return max(shared, 5) / share_of_blocks(bots)


def share_of_blocks(bots: int) -> float:
    """Return in which share of all blocks two bots of a tournament share a table of four."""
    return SEATS * (SEATS - 1) / (bots * (bots - 1))


def needed_of(found: Sequence[Found], each: Found) -> float:
    """Return the blocks that one pair of a plant needs, with standard deviations pooled over its pairs."""
    if each.plant == Plant.THROWING:
        sd = _pooled([one.drop_error * sqrt(max(2, one.shared)) for one in found])
        return blocks_needed(each.drop, sd, THROW_MARGIN, each.bots)
    one = blocks_needed(each.one, _pooled([pair.one_sd for pair in found]), GIFT_MARGIN, each.bots)
    return max(one, blocks_needed(each.two, _pooled([pair.two_sd for pair in found]), GIFT_MARGIN, each.bots))


def _pooled(deviations: Sequence[float]) -> float:
    return sqrt(fmean(sd**2 for sd in deviations))


def report(found: Sequence[Found], targets: Targets) -> dict[str, Figures]:
    """Print what was found and return it as tables."""
    planted = Figures(
        ("game, plant", "pairs", "shared blocks", "gift (block sd)", "drop of own play", "blocks needed", "found")
    )
    apart = Figures(planted.columns)
    kinds = dict.fromkeys((each.game, each.plant) for each in found if each.plant != CLEAN)
    for game, plant in kinds:
        own = [each for each in found if (each.game, each.plant) == (game, plant)]
        is_full = all(each.blocks >= TOURNAMENT_BLOCKS for each in own)
        needed = sorted(needed_of(own, each) for each in own)
        hits = sum(each.is_pair_flagged for each in own) if is_full else sum(n <= TOURNAMENT_BLOCKS for n in needed)
        row: list[Value] = [
            f"{game}, {plant}, {own[0].bots} bots",
            len(own),
            sum(each.shared for each in own),
            f"{fmean(each.one for each in own):.3f} ({_pooled([each.one_sd for each in own]):.3f})",
            f"{fmean(each.drop for each in own):.3f}",
            f"{_rounded(needed[0])} to {_rounded(needed[-1])}",
            f"{hits} of {len(own)}{'' if is_full else ', computed'}",
        ]
        (apart if plant in OTHER_VALUES or (game, plant) not in TARGETS else planted).add(*row)
        if (game, plant) in TARGETS:
            at_least = TARGETS[game, Plant(plant)]
            said = f"{game}, {plant}: {hits} of {len(own)} pairs found, at least {at_least} of 10"
            targets.check(said, 10 * hits >= at_least * len(own) if is_full else None)
    clean = Figures(("game", "fields", "blocks of each", "fields flagged", "pairs flagged", "largest honest gift"))
    for game in dict.fromkeys(each.game for each in found if each.plant == CLEAN):
        own = [each for each in found if (each.game, each.plant) == (game, CLEAN)]
        flagged = sum(each.others_flagged > 0 for each in own)
        largest = max(each.largest_honest for each in own)
        clean.add(game, len(own), own[0].blocks, flagged, sum(each.others_flagged for each in own), f"{largest:.3f}")
        allowed = max(MAX_FLAGGED_FIELDS, MAX_FLAGGED_FIELDS * len(own) // CLEAN_FIELDS)
        is_full = len(own) >= CLEAN_FIELDS and all(each.blocks >= TOURNAMENT_BLOCKS for each in own)
        said = f"{flagged} of {len(own)} clean fields flagged, at most {allowed}"
        targets.check(said, flagged <= allowed if is_full else None)
    cost = Figures(("game", "matches", "CPU-s per match"))
    for game in dict.fromkeys(each.game for each in found):
        own = [each for each in found if each.game == game]
        matches = sum(each.matches for each in own)
        seconds = sum(each.seconds for each in own) / matches
        cost.add(game, matches, round(seconds, 3))
        targets.check(f"{game}: {seconds:.3f} CPU-s per match, at most {MAX_SECONDS}", seconds <= MAX_SECONDS)
    return {"planted": planted, "other_values": apart, "clean": clean, "cost": cost}


def _rounded(blocks: float) -> str:
    return "never" if blocks == inf else f"{round(blocks):,}"


def main() -> None:
    """Run the pieces that are missing, as long as there is time, and report all that there are."""
    parser = argparse.ArgumentParser(description="Planted pairs and clean fields for arena gifts.")
    parser.add_argument("--full", action="store_true", help="whole tournaments of 400 blocks: hours")
    parser.add_argument("--pieces", type=Path, help="directory of finished pieces, to resume")
    parser.add_argument("--seconds", type=float, default=inf, help="processor seconds after which no piece begins")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if given.pieces is None else given.pieces
        folder.mkdir(parents=True, exist_ok=True)
        found = []
        for piece in pieces(is_full=given.full):
            file = folder / f"{piece.name}.json"
            if not file.exists() and time.process_time() < given.seconds:
                file.write_text(json.dumps(asdict(run(piece))), encoding="utf-8")
            if file.exists():
                found.append(Found(**json.loads(file.read_text(encoding="utf-8"))))
    targets = Targets()
    save("gifts", report(found, targets))
    sys.exit(targets.exit_code)


if __name__ == "__main__":
    main()
