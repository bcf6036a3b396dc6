"""One-file bots: `my_bot.py` or `my_bot.mjs` with one function, `choose(view, options)`, that returns an index.

    python -m referee.one_file my_bot.py     # plays on the address in ARENA_ADDRESS

The function may be a method of a class, of which one object plays all matches of a process; its `reset()`, if it has
one, is called before each. Both may take the `Question` as one more argument. In Python views and options are the
game's own values; in Node.js they are those of records, so that an option reads `{"sell_goods": {"count": 2}}`.
"""

from __future__ import annotations

import ast
import asyncio
import importlib.util
import inspect
import json
import operator
import os
import shutil
import subprocess
import sys
import traceback
import warnings
import weakref
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from referee.codec import codec_for
from referee.games import GAMES
from referee.policy import Policy, Question

PYTHON, NODE = ".py", ".mjs"
ENDINGS = (PYTHON, NODE)
EXPECTED = "expected a function choose(view, options), or a class with such a method"
MAX_ANSWER = 100  # bytes of a line from Node.js


class OneFileError(Exception):
    """A file is no bot; the message says what is wrong with it and what was expected."""


def fault_of_source(source: bytes) -> str:
    """Return why the source of a Python file cannot be a bot, without running it; empty if it may be one."""
    try:
        with warnings.catch_warnings(action="ignore"):  # about the bot's own style
            tree = ast.parse(source)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    except (ValueError, RecursionError, MemoryError):
        return "cannot be parsed"
    return "" if any(_may_choose(each) for each in ast.walk(tree)) else f"defines no bot; {EXPECTED}"


def _may_choose(node: ast.AST) -> bool:
    """Return whether a node could bind the name `choose`; an import of everything binds anything."""
    match node:
        case ast.FunctionDef(name="choose") | ast.Name(id="choose", ctx=ast.Store()):
            return True
        case ast.ImportFrom():
            return any((alias.asname or alias.name) in ("choose", "*") for alias in node.names)
        case _:
            return False


def takes_view_and_options(source: bytes) -> bool:
    """Return whether a file's `choose` is that of a one-file bot, and not a policy's `choose(question)`."""
    if fault_of_source(source):
        return False
    with warnings.catch_warnings(action="ignore"):
        tree = ast.parse(source)
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    if "policy" in functions:
        return False
    if "choose" in functions:
        arguments = functions["choose"].args
        return len(arguments.posonlyargs) + len(arguments.args) >= 2
    methods = (part for each in tree.body if isinstance(each, ast.ClassDef) for part in each.body)
    return any(isinstance(part, ast.FunctionDef) and part.name == "choose" for part in methods)


def load(file: Path) -> Policy:
    """Load a one-file bot; a OneFileError says why it is none."""
    return _NodeBot(file) if file.suffix == NODE else _PythonBot(file)


class _PythonBot:
    """A bot in Python, in this process."""

    def __init__(self, file: Path) -> None:
        chooser = _chooser(file)
        self._choose, self._takes_question = chooser, _positional(chooser) > 2
        owner = getattr(chooser, "__self__", None)
        self._reset: Any = getattr(owner, "reset", None)
        self._match = ""

    def __call__(self, question: Question) -> int:
        """Return the index that the bot chooses."""
        if question.match_id != self._match:
            self._match = question.match_id
            if callable(self._reset):
                self._reset(*((question,) if _positional(self._reset) else ()))
        more = (question,) if self._takes_question else ()
        chosen = self._choose(question.view, question.options, *more)
        try:
            return operator.index(chosen)
        except TypeError:
            raise OneFileError(f"choose returned {chosen!r:.100}; expected the index of an option") from None


def _chooser(file: Path) -> Callable[..., Any]:
    """Run a file and return its function `choose`, or that method of an object of its class."""
    name = f"one_file_{sha256(str(file).encode()).hexdigest()[:16]}"  # two bots may have files of one name
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None  # of a name that ends in .py
    assert spec.loader is not None  # likewise
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    chooser: Callable[..., Any] | None = getattr(module, "choose", None)
    if callable(chooser):
        return chooser
    classes = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == name and callable(getattr(each, "choose", None))
    ]
    if len(classes) != 1:
        raise OneFileError(f"{file.name}: {'several classes can choose' if classes else 'defines no bot'}; {EXPECTED}")
    made: Callable[..., Any] = classes[0]().choose
    return made


