"""Policies: bots played inside our own process, found by the name or path of a bot.

That is `random`; a sample bot by its name; a level of a game's ladder, `level:3`; a bot directory with a `policy.py`; a
one-file bot; a file; or `module:function`. `tuned:weights=FILE` is the sample bot `tuned` with the weights of a file. A
file that is no bot by itself defines `choose(question)`, or `policy(arguments)`, which returns such a function for the
arguments after the program in the bot's command.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.bots.directory import MANIFEST, BotDirectory, read_bot
from arena.bots.level import is_level
from arena.bots.one_file import is_one_file, is_policy
from arena.bots.rungs import bot_of_level
from arena.bots.samples import RANDOM
from referee.mistakes import UserError
from referee.one_file.policies import OneFileError, load
from referee.policy import BUILT_IN, Policy

POLICY_FILE = "policy.py"
TUNED = "tuned"
WITH_WEIGHTS = f"{TUNED}:weights="
EXPECTED = (
    "expected random, a sample bot, tuned:weights=FILE, a bot directory with a policy.py, a one-file bot, a file.py or "
    "module:function"
)


@dataclass(frozen=True, slots=True)
class PolicySource:
    """Where a policy comes from, so that every process can load it itself."""

    label: str
    """The name in results: for a bot directory its name and version, as in records."""
    name: str
    folder: str
    """The directory of its file, or a one-file bot itself; empty for a module or a built-in policy."""
    module: str = ""
    function: str = ""
    arguments: tuple[str, ...] = ()
    games: tuple[str, ...] = ()

    def plays(self, game: str) -> bool:
        """Return whether its manifest declares this game; without one it plays every game."""
        return not self.games or game in self.games


def find_policy(text: str, game: str = "") -> PolicySource:
    """Return the source of a bot's policy, of a level in this game; a UserError says what was expected."""
    if is_level(text):
        return policy_of_rung(bot_of_level(text, [game] if game else []))
    if text == "random":
        return PolicySource(text, text, "")
    if text.startswith(WITH_WEIGHTS):
        return _with_weights(text)
    path, sample = Path(text), _sample_bots() / text
    if path.is_dir():
        return _of_directory(path)
    if is_one_file(path) and not is_policy(path):
        return _of_file(path)
    file, _, function = text.partition(":")
    if file.endswith(".py"):
        if not Path(file).is_file():
            raise UserError(f"bot: {file} does not exist; {EXPECTED}")
        return PolicySource(text, Path(file).stem, str(Path(file).resolve().parent), Path(file).stem, function)
    if function:
        return PolicySource(text, text, "", file, function)
    if text and "/" not in text and (sample / POLICY_FILE).is_file():
        return _of_directory(sample)
    raise UserError(f"bot: {text!r} is unknown; {EXPECTED}")


def policy_of_rung(bot: BotDirectory) -> PolicySource:
    """Return the source of the policy of a rung, which plays and is called as its program."""
    if bot.path == _sample_bots() / RANDOM:
        return replace(find_policy("random"), label=bot.label)
    return _of_directory(bot.path)


def _sample_bots() -> Path:
    found = importlib.util.find_spec("sample_bots")
    return Path(found.submodule_search_locations[0]) if found and found.submodule_search_locations else Path("/nowhere")


def _with_weights(text: str) -> PolicySource:
    """Return the sample bot `tuned` with a file of weights, named after what they are."""
    file = Path(text.removeprefix(WITH_WEIGHTS))
    try:
        digest = blake2b(file.read_bytes(), digest_size=6).hexdigest()
    except OSError as error:
        raise UserError(f"bot: {file}: {error.strerror}; expected a file of weights") from None
    source = _of_directory(_sample_bots() / TUNED)
    arguments = (*source.arguments, "--weights", str(file.resolve()))
    return replace(source, label=f"{source.label}:{digest}", name=f"{TUNED}:{file.stem}", arguments=arguments)


def _of_directory(path: Path) -> PolicySource:
    bot = read_bot(path)
    if not (path / POLICY_FILE).is_file():
        raise UserError(
            f"bot: {path} has a {MANIFEST} but no {POLICY_FILE}, which runs in process; "
            "to play its program, use arena play"
        )
    command = list(bot.manifest.command)
    program = next((at for at, word in enumerate(command) if word.endswith(".py")), 0)
    arguments = tuple(command[program + 1 :])
    return PolicySource(bot.label, bot.manifest.name, str(path.resolve()), "policy", "", arguments, bot.manifest.games)


def _of_file(path: Path) -> PolicySource:
    bot = read_bot(path)
    return PolicySource(bot.label, bot.manifest.name, str(bot.path))


def load_policy(source: PolicySource) -> Policy:
    """Load a policy; a UserError says why it cannot be loaded."""
    if not source.module and source.folder:
        return _load_one_file(source)
    if not source.module:
        return BUILT_IN[source.name]
    try:
        module = _load_file(source) if source.folder else import_module(source.module)
    except Exception as error:
        raise UserError(f"bot: {source.label} cannot be loaded: {type(error).__name__}: {error}") from None
    made: Any = getattr(module, source.function or "choose", None)
    maker: Any = None if source.function else getattr(module, "policy", None)
    if callable(maker):
        try:
            made = maker(list(source.arguments))
        except (Exception, SystemExit) as error:
            raise UserError(f"bot: {source.label}: {type(error).__name__}: {error}") from None
    if not callable(made):
        raise UserError(f"bot: {source.label}: {source.module} has no function {source.function or 'choose'}")
    policy: Policy = made
    return policy


def _load_one_file(source: PolicySource) -> Policy:
    try:
        return load(Path(source.folder))
    except (OneFileError, Exception, SystemExit) as error:
        raise UserError(f"bot: {source.label} cannot be loaded: {type(error).__name__}: {error}") from None


def _load_file(source: PolicySource) -> ModuleType:
    """Load a file as a module in its own package, so that two bots may have files with the same names.

    Its imports of sibling files by plain name are found, and then forgotten, so that the next bot finds its own.
    """
    package = f"policy_in_{source.folder.encode().hex()}"
    if package not in sys.modules:
        made = ModuleType(package)
        made.__path__ = [source.folder]
        sys.modules[package] = made
    before = set(sys.modules)
    sys.path.insert(0, source.folder)
    try:
        return import_module(f"{package}.{source.module}")
    finally:
        sys.path.remove(source.folder)
        sys.path.append(source.folder)  # for imports while it plays
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None)
            if "." not in name and file is not None and Path(file).parent == Path(source.folder):
                del sys.modules[name]


def load_policies(sources: Sequence[PolicySource]) -> list[Policy]:
    """Load one policy per seat."""
    return [load_policy(source) for source in sources]
