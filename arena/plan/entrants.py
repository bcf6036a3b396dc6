"""T10.3, T10.4: bots that join or leave a tournament between two rounds."""

from __future__ import annotations

from pathlib import Path

from arena.bots.directory import Bot, read_bot
from arena.bots.label import Label, name_of
from arena.bots.one_file import is_bot
from arena.plan.entries import find_submitted
from arena.plan.rounds import History, read_history
from arena.plan.schedules import SCHEDULES
from arena.plan.settings import TournamentSettings
from arena.plan.stored_plan import stored_bot
from arena.plan.tournament_file import check_author_limit
from arena.store.database import Store
from arena.store.rows import StoredTournament, TournamentState
from referee.mistakes import NotFoundError, UserError


def find_entry(store: Store, wanted: str, *, folder: Path | None = None) -> Bot:
    """Return the bot that is to join: a directory below a folder, if one is given, or a submitted bot."""
    if folder is not None and is_bot(folder / wanted):
        return read_bot(folder / wanted)
    version = find_submitted(store, "bot", wanted)
    if version is None:
        raise NotFoundError(f"bot: {wanted!r} was not submitted; see arena bots list")
    return stored_bot(store, version.label)


def enter_bot(store: Store, tournament: str, bot: Bot, now: str) -> int:
    """T10.3, T11.12: let a bot join a tournament; return the first round that it plays.

    A UserError says why it cannot.
    """
    stored = _unfinished(store, tournament)
    settings = TournamentSettings.of(stored)
    if not SCHEDULES[settings.format].is_open:
        raise UserError(f"tournament: {tournament} is a {settings.format}; only a Swiss tournament can be joined")
    for game in settings.games:
        if not bot.manifest.plays(game.slug):
            raise UserError(f"bot: {bot.manifest.name} does not play {game.slug}")
    if bot.is_remote and settings.shares_secrets:
        raise UserError(f"seeding: 'per_block' is refused: {bot.label} runs elsewhere and may remember its games")
    with store.write():
        if bot.manifest.name in map(name_of, store.corrections.disqualified(tournament)):
            raise UserError(f"bot: {bot.manifest.name} is disqualified from {tournament}")
        history = read_history(store, stored, ahead=True)
        if bot.label in _present(settings, history):
            raise UserError(f"bot: {bot.label} already plays in {tournament}")
        store.bots.add(bot.label, bot.manifest.name, bot.version, bot.location, bot.stored(), now)
        author = store.bots.author_of(bot.manifest.name)
        check_author_limit([*history.present_authors, *filter(None, [author])], settings.bots_per_author)
        return store.tournaments.add_change(tournament, bot.label, is_entry=True, author=author)


def withdraw_bot(store: Store, tournament: str, wanted: str) -> tuple[str, int]:
    """T10.4: take a bot out of a tournament, by name or label; return its label and the first round without it."""
    stored = _unfinished(store, tournament)
    settings = TournamentSettings.of(stored)
    with store.write():
        present = _present(settings, read_history(store, stored, ahead=True)) - set(settings.house_bots)
        found = sorted(label for label in present if Label.parse(label).is_meant_by(wanted))
        if len(found) != 1:
            several = f"names several: {', '.join(found)}" if found else f"does not play in {tournament}"
            raise UserError(f"bot: {wanted!r} {several}")
        if found[0] == settings.challenger:
            raise UserError(f"bot: {found[0]} is the challenger; a gauntlet needs one")
        return found[0], store.tournaments.add_change(tournament, found[0], is_entry=False)


def _unfinished(store: Store, tournament: str) -> StoredTournament:
    stored = store.tournaments.find(tournament)
    if stored.state is TournamentState.FINISHED:
        raise UserError(f"tournament: {tournament} is finished")
    return stored


def _present(settings: TournamentSettings, history: History) -> set[str]:
    return {bot for bot in (*history.entrants, *settings.house_bots) if bot not in history.left}
