"""arena new-bot: a new bot, ready to play."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

from arena.bots.directory import MANIFEST, read_bot
from arena.bots.names import fault_of
from arena.bots.samples import RANDOM, sample_names, starter_bots
from arena.bots.shipped import shipped_folder
from arena.cli.agent_guide import agents_page
from arena.cli.hints import to_paste
from arena.cli.options import json_option
from arena.cli.output import print_json
from referee.mistakes import UserError
from referee.setting import did_you_mean

LANGUAGES = ("python", "node", "cpp", "go", "java", "rust")
IN_ONE_FILE = {"python": ".py", "node": ".mjs"}
MADE = ("build", "node_modules", "__pycache__", "Cargo.lock")  # never part of a template
PUBLISHED = ("referee/v1", "referee/lookahead", "referee/games")  # the messages a bot needs
NAME = re.compile(r'^name = ".*"', re.MULTILINE)


@click.command("new-bot")
@click.argument("words", metavar="[LANG] DIR|FILE", nargs=-1)
@click.option("--from", "sample", metavar="BOT", help="Begin with the sample bot of this name instead of LANG.")
@click.option(
    "--one-file", "is_one_file", is_flag=True, help="Create one file, FILE.py or FILE.mjs, with one function."
)
@json_option
def command(words: tuple[str, ...], sample: str | None, is_one_file: bool, as_json: bool) -> None:
    """Create a new bot in LANG in DIR, ready to play.

    LANG is python, node, cpp, go, java or rust. The bot plays every game at random until you make it better. A bot in
    python or node can also be one file, with a function choose(view, options) that returns the index of an option.
    With --from it begins as a copy of a sample bot: champion, greedy, language, noisy, search or tuned, in Python.

    \b
    Example: arena new-bot python mybot
             arena new-bot python mybot.py --one-file
             arena new-bot --from greedy mybot
    """
    language, directory = _wanted(words, sample, is_one_file=is_one_file)
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
    write_bot(language if sample is None else sample, directory)
    bot = read_bot(directory)
    if as_json:
        files = sorted(file.relative_to(directory).as_posix() for file in directory.rglob("*") if file.is_file())
        print_json({"bot": bot.manifest.name, "directory": str(bot.path), "language": language, "files": files})
        return
    click.echo(f"{bot.manifest.name} is in {directory}; next:")
    building = ["--build"] if bot.manifest.build else []
    click.echo(f"    {to_paste('check-bot', *building, directory)}")
    click.echo(f"    {to_paste('play', 'norenberc', '--bot', directory, '--bot', directory)}")


def _wanted(words: tuple[str, ...], sample: str | None, *, is_one_file: bool) -> tuple[str, Path]:
    """Return language and place of the new bot; a UserError says what is missing."""
    if sample is None:
        if len(words) != 2:
            raise UserError(
                f"new-bot: expected LANG and {'FILE' if is_one_file else 'DIR'}, got {', '.join(words) or 'nothing'}"
            )
        language, place = words
        if language not in LANGUAGES:
            hint = did_you_mean(language, LANGUAGES)
            raise UserError(f"LANG: {language!r} is not one of {', '.join(LANGUAGES)}{hint}")
        return language, Path(place)
    if is_one_file:
        raise UserError("--from: expected one of --from and --one-file")
    if sample not in sample_names():
        hint = did_you_mean(sample, sample_names())
        raise UserError(f"--from: {sample!r} is no sample bot; expected one of: {', '.join(sample_names())}{hint}")
    if len(words) != 1:
        raise UserError(f"new-bot: expected only DIR beside --from, got {', '.join(words) or 'nothing'}")
    language = sample if sample in LANGUAGES else "python"
    return language, Path(words[0])


def write_bot(template_name: str, directory: Path) -> None:
    """Copy a starter bot or another sample bot, with the protos if it builds from them; a UserError says why not."""
    name = directory.resolve().name
    if fault := fault_of(name):
        raise UserError(f"DIR: it becomes the bot's name, and {fault}")
    try:
        if directory.is_dir() and any(directory.iterdir()):
            raise UserError(f"DIR: {directory} is not empty")
        template = starter_bots() / (RANDOM if template_name == "random" else template_name)
        shutil.copytree(template, directory, ignore=shutil.ignore_patterns(*MADE), dirs_exist_ok=True)
        manifest = directory / MANIFEST
        named = NAME.sub(lambda _found: f'name = "{name}"', manifest.read_text(encoding="utf-8"), count=1)
        manifest.write_text(named, encoding="utf-8")
        (directory / "AGENTS.md").write_text(agents_page(name), encoding="utf-8")
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
