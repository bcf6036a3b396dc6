"""T10.7, T13.5, T13.6, T13.14: an organiser's corrections of matches that should not count as played."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.bots.label import Label
from arena.fitting.fits import post_fit
from arena.plan.rounds import read_history
from arena.plan.settings import TournamentSettings
from arena.store.database import Store
from arena.store.rows import Disqualification, Results
from ratings.fit.refit import fit_of_record
from ratings.ledger import posting, queries
from ratings.ledger.accounts import BANK
from ratings.ledger.chain import Entry, Kind, entries, find, key_of
from ratings.ledger.fit_gaps import KINDS, FitGaps
from ratings.ledger.fit_record import FitRecord
from referee.mistakes import NotFoundError, UserError

THOUSANDTHS = 1000  # ratings are kept in thousandths of an Elo point
EPOCH_FROM = 5 * THOUSANDTHS  # T13.6: the difference to a clean replay that at least one rating must have


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """T13.5: a void match, and the Elo given back for it."""

    match: str
    was_void_already: bool
    given_back: dict[str, float]


@dataclass(frozen=True, slots=True)
class Disqualified:
    """T10.7: the effect of a disqualification."""

    tournament: str
    bots: tuple[str, ...]
    """The labels of all versions that had entered."""
    round: int
    """The first round without it."""
    results: Results
    matches: int
    """The number of its matches that no longer count as played."""


@dataclass(frozen=True, slots=True)
class Mend:
    """T13.14: a fit that was missing after a closed round and was entered late."""

    checkpoint: str
    pool: str
    entry: int
    """The number of the CHECKPOINT."""


@dataclass(frozen=True, slots=True)
class CleanReplay:
    """T13.6: the ratings of a pool, and what they would be without void matches, in thousandths of an Elo point."""

    pool: str
    ratings: Mapping[str, tuple[int, int]]

    @property
    def max_difference(self) -> int:
        """The largest difference of a rating."""
        return max((abs(clean - now) for now, clean in self.ratings.values()), default=0)

    @property
    def is_due(self) -> bool:
        """Whether an epoch may be posted."""
        return self.max_difference > EPOCH_FROM


def void_matches(store: Store, wanted: Sequence[str], reason: str, who: str) -> list[VoidMatch]:
    """T13.5: void matches, by their ids or the beginnings of them: all, or none if one cannot be voided."""
    reason, who = ledger_text("reason", reason), ledger_text("who", who)
    found = [store.matches.find(each) for each in dict.fromkeys(wanted)]
    ids = list(dict.fromkeys(match.id for match in found))
    new = set(store.corrections.void(ids, reason, who))
    enter_fits(store, {match.tournament for match in found if match.id in new})
    return [
        VoidMatch(
            match_id,
            match_id not in new,
            {bot: delta / THOUSANDTHS for bot, delta in store.corrections.given_back(match_id).items()},
        )
        for match_id in ids
    ]


def disqualify_bot(store: Store, tournament: str, wanted: str, results: Results, reason: str, who: str) -> Disqualified:
    """T10.7: disqualify all versions of a bot by its name, or one by its label, whatever the tournament's state."""
    reason, who = ledger_text("reason", reason), ledger_text("who", who)
    stored = store.tournaments.find(tournament)
    with store.write():
        entrants = read_history(store, stored, ahead=True).entrants
        house = set(TournamentSettings.of(stored).house_bots)
        found = sorted(label for label in entrants if Label.parse(label).is_meant_by(wanted))
        if not found:
            here = (
                "is a house bot, not an entrant"
                if any(Label.parse(label).is_meant_by(wanted) for label in house)
                else f"does not play in {tournament}"
            )
            raise NotFoundError(f"bot: {wanted!r} {here}")
        already = store.corrections.disqualified(tournament)
        labels = [label for label in found if label not in already]
        if not labels:
            raise UserError(f"bot: {', '.join(found)} is already disqualified from {tournament}")
        number = store.tournaments.last_round(tournament) + 1
        matches = sum(
            store.corrections.disqualify(tournament, Disqualification(label, number, results, reason, who))
            for label in labels
        )
    enter_fits(store, {tournament})
    return Disqualified(tournament, tuple(labels), number, results, matches)


def enter_fits(store: Store, tournaments: Iterable[str]) -> None:
    """T13.7: fit the pools of corrected tournaments again, so that lists show ratings of record; publish the head."""
    for pool in store.pools.of(sorted(tournaments)):
        post_fit(store, pool)
    store.heads.publish()


def mend_fits(store: Store, reason: str, who: str) -> list[Mend]:
    """T13.14: enter late every fit that is missing after a CHECKPOINT, and publish the head; return the mended fits.

    A fit that is missing only at the end, after a finished tournament, is entered as the FIT that it should have been.
    """
    reason, who = ledger_text("reason", reason), ledger_text("who", who)
    gaps = FitGaps()
    with store.reading() as connection:
        for entry in entries(connection, *KINDS):
            list(gaps.read(entry))
        fitted = {place: _fit_at(connection, closed, place[1]) for place, closed in gaps.missing.items()}
    with store.write() as connection:
        for (key, pool), closed in gaps.missing.items():
            posting.record_mend(connection, closed, pool, fitted[key, pool], reason, who)
    found = [Mend(key, pool, closed.seq) for (key, pool), closed in gaps.missing.items()]
    for pool, closed in gaps.waiting.items():
        if store.evidence.is_over(closed.body["tournament"]) and post_fit(store, pool):
            found.append(Mend(closed.key, pool, closed.seq))
    if found:
        store.heads.publish()
    return found


def _fit_at(connection: sqlite3.Connection, closed: Entry, pool: str) -> FitRecord:
    """Return the fit of a pool as it stood at a CHECKPOINT."""
    played = list(queries.results(connection, pool, closed.seq))
    voids = closed.body["pools"][pool]["voids"]
    return fit_of_record(played, queries.anchors(connection, pool), queries.parents(connection), voids=voids)


def clean_replay(store: Store, pool: str) -> CleanReplay:
    """T13.6: compare the ratings of a pool with what they would be without void matches."""
    with store.reading() as connection:
        return CleanReplay(pool, queries.clean_replay(connection, pool))


def post_epoch(store: Store, name: str, pool: str, reason: str, who: str) -> CleanReplay:
    """T13.6: correct a pool's ratings to those without void matches and publish the head; return the old ones."""
    reason, who = ledger_text("reason", reason), ledger_text("who", who)
    with store.write() as connection:
        before = CleanReplay(pool, queries.clean_replay(connection, pool))
        if find(connection, key_of(Kind.ADJUST, epoch=name, pool=pool, bot=BANK)) is not None:
            raise UserError(f"epoch: {name!r} was already posted for {pool}; expected a new name")
        if not before.is_due:
            raise UserError(
                f"epoch: no rating of {pool} differs from its clean replay by more than 5 Elo "
                f"(the largest difference is {before.max_difference / THOUSANDTHS:.1f})"
            )
        posting.post_epoch(connection, name, pool, reason, who)
    store.heads.publish()
    return before


def ledger_text(name: str, given: str) -> str:
    """Return a text as the ledger keeps it; a UserError if it cannot be kept."""
    text = unicodedata.normalize("NFC", given.strip())
    if not text or not text.isprintable():
        raise UserError(f"{name}: {given!r} is not allowed; expected printable text")
    return text
