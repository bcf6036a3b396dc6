"""How well gifts are found: planted pairs that collude, and clean fields in which nobody does (T21).

    python -m arena.bench.gifts                                      # all of it: an hour of CPU time, compiled
    python -m arena.bench.gifts --pieces build/gifts --seconds 120   # in pieces: run it again until it ends
    python -m arena.bench.gifts --seed 3                             # other pairs and other fields

Bots are played in this process and valued from real records of four seats. Every pair and field has a seed of its own,
and all of them are played for a third of their blocks before any is played on; valued matches are kept in the directory
of pieces, so that a run can be resumed. A report counts what there is.

- Planted pairs: the blocks of the helper in a tournament of 400 blocks are played, with random mates, and with its boss
  as often as there: 133 blocks of 12 bots, 36 of them with the boss, or 200 of 8 bots, 85 with it. The other blocks of
  the tournament say nothing about the pair, and are left out. A pair is found if it would be flagged among all ordered
  pairs of that tournament, even if it is the only one (T21.6); a pair found after one or two thirds is not played on.
- Clean fields: whole tournaments of 400 blocks and 12 bots, with noise, tastes, leader-bashers, honest traders, and
  givers that accept nearly everything.

Two plants value otherwise than the detector, and have rows of their own. A target is checked once all that it asks for
has been played, the time always; the exit code is 1 if one is missed.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from math import inf, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from arena.analysis.gifts.pairs import LEVEL, PlayedMatch, gift_table
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
CLEAN = "clean"
TARGETS = {
    ("nuremberg", Plant.FIRST): 9,
    ("nuremberg", Plant.FEEDING): 9,
    ("nuremberg", Plant.SOFT): 8,
    ("carcassonne_city", Plant.SOFT): 8,
    ("nuremberg", Plant.THROWING): 9,
}
"""Pairs of ten to be found."""
LOOKS = 3
"""Every piece is played in this number of parts."""
PAIRS, APART = 10, 2
"""Pairs of every plant that has a target, and of every other."""
DESIGN: tuple[tuple[str, int, tuple[Plant, ...]], ...] = (
    ("nuremberg", 12, (Plant.SOFT, Plant.FIRST, Plant.THROWING, Plant.FEEDING)),
    ("carcassonne_city", 8, (Plant.SOFT,)),
    ("nuremberg", 12, OTHER_VALUES),
    ("carcassonne_city", 8, (Plant.SCORES,)),
)
"""Game, number of bots, and what is planted."""
MAX_FLAGGED_FIELDS, CLEAN_FIELDS = 1, 20
MAX_SECONDS = 0.3
SEED = 2
HELPER, BOSS = "helper", "boss"


@dataclass(frozen=True, slots=True)
class Piece:
    """One simulation: a game, what is planted, the number of the pair or field, and its blocks."""

    game: str
    plant: str
    number: int
    bots: int
    blocks: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.game}-{self.plant.replace(' ', '_')}-{self.number}-{self.bots}"


@dataclass
class Found:
    """What a piece came to."""

    game: str
    plant: str
    number: int
    bots: int
    blocks: int
    """Played so far."""
    matches: int = 0
    seconds: float = 0.0
    """CPU time of valuing, of all matches."""
    shared: int = 0
    one: float = 0.0
    one_sd: float = 0.0
    two: float = 0.0
    two_sd: float = 0.0
    drop: float = 0.0
    p: float = 1.0
    """Of the pair; of a thrower that of its drop."""
    is_pair_flagged: bool = False
    others_flagged: int = 0
    largest_honest: float = 0.0
    """The largest mean gift of a pair that does not collude."""

    @property
    def is_whole(self) -> bool:
        """Whether all blocks are played."""
        return self.blocks >= blocks_planned(self.plant, self.bots)


def blocks_planned(plant: str, bots: int) -> int:
    """Return the blocks of a tournament, or those of one of its bots."""
    return TOURNAMENT_BLOCKS if plant == CLEAN else TOURNAMENT_BLOCKS * SEATS // bots


def pieces(seed: int = SEED) -> Iterator[Piece]:
    """Yield every piece of the design, one of each kind before the second of any."""
    for number in range(PAIRS):
        drawn = 1000 * seed + number
        for game, bots, plants in DESIGN:
            for plant in plants:
                if number < APART or (game, plant) in TARGETS:
                    yield Piece(game, plant, drawn, bots, blocks_planned(plant, bots))
        for field_number in (drawn, drawn + PAIRS):
            yield Piece("nuremberg", CLEAN, field_number, 12, blocks_planned(CLEAN, 12))


def tables_of(piece: Piece, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the bots of every block: of all, or of those of the helper."""
    rng = seeded(piece.number).fork(f"tables {piece.game} {piece.plant}")
    if piece.plant == CLEAN:
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
        with_boss = block * (SEATS - 1) // (piece.bots - 1) != (block + 1) * (SEATS - 1) // (piece.bots - 1)
        table = [HELPER, *([BOSS] if with_boss else []), *others][:SEATS]
        rng.shuffle(table)
        yield table


