"""Matches between versions of a bot, as real processes in the local pool or on a cluster.

A version is a copy of the bot's directory with its constants in `weights.json`; so it is a bot like any other, with a
hash of its own, in any sandbox and on any worker.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from arena.bots.directory import BYTECODE, LARGEST_MANIFEST, MANIFEST, TUNE, BotDirectory, read_bot
from arena.bots.rungs import Rung, written_out
from arena.bots.samples import starter_bots
from arena.bots.toml_text import read_toml
from arena.plan.settings import RunSettings
from arena.play.local_pool import start_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import OpenPool, PoolConfig, play_all
from arena.sandbox.levels import SandboxPolicy
from arena.tuning.contest import (
    CHAMPION,
    HEURISTIC,
    NEW,
    NODES,
    BlockDifference,
    Bout,
    BoutScore,
    Contest,
    TestBlock,
    Weighting,
    block_difference,
    block_seats,
    bout_score,
    nodes_of,
    seatings,
)
from arena.tuning.weight_file import read_file
from referee.game import Outcome
from referee.games import GAMES
from referee.heuristic import Weight
from referee.mistakes import UserError
from referee.order import Ending, MatchResult

WEIGHTS = "weights.json"


def constants_of(bot: BotDirectory) -> dict[str, Weight]:
    """Return the constants of `[tune]` in a bot's manifest; a UserError says what is wrong with them."""
    file = bot.path / MANIFEST
    if not file.is_file():
        raise UserError(f"{bot.path}: a one-file bot names no constants; expected a bot directory with [{TUNE}]")
    table = read_toml(file, LARGEST_MANIFEST).get(TUNE)
    if not isinstance(table, dict) or not table:
        raise UserError(f"{file}: has no [{TUNE}]; expected constants, such as patience = [3, 1, 10]")
    found = {}
    for name, said in table.items():
        numbers = said if isinstance(said, list) else []
        if len(numbers) != 3 or any(isinstance(each, bool) or not isinstance(each, int | float) for each in numbers):
            raise UserError(f"{file}: {TUNE}.{name}: {said!r}; expected [default, least, most]")
        default, least, most = map(float, numbers)
        if not least <= default <= most or not least < most:
            raise UserError(f"{file}: {TUNE}.{name}: {said!r}; expected least <= default <= most, and least < most")
        found[name] = Weight(default, least, most)
    return found


def weights_in(bot: BotDirectory, constants: Mapping[str, Weight], seats: int) -> dict[str, float]:
    """Return the values that a bot has at a table size: those of its file, and the defaults of the others."""
    values = {name: weight.default for name, weight in constants.items()}
    file = bot.path / WEIGHTS
    if not file.exists():
        return values
    return values | read_file(file, constants).get(seats, {})


class BotPlayers:
    """Plays a contest between versions of a bot."""

    def __init__(
        self, contest: Contest, bot: BotDirectory, others: Sequence[str], folder: Path, processes: int,
        open_pool: OpenPool,
    ) -> None:  # fmt: skip
        self.contest, self.bot, self.folder, self.processes, self.open_pool = contest, bot, folder, processes, open_pool
        self.lead = GAMES[contest.game].scale.lead
        self.others = {name: self._other(name) for name in others}

    def scores(self, bouts: Sequence[Bout]) -> Iterator[BoutScore]:
        """Play some bouts."""
        fixtures, sizes = [], []
        for bout in bouts:
            ours, theirs = self._version(bout.seats, bout.ours), self._opponent(bout)
            matches = [(is_ours, seed) for seed in bout.seeds for is_ours in seatings(bout.seats)]
            sizes.append([is_ours for is_ours, _ in matches])
            fixtures += [self._fixture([ours if own else theirs for own in is_ours], seed) for is_ours, seed in matches]
        outcomes = iter(trio.run(self._played, fixtures))
        for of_bout in sizes:
            yield bout_score([(is_ours, next(outcomes)) for is_ours in of_bout], self.lead, 0.0)

    def differences(self, blocks: Sequence[TestBlock]) -> Iterator[BlockDifference]:
        """Play some blocks of a test."""
        fixtures = []
        for block in blocks:
            new, old = self._version(block.seats, block.new), self._version(block.seats, block.old)
            for seated, seed in block_seats(block):
                fixtures.append(self._fixture([new if each == NEW else old for each in seated], seed))
        outcomes = iter(trio.run(self._played, fixtures))
        for block in blocks:
            yield BlockDifference(block_difference(block, [next(outcomes).ranks for _ in range(block.seats)]), 0.0)

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the bot and of its opponents, by name."""
        return {"bot": self.bot.label, **{name: other.label for name, other in self.others.items()}}

    async def _played(self, fixtures: Sequence[MatchToPlay]) -> list[Outcome]:
        """Play all of them, in any order, and return their outcomes in theirs."""
        results: dict[int, MatchResult] = {}

        async def keep(number: int, result: MatchResult) -> None:
            results[number] = result

        config = PoolConfig(
            RunSettings(referees=self.processes), fresh_process=False, log_level="error", sandbox=SandboxPolicy.AUTO,
            start_bot=start_here, heard=lambda _match_id, _seat, _printed: None, verify=_believe,
        )  # fmt: skip
        async with self.open_pool(config) as pool:
            await play_all(pool, fixtures, pool.max_asked, keep)
        for result in results.values():
            if result.ending is Ending.VOIDED:
                raise UserError(f"a match could not be played: {result.reason}; the same command goes on from here")
        return [Outcome(each.ranks, each.scores, each.reason) for _, each in sorted(results.items())]

    def _fixture(self, bots: Sequence[BotDirectory], seed: int) -> MatchToPlay:
        words = [self.contest.game, *(bot.label for bot in bots), str(seed)]
        match_id = blake2b("|".join(words).encode(), digest_size=16).hexdigest()
        return MatchToPlay(match_id, self.contest.game, self.contest.options, tuple(bots), seed)

    def _opponent(self, bout: Bout) -> BotDirectory:
        return self._version(bout.seats, bout.champion) if bout.opponent == CHAMPION else self.others[bout.opponent]

    def _version(self, seats: int, values: Weighting) -> BotDirectory:
        """Return the bot with these constants, in a directory that is made once."""
        content = {"game": self.contest.game, "seats": {str(seats): {"weights": dict(values)}}}
        text = json.dumps(content, indent=1) + "\n"
        made = self.folder / blake2b(text.encode(), digest_size=8).hexdigest()
        if not made.exists():
            shutil.copytree(self.bot.path, made, symlinks=True, ignore=shutil.ignore_patterns(BYTECODE))
            (made / WEIGHTS).write_text(text, encoding="utf-8")
        return read_bot(made)

    def _other(self, name: str) -> BotDirectory:
        """Return an opponent that is no version of the bot."""
        if name == HEURISTIC:
            return read_bot(starter_bots() / "greedy")
        if not name.startswith(NODES):
            sample = starter_bots() / name
            return read_bot(sample if "/" not in name and sample.is_dir() else Path(name))
        nodes = str(nodes_of(name))
        return written_out(Rung(0, "search", f"search-{nodes}", ("--nodes", nodes), None))


async def _believe(_result: MatchResult) -> None:
    """A tuning is no proof: its matches are not replayed."""


@contextmanager
def open_bots(
    contest: Contest, bot: BotDirectory, others: Sequence[str], processes: int, open_pool: OpenPool
) -> Iterator[BotPlayers]:
    """Yield players; the versions of the bot are removed at the end."""
    with TemporaryDirectory(prefix="arena-tune-") as folder:
        yield BotPlayers(contest, bot, others, Path(folder), processes, open_pool)
