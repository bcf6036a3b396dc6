"""The steps: the protocol's requirements, each played as one short session."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import grpc
import trio

from arena.bots.directory import BotDirectory
from arena.conformance.board import ScriptedMatch, boards_of_every_kind, new_board, shown
from arena.conformance.own_time import HungUpError, SilenceError
from arena.conformance.report import StepError
from arena.conformance.test_server import BotConnection, TestedBot, TestServer
from referee import wire
from referee.codec import ProtocolError
from referee.game import AnyGame
from referee.order import TimeControl
from referee.v1 import play_pb2 as pb

START_SECONDS = 10.0  # from the start of the process to its hello
LEAVE_SECONDS = 2.0  # from goodbye to the end of the process
RETURN_SECONDS = 5.0  # from a lost connection to the end of the process or the next hello
STOP_SECONDS = 1.0  # from SIGTERM to the end of the process; then the arena kills it
QUIET_SECONDS = 0.2  # in which a bot without an open question must send nothing
LOOP_SECONDS = 1.0
MAX_RETURNS = 20  # connections within that time; more are a loop without a pause
INTERLEAVED = 3  # matches interleaved
BATCHED = 4  # prompts in one frame

CONTROL = TimeControl(bank_ms=30_000, increment_ms=500, cap_ms=1_000)


class NotAskedError(Exception):
    """The bot does not claim the step's feature."""


class Suite:
    """A step's context: the bot, the test server, the games, and all answer times so far."""

    def __init__(self, bot: BotDirectory, server: TestServer, games: Sequence[AnyGame], patience: float) -> None:
        self.bot = bot
        self.server = server
        self.games = games
        self.patience = patience
        self.thinking_ns: list[int] = []
        self.printed = ""
        self._session: BotSession | None = None
        self._open = AsyncExitStack()

    @asynccontextmanager
    async def session(self, *, is_fresh: bool = False) -> AsyncIterator[BotSession]:
        """Yield a welcomed bot: the one that passed the last step, as one process plays many matches, or a new one.

        A bot that failed a step is stopped, so that the next step starts with a clean one.
        """
        if is_fresh or self._session is None or self._session.bot.ended.is_set():
            await self.close()
            bot = await self._open.enter_async_context(self.server.start_bot(self.bot, secrets.token_hex(16)))
            self._session = BotSession(self, bot)
        session = self._session
        is_kept = False
        try:
            if not session.is_welcome:
                await session.greet(START_SECONDS)
            yield session
            is_kept = not is_fresh
        finally:
            self.printed = session.bot.process.output.text()
            if not is_kept:
                await self.close()

    async def close(self) -> None:
        """End the bot."""
        self._session = None
        await self._open.aclose()

    def board(self, step: str, number: int = 0) -> ScriptedMatch:
        """Return a new match of one of the bot's games, named so that it is the same in every run."""
        game = self.games[number % len(self.games)]
        return new_board(game, f"check-{step}-{number}", CONTROL)


