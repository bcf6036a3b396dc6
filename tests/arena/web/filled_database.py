"""A database like one after a few tournaments: every game there is, forfeits, a hostile name, a tournament that runs.

Matches are played by chance through the real rules and recorded by the real recorder; only referees and bots are left
out, so that a whole database takes about a second.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from arena.analysis.keeping import keep
from arena.fitting.fits import post_fit
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from arena.store.database import Store, open_store
from arena.store.rows import MatchToStore, StoredMatch, TournamentState
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.game import AnyGame
from referee.games import GAMES
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder
from referee.playout import play, random_chooser
from referee.record import Choice, How, Recorder, places_after_forfeits
from referee.rng import seeded
from referee.wire import wire_for
from tests.arena.web.judgements import decision, judgement
from tests.kept_folder import kept_folder

HOSTILE = "<script>alert(1)</script>"
SLASHED = "a/b & c"
LONG = "a-bot-whose-name-is-as-long-as-a-name-may-be-64-characters-in-all"[:64]
BOTS = ("ann", "bob", HOSTILE, SLASHED, "eve", "fay", LONG, "hal")
QUITTER = "bob"
AUTHOR = "ann"  # of the quitter
REFUSAL = "<i>no such card</i>"
"""Why an answer of the quitter was not taken, at its first step."""
LAST_WORDS = "Traceback: <b>I cannot</b> go on"
GAME_SLUGS = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "toy")
RUNNING = "running"
"""A tournament in the middle of its second round."""

CROWDED = "crowd"
"""A tournament of 32 bots, in a database of its own."""

VERSION = "0123456789ab" * 5
NOW = "2026-03-01T20:00:00+00:00"


def label(name: str) -> str:
    """Return the label of a bot's only version."""
    return f"{name}@0123456789ab"


def comment(seat: int) -> str:
    """Return what a seat says to each of its answers."""
    return f"<b>I am seat {seat}</b> & think so"


def recorded(game: AnyGame, fixture: Fixture, quitter: int | None = None) -> MatchResult:
    """Play a match by chance and record it; the seat of the quitter, if given, is the house's from the start."""
    options = game.options({})
    seats = len(fixture.seating)
    order = MatchOrder(
        fixture.match_id, game.slug, {}, tuple(SeatOrder(bot, "t") for bot in fixture.seating), fixture.seed
    )
    state = game.new(seats, fixture.seed, options)
    recorder = Recorder(order, game, options, game.digest(state), wire_for(game).action_json)
    count = 0
    for choices, _events in play(game, state, random_chooser(seeded(fixture.seed))):
        how = {seat: How.HOUSE if seat == quitter else How.ANSWERED for seat in choices}
        recorder.add(
            [
                Choice(seat, action, how[seat], (900, 0, 0), "" if seat == quitter else comment(seat))
                for seat, action in choices.items()
            ],
            game.digest(state),
        )
        count += len(choices)
    outcome = game.outcome(state)
    assert outcome is not None
    failures = [0 if seat == quitter else None for seat in range(seats)]
    ranks = places_after_forfeits(outcome.ranks, failures)
    endings = tuple(Ending.COMPLETED if failed is None else Ending.FORFEIT_CRASH for failed in failures)
    ending = Ending.COMPLETED if quitter is None else Ending.FORFEIT_CRASH
    result = {
        "ending": ending, "reason": outcome.reason, "ranks": list(ranks), "scores": list(outcome.scores),
        "seat_endings": list(endings), "forfeited_at": failures,
    }  # fmt: skip
    record = recorder.finish(result)
    strikes = () if quitter is None else ((1, quitter, "T4", REFUSAL),)
    return MatchResult(
        fixture.match_id,
        ending,
        outcome.reason,
        ranks,
        outcome.scores,
        endings,
        count,
        count,
        record,
        strikes,
        recorder.digest,
    )


