"""Submissions: an archive becomes a bot version once it has completed a match in the sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import trio

from arena.bots import archive
from arena.bots.directory import CONCURRENCY, Bot, BotDirectory, read_bot, remote_bot
from arena.bots.names import HOUSE_NAMES, fault_of, lookalike
from arena.play.local_pool import open_pool
from arena.play.match_to_play import MatchToPlay
from arena.sandbox.levels import SandboxPolicy, choose
from arena.server.build_queue import BuildQueue
from arena.store.database import Store
from referee.games import GAMES
from referee.keys import PublicKey
from referee.logs import log
from referee.mistakes import UserError
from referee.order import Ending
from referee.setting import SettingError

OPPONENT = Path(__file__).parents[2] / "sample_bots" / "python"
SMOKE_SEED = 1494
SMOKE_SECONDS = 300.0
QUOTA_BYTES = 1 << 30  # for all versions of one author
QUOTA_NAMES = 2_048  # of one author


class NotYoursError(Exception):
    """The bot belongs to another author."""


class QuotaError(Exception):
    """An author exceeds a quota."""


class SmokeError(Exception):
    """A bot failed to build or to complete its first match; `output` is the bot's output."""

    def __init__(self, reason: str, game: str, output: str) -> None:
        super().__init__(reason)
        self.game = game
        self.output = output


@dataclass(frozen=True, slots=True)
class Accepted:
    """A version that can play."""

    label: str
    version: str
    is_new: bool
    game: str  # the game of its smoke match; empty if the same files passed before


class Submissions:
    """Accepts versions, one at a time, into a store and its bots folder."""

    def __init__(self, store: Store, folder: Path, sandbox: SandboxPolicy, now: Callable[[], datetime]) -> None:
        self.store = store
        self.folder = folder
        self.sandbox = sandbox
        self.now = now
        self.queue = BuildQueue()  # concurrent smoke matches would measure the machine, not the bot

    async def accept(self, content: bytes, name: str, author: str | None) -> Accepted:
        """Take an archive as the next version of a bot.

        Raises ArchiveError or UserError for a bad archive, SmokeError for a failed first match, NotYoursError for a
        taken name, QuotaError or QueueFullError for an author over a limit; then nothing has changed.
        """
        await trio.to_thread.run_sync(check_owner, self.store, name, author)
        await trio.to_thread.run_sync(self._check_quota, author)
        async with self.queue.turn(author or "", name):
            level = choose(self.sandbox)
            try:
                bot = (await archive.store(content, self.folder, level)).bot
            except archive.BuildError as error:
                raise SmokeError(f"its build step failed: {error}", "", error.log) from None
            if await trio.to_thread.run_sync(self._is_known, bot):
                return Accepted(bot.label, bot.version, False, "")
            try:
                await trio.to_thread.run_sync(self._check_quota, author, bot.path)
                if bot.manifest.name != name:
                    raise UserError(f"name: the submission says {name!r} but bot.toml says {bot.manifest.name!r}")
                game = await self._smoke(bot)
                await trio.to_thread.run_sync(self._enter, bot, author)
            except BaseException:
                with trio.CancelScope(shield=True):
                    await trio.to_thread.run_sync(_remove, bot.path)
                raise
        log.info("bot.accepted", bot=bot.label, author=author, game=game, sandbox=level)
        return Accepted(bot.label, bot.version, True, game)

    async def enter_remote(
        self, name: str, games: tuple[str, ...], concurrency: int, author: str, public_key: str = ""
    ) -> str:
        """Enter a remote bot and return its label; a UserError or NotYoursError says why not."""
        await trio.to_thread.run_sync(check_owner, self.store, name, author)
        if unknown := [game for game in games if game not in GAMES]:
            raise UserError(f"games: {unknown[0]!r} is unknown; expected some of: {', '.join(GAMES)}")
        try:
            key = str(PublicKey.parse(public_key)) if public_key else ""
        except UserError as error:
            raise UserError(f"public_key: {error}") from None
        try:
            bot = remote_bot(name, games, CONCURRENCY.checked(concurrency), key)
        except SettingError as error:
            raise UserError(str(error)) from None
        if not await trio.to_thread.run_sync(self._is_known, bot):
            await trio.to_thread.run_sync(self._enter, bot, author)
        return bot.label

    def _check_quota(self, author: str | None, *new: Path) -> None:
        """Raise a QuotaError if an author's versions, a new one included, exceed the quota."""
        folders = [*(Path(path) for path in self.store.bots.paths_of(author) if path), *new]
        used = sum(file.lstat().st_size for folder in folders for file in folder.rglob("*"))
        if used > QUOTA_BYTES:
            raise QuotaError(f"quota exceeded: {-(-used >> 20)} of {QUOTA_BYTES >> 20} MiB; ask an organiser")

    def _is_known(self, bot: Bot) -> bool:
        return self.store.bots.has_version(bot.label, bot.location)

    def _enter(self, bot: Bot, author: str | None) -> None:
        now = self.now().isoformat(timespec="seconds")
        with self.store.write():
            # Checked again: the name could have been taken during the match.
            check_owner(self.store, bot.manifest.name, author)
            self.store.bots.set_retired(bot.manifest.name, False)
        self.store.bots.add(bot.label, bot.manifest.name, bot.version, bot.location, bot.stored(), now, author)

    async def _smoke(self, bot: BotDirectory) -> str:
        """Complete a match against the random bot and return its game; a SmokeError if the bot forfeits."""
        game = bot.manifest.games[0] if bot.manifest.games else next(iter(GAMES))
        opponent = await trio.to_thread.run_sync(read_bot, OPPONENT) if OPPONENT.is_dir() else bot
        seats = GAMES[game].table_sizes[0]
        fixture = MatchToPlay(f"smoke-{bot.version}", game, {}, (bot, *(opponent,) * (seats - 1)), SMOKE_SEED)
        with trio.move_on_after(SMOKE_SECONDS) as patience:
            async with open_pool(sandbox=self.sandbox, log_level="error") as pool:
                result = await pool.play(fixture)
                output = pool.output_of(bot.label)
        if patience.cancelled_caught:
            raise SmokeError(f"its smoke match of {game} took more than {SMOKE_SECONDS:.0f} seconds", game, "")
        if result.ending is Ending.VOIDED:
            raise SmokeError(
                f"its smoke match of {game} was void through no fault of the bot: {result.reason}", game, output
            )
        if result.seat_endings[0] is not Ending.COMPLETED:
            raise SmokeError(f"its smoke match of {game} ended in {result.seat_endings[0]}", game, output)
        return game


def check_owner(store: Store, name: str, author: str | None) -> None:
    """Raise a UserError if a name is invalid, reserved or looks like another.

    A NotYoursError if it is another author's, and a QuotaError if it is new and its author has too many.
    """
    found = store.bots.by_name(name)
    if found is not None:
        if found.author != author:
            raise NotYoursError(f"name: {name!r} is taken")
        return
    if fault := fault_of(name):
        raise UserError(f"name: {fault}")
    if author is not None and (name in HOUSE_NAMES or lookalike(name, HOUSE_NAMES) is not None):
        raise UserError(f"name: {name!r} is reserved for the arena's own bots; expected another name")
    if (other := lookalike(name, store.bots.names())) is not None:
        raise UserError(f"name: {name!r} looks like {other!r}, which is taken; expected another name")
    if author is not None and store.bots.count_of(author) >= QUOTA_NAMES:
        raise QuotaError(f"name: you already have {QUOTA_NAMES:,} bots; ask an organiser")


def _remove(path: Path) -> None:
    path.chmod(0o755)
    shutil.rmtree(path)
