"""A Swiss tournament of honest bots without and with one hosted bot of every kind of attack, and the places in both.

    python -m tests.hostile_swiss [--rounds 3] [--attacks "fork_bomb,rapid_reset"] [--results DIR]

The honest bots are eight of the toy game, whose choices follow from their options alone; a process is started for
every match, so that somebody always joins while others attack.

Other entrants mean other pairings, other seeds and points from opponents that forfeit: the two standings differ without
any harm. So every match of the attacked tournament is compared with itself: the same table, seats and seed, in which
the hostile bots end as they did but touch nobody else's seat. That match is known exactly, since the honest bots are
deterministic and a hostile bot plays its first option, as the house does for a seat that has forfeited. Points are
the share of opponents left behind. An honest bot is harmed if it forfeits, or if the points of the matches as they were
played put it behind an honest bot that it is not behind by the points of the matches without harm.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import trio

from arena.bench.figures import VARIABLE, Figures, Targets, save
from arena.bots.label import name_of
from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import open_store
from arena.store.local_time import local_now
from referee.logs import configure_logs
from referee.order import Ending
from referee.record import Record, read
from tests.journeys.attackers import ATTACKS, honest_bot, hostile_bot, without_the_attack
from tests.journeys.honest_bot import CHOICES, STRENGTHS

HONEST = tuple(f"strength_{number}" for number in range(STRENGTHS))
SEATS = 4
CONTROL = {"bank_ms": 60_000, "cap_ms": 10_000, "join_ms": 60_000}

Points = Mapping[str, Fraction]


def played(folder: Path, name: str, bots: Sequence[str], rounds: int) -> tuple[list[Record], Counter[str]]:
    """Play a tournament and return the records of its matches, and how often which was void."""
    plain = {
        "name": name, "game": "toy", "seats": SEATS, "seed": 1, "rounds": rounds, "preset": "quick",
        "bots": list(bots), "fresh_process": True, "withdraw_after": 1_000, "time_control": CONTROL,
        "concurrency": 2, "referees": 2,
    }  # fmt: skip
    store = open_store(folder / f"{name}.db", create=True)
    runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now, sandbox=SandboxPolicy.REQUIRED)
    runner.enter()
    trio.run(runner.run)
    matches = store.matches.of(name)
    voids = Counter(match.void_reason for match in matches if match.void_reason is not None)
    records = [read(store.matches.record(match.id)) for match in matches if match.void_reason is None]
    store.close()
    return records, voids


def names_at(record: Record) -> list[str]:
    """Return who sits in which seat."""
    return [name_of(label) for label in record.header["bots"]]


def points_of(records: Sequence[Record], *, are_harmless: bool) -> Points:
    """Return the honest bots' points, as the matches were played or as they would have been without harm."""
    points: dict[str, Fraction] = defaultdict(Fraction)
    for record in records:
        names = names_at(record)
        places = without_the_attack(record, names)[1] if are_harmless else record.result["ranks"]
        for name, place in zip(names, places, strict=True):
            if name in CHOICES:
                behind = sum((place < other) + Fraction(place == other, 2) for other in places) - Fraction(1, 2)
                points[name] += behind / (len(names) - 1)
    return points


def place(name: str, points: Points) -> int:
    """Return a bot's place among the honest."""
    return 1 + sum(points[other] > points[name] for other in HONEST)


def main() -> int:
    """Play both tournaments and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--attacks", default=",".join(ATTACKS), help="some of them, separated by commas")
    parser.add_argument("--results", help="the directory for the figures as JSON")
    options = parser.parse_args()
    attacks = options.attacks.split(",")
    if unknown := set(attacks) - set(ATTACKS):
        parser.error(f"--attacks: {sorted(unknown)[0]!r} is unknown; expected some of: {', '.join(ATTACKS)}")
    if options.results:
        os.environ[VARIABLE] = options.results
    configure_logs("error", as_json=False)
    with tempfile.TemporaryDirectory(prefix="hostile-") as text:
        folder = Path(text)
        folder.chmod(0o755)  # sandboxed bots read in it
        for name in HONEST:
            honest_bot(folder, name)
        for name in attacks:
            program, targets = ATTACKS[name]
            hostile_bot(folder, program, 256, targets, name)
        quiet, _ = played(folder, "quiet", HONEST, options.rounds)
        attacked, voids = played(folder, "attacked", (*HONEST, *attacks), options.rounds)
    forfeits = Counter(
        name
        for record in attacked
        for name, ending in zip(names_at(record), record.result["seat_endings"], strict=True)
        if ending != Ending.COMPLETED
    )
    seats = Counter(name for record in attacked for name in names_at(record))
    calm, fair, found = (
        points_of(quiet, are_harmless=False),
        points_of(attacked, are_harmless=True),
        points_of(attacked, are_harmless=False),
    )
    honest = Figures(("Honest bot", "Matches", "Forfeits", "Place without attackers", "Place without harm", "Place"))
    for name in HONEST:
        places = place(name, calm), place(name, fair), place(name, found)
        honest.add(name, seats[name], forfeits[name], *places)
    hostile = Figures(("Attack", "Matches", "Forfeits"))
    for name in attacks:
        hostile.add(name, seats[name], forfeits[name])
    for reason, count in voids.items():
        print(f"void: {count} matches: {reason}", flush=True)
    targets_ = Targets()
    lost = sum(forfeits[name] for name in HONEST)
    targets_.check(f"no honest seat forfeits: {lost} of {sum(seats[name] for name in HONEST)}", not lost)
    behind = [name for name in HONEST if place(name, found) > place(name, fair)]
    targets_.check(f"no honest bot loses a place among the honest: {', '.join(behind) or 'none did'}", not behind)
    save("hostile_swiss", {"honest": honest, "hostile": hostile})
    return targets_.exit_code


if __name__ == "__main__":
    sys.exit(main())
