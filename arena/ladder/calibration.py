"""Calibration: the rungs of a ladder play a tournament until every neighbour is decided, and its ledger is shipped."""

from __future__ import annotations

import dataclasses
import io
import json
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

from arena.bots.directory import BotDirectory
from arena.bots.level import level_name
from arena.bots.rungs import Ladder, written_out
from arena.fitting.fits import read_fit
from arena.plan.tournament_file import Plan, parse_plan
from arena.store.database import Store
from ratings.ledger.chain import Kind, entries, export_lines
from referee.mistakes import UserError

POINTS_ROUNDS = 4
"""Enough to put the rungs roughly in order; the rating rounds after them go where neighbours are open (T16.2)."""
RATING_ROUNDS = 90_000
"""More than any calibration needs: it ends when every neighbour is decided, or by its budget of matches."""
DAY_MS = 86_400_000
UNHURRIED = {"bank_ms": DAY_MS, "increment_ms": 0, "cap_ms": DAY_MS}
"""Rungs have budgets of nodes: how fast a machine is must not matter."""
LEDGER_ENDING = ".ledger.jsonl.xz"


def calibration_plan(ladder: Ladder, referees: int) -> Plan:
    """Return the tournament of a ladder; the same rungs and seed give the same tournament, under a name of its own."""
    if len(ladder.rungs) < 2:
        raise UserError(f"ladder: {ladder.game} has {len(ladder.rungs)} rungs; expected two or more")
    bots = {level_name(rung.level): written_out(rung) for rung in ladder.rungs}
    plain: dict[str, Any] = {
        "name": f"ladder-{ladder.game}-{_digest(ladder, list(bots.values()))}",
        "game": ladder.game,
        "seed": ladder.seed,
        "rounds": POINTS_ROUNDS,
        "rating_rounds": RATING_ROUNDS,
        "match_budget": ladder.budget,
        "time_control": UNHURRIED,
        "bots": list(bots),
        "referees": referees,
    }
    if ladder.seats is not None:
        plain["seats"] = ladder.seats
    return parse_plan(plain, lambda _key, name: (bots[name],))


def _digest(ladder: Ladder, bots: list[BotDirectory]) -> str:
    said = json.dumps([[bot.version for bot in bots], ladder.seats, ladder.seed, ladder.budget])
    return sha256(said.encode()).hexdigest()[:8]


@dataclasses.dataclass(frozen=True, slots=True)
class Calibration:
    """What a finished tournament says about the rungs of a ladder."""

    plain: dict[str, Any]
    """The content of `<game>.json`."""
    ledger: bytes
    """The compressed export of its ledger."""

    @property
    def open_levels(self) -> tuple[int, ...]:
        """Return the levels that are not claimed to be above the one below."""
        return tuple(claim["above"] for claim in self.plain["claims"] if claim["word"] != ">")

    def write(self, game: str, folder: Path) -> None:
        """Write what is shipped; a UserError if the folder cannot be written."""
        try:
            (folder / f"{game}.json").write_text(json.dumps(self.plain, indent=2) + "\n", encoding="utf-8")
            (folder / f"{game}{LEDGER_ENDING}").write_bytes(self.ledger)
        except OSError as error:
            raise UserError(f"ladder: cannot write into {folder}: {error.strerror}") from None


def read_calibration(ladder: Ladder, plan: Plan, store: Store) -> Calibration:
    """Return what a finished calibration found."""
    (game,) = plan.settings.games
    labels = [bot.label for bot in plan.bots]
    fitted = read_fit(store, None, game.pool, always=True)
    assert fitted is not None  # it has matches
    lines = {line.bot: line for line in fitted.ratings}
    ground = lines[labels[0]].rating
    with store.reading() as connection:
        claimed = {(entry.body["first"], entry.body["second"]): entry.body for entry in entries(connection, Kind.CLAIM)}
        text = io.StringIO()
        head = export_lines(connection, text)
    plain = {
        "game": ladder.game,
        "pool": game.pool,
        "tournament": plan.name,
        "software": plan.settings.software,
        "seed": ladder.seed,
        "matches": len(store.matches.of(plan.name)),
        "entries": head.seq,
        "head": head.hex,
        "rungs": [
            {
                "level": rung.level,
                "name": rung.name,
                "version": bot.version,
                "rating": round(lines[bot.label].rating - ground),
                "error": round(lines[bot.label].error),
                "matches": lines[bot.label].matches,
            }
            for rung, bot in zip(ladder.rungs, plan.bots, strict=True)
        ],
        "claims": [
            {"above": level + 1, "below": level} | _claim(claimed, below, above)
            for level, (below, above) in enumerate(pairwise(labels), start=1)
        ],
    }
    packed = lzma.compress(text.getvalue().encode(), preset=9 | lzma.PRESET_EXTREME)
    return Calibration(plain, packed)


def _claim(claimed: dict[tuple[str, str], Any], below: str, above: str) -> dict[str, Any]:
    """T16.1: return the word between two neighbours, the upper one first, and the round in which it was claimed."""
    for pair, word in (((above, below), ">"), ((below, above), "<")):
        if body := claimed.get(pair):
            return {"word": "=" if body["word"] == "=" else word, "round": body["round"]}
    return {"word": "?", "round": 0}


@contextmanager
def ledger_lines(file: Path) -> Iterator[Iterator[str]]:
    """Yield the lines of an exported ledger, compressed or not; a UserError says why it cannot be read."""
    try:
        with lzma.open(file, "rt", encoding="utf-8") if file.suffix == ".xz" else file.open(encoding="utf-8") as stream:
            yield (line.removesuffix("\n") for line in stream)
    except (OSError, lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: cannot be read: {error}") from None
