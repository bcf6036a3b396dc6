"""A tournament of the toy game in a database, in which one bot may play for another: made in a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena.analysis.gifts.pairs import PlayedMatch
from arena.analysis.gifts.valuing import value_match
from arena.bench.recorded_match import record_match
from arena.plan.settings import GameSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from arena.store.database import Store, open_store
from arena.store.rows import MatchToStore, TournamentState
from ratings.ledger.entry_bodies import RoundTable
from ratings.points.result import Fixture, LedgerResult
from referee.game import Decision, Seat
from referee.games import GAMES
from referee.order import MatchOrder, MatchResult, SeatOrder
from referee.rng import Rng, seeded

GAME = GAMES["toy"]
SEATS = 3
BOTS = tuple(f"bot{number}@0123456789ab" for number in range(6))
HELPER, BOSS = BOTS[:2]
NOW = "2026-03-01T20:00:00+00:00"
VERSION = "0123456789ab" * 5
Choose = Callable[[Any, Decision, Sequence[Any]], int]


def rated_best(state: Any, seat: Seat, options: Sequence[Any]) -> int:
    """Return the option that the heuristic rates best."""
    heuristic = GAME.heuristic()
    assert heuristic is not None
    ratings = heuristic.rate(state, seat, options)
    return ratings.index(max(ratings))


def leads_of(who: Seat, state: Any, seat: Seat, options: Sequence[Any]) -> list[float]:
    """Return by option how far a seat leads the others, if they all play as the heuristic says."""
    heuristic = GAME.heuristic()
    assert heuristic is not None
    expected = {}
    for each in GAME.pending(state):
        listed = GAME.legal_actions(state, each.seat)
        expected[each.seat] = listed[rated_best(state, each.seat, listed)]
    leads = []
    for option in options:
        after = GAME.clone(state)
        GAME.apply(after, {**expected, seat: option})
        worths = heuristic.worths(after)
        leads.append(worths[who] - sum(worths[other] for other in range(SEATS) if other not in (who, seat)))
    return leads


def chooser(seating: Sequence[str], dice: Rng, *, is_planted: bool, throws: bool = False) -> Choose:
    """Return how a table plays: by the heuristic with noise, but for a helper beside its boss."""

    def choose(state: Any, decision: Decision, options: Sequence[Any]) -> int:
        seat = decision.seat
        if len(options) == 1:
            return 0
        if seating[seat] == HELPER and BOSS in seating and (is_planted or throws):
            if throws:
                leads = leads_of(seat, state, seat, options)
                return leads.index(min(leads))
            leads = leads_of(seating.index(BOSS), state, seat, options)
            return leads.index(max(leads))
        return dice.index(len(options)) if dice.index(5) == 0 else rated_best(state, seat, options)

    return choose


def played_blocks(rounds: int, **how: bool) -> list[tuple[Fixture, MatchResult]]:
    """Play rounds of two tables of three, each in all rotations."""
    dice, found = seeded(5), []
    for number in range(1, rounds + 1):
        order = list(BOTS)
        dice.shuffle(order)
        for table in (1, 2):
            bots = order[(table - 1) * SEATS : table * SEATS]
            for game in range(SEATS):
                seating = tuple(bots[(seat - game) % SEATS] for seat in range(SEATS))
                fixture = Fixture("cup", number, table, game, seating, dice.next64() >> 1)
                seats = tuple(SeatOrder(bot, "") for bot in seating)
                match = MatchOrder(fixture.match_id, GAME.slug, {}, seats, fixture.seed)
                found.append((fixture, record_match(match, chooser(seating, dice, **how))))
    return found


def valued_blocks(rounds: int, **how: bool) -> list[PlayedMatch]:
    """Return the same rounds, valued."""
    return [
        PlayedMatch(fixture.match_id, (fixture.round, fixture.table), value_match(result.record))
        for fixture, result in played_blocks(rounds, **how)
    ]


def planted_database(path: Path, rounds: int, *, is_finished: bool = True, **how: bool) -> Store:
    """Store the same rounds as the arena does."""
    store = open_store(path, create=True)
    pool = f"{GAME.slug}:{GAME.rules_version}"
    for bot in BOTS:
        store.bots.add(bot, bot.partition("@")[0], VERSION, f"/bots/{bot}", {"name": bot}, NOW)
    games = (GameSettings(GAME.slug, GAME.rules_version, {}, TableSizes(3, 3, 3)),)
    settings = TournamentSettings(games=games, bots=BOTS, format="swiss", points_rounds=rounds, seed=5, top=None)
    store.tournaments.add("cup", settings.to_plain(), {}, [(pool, GAME.slug, GAME.rules_version)], NOW)
    played = played_blocks(rounds, **how)
    for number in range(1, rounds + 1):
        own = [(fixture, result) for fixture, result in played if fixture.round == number]
        firsts = [fixture for fixture, _result in own if fixture.game == 0]
        seeds = {table: tuple(f.seed for f, _result in own if f.table == table) for table in (1, 2)}
        tables = [RoundTable(each.table, each.seating, seeds[each.table], SEATS) for each in firsts]
        store.tournaments.add_round("cup", number, GAME.slug, False, tables)
        store.matches.add_all([MatchToStore(f, 0, GAME.slug, result, "none", ()) for f, result in own], NOW)
        results = [
            LedgerResult(f, pool, r.ranks, "engine", (VERSION,) * SEATS, r.digest, r.ending, r.scores, ())
            for f, r in own
        ]
        store.tournaments.close_round("cup", number, results, [], 1.0)
    if is_finished:
        store.tournaments.set_state("cup", TournamentState.FINISHED, "all rounds are played", NOW)
    return store
