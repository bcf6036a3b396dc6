"""Reports on a tournament: its summary, rounds, matches and pairing quality."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Protocol

from arena.plan.forecasting import Forecast, read_forecast
from arena.plan.rounds import History, counted
from arena.plan.schedules import SCHEDULES
from arena.plan.settings import TournamentSettings
from arena.plan.swiss import PlayedRound, Quality, quality
from arena.reports.scores import score_text
from arena.store.database import Store
from arena.store.rows import RoundState, StoredMatch, StoredRound, StoredTournament, TournamentState, WantedMatches
from arena.store.tournaments import shown_name
from ratings.points.points import STRUCK, UNIT
from referee.order import Ending

MAX_CORRECTED = 100
"""Corrected matches shown with a tournament; its rounds show all of theirs."""


@dataclass(frozen=True, slots=True)
class TournamentSummary:
    """One line of the list of tournaments."""

    tournament: str
    state: TournamentState
    reason: str
    games: tuple[str, ...]
    bots: int
    rounds_closed: int
    rounds_planned: int
    """The maximum number of rounds."""
    matches: int
    started_at: str
    points_rounds_closed: int
    """T10: the number of closed rounds that count for points."""
    void_matches: int
    """T13: the number of matches that do not count."""
    forecast: Forecast | None = None
    """T16.5: the forecast; None if it is finished or claims nothing."""


def entrants(store: Store, stored: StoredTournament) -> tuple[str, ...]:
    """T10.3: return all entrants of a tournament, including those that joined later, without house bots."""
    joined = (bot for _round, bot, is_entry in store.tournaments.changes(stored.id) if is_entry)
    return tuple(dict.fromkeys((*TournamentSettings.of(stored).bots, *joined)))


def summary(store: Store, stored: StoredTournament) -> TournamentSummary:
    """Return one line of the list of tournaments."""
    settings = TournamentSettings.of(stored)
    closed = store.tournaments.round_counts(stored.id).get(RoundState.CLOSED, 0)
    return TournamentSummary(
        tournament=stored.id,
        state=stored.state,
        reason=stored.reason,
        games=tuple(game.slug for game in settings.games),
        bots=len(entrants(store, stored)),
        rounds_closed=closed,
        rounds_planned=rounds_planned(settings, store.tournaments.last_round(stored.id)),
        matches=store.matches.count(stored.id),
        started_at=stored.started_at,
        points_rounds_closed=store.tournaments.closed_points_rounds(stored.id),
        void_matches=store.matches.void_count(stored.id),
        forecast=forecast_of(store, stored),
    )


def forecast_of(store: Store, stored: StoredTournament) -> Forecast | None:
    """T16.5: return the forecast of a tournament; None once it is finished."""
    return None if stored.state is TournamentState.FINISHED else read_forecast(store, stored.id)


def rounds_planned(settings: TournamentSettings, played: int = 0) -> int:
    """T10: return the number of rounds a tournament will have by its schedule, as known after those played."""
    return sum(SCHEDULES[settings.format].planned(settings, played))


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a tournament."""

    state: TournamentState
    reason: str
    round: int
    rounds: int
    done: int
    planned: int
    """Matches of the current round."""
    matches: int
    forecast: str
    """T16.5: the forecast as a sentence; empty if there is none."""

    @property
    def sentence(self) -> str:
        """The progress in one sentence."""
        if self.state is not TournamentState.RUNNING:
            return f"{(self.reason or self.state.value).capitalize()}."
        if not self.round:
            return "The first round is being paired."
        return f"Round {self.round} of {self.rounds}: {self.done} of {self.planned} matches played."


