"""The command line: one group of verbs, and one place where bad input becomes one clear line."""

from __future__ import annotations

import importlib
import os
import sqlite3
import sys
from typing import Any

import click

from ratings.chain import LedgerError
from referee.order import OrderError

COMMANDS = (
    "games", "play", "tournament", "leaderboard", "bots", "match", "replay", "ledger", "web", "serve", "tokens",
    "connect", "check-bot", "new-bot", "demo", "doctor", "bench",
)  # fmt: skip


class _Verbs(click.Group):
    """Loads a verb's module when it is used, so that every command starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"arena.cli.{cmd_name.replace('-', '_')}").command
        return command


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="meistersinger", prog_name="arena")
def arena() -> None:
    """Run bots against each other in board games: single matches, tournaments, ratings.

    \b
    Example: arena play norenberc --bot sample_bots/python --bot sample_bots/python
    """


def main() -> None:
    """Run the command line; wrong input ends with exit code 2 and one line, never a traceback."""
    sys.exit(_run())


def _run() -> int:
    try:
        result: Any = arena.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as shown:
        click.echo(shown.format_message())
        return 2
    except click.ClickException as error:
        return _refuse(error.format_message())
    except OrderError as error:
        return _refuse(str(error))
    except (LedgerError, sqlite3.Error) as error:
        click.echo(f"arena: the database cannot be read or written: {' '.join(str(error).split())}", err=True)
        return 1
    except (click.Abort, KeyboardInterrupt):
        click.echo("arena: stopped", err=True)
        return 130
    except BrokenPipeError:  # the reader of our output has gone: nothing to say any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0


def _refuse(reason: str) -> int:
    click.echo(f"arena: {' '.join(reason.split())}", err=True)
    return 2