class FilledTournament:
    """A tournament stored round by round, as the arena does it."""

    def __init__(self, store: Store, name: str, slug: str, bots: Sequence[str], rounds: int) -> None:
        self.store, self.name, self.game = store, name, GAMES[slug]
        self.pool = f"{slug}:{self.game.rules_version}"
        self.bots = [label(bot) for bot in bots]
        for bot in bots:
            author = AUTHOR if bot == QUITTER else None
            store.bots.add(label(bot), bot, VERSION, f"/bots/{bot}", {"name": bot}, NOW, author=author)
        size = self.game.preferred_seats
        rules = self.game.rules_version
        settings = TournamentSettings(
            games=(GameSettings(slug, rules, {}, TableSizes(2, 4, size)),), bots=tuple(self.bots), format="swiss",
            points_rounds=rounds, seed=5, block=False, top=None,
        )  # fmt: skip
        store.tournaments.add(name, settings.to_plain(), {}, [(self.pool, slug, self.game.rules_version)], NOW)

    def pair(self, number: int) -> list[Fixture]:
        """Draw a round: everybody at tables of four, turned on from round to round."""
        turned = self.bots[number:] + self.bots[:number]
        count = len(turned) // 4
        if number % 2:
            tables = [tuple(turned[at::count]) for at in range(count)]
        else:
            tables = [tuple(turned[4 * at : 4 * at + 4]) for at in range(count)]
        fixtures = [Fixture(self.name, number, at + 1, 0, bots, 100 * number + at) for at, bots in enumerate(tables)]
        drawn = [RoundTable(each.table, each.seating, (each.seed,), 1) for each in fixtures]
        self.store.tournaments.add_round(self.name, number, self.game.slug, False, drawn)
        return fixtures

    def play(self, fixture: Fixture, quitter: str | None = None) -> MatchResult:
        """Play and store one match."""
        seat = fixture.seating.index(label(quitter)) if quitter and label(quitter) in fixture.seating else None
        result = recorded(self.game, fixture, seat)
        outputs = () if seat is None else ((seat, LAST_WORDS),)
        self.store.matches.add(MatchToStore(fixture, 0, self.game.slug, result, "none", outputs), NOW)
        return result

    def close(self, number: int, played: Sequence[tuple[Fixture, MatchResult]]) -> None:
        """Enter a round in the ledger."""
        results = [
            LedgerResult(
                fixture, self.pool, result.ranks, "engine", (VERSION,) * len(fixture.seating), result.digest,
                result.ending, result.scores,
                tuple(seat for seat, ending in enumerate(result.seat_endings) if ending is not Ending.COMPLETED),
            )
            for fixture, result in played
        ]  # fmt: skip
        self.store.tournaments.close_round(self.name, number, results, [], 1.0)

    def play_round(self, number: int, quitter: str | None = None) -> None:
        """Pair, play and close a round."""
        fixtures = self.pair(number)
        self.close(number, [(fixture, self.play(fixture, quitter)) for fixture in fixtures])

    def finish(self) -> None:
        """Note the tournament finished."""
        self.store.tournaments.set_state(self.name, TournamentState.FINISHED, "all rounds are played", NOW)


@cache
def _filled() -> Path:
    path = kept_folder("arena-web") / "arena.db"
    store = open_store(path, create=True)
    for slug in GAME_SLUGS:
        cup = FilledTournament(store, f"cup-{slug}", slug, BOTS, 2 if slug == "toy" else 1)
        cup.play_round(1, QUITTER if slug == "toy" else None)
        if slug == "toy":
            cup.play_round(2)
        cup.finish()
    judged = store.matches.of("cup-norenberc")[0]
    costly = decision(40, 1, chosen="<u>rest</u>", better="work", gain=20.0, error=2.0, own=-20.0)
    keep(store, judgement(judged, [decision(20, 0), costly, decision(60, 2)]))
    post_fit(store, "norenberc:1")
    running = FilledTournament(store, RUNNING, "toy", BOTS, 2)
    running.play_round(1)
    running.play(running.pair(2)[0])
    store.close()
    return path


def filled_database(folder: Path) -> Path:
    """Return a database of its own, filled."""
    return Path(shutil.copy(_filled(), folder / "arena.db"))


def crowded_database(folder: Path) -> Path:
    """Return a database with one finished tournament of 32 bots, some with long names."""
    path = folder / "crowd.db"
    store = open_store(path, create=True)
    bots = [LONG[:60] + f"{number:02}" if number % 8 == 0 else f"bot-{number:02}" for number in range(32)]
    cup = FilledTournament(store, CROWDED, "toy", bots, 5)
    for number in range(1, 6):
        cup.play_round(number)
    cup.finish()
    store.close()
    return path


def go_on(path: Path) -> FilledTournament:
    """Take up the running tournament again, as its writer."""
    return FilledTournament(open_store(path), RUNNING, "toy", BOTS, 2)


def fixture_left(cup: FilledTournament) -> Fixture:
    """Return the match of the running round that has not been played."""
    stored = cup.store.tournaments.rounds(RUNNING)[-1]
    table = stored.tables[1]
    return Fixture(RUNNING, stored.number, table.table, 0, table.seats, table.seeds[0])


def stored_pair(cup: FilledTournament, match: StoredMatch) -> tuple[Fixture, MatchResult]:
    """Return a stored match as the writer of its round had it."""
    fixture = Fixture(cup.name, match.round, match.table, match.game_number, match.seating, match.seed)
    record = cup.store.matches.record(match.id)
    return fixture, MatchResult(
        match.id,
        match.ending,
        match.reason,
        match.places,
        match.scores,
        match.seat_endings,
        0,
        0,
        record,
        digest=match.record_digest,
    )