def progress(store: Store, stored: StoredTournament) -> Progress:
    """Return the progress of a tournament by its last round alone."""
    closed = store.tournaments.round_counts(stored.id).get(RoundState.CLOSED, 0)
    number = store.tournaments.last_round(stored.id)
    matches = store.matches.count(stored.id)
    done = games = 0
    if number > closed:
        (last,) = store.tournaments.rounds(stored.id, number, number)
        games = games_planned(stored, last)
        done = len(counted(store.matches.of(stored.id, number)))
    planned = rounds_planned(TournamentSettings.of(stored), number)
    expected = forecast_of(store, stored)
    words = "" if expected is None else f"{expected.words[:1].upper()}{expected.words[1:]}."
    return Progress(stored.state, stored.reason, number, planned, done, games, matches, words)


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of a tournament."""

    round: int
    game: str
    kind: str
    tables: int
    byes: tuple[str, ...]
    state: RoundState
    seconds: float


def round_lines(store: Store, tournament: str) -> list[RoundLine]:
    """Return the rounds of a tournament in order."""
    return [
        RoundLine(
            round=each.number,
            game=each.game,
            kind="rating" if each.is_rating else "points",
            tables=len(each.tables),
            byes=each.byes,
            state=each.state,
            seconds=round(each.seconds, 1),
        )
        for each in store.tournaments.rounds(tournament)
    ]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat of a finished match."""

    place: int | None
    bot: str
    score: int | None
    fault: str
    """How the bot forfeited; empty if it did not."""
    seat: int


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list, its seats in order of their places."""

    match: str
    tournament: str
    round: int
    table: int
    game_number: int
    game: str
    ending: str
    stored_at: str
    void_reason: str | None
    """T13: why it does not count; None if it does."""
    forfeit_note: str | None
    """T13.12: who was made to forfeit it later, and why; None if nobody was."""
    strike_note: str | None
    """T13.15: whose seats were struck from it since, and why; None if nobody's."""
    seats: tuple[SeatLine, ...]

    @property
    def result(self) -> str:
        """The places in one line, and whether they count."""
        seats = ", ".join(
            f"{seat.place}. {seat.bot} ({', '.join(filter(None, (score_text(self.game, seat.score), seat.fault)))})"
            for seat in self.seats
            if seat.place is not None
        )
        return f"{seats or self.ending}{correction(self)}"


class Correctable(Protocol):
    """T13: a match that may not count as it was played."""

    @property
    def void_reason(self) -> str | None:
        """Why it does not count; None if it does."""

    @property
    def forfeit_note(self) -> str | None:
        """T13.12: who has forfeited it since, and why."""

    @property
    def strike_note(self) -> str | None:
        """T13.15: whose seats were struck from it since, and why."""


def correction(match: Correctable) -> str:
    """T13: return the suffix to a result that does not count as played; empty if it does."""
    if match.void_reason is not None:
        return f"; void: {match.void_reason}"
    notes = {"forfeited": match.forfeit_note, "struck": match.strike_note}
    return "".join(f"; {done}: {note}" for done, note in notes.items() if note is not None)


def match_line(match: StoredMatch) -> MatchLine:
    """Return a match as lists show it."""
    seats = []
    for seat, bot in enumerate(match.seating):
        ending = match.seat_endings[seat]
        fault = "" if ending in (Ending.COMPLETED, Ending.VOIDED) else ending.value
        seats.append(SeatLine(match.shown_places[seat], bot, match.scores[seat] if match.scores else None, fault, seat))
    return MatchLine(
        match=match.id,
        tournament=shown_name(match.tournament),
        round=match.round,
        table=match.table,
        game_number=match.game_number,
        game=match.game,
        ending=match.ending,
        stored_at=match.stored_at,
        void_reason=match.void_reason,
        forfeit_note=match.forfeit_note,
        strike_note=match.strike_note,
        seats=tuple(sorted(seats, key=lambda each: (each.place or len(seats) + 1, each.bot))),
    )


def round_matches(store: Store, tournament: str, number: int) -> list[MatchLine]:
    """Return the matches of one round, table by table."""
    return [match_line(match) for match in store.matches.of(tournament, number)]


