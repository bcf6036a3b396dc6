"""A UCI engine as a process: it is started, told positions, and asked for moves."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena_chess.values import MATE_WITHIN, MAX_SCORE, printable

START_SECONDS = 20.0
"""How long an engine may take to say `uciok` and `readyok`: networks and tables are loaded then."""

END_SECONDS = 2.0
"""How long an engine may take to end, once it was told to or has closed its output."""


class EngineError(Exception):
    """The engine could not be started, ended, or said what it must not; the message is one line."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an engine answered: its move, and what it said last about its search."""

    move: str
    score: int | None
    """In centipawns for the side to move; a mate in n is MAX_SCORE - n."""
    depth: int | None
    nodes: int | None


@dataclass(slots=True)
class Engine:
    """One engine process, from `start` to `stop`."""

    command: Sequence[str]
    settings: Sequence[str] = ()
    name: str = ""
    known: dict[str, str] = field(default_factory=dict)
    """The options that it offers, by their name in lower case."""
    _process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and set its options; an EngineError says what it refused."""
        program = find_engine(self.command[0])
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                program, *self.command[1:], stdin=pipe, stdout=pipe, limit=1 << 20
            )
        except OSError as error:
            raise EngineError(f"{program}: cannot be started: {error.strerror}") from None
        self.say("uci")
        for line in await self._until("uciok", START_SECONDS):
            if line.startswith("id name "):
                self.name = printable(line.removeprefix("id name ")).strip()
            elif line.startswith("option name "):
                offered = line.removeprefix("option name ").partition(" type ")[0]
                self.known[offered.lower()] = offered
        for setting in self.settings:
            name, _, value = setting.partition("=")
            if name.lower() not in self.known:
                offered = ", ".join(sorted(self.known.values()))
                raise EngineError(f"{self._said_name}: has no option {name!r}; expected some of: {offered}")
            self.say(f"setoption name {self.known[name.lower()]} value {value}")
        await self.new_game()

    async def new_game(self) -> None:
        """Tell it that the next position is of another game, and wait until it is ready."""
        self.say("ucinewgame")
        self.say("isready")
        await self._until("readyok", START_SECONDS)

    def say(self, line: str) -> None:
        """Send a line."""
        assert self._process is not None, "the engine was started"
        assert self._process.stdin is not None, "its input is a pipe"
        self._process.stdin.write(f"{line}\n".encode())

    async def move(self, position: str, limits: str, stop_after: float | None = None) -> Said:
        """Return its move; it is told to stop after some seconds, if they are given."""
        self.say(position)
        self.say(f"go {limits}")
        if stop_after is None:
            return said(await self._until("bestmove", None))
        stopping = asyncio.get_running_loop().call_later(stop_after, self.say, "stop")
        try:
            return said(await self._until("bestmove", None))
        finally:
            stopping.cancel()

    async def stop(self) -> None:
        """End it: by the word it knows, or by force."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        self.say("quit")
        try:
            await asyncio.wait_for(process.wait(), END_SECONDS)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _until(self, word: str, seconds: float | None) -> list[str]:
        """Return the lines up to the one whose first word this is."""
        try:
            async with asyncio.timeout(seconds):
                return await self._read(word)
        except TimeoutError:
            raise EngineError(f"{self._said_name}: has not said {word} within {seconds:g} seconds") from None

    async def _read(self, word: str) -> list[str]:
        assert self._process is not None, "the engine was started"
        assert self._process.stdout is not None, "its output is a pipe"
        lines: list[str] = []
        while True:
            try:
                read = await self._process.stdout.readline()
            except ValueError:
                raise EngineError(f"{self._said_name}: wrote a line that is too long") from None
            if not read:
                last = f"; its last line: {printable(lines[-1])}" if lines else ""
                raise EngineError(f"{self._said_name}: {await self._end()} instead of saying {word}{last}")
            lines.append(read.decode("utf-8", "replace").rstrip())
            if lines[-1].split(maxsplit=1)[:1] == [word]:
                return lines

    async def _end(self) -> str:
        """Return how it ended, now that it says nothing more."""
        assert self._process is not None, "the engine was started"
        try:
            code = await asyncio.wait_for(self._process.wait(), END_SECONDS)
        except TimeoutError:
            return "closed its output"
        return f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"

    @property
    def _said_name(self) -> str:
        return self.name or self.command[0]


def find_engine(program: str) -> str:
    """Return the path of an engine; an EngineError if there is none. Debian keeps its engines among the games."""
    found = shutil.which(program, path=f"{os.environ.get('PATH', os.defpath)}:/usr/games:/usr/local/games")
    if found is None:
        raise EngineError(f"{program}: no such program; expected a UCI engine")
    return found


def said(lines: Iterable[str]) -> Said:
    """Read an engine's answer: the lines of a search, with its move in the last one."""
    score = depth = nodes = None
    move = ""
    for line in lines:
        words = line.split()
        if not words:
            continue
        if words[0] == "bestmove":
            move = words[1] if len(words) > 1 else ""
        elif words[0] == "info" and "string" not in words and "score" in words:
            if "lowerbound" in words or "upperbound" in words or number_after(words, "multipv") not in (None, 1):
                continue
            found = score_of(words)
            score = score if found is None else found
            depth, nodes = number_after(words, "depth"), number_after(words, "nodes")
    return Said(move, score, depth, nodes)


def number_after(words: list[str], name: str) -> int | None:
    """Return the number after a word, if both are there."""
    if name not in words[:-1]:
        return None
    try:
        return int(words[words.index(name) + 1])
    except ValueError:
        return None


def score_of(words: list[str]) -> int | None:
    """C8.1: the score of an info line, in centipawns."""
    if (centipawns := number_after(words, "cp")) is not None:
        return max(MATE_WITHIN - MAX_SCORE, min(MAX_SCORE - MATE_WITHIN, centipawns))
    if (mate := number_after(words, "mate")) is not None:
        return MAX_SCORE - mate if mate > 0 else -MAX_SCORE - mate
    return None
