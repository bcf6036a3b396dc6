"""The plan of a tournament that is in the store, with its bots found again."""

from __future__ import annotations

from arena.bots.directory import Bot
from arena.plan.entries import bot_of
from arena.plan.tournament_file import Plan, stored_plan
from arena.store.database import Store
from arena.store.rows import StoredTournament
from referee.mistakes import UserError


def plan_of(store: Store, stored: StoredTournament) -> Plan:
    """Return the plan of a stored tournament; a UserError if a bot's files are not what they were."""
    labels = (*stored.settings["bots"], *stored.settings["house_bots"])
    return stored_plan(
        stored.id, stored.settings, stored.running, {label: stored_bot(store, label) for label in labels}
    )


def stored_bot(store: Store, label: str) -> Bot:
    """Return a bot version as it was entered; a UserError if its files are not what they were."""
    version = store.bots.version(label)
    assert version is not None, f"{label} was entered"
    bot = bot_of(version).renamed(label.rpartition("@")[0])
    if bot.label != label:
        raise UserError(
            f"bots: the files of {label} in {bot.location} have changed since; the tournament cannot go on with them"
        )
    return bot
