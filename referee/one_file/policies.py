"""One-file bots as policies: a Python file is loaded, a file for Node.js runs in a process of its own."""

from __future__ import annotations

import importlib.util
import inspect
import json
import operator
import os
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from referee.codec import codec_for
from referee.one_file.source import EXPECTED, NODE
from referee.policy import Policy, Question

PLAYER = Path(__file__).with_name("player.mjs")
MAX_ANSWER = 100  # bytes of a line from Node.js


class OneFileError(Exception):
    """A file is no bot; the message says what is wrong with it and what was expected."""


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
        self._command = (node, str(PLAYER), str(file.resolve()))
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
