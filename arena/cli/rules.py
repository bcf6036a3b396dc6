"""arena rules: the normative rules of a game, whole or by clause."""

from __future__ import annotations

import sys

import click

from arena.cli.options import json_option
from arena.cli.output import print_json
from arena.reports.rules import clause_text, rules_of


@click.command("rules")
@click.argument("game", metavar="GAME")
@click.argument("clause", metavar="[CLAUSE]", default="")
@json_option
def command(game: str, clause: str, as_json: bool) -> None:
    """Show the rules of GAME, or the text of one of their clauses.

    Bots are told the clause of every question, and refusals name it. The rules of pairing, ratings and ledger are
    those of the game "tournaments".

    \b
    Example: arena rules norenberc B4.2
             arena rules tournaments T14
    """
    clause = clause.upper()
    text = clause_text(game, clause) if clause else rules_of(game).rstrip("\n")
    if as_json:
        print_json({"game": game, "clause": clause, "text": text})
    elif sys.stdout.isatty() and not clause:
        click.echo_via_pager(text + "\n")
    else:
        click.echo(text)
