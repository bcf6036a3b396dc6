"""T13: organisers' corrections: matches voided, forfeited or struck from after they were entered, disqualifications."""

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
from ratings.ledger.chain import Kind
from referee.mistakes import UserError

NEW_PLACES = "FROM entry WHERE (key >= 'forfeit:' AND key < 'forfeit;' OR key >= 'strike:' AND key < 'strike;')"
"""T13.12, T13.15: selects the FORFEIT and STRIKE entries."""


class CorrectionStore(Subject):
    """Corrections of entered matches, and disqualifications."""

    def new_places(self) -> dict[str, list[Mapping[str, Any]]]:
        """T13.12, T13.15: return what the FORFEIT and STRIKE entries of every match say, in order."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for payload in self._file.column(f"SELECT payload {NEW_PLACES} ORDER BY seq"):
            with suppress(ValueError, LookupError, TypeError):  # it was tampered with, which the audit reports
                body = json.loads(payload)
                found.setdefault(body["match"], []).append(body)
        return found

    def counting_place(self, seat: str) -> str:
        """T13.12, T13.15: return the expression for the place that counts of a seat, 0 for a struck one.

        It searches only where anything was forfeited or struck.
        """
        has_new_places = self._file.rows(f"SELECT 1 {NEW_PLACES} LIMIT 1")
        return counting_place(seat) if has_new_places else f"{seat}.place"

    def count(self, tournament: str) -> int:
        """T13: return how often matches of a tournament were voided, forfeited or struck from after their entry."""
        sql = f"""SELECT (SELECT count(*) FROM posted_match WHERE tournament = ?1 AND is_void)
            + (SELECT count(*) {NEW_PLACES} AND json_extract(payload, '$.tournament') = ?1)"""
        return int(self._file.value(sql, tournament))

    def void(self, matches: Iterable[str], reason: str, who: str) -> list[str]:
        """T13.5: void matches, all or none; return those that were not void before."""
        found = []
        with self._file.write() as connection:
            for match_id in matches:
                try:
                    if posting.void_match(connection, match_id, reason, who):
                        found.append(match_id)
                except chain.LedgerError:
                    expected = "expected one of a closed round that is not already void"
                    raise UserError(f"match: {match_id[:12]} has no result in the ledger; {expected}") from None
        return found

    def given_back(self, match_id: str) -> dict[str, int]:
        """T13: return the rating given back to every bot for a match, in thousandths; nothing for unrated ones."""
        bodies = self._file.bodies(f"rev:{match_id}:")
        return {body["bot"]: body["delta"] for body in bodies if body["bot"] != BANK}

    def disqualified(self, tournament: str) -> dict[str, Disqualification]:
        """T10.7: return the bots disqualified from a tournament, by label."""
        return {
            body["bot"]: Disqualification(
                body["bot"], body["round"], Results(body["results"]), body["reason"], body["who"]
            )
            for body in self._file.bodies(entry_bodies.disqualify_prefix(tournament))
        }

    def disqualify(self, tournament: str, given: Disqualification) -> int:
        """T10.7: disqualify a bot: its matches of closed rounds no longer count as played.

        Those of the open round follow when it closes. Return the number of changed matches.
        """
        with self._file.write() as connection:
            try:
                posting.disqualify(
                    connection, tournament, given.bot, given.round, given.results, given.reason, given.who
                )
            except chain.LedgerError:
                raise UserError(f"bot: {given.bot} is already disqualified from {tournament}") from None
            sql = """SELECT m.id FROM seat s JOIN match m ON m.id = s.match JOIN entry e ON e.key = 'match:' || m.id
                WHERE s.bot = ? AND m.tournament = ? ORDER BY m.round, m.table_number, m.game_number"""
            return sum(self.apply(match_id, given) for match_id in self._file.column(sql, given.bot, tournament))

    def apply(self, match_id: str, given: Disqualification) -> bool:
        """T10.7: correct an entered match of a disqualified bot as was decided; False if it was so already."""
        with self._file.write() as connection:
            match given.results:
                case Results.STRIKE:
                    return posting.strike_match(connection, match_id, given.bot, given.note, given.who)
                case Results.VOID:
                    return posting.void_match(connection, match_id, given.note, given.who)
                case Results.FORFEIT:
                    return posting.forfeit_match(connection, match_id, given.bot, given.note, given.who)

    def total(self) -> int:
        """T13: return how many corrections of matches all pools have; it grows with every one."""
        sql = f"SELECT (SELECT coalesce(sum(voids), 0) FROM pool_total) + (SELECT count(*) {NEW_PLACES})"
        return int(self._file.value(sql))


def correction_note(kind: Kind, corrections: Sequence[Mapping[str, Any]]) -> str | None:
    """T13.12, T13.15: say who has forfeited a match since it was played, or was struck from it, and why; or None."""
    return "; ".join(f"{body['bot']}, {body['reason']}" for body in corrections if body["kind"] == kind) or None
