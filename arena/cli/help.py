"""arena help: what `--help` shows, for those who ask for it by a word."""

from __future__ import annotations

import click

from referee.mistakes import UserError


@click.command("help")
@click.argument("words", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def command(context: click.Context, words: tuple[str, ...]) -> None:
    """Show the help of arena or of one of its commands.

    \b
    Example: arena help
             arena help tournament run
    """
    shown = context.find_root()
    for at, word in enumerate(words):
        group = shown.command
        if not isinstance(group, click.Group):
            named = " ".join(("arena", *words[:at]))
            raise UserError(f"COMMAND: {named} has no commands; expected nothing after it")
        name, found, _rest = group.resolve_command(shown, [word])
        assert found is not None
        shown = click.Context(found, info_name=name, parent=shown)
    click.echo(shown.get_help())
