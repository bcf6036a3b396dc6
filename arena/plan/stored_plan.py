"""The plan of a stored tournament, with its bots."""

from __future__ import annotations

from arena.bots.directory import Bot
from arena.bots.label import name_of
from arena.plan.entries import bot_of
from arena.plan.settings import RunSettings, TournamentSettings
from arena.plan.tournament_file import Plan
from arena.store.database import Store
from arena.store.rows import StoredTournament
from referee.mistakes import UserError
from referee.order import OrderError, find_game


def plan_of(store: Store, stored: StoredTournament) -> Plan:
    """Return the plan of a stored tournament; a UserError if a bot's files or a game's rules have changed."""
    settings = TournamentSettings.of(stored)
    for game in settings.games:
        present = find_game(game.slug).rules_version
        if present != game.rules_version:
            began = f"the tournament began with {game.rules_version}"
            raise OrderError(f"games: {game.slug} has rules version {present} here; {began}")
    bots, house_bots = (
        tuple(stored_bot(store, label) for label in labels) for labels in (settings.bots, settings.house_bots)
    )
    return Plan(stored.id, settings, RunSettings.from_plain(stored.running), bots, house_bots)


def stored_bot(store: Store, label: str) -> Bot:
    """Return a bot version as entered; a UserError if its files have changed."""
    version = store.bots.version(label)
    assert version is not None, f"{label} was entered"
    bot = bot_of(version).renamed(name_of(label))
    if bot.label != label:
        raise UserError(
            f"bots: the files of {label} in {bot.location} have changed; the tournament cannot continue with them"
        )
    return bot