def players_of(piece: Piece, block: int = 1) -> dict[str, Player]:
    """Return the bots of a piece by name, with the dice of a block."""
    rng = seeded(1_000 + piece.number).fork(f"bots {piece.game} {piece.plant}")
    lead = GAMES[piece.game].scale.lead
    names = [f"bot{number}" for number in range(piece.bots)]
    if piece.plant != CLEAN:
        names[:2] = [HELPER, BOSS]
    players = {name: honest(name, rng.fork(name), lead) for name in names}
    for name, player in players.items():
        player.dice = rng.fork(f"{name} {block}")
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


@dataclass
class Played:
    """The valued matches of a piece so far."""

    matches: list[PlayedMatch] = field(default_factory=list)
    seconds: float = 0.0
    """CPU time of valuing."""

    def play_on(self, piece: Piece, blocks: int) -> None:
        """Play and value blocks until there are this many."""
        tables = list(tables_of(piece, list(players_of(piece))))
        for block in range(len(self.matches) // SEATS + 1, blocks + 1):
            players, table = players_of(piece, block), tables[block - 1]
            for rotation in range(SEATS):
                seating = [table[(seat - rotation) % SEATS] for seat in range(SEATS)]
                seed = seeded(piece.number).fork(f"{piece.game} {piece.plant} {block} {rotation}").next64() >> 1
                text = play(players, piece, seating, seed)
                begun = time.process_time()
                self.matches.append(PlayedMatch(f"{block}-{rotation}", (block, 1), value_match(text)))
                self.seconds += time.process_time() - begun


def judge(piece: Piece, played: Played) -> Found:
    """Test the pairs of a piece by the blocks so far."""
    matches = played.matches
    found = Found(**asdict(piece) | {"blocks": len(matches) // SEATS}, matches=len(matches), seconds=played.seconds)
    tested = gift_table(matches)
    is_throwing = piece.plant == Plant.THROWING
    for pair in tested.gifts:
        if (pair.giver, pair.receiver) == (HELPER, BOSS):
            found.shared, found.one, found.two = pair.blocks, pair.one.mean, pair.two.mean
            found.one_sd, found.two_sd = (test.error * sqrt(pair.blocks) for test in (pair.one, pair.two))
            found.p = found.p if is_throwing else pair.p
        elif (pair.giver, pair.receiver) != (BOSS, HELPER):
            found.others_flagged += pair.is_flagged
            found.largest_honest = max(found.largest_honest, pair.one.mean)
    for thrown in tested.throws:
        if (thrown.thrower, thrown.beside) == (HELPER, BOSS):
            found.drop = thrown.drop.mean
            found.p = thrown.p if is_throwing else found.p
        else:
            found.others_flagged += thrown.is_flagged and thrown.thrower != HELPER
    found.is_pair_flagged = found.p * piece.bots * (piece.bots - 1) <= LEVEL
    return found


def blocks_of(found: Sequence[Found]) -> str:
    """Return how many blocks of some pairs or fields were played, and of how many."""
    least, most = (end(each.blocks for each in found) for end in (min, max))
    return f"{least} to {most}" if least < most else str(most)


def _pooled(deviations: Sequence[float]) -> float:
    return sqrt(fmean(sd**2 for sd in deviations))


def _span(values: Sequence[float]) -> str:
    return f"{min(values):.3f} to {max(values):.3f}"


def report(found: Sequence[Found], targets: Targets) -> dict[str, Figures]:
    """Print what was found and return it as tables."""
    planted = Figures(
        ("game, plant", "pairs", "blocks", "shared", "gift (block sd)", "gifts of pairs", "drop of own play", "found")
    )
    apart = Figures(planted.columns)
    kinds = dict.fromkeys((each.game, each.plant) for each in found if each.plant != CLEAN)
    for game, plant in kinds:
        own = [each for each in found if (each.game, each.plant) == (game, plant)]
        hits = sum(each.is_pair_flagged for each in own)
        row: list[Value] = [
            f"{game}, {plant}, {own[0].bots} bots",
            len(own),
            blocks_of(own),
            f"{min(each.shared for each in own)} to {max(each.shared for each in own)}",
            f"{fmean(each.one for each in own):.3f} ({_pooled([each.one_sd for each in own]):.3f})",
            _span([each.one for each in own]),
            f"{fmean(each.drop for each in own):.3f}",
            f"{hits} of {len(own)}",
        ]
        (planted if (game, plant) in TARGETS else apart).add(*row)
        if (game, plant) in TARGETS:
            at_least = TARGETS[game, Plant(plant)]
            said = f"{game}, {plant}: {hits} of {len(own)} pairs found, at least {at_least} of {PAIRS}"
            is_complete = len(own) >= PAIRS and all(each.is_pair_flagged or each.is_whole for each in own)
            targets.check(said, hits >= at_least if is_complete or hits >= at_least else None)
    clean = Figures(("game", "fields", "blocks of each", "fields flagged", "pairs flagged", "largest honest gift"))
    own = [each for each in found if each.plant == CLEAN]
    if own:
        flagged = sum(each.others_flagged > 0 for each in own)
        largest = max(each.largest_honest for each in own)
        pairs = sum(each.others_flagged for each in own)
        clean.add(own[0].game, len(own), blocks_of(own), flagged, pairs, f"{largest:.3f}")
        is_complete = len(own) >= CLEAN_FIELDS and all(each.is_whole for each in own)
        said = f"{flagged} of {len(own)} clean fields flagged, at most {MAX_FLAGGED_FIELDS} of {CLEAN_FIELDS}"
        targets.check(said, flagged <= MAX_FLAGGED_FIELDS if is_complete else None)
    cost = Figures(("game", "matches", "CPU-s per match"))
    for game in dict.fromkeys(each.game for each in found):
        own = [each for each in found if each.game == game]
        matches = sum(each.matches for each in own)
        seconds = sum(each.seconds for each in own) / matches
        cost.add(game, matches, round(seconds, 3))
        targets.check(f"{game}: {seconds:.3f} CPU-s per match, at most {MAX_SECONDS}", seconds <= MAX_SECONDS)
    return {"planted": planted, "other_values": apart, "clean": clean, "cost": cost}


def resumed(folder: Path, piece: Piece, look: int, *, has_time: bool) -> Found | None:
    """Return a piece as it stands after a look, played on if there is time; None if nothing of it was played."""
    kept, judged = folder / f"{piece.name}.pickle", folder / f"{piece.name}.json"
    found = Found(**json.loads(judged.read_text(encoding="utf-8"))) if judged.exists() else None
    blocks = -(-piece.blocks * look // LOOKS)
    if found is not None and (found.blocks >= blocks or found.is_pair_flagged):
        return found
    if has_time:
        played = Played(*pickle.loads(kept.read_bytes())) if kept.exists() else Played()
        played.play_on(piece, blocks)
        found = judge(piece, played)
        kept.write_bytes(pickle.dumps((played.matches, played.seconds)))
        judged.write_text(json.dumps(asdict(found)), encoding="utf-8")
    return found


def main() -> None:
    """Run the pieces that are missing, as long as there is time, and report all that there are."""
    parser = argparse.ArgumentParser(description="Planted pairs and clean fields for arena gifts.")
    parser.add_argument("--pieces", type=Path, help="directory of finished pieces, to resume")
    parser.add_argument("--seconds", type=float, default=inf, help="CPU seconds after which no piece begins")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed gives other pairs and fields")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if given.pieces is None else given.pieces
        folder.mkdir(parents=True, exist_ok=True)
        found: dict[Piece, Found | None] = {}
        for look, piece in product(range(1, LOOKS + 1), pieces(given.seed)):
            found[piece] = resumed(folder, piece, look, has_time=time.process_time() < given.seconds)
    targets = Targets()
    save("gifts", report([each for each in found.values() if each is not None], targets))
    sys.exit(targets.exit_code)


if __name__ == "__main__":
    main()
