"""Errors that end a command early, with one clear line and the matching exit code."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click

from ratings.ledger.chain import LedgerError
from referee.mistakes import UserError

BAD_INPUT, CHECK_FAILED = 2, 1
INTERRUPTED, PIPE_CLOSED = 130, 141  # as a shell reports SIGINT and SIGPIPE
OF_THIS_MACHINE = (
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
    errno.ENAMETOOLONG, errno.ELOOP,
)  # fmt: skip
"""Errors of the operating system that our code cannot prevent."""


@dataclass(frozen=True, slots=True)
class ReportedError:
    """One line for people, and an exit code; `is_unheard` when nobody reads our output any longer."""

    line: str
    exit_code: int
    is_unheard: bool = False


class ReaderGoneError(Exception):
    """The reader of our output is gone; click would treat a BrokenPipeError as a failure with exit code 1."""


def explain(error: BaseException) -> ReportedError | None:
    """Describe the error that ended a command; None for a bug, which needs its traceback.

    Concurrent tasks end in groups of errors: an interruption or a closed pipe among them explains the rest,
    otherwise the first one does.
    """
    causes = list(_leaves(error))
    if any(isinstance(cause, KeyboardInterrupt | click.Abort) for cause in causes):
        return ReportedError("stopped", INTERRUPTED)
    if any(isinstance(cause, BrokenPipeError | ReaderGoneError) for cause in causes):
        return ReportedError("", PIPE_CLOSED, is_unheard=True)
    faults = [_explain_one(cause) for cause in causes]
    return faults[0] if all(faults) else None


def flagged(line: str, command: click.Command, words: Sequence[str]) -> str:
    """Write the name of a field that opens an error as the option of the command that fills it, if there is one."""
    for word in words:
        if isinstance(command, click.Group):
            command = command.get_command(click.Context(command), word) or command
    flag = f"--{line.partition(':')[0].replace('_', '-')}"
    is_option = any(flag in param.opts for param in command.params)
    return flag + line[len(flag) - 2 :] if is_option else line


def _explain_one(error: BaseException) -> ReportedError | None:
    match error:
        case click.ClickException():
            return _in_one_line(error.format_message())
        case UserError():
            return _in_one_line(str(error))
        case sqlite3.OperationalError() if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return _in_one_line("the disk is full: the database cannot grow; earlier data is safe")
        case sqlite3.IntegrityError():
            return _in_one_line(f"another arena is writing to the same tournament: stop one of them ({error})")
        case LedgerError() | sqlite3.Error():
            return _in_one_line(f"the database cannot be read or written: {error}", CHECK_FAILED)
        case UnicodeEncodeError(encoding="utf-8", reason="surrogates not allowed"):
            # Only arguments and file names bring in such characters: bytes that Python could not decode.
            return _in_one_line("an argument or a file name is not UTF-8; expected text")
        case OSError(errno=number) if number in OF_THIS_MACHINE:
            reason = error.strerror or str(error)
            where = f": {error.filename}" if error.filename else ""
            return _in_one_line(f"{reason[:1].lower()}{reason[1:]}{where}")
    return None


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _in_one_line(text: str, exit_code: int = BAD_INPUT) -> ReportedError:
    return ReportedError(" ".join(text.split()), exit_code)
