"""arena docs: what a reader has to know, as one text."""

from __future__ import annotations

import click

from arena.cli.agent_guide import for_agents


@click.command("docs")
@click.option("--for", "reader", required=True, type=click.Choice(["agents"]), help="Who reads it.")
@click.argument("game")
def command(reader: str, game: str) -> None:
    """Print all that is needed to write a bot of GAME as one text of bounded length.

    For agents, that is programs that write bots: the workflow and its commands, how to measure, the protocol, the
    types of views and options, and the rules by clause.

    \b
    Example: arena docs --for agents norenberc
    """
    click.echo(for_agents(game))
