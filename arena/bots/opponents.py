"""Bots as opponents of a learner: any bot that plays in process, found by name or directory.

from arena.bots.opponents import opponent
env = gym_env("norenberc", seats=3, opponents=[opponent("search"), opponent("level:4")])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from arena.bots.level import is_level
from arena.bots.policies import PolicySource, find_policy, load_policy
from referee.mistakes import UserError
from referee.policy import Policy, Question


def opponent(bot: str, *arguments: str) -> Callable[[Question], int]:
    """Return a bot as a policy; arguments replace those of its command.

    `bot` is what `arena simulate` takes: random, a sample bot, level:1 to level:10, a bot directory with a policy.py, a
    file.py or module:function. Every process loads it itself, at its first question. A UserError says what was
    expected.
    """
    if is_level(bot):
        if arguments:
            raise UserError(f"bot: {bot} has settings of its own; expected no arguments")
        return LevelOpponent(bot)
    source = find_policy(bot)
    return Opponent(replace(source, arguments=arguments) if arguments else source)


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot that other processes can load too."""

    source: PolicySource

    def __call__(self, question: Question) -> int:
        """Answer as the bot does."""
        if not self.source.plays(question.game.slug):
            raise UserError(f"bot: {self.source.label} does not play {question.game.slug}")
        return _loaded(self.source)(question)


@dataclass(frozen=True, slots=True)
class LevelOpponent:
    """The bot of a level, in whichever game it is asked."""

    level: str

    def __call__(self, question: Question) -> int:
        """Answer as the rung of the question's game does."""
        return _of_level(self.level, question.game.slug)(question)


@cache
def _of_level(level: str, game: str) -> Policy:
    return load_policy(find_policy(level, game))


@cache
def _loaded(source: PolicySource) -> Policy:
    return load_policy(source)