class BotSession:
    """One bot process on the test server, and its open questions."""

    def __init__(self, suite: Suite, bot: TestedBot) -> None:
        self.suite = suite
        self.bot = bot
        self.connection: BotConnection
        self.is_welcome = False
        self.hello = pb.Hello()

    async def greet(self, seconds: float, *more: bytes) -> None:
        """Take the bot's next connection: its first frame must be a hello with its ticket; welcome it and send more."""
        sent = "ARENA_ADDRESS and ARENA_TICKET"
        expected = f"a call of Play within {seconds:g} s, and a first frame with one hello"
        async with self._failing(sent, "nothing", expected):
            self.connection = await self.bot.dials(self.bot.own_time(seconds))
            messages = await self.connection.receive(self.bot.own_time(seconds))
        if len(messages) != 1 or messages[0].WhichOneof("kind") != "hello":
            raise StepError(sent, _all_shown(messages), expected)
        self.hello = messages[0].hello
        if self.hello.protocol_version != wire.PROTOCOL_VERSION:
            raise StepError(sent, shown(self.hello), f"protocol_version: {wire.PROTOCOL_VERSION}")
        if self.hello.ticket != self.bot.ticket:
            came = shown(self.hello).replace(self.hello.ticket, "another ticket") if self.hello.ticket else "no ticket"
            raise StepError(sent, came, "the ticket of ARENA_TICKET")
        self.connection.send(wire.welcome(self.suite.bot.label), *more)
        self.is_welcome = True

    async def answers(self, boards: Sequence[ScriptedMatch]) -> dict[str, pb.Answer]:
        """Wait for an answer to the open question of each of these boards, in any order and any number of frames."""
        found: dict[str, pb.Answer] = {}
        missing = {board.match_id: board for board in boards}
        while missing:
            waiting = next(iter(missing.values()))
            for message in await self.frame(waiting.question, "an answer"):
                board = missing.pop(message.answer.match_id, None)
                if board is None or message.answer.prompt_id != board.prompt_id:
                    expected = f"match_id and prompt_id of an open question: {waiting.question}"
                    raise StepError(waiting.question, shown(message), expected)
                found[board.match_id] = message.answer
        return found

    async def frame(self, sent: str, expected: str) -> list[pb.BotMessage]:
        """Return the next frame of answers."""
        seconds = self.suite.patience
        async with self._failing(sent, f"nothing within {seconds:g} s", expected):
            messages = await self.connection.receive(self.bot.own_time(seconds))
        for message in messages:
            if message.WhichOneof("kind") != "answer":
                raise StepError(sent, shown(message), f"{expected}; hello is said once, at the start")
        return messages

    @asynccontextmanager
    async def _failing(self, sent: str, silence: str, expected: str) -> AsyncIterator[None]:
        """Fail a bot that does not send what is expected."""
        came = silence
        try:
            yield
            return
        except SilenceError:
            pass
        except HungUpError:
            has_left = await self.bot.leaves(1.0)
            came = f"nothing: the bot's process ended, {self.bot.ending}" if has_left else "nothing: the bot hung up"
        except ProtocolError as error:
            came = str(error)
        raise StepError(sent, came, expected)

    async def ask(self, board: ScriptedMatch, *before: bytes) -> None:
        """Ask the open question of a board in one frame, play the answer and look for the next question."""
        self.connection.send(*before, board.prompt())
        answer = (await self.answers([board]))[board.match_id]
        self.suite.thinking_ns.append(board.take(answer))

    async def play_out(self, board: ScriptedMatch, *, most: int | None = None) -> int:
        """Play a match to its end, or cancel it after some questions; return the number of questions."""
        count = 0
        while board.find_question() and count != most:
            await self.ask(board)
            count += 1
        self.connection.send(board.ended())
        return count

    async def expect_quiet(self, sent: str) -> None:
        """Fail a bot that sends something without being asked."""
        try:
            came = _all_shown(await self.connection.receive(self.bot.own_time(QUIET_SECONDS)))
        except (SilenceError, HungUpError):
            return
        except ProtocolError as error:
            came = str(error)
        raise StepError(sent, came, "nothing: no question is open")


def _all_shown(messages: Sequence[Any]) -> str:
    return ", ".join(map(shown, messages)) or "an empty frame"


async def hello(suite: Suite) -> str:
    """Dial in, say hello with the ticket, and then wait to be asked."""
    began = trio.current_time()
    async with suite.session() as session:
        seconds = trio.current_time() - began
        await session.expect_quiet("a welcome")
        for game in session.hello.games:
            if game not in [known.slug for known in suite.games] and not suite.bot.manifest.plays(game):
                raise StepError("ARENA_TICKET", shown(session.hello), "only games that bot.toml declares")
        return f"after {seconds:.2f} s, {session.hello.concurrency or 1} matches concurrently"


def whole_match(game: AnyGame) -> Callable[[Suite], Awaitable[str]]:
    """Play a whole match of a game."""

    async def step(suite: Suite) -> str:
        board = new_board(game, f"check-{game.slug}-whole", CONTROL, seed=1)
        async with suite.session() as session:
            session.connection.send(board.started())
            count = await session.play_out(board)
            await session.expect_quiet("the end of the match")
        return f"{count} answers, kinds {', '.join(sorted(board.kinds))}"

    return step


def every_kind(game: AnyGame) -> Callable[[Suite], Awaitable[str]]:
    """Answer one question of every kind that the game can ask."""

    async def step(suite: Suite) -> str:
        kinds = []
        async with suite.session() as session:
            for board in boards_of_every_kind(game, CONTROL):
                session.connection.send(board.started())
                await session.ask(board)
                session.connection.send(board.ended())
                kinds += sorted(board.kinds)
        return f"{len(kinds)} kinds: {', '.join(kinds)}"

    return step


