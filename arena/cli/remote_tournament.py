"""A tournament that runs on a server: started and watched from here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from google.protobuf.json_format import MessageToDict

from arena.cli.faults import INTERRUPTED
from arena.cli.options import connect
from arena.cli.output import print_json, printable, say
from arena.cli.standings import print_standings
from arena.plan.tournament_file import LARGEST_FILE
from arena.remote.address import ServerAddress
from arena.remote.messages import read_state
from arena.store.rows import TournamentState
from arena.v1 import arena_pb2 as pb
from referee.mistakes import UserError

if TYPE_CHECKING:
    from arena.remote.client import Client


def run_on_server(file: Path, server: ServerAddress, *, detach: bool, as_json: bool) -> int:
    """Start a tournament on a server and watch it to its end, unless detached."""
    with connect(server) as client:
        started = client.start(_text(file))
        name = started.tournament
        running = f"{name} is running with {len(started.bots)} bots"
        if detach:
            say(f"{running}.", {"tournament": name, "bots": list(started.bots)}, as_json=as_json)
            return 0
        click.echo(f"arena: {running}", err=True)
        status = watch(client, name, as_json=False, to_errors=True)
        words, lines = client.standings(name)
    state = read_state(status.state)
    if as_json:
        print_json({"tournament": name, "state": state, "reason": status.reason, "standings": lines})
    else:
        print_standings(name, words, lines)
        click.echo(f"{name} is {state}: {status.reason}.")
    return 0 if state is TournamentState.FINISHED else INTERRUPTED


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise UserError(f"{file}: is larger than {LARGEST_FILE} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{file}: {error}") from None


def watch(client: Client, tournament: str, *, as_json: bool, to_errors: bool = False) -> pb.TournamentStatus:
    """Print a tournament's events until it ends, and return how it ended."""
    status = pb.TournamentStatus()
    for event in client.watch(tournament):
        if event.WhichOneof("event") == "status":
            status = event.status
        if as_json:
            click.echo(json.dumps(MessageToDict(event, preserving_proto_field_name=True)))
        else:
            click.echo(printable(_line(event)), err=to_errors)
    return status


def _line(event: pb.WatchTournamentResponse) -> str:
    match event.WhichOneof("event"):
        case "round_paired":
            paired = event.round_paired
            return f"round {paired.round} of {paired.rounds}: {paired.matches} matches of {paired.game}"
        case "match_finished":
            finished = event.match_finished
            seats = sorted(finished.seats, key=lambda seat: seat.place)
            result = ", ".join(f"{seat.place}. {seat.bot} ({seat.score})" for seat in seats)
            return f"round {finished.round} table {finished.table}: {finished.ending}: {result}"
        case "forecast":
            return event.forecast.words
        case "round_closed":
            return f"round {event.round_closed.round} is closed after {event.round_closed.seconds:.1f} seconds"
        case _:
            status = event.status
            reason = f": {status.reason}" if status.reason else ""
            return f"{status.tournament} is {read_state(status.state)}{reason}"