@dataclass(frozen=True, slots=True)
class Corrected:
    """T13: the corrected matches of a tournament, in order; the first ones if many."""

    lines: tuple[MatchLine, ...]
    more: int


def latest_matches(store: Store, tournament: str, most: int) -> list[MatchLine]:
    """Return the matches of a tournament stored last, the latest first."""
    return [match_line(match) for match in store.matches.latest(tournament, most)]


def matches_before(store: Store, before: int | None, most: int) -> tuple[list[MatchLine], int | None]:
    """Return the latest matches, or those before a number, and the number for the next page; None at the end."""
    matches, next_before = store.matches.before(before, most)
    return [match_line(match) for match in matches], next_before


def listed_matches(store: Store, wanted: WantedMatches, last: int) -> tuple[list[MatchLine], int]:
    """Return the matches stored last among the wanted ones, the latest first, and the number of all of them."""
    matches, count = store.matches.listed(wanted, last)
    return [match_line(match) for match in matches], count


def corrected_matches(store: Store, tournament: str) -> Corrected:
    """T13: return the matches of a tournament that do not count as played, with the reasons."""
    matches, count = store.matches.corrected(tournament, MAX_CORRECTED)
    return Corrected(tuple(match_line(match) for match in matches), count - len(matches))


def games_planned(stored: StoredTournament, stored_round: StoredRound) -> int:
    """T2: return the number of games in a round: one per table, or one per seat when blocks are played."""
    has_blocks = TournamentSettings.of(stored).block
    return sum(len(table.seats) if has_blocks else 1 for table in stored_round.tables)


def duels(rounds: Sequence[PlayedRound], bots: Iterable[str]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return the points of one bot against another and their shared games; a win is a point, a tie half."""
    found: dict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    wanted = set(bots)
    for each in rounds:
        for table in each.tables:
            present = [(seat, bot) for seat, bot in enumerate(table.bots) if bot in wanted]
            for game in table.games:
                left = [(seat, bot) for seat, bot in present if game.places[seat] != STRUCK]
                for (one, bot), (other, opponent) in permutations(left, 2):
                    tied = game.places[one] == game.places[other]
                    won = 0.5 if tied else float(game.places[one] < game.places[other])
                    points, count = found[bot, opponent]
                    found[bot, opponent] = (points + won, count + 1)
    return found


def quality_of(stored: StoredTournament, history: History) -> Quality:
    """T7: the metrics of the pairing over all closed rounds."""
    settings = TournamentSettings.of(stored)
    return quality(
        history.rounds,
        preferred=settings.games[0].sizes.preferred,
        points_rounds=sum(not played.is_rating for played in history.rounds),
        house_bots=settings.house_bots,
        authors=history.authors,
    )


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of the pairing in words."""

    name: str
    value: str
    about: str


def metrics(found: Quality) -> list[Metric]:
    """T7: return the pairing metrics in words, each with its meaning."""
    spread, imbalance = f"{float(found.mean_spread):.3f} points", f"{found.seat_imbalance / 60:.2f} games"
    odd = "Rounds at tables of another size: the bot with most minus the bot with fewest."
    known = [
        Metric("pairs that met again", f"{found.repeats} of {found.pairs}", "Two bots shared a table a second time."),
        Metric("most meetings of a pair", str(found.max_meetings), "In rounds that count for points."),
        Metric("mean score spread at a table", spread, "Between the best and the last of a table when it was paired."),
        Metric("largest score spread", f"{found.spread_max / UNIT:.2f} points", "The widest table."),
        Metric("largest seat imbalance", imbalance, "How much more often than its share a bot had one seat."),
        Metric("odd tables, most minus fewest", str(found.odd_range), odd),
        Metric("byes, most of one bot", f"{found.byes}, {found.max_byes}", "Rounds without a table."),
    ]
    if found.same_author is not None:
        known.append(Metric("pairs of one author", str(found.same_author), "Two bots of one author shared a table."))
    return known
