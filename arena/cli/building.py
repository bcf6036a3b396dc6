"""Bots that need a build step before they can play."""

from __future__ import annotations

import subprocess

from arena.bots.directory import BotDirectory, missing_program, read_bot
from arena.cli.hints import to_paste
from referee.mistakes import UserError

BUILD_LINES = 8
"""How much of a failed build step's output is shown."""


def check_built(bot: BotDirectory) -> None:
    """Refuse a bot that is not built yet, naming the command that builds it."""
    missing = missing_program(bot)
    if missing is not None:
        command = to_paste("check-bot", "--build", bot.path)
        raise UserError(f"{bot.path}: {missing} is missing: the bot is not built yet; build it with: {command}")


def build(bot: BotDirectory) -> BotDirectory:
    """Run a bot's build step in its directory and read the bot again; raise a UserError if it fails."""
    if not bot.manifest.build:
        raise UserError(f"{bot.path}: bot.toml has no build step")
    try:
        done = subprocess.run(
            bot.manifest.build, cwd=bot.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    except OSError as error:
        raise UserError(f"{bot.path}: build: cannot start {bot.manifest.build[0]}: {error.strerror}") from None
    if done.returncode:
        last = "\n".join(done.stdout.strip().splitlines()[-BUILD_LINES:])
        raise UserError(f"{bot.path}: the build step ended with exit code {done.returncode}: {last}")
    return read_bot(bot.path)
