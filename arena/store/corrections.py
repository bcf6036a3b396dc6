"""T13: organisers' corrections: matches voided or forfeited after they were entered, and disqualifications."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from arena.store.connection import Subject
from arena.store.rows import Disqualification, Results
from arena.store.views import counting_place
from ratings.ledger import chain, entry_bodies, posting
from ratings.ledger.accounts import BANK
from referee.mistakes import UserError

FORFEITS = "FROM entry WHERE key >= 'forfeit:' AND key < 'forfeit;'"


class CorrectionStore(Subject):
    """Corrections of matches that were entered, and disqualifications."""

    def forfeits(self) -> dict[str, list[Mapping[str, Any]]]:
        """T13.12: return what the FORFEIT entries of every match say, in order."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for payload in self._file.column(f"SELECT payload {FORFEITS} ORDER BY seq"):
            with suppress(ValueError, LookupError, TypeError):  # somebody has changed it, which the audit names
                body = json.loads(payload)
                found.setdefault(body["match"], []).append(body)
        return found

    def counting_place(self, seat: str) -> str:
        """T13.12: return the expression for the place that counts of a seat; a search only where there is a forfeit."""
        has_forfeits = self._file.rows(f"SELECT 1 {FORFEITS} LIMIT 1")
        return counting_place(seat) if has_forfeits else f"{seat}.place"

    def count(self, tournament: str) -> int:
        """T13: return how often matches of a tournament were made void or forfeited after they had been entered."""
        sql = f"""SELECT (SELECT count(*) FROM posted_match WHERE tournament = ?1 AND is_void)
            + (SELECT count(*) {FORFEITS} AND json_extract(payload, '$.tournament') = ?1)"""
        return int(self._file.value(sql, tournament))

    def void(self, matches: Iterable[str], reason: str, who: str) -> list[str]:
        """T13.5: make matches void, all or none; return those that were not void before."""
        found = []
        with self._file.write() as connection:
            for match_id in matches:
                try:
                    if posting.void_match(connection, match_id, reason, who):
                        found.append(match_id)
                except chain.LedgerError:
                    expected = "expected one of a closed round, which no replay of ours has made void before"
                    raise UserError(f"match: {match_id[:12]} has no result in the ledger; {expected}") from None
        return found

    def given_back(self, match_id: str) -> dict[str, int]:
        """T13: return what every bot was given back of its rating for a match, in thousandths; of unrated ones none."""
        bodies = self._file.bodies(f"rev:{match_id}:")
        return {body["bot"]: body["delta"] for body in bodies if body["bot"] != BANK}

    def disqualified(self, tournament: str) -> dict[str, Disqualification]:
        """T10.7: return who is disqualified from a tournament, by label."""
        return {
            body["bot"]: Disqualification(
                body["bot"], body["round"], Results(body["results"]), body["reason"], body["who"]
            )
            for body in self._file.bodies(entry_bodies.disqualify_prefix(tournament))
        }

    def disqualify(self, tournament: str, given: Disqualification) -> int:
        """T10.7: disqualify a bot: no match of a closed round that it played counts as it was played any more.

        Those of a round under way follow when it closes. Return how many matches were changed.
        """
        with self._file.write() as connection:
            try:
                posting.disqualify(
                    connection, tournament, given.bot, given.round, given.results, given.reason, given.who
                )
            except chain.LedgerError:
                raise UserError(f"bot: {given.bot} is disqualified from {tournament} already") from None
            sql = """SELECT m.id FROM seat s JOIN match m ON m.id = s.match JOIN entry e ON e.key = 'match:' || m.id
                WHERE s.bot = ? AND m.tournament = ? ORDER BY m.round, m.table_number, m.game_number"""
            return sum(self.apply(match_id, given) for match_id in self._file.column(sql, given.bot, tournament))

    def apply(self, match_id: str, given: Disqualification) -> bool:
        """T10.7: make an entered match of a disqualified bot void, or forfeited by it; False if it was so already."""
        with self._file.write() as connection:
            if given.results is Results.VOID:
                return posting.void_match(connection, match_id, given.note, given.who)
            return posting.forfeit_match(connection, match_id, given.bot, given.note, given.who)

    def total(self) -> int:
        """T13: return how many matches of all pools are void or forfeited since; it grows with every one."""
        sql = f"SELECT (SELECT coalesce(sum(voids), 0) FROM pool_total) + (SELECT count(*) {FORFEITS})"
        return int(self._file.value(sql))


def forfeit_note(forfeits: Sequence[Mapping[str, Any]]) -> str | None:
    """T13.12: say who has forfeited a match since it was played, and why; None if nobody has."""
    return "; ".join(f"{body['bot']}, {body['reason']}" for body in forfeits) or None
