"""T21: the report on gifts of a tournament: which pairs to look at, and the decisions behind each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena.analysis.gifts.alike import RecordedPrompt, prompt_of
from arena.analysis.gifts.pairs import (
    MIN_SEATS,
    GiftPair,
    GiftTable,
    GivingDecision,
    PlayedMatch,
    ThrowPair,
    gift_table,
    giving_decisions,
    throwing_decisions,
)
from arena.analysis.gifts.reading import value_all
from arena.analysis.gifts.valuing import ValuedDecision, ValuedMatch, decisions_of, has_values
from arena.bots.directory import BotDirectory
from arena.plan.rounds import counted, read_history
from arena.plan.settings import TournamentSettings
from arena.plan.stored_plan import stored_bot
from arena.store.database import Store
from arena.store.rows import RoundState, StoredMatch, TournamentState
from referee.games import GAMES
from referee.mistakes import UserError
from referee.record import Record, read

LOOKED_BACK = 8
"""Steps before a decision in which the action it answers is looked for."""


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """T21.9: a decision behind a flag, in words; `before` is the last action of another kind, such as an offer."""

    match: str
    step: int
    kind: str
    gift: float
    cost: float
    chosen: str
    instead: str
    before: str


@dataclass(frozen=True, slots=True)
class GiftReport:
    """All that is known of gifts in a tournament."""

    tournament: str
    bots: int
    is_early: bool
    """The tournament is not finished: this is not the one look that was planned."""
    unvalued_games: tuple[str, ...]
    faults: dict[str, str]
    """Matches whose record could not be valued, with the reason."""
    table: GiftTable
    decisions: dict[tuple[str, str], list[ShownDecision]]
    """Behind every flagged gift."""
    thrown: dict[tuple[str, str], list[ShownDecision]]
    """Behind every flagged throw."""

    def to_plain(self) -> dict[str, Any]:
        """Return the report as plain data, figures rounded to what the records are worth."""
        return {
            "tournament": self.tournament,
            "matches": self.table.matches,
            "blocks": self.table.blocks,
            "bots": self.bots,
            "is_early": self.is_early,
            "unvalued_games": list(self.unvalued_games),
            "faults": self.faults,
            "gifts": [self._gift(pair) for pair in self.table.gifts],
            "throws": [self._throw(pair) for pair in self.table.throws],
        }

    def _gift(self, pair: GiftPair) -> dict[str, Any]:
        shown = self.decisions.get((pair.giver, pair.receiver), [])
        return {
            "giver": pair.giver,
            "receiver": pair.receiver,
            "blocks": pair.blocks,
            "one": round(pair.one.mean, 6),
            "two": round(pair.two.mean, 6),
            "interval": [round(end, 6) for end in pair.one.interval()],
            "p": pair.p,
            "adjusted_p": pair.adjusted,
            "is_flagged": pair.is_flagged,
            "decisions": shown,
        }

    def _throw(self, pair: ThrowPair) -> dict[str, Any]:
        return {
            "thrower": pair.thrower,
            "beside": pair.beside,
            "blocks": pair.blocks,
            "blocks_without": pair.blocks_without,
            "drop": round(pair.drop.mean, 6),
            "interval": [round(end, 6) for end in pair.drop.interval()],
            "p": pair.p,
            "adjusted_p": pair.adjusted,
            "is_flagged": pair.is_flagged,
            "decisions": self.thrown.get((pair.thrower, pair.beside), []),
        }


def gifts_of(
    store: Store, tournament: str, processes: int, *, counting: Callable[[int], Callable[[], None]]
) -> GiftReport:
    """T21.1: value the closed rounds of a tournament and test all pairs; a UserError if there is nothing to value.

    `counting` is told the number of matches and returns what is called after each.
    """
    stored = store.tournaments.find(tournament)
    settings = TournamentSettings.of(stored)
    unvalued = tuple(game.slug for game in settings.games if not _is_valued(game.slug))
    matches = [match for match in _counted(store, tournament) if match.game not in unvalued]
    if not matches:
        raise UserError(f"tournament: {_why_nothing(tournament, settings, unvalued)}")
    advance = counting(len(matches))
    played: list[PlayedMatch] = []
    faults: dict[str, str] = {}
    records = ((match, partial(store.matches.record, match.id)) for match in matches)
    for match, found in value_all(records, len(matches), processes):
        advance()
        if isinstance(found, ValuedMatch):
            played.append(PlayedMatch(match.id, (match.round, match.table), found))
        else:
            faults[match.id] = found
    table = gift_table(played, settings.house_bots)
    decisions = {
        (pair.giver, pair.receiver): [
            _shown(store, each) for each in giving_decisions(played, pair.giver, pair.receiver)
        ]
        for pair in table.flagged_gifts
    }
    thrown = {
        (pair.thrower, pair.beside): [
            _shown(store, each) for each in throwing_decisions(played, pair.thrower, pair.beside)
        ]
        for pair in table.flagged_throws
    }
    bots = len({bot for each in played for bot in each.valued.bots} - set(settings.house_bots))
    is_early = stored.state is not TournamentState.FINISHED
    return GiftReport(tournament, bots, is_early, unvalued, faults, table, decisions, thrown)


def prompts_of(store: Store, tournament: str, count: int) -> list[RecordedPrompt]:
    """T21.10: draw up to this number of prompts from matches spread over the closed rounds of a tournament."""
    matches = [match for match in _closed(store, tournament) if match.game in GAMES]
    count = min(count, len(matches))
    spread = (matches[len(matches) * place // count] for place in range(count))
    found = (prompt_of(read(store.matches.record(match.id))) for match in spread)
    return [prompt for prompt in found if prompt is not None]


def askable_bots(store: Store, tournament: str) -> tuple[list[BotDirectory], list[str]]:
    """T21.10: return the entrants whose program is here as it was entered, and the labels of the others."""
    stored = store.tournaments.find(tournament)
    here: list[BotDirectory] = []
    others: list[str] = []
    for label in read_history(store, stored).entrants:
        try:
            bot = stored_bot(store, label)
        except UserError:  # its files have changed or gone
            others.append(label)
            continue
        if isinstance(bot, BotDirectory):
            here.append(bot)
        else:
            others.append(label)
    return here, others


def _is_valued(slug: str) -> bool:
    return slug in GAMES and has_values(GAMES[slug])


def _closed(store: Store, tournament: str) -> list[StoredMatch]:
    """Return the matches of closed rounds that count, in order."""
    found: list[StoredMatch] = []
    for each in store.tournaments.rounds(tournament):
        if each.state is RoundState.CLOSED:
            found += counted(store.matches.of(tournament, each.number)).values()
    return found


def _counted(store: Store, tournament: str) -> list[StoredMatch]:
    """Return the matches of closed rounds that count, at tables of three seats or more."""
    return [match for match in _closed(store, tournament) if len(match.seating) >= MIN_SEATS]


def _why_nothing(tournament: str, settings: TournamentSettings, unvalued: Sequence[str]) -> str:
    """Say why nothing can be valued."""
    if len(unvalued) == len(settings.games):
        return f"{', '.join(unvalued)} has no heuristic; gifts are valued in games with one"
    return f"{tournament} has no match at a table of {MIN_SEATS} or more in a closed round; gifts need a third seat"


def _shown(store: Store, giving: GivingDecision) -> ShownDecision:
    """T21.9: put a decision into words."""
    record = read(store.matches.record(giving.match))
    found, answered = _find(record, giving)
    describe, chosen, best = record.game.describe, found.options[-1], found.options[0]
    return ShownDecision(
        giving.match,
        giving.step,
        found.kind,
        round(giving.gift, 6),
        round(giving.cost, 6),
        describe(chosen),
        "" if best == chosen else describe(best),
        "" if answered is None else f"seat {answered.seat}: {describe(answered.options[-1])}",
    )


def _find(record: Record, giving: GivingDecision) -> tuple[ValuedDecision, ValuedDecision | None]:
    """Return a decision of a record, and shortly before it the last of another kind, which it may answer."""
    last: dict[str, ValuedDecision] = {}
    for each in decisions_of(record):
        if (each.step, each.seat) == (giving.step, giving.seat):
            near = [
                found for kind, found in last.items() if kind != each.kind and each.step - found.step <= LOOKED_BACK
            ]
            return each, max(near, key=lambda found: found.step, default=None)
        last[each.kind] = each
    raise AssertionError(f"step {giving.step} of match {giving.match} was valued before")
