"""arena new-bot: a new bot, ready to play."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

from arena.bots.directory import MANIFEST, read_bot
from arena.bots.names import fault_of
from arena.bots.samples import starter_bots
from arena.bots.shipped import shipped_folder
from arena.cli.hints import to_paste
from arena.cli.options import json_option
from arena.cli.output import print_json
from referee.mistakes import UserError

LANGUAGES = ("python", "node", "cpp", "go", "java", "rust")
IN_ONE_FILE = {"python": ".py", "node": ".mjs"}
MADE = ("build", "node_modules", "__pycache__", "Cargo.lock")  # never part of a template
PUBLISHED = ("referee/v1", "referee/lookahead", "referee/games")  # the messages a bot needs
NAME = re.compile(r'^name = ".*"', re.MULTILINE)


@click.command("new-bot")
@click.argument("language", metavar="LANG", type=click.Choice(LANGUAGES))
@click.argument("directory", metavar="DIR|FILE", type=click.Path(path_type=Path))
@click.option(
    "--one-file", "is_one_file", is_flag=True, help="Create one file, FILE.py or FILE.mjs, with one function."
)
@json_option
def command(language: str, directory: Path, is_one_file: bool, as_json: bool) -> None:
    """Create a new bot in LANG in DIR, ready to play.

    LANG is python, node, cpp, go, java or rust. The bot plays every game at random until you make it better. A bot in
    python or node can also be one file, with a function choose(view, options) that returns the index of an option.

    \b
    Example: arena new-bot python mybot
             arena new-bot python mybot.py --one-file
    """
    if is_one_file:
        write_file(language, directory)
        bot = read_bot(directory)
        if as_json:
            plain = {"bot": bot.manifest.name, "directory": str(bot.path.parent), "language": language}
            print_json({**plain, "files": [directory.name]})
            return
        click.echo(f"{bot.manifest.name} is {directory}; next:")
        click.echo(f"    {to_paste('check-bot', directory)}")
        click.echo(f"    {to_paste('play', 'norenberc', '--bot', directory, '--bot', directory)}")
        return
    write_bot(language, directory)
    bot = read_bot(directory)
    if as_json:
        files = sorted(file.relative_to(directory).as_posix() for file in directory.rglob("*") if file.is_file())
        print_json({"bot": bot.manifest.name, "directory": str(bot.path), "language": language, "files": files})
        return
    click.echo(f"{bot.manifest.name} is in {directory}; next:")
    building = ["--build"] if bot.manifest.build else []
    click.echo(f"    {to_paste('check-bot', *building, directory)}")
    click.echo(f"    {to_paste('play', 'norenberc', '--bot', directory, '--bot', directory)}")


def write_bot(language: str, directory: Path) -> None:
    """Copy a language's starter bot, with the protos if it builds from them; a UserError says why not."""
    name = directory.resolve().name
    if fault := fault_of(name):
        raise UserError(f"DIR: it becomes the bot's name, and {fault}")
    try:
        if directory.is_dir() and any(directory.iterdir()):
            raise UserError(f"DIR: {directory} is not empty")
        template = starter_bots() / language
        shutil.copytree(template, directory, ignore=shutil.ignore_patterns(*MADE), dirs_exist_ok=True)
        manifest = directory / MANIFEST
        named = NAME.sub(lambda _found: f'name = "{name}"', manifest.read_text(encoding="utf-8"), count=1)
        manifest.write_text(named, encoding="utf-8")
        if read_bot(directory).manifest.build:
            for part in PUBLISHED:
                shutil.copytree(published_messages() / part, directory / "proto" / part)
    except OSError as error:
        raise UserError(f"DIR: cannot write {directory}: {error.strerror}") from None


def write_file(language: str, file: Path) -> None:
    """Copy a language's one-file bot; a UserError says why not."""
    if language not in IN_ONE_FILE:
        raise UserError(f"--one-file: {language} has no one-file bots; expected {' or '.join(IN_ONE_FILE)}")
    ending = IN_ONE_FILE[language]
    if file.suffix != ending:
        raise UserError(f"FILE: {file} is not allowed; expected a name that ends in {ending}")
    if fault := fault_of(file.stem):
        raise UserError(f"FILE: it becomes the bot's name, and {fault}")
    template = starter_bots() / "one_file" / f"bot{ending}"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as made:
            made.write(template.read_text(encoding="utf-8"))
    except FileExistsError:
        raise UserError(f"FILE: {file} exists") from None
    except OSError as error:
        raise UserError(f"FILE: cannot write {file}: {error.strerror}") from None


def published_messages() -> Path:
    """Return the proto tree, from the checkout or the installed package."""
    folder = shipped_folder("proto", "proto", "referee/v1/play.proto")
    if folder is None:
        raise UserError("new-bot: the proto tree is not installed here")
    return folder