async def refusal(suite: Suite) -> str:
    """Play on after an answer was refused."""
    board = suite.board("refusal")
    async with suite.session() as session:
        session.connection.send(board.started())
        board.find_question()
        session.connection.send(board.prompt())
        await session.answers([board])
        # The safe default is played instead, as after any refused answer.
        session.connection.send(
            wire.refused(board.match_id, board.prompt_id, "K1", "refused by the test server, whatever the answer", 1)
        )
        board.play(board.game.default_action(board.state, board.seat))
        count = await session.play_out(board, most=10)
    return f"{count} answers after the refusal"


async def interleaved(suite: Suite) -> str:
    """Answer for several matches whose questions are open at the same time."""
    if suite.bot.manifest.concurrency == 1:
        raise NotAskedError("bot.toml declares one match at a time")
    boards = [suite.board("interleaved", number) for number in range(min(INTERLEAVED, suite.bot.manifest.concurrency))]
    count = 0
    async with suite.session() as session:
        for board in boards:
            session.connection.send(board.started())
        for _ in range(10):
            open_boards = [board for board in boards if board.find_question()]
            for board in open_boards:
                session.connection.send(board.prompt())
            found = await session.answers(open_boards)
            for board in open_boards:
                board.take(found[board.match_id])
            count += len(open_boards)
        session.connection.send(*(board.ended() for board in boards))
    return f"{len(boards)} matches, {count} answers"


async def batched(suite: Suite) -> str:
    """Read every message of a frame that carries several."""
    count = min(BATCHED, suite.bot.manifest.concurrency)
    boards = [suite.board("batched", number) for number in range(count)]
    last = suite.board("batched", count)
    async with suite.session() as session:
        for board in boards:
            board.find_question()
        pairs = [(board.started(), board.prompt()) for board in boards]
        session.connection.send(*(message for pair in pairs for message in pair))
        found = await session.answers(boards)
        for board in boards:
            board.take(found[board.match_id])
        # The end of old matches, the start of a new one and its first question, all in one frame.
        last.find_question()
        await session.ask(last, *(board.ended() for board in boards), last.started())
        session.connection.send(last.ended())
    return f"{count} prompts in one frame; an end, a start and a prompt in another"


async def late(suite: Suite) -> str:
    """Cope with questions that are withdrawn before they are answered."""
    first, second, third = [suite.board("late", number) for number in range(3)]
    async with suite.session() as session:
        first.find_question()
        opening = (first.started(), first.prompt())
        withdrawn = first.prompt_id
        over = wire.refused(first.match_id, withdrawn, "", "no answer within 0.001 s", 1)
        first.play(first.game.default_action(first.state, first.seat))
        first.find_question()
        session.connection.send(*opening, over, first.prompt())
        await _answer_but(session, first, withdrawn)
        session.connection.send(first.ended())
        # A match may also end while its question is open.
        second.find_question()
        session.connection.send(second.started(), second.prompt(), second.ended())
        third.find_question()
        session.connection.send(third.started(), third.prompt())
        await _answer_but(session, third, second.prompt_id, second.match_id)
        session.connection.send(third.ended())
    return "a question timed out, a match ended under an open question"


async def _answer_but(
    session: BotSession, board: ScriptedMatch, late_prompt: int, late_match: str | None = None
) -> None:
    """Wait for the answer to a board, ignoring an answer to the withdrawn question."""
    is_late = True
    while is_late:
        for message in await session.frame(board.question, "an answer to this prompt"):
            answer = message.answer
            is_late = (answer.match_id, answer.prompt_id) == (late_match or board.match_id, late_prompt)
            if is_late:
                continue
            if (answer.match_id, answer.prompt_id) != (board.match_id, board.prompt_id):
                raise StepError(board.question, shown(answer), "match_id and prompt_id of the open question")
            board.read(answer)


