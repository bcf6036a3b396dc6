"""The history of a tournament's closed rounds, from which the next one is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from arena.plan.claiming import TournamentClaims
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import Entrant, PairedTable, Pairing, PlayedGame, PlayedRound, PlayedTable, advance, quality
from arena.plan.swiss.history import shared_game
from arena.store.database import Store
from arena.store.rows import RoundState, StoredMatch, StoredRound, StoredTournament
from ratings.points.points import BYE_POINTS, seat_of
from referee.games import GAMES
from referee.order import Ending

ANCHOR_PERCENT = 5  # T9: of the tables seat a house bot


class EntrantChange(NamedTuple):
    """T10.3, T10.4: a bot that joins or leaves; `round` is the first that it plays or does not play."""

    round: int
    bot: str
    is_entry: bool
    author: str | None = None
    """T5.4: of a bot that joins, if it is known."""


@dataclass(slots=True)
class History:
    """The sum of the closed rounds, and the bots still taking part."""

    rounds: list[PlayedRound] = field(default_factory=list)
    scores: list[Mapping[str, int]] = field(default_factory=list)
    """For every round the integers it was drawn from, if any (T4.3)."""
    entrants: dict[str, Entrant] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    """T10.4: who has left, with the first round that it does not play; one disqualified after that has left again."""
    gone_from: dict[str, int] = field(default_factory=dict)
    """T11.10: who has left, with the first round that it does not play, however often it has left."""
    forfeited_rounds: dict[str, int] = field(default_factory=dict)
    """For every bot, the number of consecutive rounds in which it forfeited every game."""
    matches: int = 0
    seconds: float = 0.0
    """The time that all of them took."""
    longest_seconds: float = 0.0
    """The time that the longest round took."""
    corrections: int = 0
    """T13: how often matches were voided or forfeited later."""
    changes: int = 0
    """The number of bots that have joined or left."""
    disqualified: dict[str, str] = field(default_factory=dict)
    """T10.7: the disqualified bots, with the reasons."""
    claims: TournamentClaims | None = None
    """T16.1: the claims about the order, if the tournament makes any and the reader wants them."""
    authors: dict[str, str] = field(default_factory=dict)
    """T5.4: those of the entrants that are known."""
    _made_up_for: set[str] = field(default_factory=set)

    @staticmethod
    def of(bots: Iterable[str], authors: Mapping[str, str] = MappingProxyType({})) -> History:
        """Return the history of a tournament before its first round."""
        return History(entrants={bot: Entrant(bot) for bot in bots}, authors=dict(authors))

    @staticmethod
    def begun(settings: TournamentSettings) -> History:
        """Return the history of a tournament before its first round, ready for the claims that it makes."""
        history = History.of(settings.bots, settings.authors)
        if settings.makes_claims:
            history.claims = TournamentClaims(len(settings.games))
        return history

    @property
    def present_authors(self) -> list[str]:
        """T5.6: the known authors of the entrants that have not left, one for each of these."""
        return [author for bot, author in self.authors.items() if bot not in self.left]

    def catch_up(self, changes: Sequence[EntrantChange], *, ahead: bool = False) -> None:
        """Apply the changes that take effect by the next round, or all."""
        for change in changes[self.changes :]:
            if ahead or change.round <= len(self.rounds) + 1:
                self._change(change)

    def _change(self, change: EntrantChange) -> None:
        """Let a bot join or leave between two rounds."""
        self.changes += 1
        if not change.is_entry:
            self.left[change.bot] = change.round
            self.gone_from.setdefault(change.bot, change.round)
            return
        if change.author is not None:
            self.authors[change.bot] = change.author
        self.left.pop(change.bot, None)
        self.gone_from.pop(change.bot, None)
        self.forfeited_rounds.pop(change.bot, None)
        entrant = self.entrants.get(change.bot) or Entrant(change.bot, mates=((),) * len(self.rounds))
        for at, played in enumerate(self.rounds):
            if played.is_rating or _was_in(change.bot, played):
                continue
            # T10.3: the bye value once, nothing after that.
            if change.bot in self._made_up_for:
                self.rounds[at] = replace(played, absent=(*played.absent, change.bot))
            else:
                self._made_up_for.add(change.bot)
                self.rounds[at] = replace(played, byes=(*played.byes, change.bot))
                entrant = replace(entrant, score=entrant.score + BYE_POINTS, byes=entrant.byes + 1)
        self.entrants[change.bot] = entrant


def _was_in(bot: str, played: PlayedRound) -> bool:
    return any(bot in table.bots for table in played.tables) or bot in played.byes or bot in played.absent


def read_history(
    store: Store,
    stored: StoredTournament,
    history: History | None = None,
    *,
    ahead: bool = False,
    with_claims: bool = False,
) -> History:
    """Return the history of a tournament's closed rounds, continued from one read before if given.

    `with_claims` adds its claims (T16); `ahead` adds joins and leaves that follow an open round.
    """
    settings = TournamentSettings.of(stored)
    if history is None:
        history = History.begun(settings) if with_claims else History.of(settings.bots, settings.authors)
    authors = store.tournaments.entered_authors(stored.id)
    changes = [EntrantChange(*row, authors.get(row[1])) for row in store.tournaments.changes(stored.id)]
    preferred = {game.slug: game.sizes.preferred for game in settings.games}
    for each in store.tournaments.rounds(stored.id, len(history.rounds) + 1):
        history.catch_up(changes)
        if each.state is RoundState.CLOSED:
            matches = store.matches.of(stored.id, each.number)
            add_round(history, each, matches, settings.house_bots, preferred[each.game])
    history.catch_up(changes, ahead=ahead)
    history.disqualified = {bot: given.reason for bot, given in store.corrections.disqualified(stored.id).items()}
    return history


def round_metrics(
    history: History, drawn: Pairing, preferred: int, house: Sequence[str], *, is_rating: bool
) -> dict[str, int]:
    """T7: the metrics of all rounds including the one just drawn, as its ROUND entry has them."""
    now = PlayedRound(tuple(PlayedTable(table.bots, ()) for table in drawn.tables), drawn.byes)
    points_rounds = sum(not played.is_rating for played in history.rounds) + (not is_rating)
    rounds = [*history.rounds, now]
    found = quality(rounds, preferred=preferred, points_rounds=points_rounds, house_bots=house, authors=history.authors)
    return found.as_integers()


def tables_of(stored: StoredRound) -> tuple[PairedTable, ...]:
    """Return the tables of a stored round."""
    return tuple(PairedTable(table.table, table.seats) for table in stored.tables)


def counted(matches: Sequence[StoredMatch]) -> dict[tuple[int, int], StoredMatch]:
    """Return by table and game the match that counts: the last attempt that is not void."""
    return {(match.table, match.game_number): match for match in matches if not match.is_void}


def played_round(stored: StoredRound, matches: Sequence[StoredMatch], *, with_scores: bool = False) -> PlayedRound:
    """T2: a round as pairing and standings see it, places and, of games whose scores compare, scores by base seat."""
    at_table: dict[int, list[StoredMatch]] = {}
    for match in matches:
        at_table.setdefault(match.table, []).append(match)
    tables = []
    for table in stored.tables:
        played = at_table.get(table.table, [])
        seats = len(table.seats)
        now = {match.game_number: (match, match.places) for match in played if not match.is_void}
        earlier = []
        for seq in sorted(
            {seq for match in played for seq, _places in match.changes if match.ending is not Ending.VOIDED}
        ):
            before = {match.game_number: (match, places) for match in played if (places := match.places_at(seq - 1))}
            earlier.append((seq, _games(before, seats, with_scores=with_scores)))
        tables.append(PlayedTable(table.seats, _games(now, seats, with_scores=with_scores), tuple(earlier)))
    return PlayedRound(tuple(tables), stored.byes, is_rating=stored.is_rating, closed_by=stored.closed_by)


def _games(
    counting: Mapping[int, tuple[StoredMatch, Sequence[int]]], seats: int, *, with_scores: bool
) -> tuple[PlayedGame, ...]:
    """T2: the games of a table by rotation, from the matches that count and their places by seat."""
    games = []
    for rotation in range(seats):
        if rotation in counting:
            match, places = counting[rotation]
            at = [seat_of(base, rotation, seats) for base in range(seats)]
            scores = tuple(match.scores[seat] for seat in at) if with_scores else None
            games.append(shared_game(rotation, tuple(places[seat] for seat in at), scores))
    return tuple(games)


def add_round(
    history: History, stored: StoredRound, matches: Sequence[StoredMatch], house: Sequence[str], preferred: int
) -> None:
    """Add a closed round to the history."""
    played = played_round(stored, matches, with_scores=_compares(stored.game))
    if history.claims is not None:
        history.claims.close(stored, matches, (bot for bot in history.entrants if bot not in history.left))
    history.rounds.append(played)
    history.scores.append(stored.scores)
    history.entrants = advance(history.entrants, played, preferred=preferred, house_bots=house)
    history.matches += len(matches)
    history.seconds += stored.seconds
    history.longest_seconds = max(history.longest_seconds, stored.seconds)
    history.corrections += sum(match.corrections for match in matches)
    _count_forfeits(history.forfeited_rounds, counted(matches).values())


def _compares(slug: str) -> bool:
    """T11.5: return whether a game declares its raw scores comparable; one that is not installed does not."""
    return slug in GAMES and GAMES[slug].compares_scores


def remaining(history: History, withdraw_after: int) -> list[Entrant]:
    """Return the bots that have not left or been withdrawn for forfeiting too many consecutive rounds."""
    return [
        entrant
        for bot, entrant in history.entrants.items()
        if bot not in history.left and history.forfeited_rounds.get(bot, 0) < withdraw_after
    ]


def _count_forfeits(counts: dict[str, int], matches: Iterable[StoredMatch]) -> None:
    failed: dict[str, bool] = {}
    for match in matches:
        for bot, ending in zip(match.seating, match.seat_endings, strict=True):
            failed[bot] = failed.get(bot, True) and ending is not Ending.COMPLETED
    for bot, every in failed.items():
        counts[bot] = counts.get(bot, 0) + 1 if every else 0