def _positional(function: Callable[..., Any]) -> int:
    """Return how many arguments a function can be called with by position, up to three."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of a function that is not written in Python
        return 2
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return 3
    return sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)


class _NodeBot:
    """A bot in JavaScript, in a process of Node.js: a line of JSON for each question, a line with an index back."""

    def __init__(self, file: Path) -> None:
        node = shutil.which("node")
        if node is None:
            raise OneFileError("node is missing: install Node.js 18 or later")
        self._command = (node, str(Path(__file__).with_suffix(NODE)), str(file.resolve()))
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, question: Question) -> int:
        """Return the index that the bot chooses."""
        codec = codec_for(question.game)
        line = {
            "match": question.match_id,
            "game": question.game.slug,
            "seat": question.seat,
            "seats": question.seats,
            "kind": question.kind,
            "deadline": min(question.deadline, 1e9),  # JSON has no infinity
            "time_left": min(question.time_left, 1e9),
            "view": codec.view.to_plain(question.view),
            "options": [codec.action.to_plain(option) for option in question.options],
        }
        process = self._process or self._start()
        try:
            self._ask.write(json.dumps(line).encode() + b"\n")
            self._ask.flush()
            answer = self._answer.readline(MAX_ANSWER)
        except BrokenPipeError:
            answer = b""
        if not answer.strip():
            raise OneFileError(f"Node.js ended with exit code {process.wait()}")
        return int(answer)

    def _start(self) -> subprocess.Popen[bytes]:
        # On descriptors of their own: what the bot prints belongs in its log.
        asked, ask = os.pipe()
        answer, answered = os.pipe()
        command = (*self._command, str(asked), str(answered))
        self._process = subprocess.Popen(command, pass_fds=(asked, answered), stdin=subprocess.DEVNULL)
        os.close(asked)
        os.close(answered)
        self._ask, self._answer = os.fdopen(ask, "wb"), os.fdopen(answer, "rb")
        weakref.finalize(self, _end, self._process, self._ask, self._answer)
        return self._process


def _end(process: subprocess.Popen[bytes], *files: BufferedIOBase) -> None:
    """End Node.js with its pipes."""
    process.kill()
    process.wait()
    for file in files:
        with suppress(BrokenPipeError):
            file.close()


async def play(policy: Policy) -> None:
    """Answer prompts until the referee says goodbye or hangs up."""
    import grpc.aio  # slow to import, and a simulation needs none of it

    from referee.v1 import play_pb2 as pb
    from referee.v1.play_pb2_grpc import RefereeServiceStub

    matches: dict[str, pb.MatchStarted] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    matches[message.match_started.match_id] = message.match_started
                elif kind == "match_ended":
                    matches.pop(message.match_ended.match_id, None)
                elif kind == "goodbye":
                    return
                elif kind == "prompt":
                    prompt = message.prompt
                    index = policy(_question(prompt, matches[prompt.match_id]))
                    if not 0 <= index < len(_part(prompt).options):
                        raise OneFileError(f"choose returned {index}; expected 0 to {len(_part(prompt).options) - 1}")
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=index)
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))


def _part(prompt: Any) -> Any:
    """Return the game's part of a prompt."""
    name = prompt.game.WhichOneof("game")
    if name != "plug_in":
        return getattr(prompt.game, name)
    for game in GAMES.values():
        codec = codec_for(game)
        if prompt.game.plug_in.Is(codec.prompt.DESCRIPTOR):
            message = codec.prompt()
            prompt.game.plug_in.Unpack(message)
            return message
    raise OneFileError("this game is not installed here")


def _question(prompt: Any, match: Any) -> Question:
    """Read a prompt in the game's own values."""
    game, part = GAMES[match.game], _part(prompt)
    codec = codec_for(game)
    return Question(
        game, prompt.match_id, prompt.prompt_id, match.seat, match.seats, prompt.kind, codec.view.decode(part.view),
        [codec.action.decode(option) for option in part.options],
        prompt.deadline.ToNanoseconds() / 1e9, prompt.time_left.ToNanoseconds() / 1e9,
    )  # fmt: skip


def main() -> None:
    """Play a file; a file that is no bot, its own error or a lost connection ends it, with the reason."""
    import grpc.aio

    try:
        asyncio.run(play(load(Path(sys.argv[1]))))
    except OneFileError as error:
        sys.exit(str(error))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")
    except Exception:
        traceback.print_exc()
        sys.exit(1)


if __name__ == "__main__":
    main()
