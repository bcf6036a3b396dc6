"""Asking a bot again: prompts from records, each in a match that begins there, over the real protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.analysis.gifts.alike import RecordedPrompt
from arena.bots.directory import BotDirectory
from arena.bots.process import BotStartError
from arena.bots.scratch import scratch_folder
from arena.conformance.board import ScriptedMatch
from arena.conformance.report import StepError
from arena.conformance.steps import CONTROL, Suite
from arena.conformance.test_server import open_test_server
from arena.sandbox.levels import SandboxPolicy, choose
from referee.rng import Rng
from referee.wire import wire_for

MAX_FAILURES = 3
"""Prompts without a legal answer in a row after which a bot is asked no more."""


async def ask_again(
    bot: BotDirectory,
    prompts: Sequence[RecordedPrompt],
    patience: float,
    sandbox: SandboxPolicy,
    asked: Callable[[], None],
) -> list[str | None]:
    """T21.10: return a bot's answers as JSON, None where it gave none; `asked` is called after each."""
    found: list[str | None] = []
    failures = 0
    with scratch_folder() as folder:
        async with open_test_server(folder, choose(sandbox)) as server:
            suite = Suite(bot, server, (), patience)
            try:
                for number, prompt in enumerate(prompts):
                    answer = None if failures >= MAX_FAILURES else await _answer(suite, number, prompt)
                    failures = failures + 1 if answer is None else 0
                    found.append(answer)
                    asked()
            finally:
                await suite.close()
    return found


async def _answer(suite: Suite, number: int, prompt: RecordedPrompt) -> str | None:
    game = prompt.game
    state = game.clone(prompt.state)
    name = f"again-{number}"
    board = ScriptedMatch(game, name, prompt.seat, prompt.seats, prompt.options, state, Rng(number), CONTROL)
    try:
        async with suite.session() as session:
            board.find_question()
            session.connection.send(board.started(), board.prompt())
            action = board.read((await session.answers([board]))[name])
            session.connection.send(board.ended())
    except (StepError, BotStartError):
        return None
    return wire_for(game).action_json(action)