async def reconnect(suite: Suite) -> str:
    """Leave or come back when the connection is lost."""
    board = suite.board("reconnect")
    sent = "UNAVAILABLE in the middle of a match"
    async with suite.session(is_fresh=True) as session:
        session.connection.send(board.started())
        board.find_question()
        await session.ask(board)
        board.find_question()
        session.connection.close(grpc.StatusCode.UNAVAILABLE, "the connection is lost, says the test server")
        bot = session.bot
        try:
            await session.greet(RETURN_SECONDS, board.started(), board.prompt())
        except StepError as error:
            if not bot.ended.is_set():
                expected = f"the end of the process, or a new hello, within {RETURN_SECONDS:g} s"
                raise StepError(sent, error.came, expected) from None
            if bot.ending.startswith("killed by"):
                raise StepError(sent, bot.ending, "the process exits on its own or comes back") from None
            return f"it leaves, {bot.ending}"
        board.take((await session.answers([board]))[board.match_id])
        returns = 1
        session.connection.close(grpc.StatusCode.UNAVAILABLE, "the connection is lost again, says the test server")
        moment = bot.own_time(LOOP_SECONDS)
        with suppress(HungUpError, SilenceError):
            while returns <= MAX_RETURNS:  # as fast as the bot likes, for a moment
                connection = await bot.dials(moment)
                connection.close(grpc.StatusCode.UNAVAILABLE, "not yet, says the test server")
                returns += 1
                moment.count()
        if returns > MAX_RETURNS:
            came = f"more than {MAX_RETURNS} connections within {LOOP_SECONDS:g} s"
            raise StepError(sent, came, "a pause between attempts")
    return "it comes back and plays on"


async def goodbye(suite: Suite) -> str:
    """Leave when told goodbye."""
    async with suite.session(is_fresh=True) as session:
        session.connection.send(wire.goodbye("the test server no longer needs this bot"))
        session.connection.close(grpc.StatusCode.OK, "goodbye")
        began = trio.current_time()
        if not await session.bot.leaves(LEAVE_SECONDS):
            expected = f"the process exits on its own within {LEAVE_SECONDS:g} s"
            raise StepError("goodbye, and the end of the stream", "the process runs on", expected)
        seconds = trio.current_time() - began
        ending = session.bot.ending
        if ending.startswith("killed by"):
            raise StepError("goodbye, and the end of the stream", ending, "the process exits on its own")
    return f"left after {seconds:.2f} s, {ending}"


async def shutdown(suite: Suite) -> str:
    """End within a second of SIGTERM."""
    async with suite.session(is_fresh=True) as session:
        board = suite.board("shutdown")
        board.find_question()
        await session.ask(board, board.started())
        began = trio.current_time()
        session.bot.process.ask()
        if not await session.bot.leaves(STOP_SECONDS):
            raise StepError("SIGTERM", "the process runs on until it is killed", "the process ends within a second")
        seconds = trio.current_time() - began
    return f"ended after {seconds:.2f} s"


DECLARED = "the same answers: bot.toml says deterministic = true, and others check it; delete the line if it is not"


async def reproducible(suite: Suite) -> str:
    """Play the same match the same way again."""
    played = []
    for _ in range(2):
        boards = [suite.board("reproducible", number) for number in range(len(suite.games))]
        async with suite.session(is_fresh=True) as session:
            for board in boards:
                session.connection.send(board.started())
                await session.play_out(board, most=20)
        played.append([board.answers for board in boards])
    same = [first == second for first, second in zip(*played, strict=True)]
    if all(same):
        return f"yes: {sum(map(len, played[0]))} answers in {len(same)} matches are the same in two processes"
    different = [game.slug for game, is_same in zip(suite.games, same, strict=True) if not is_same]
    if suite.bot.manifest.deterministic:
        came = f"other answers in {', '.join(different)}"
        raise StepError("the same matches to two processes", came, DECLARED)
    return f"no: it plays differently in {', '.join(different)}"


SuiteStep = tuple[str, Callable[[Suite], Awaitable[str]], str]


def steps(games: Sequence[AnyGame]) -> list[SuiteStep]:
    """Return all required steps in order: a name, the function, and the requirement."""
    listed: list[tuple[str, Callable[[Suite], Awaitable[str]]]] = [("hello", hello)]
    listed += [(f"match:{game.slug}", whole_match(game)) for game in games]
    listed += [(f"kinds:{game.slug}", every_kind(game)) for game in games]
    listed += [
        ("refusal", refusal), ("interleaved", interleaved), ("batched", batched), ("late", late),
        ("reconnect", reconnect), ("goodbye", goodbye), ("shutdown", shutdown),
    ]  # fmt: skip
    about = {"match": "play a whole match", "kinds": "answer every kind of question"}
    return [(name, run, about.get(name.partition(":")[0]) or _first_line(run)) for name, run in listed]


def _first_line(run: Callable[[Suite], Awaitable[str]]) -> str:
    sentence = (run.__doc__ or "").strip().splitlines()[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]
