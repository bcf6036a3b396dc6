"""T13: what an organiser has changed after it was entered: matches forfeited since, and bots disqualified."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from arena.store.connection import Subject
from arena.store.rows import Disqualification, Results
from ratings.ledger import chain, entry_bodies, posting
from ratings.ledger.accounts import BANK
from referee.mistakes import UserError


class CorrectionStore(Subject):
    """Corrections of matches that were entered, and disqualifications."""

    def forfeits(self) -> dict[str, list[Mapping[str, Any]]]:
        """T13.12: return what the FORFEIT entries of every match say, in order."""
        rows = self._file.rows("SELECT payload FROM entry WHERE key >= 'forfeit:' AND key < 'forfeit;' ORDER BY seq")
        found: dict[str, list[Mapping[str, Any]]] = {}
        for (payload,) in rows:
            with suppress(ValueError, LookupError, TypeError):  # somebody has changed it, which the audit names
                body = json.loads(payload)
                found.setdefault(body["match"], []).append(body)
        return found

    def counting_place(self, seat: str) -> str:
        """T13.12: return the expression for the place that counts of a seat; a search only where there is a forfeit."""
        if not self._file.rows("SELECT 1 FROM entry WHERE key >= 'forfeit:' AND key < 'forfeit;' LIMIT 1"):
            return f"{seat}.place"
        return f"""coalesce((SELECT json_extract(f.payload, '$.places[' || {seat}.seat || ']') FROM entry f
            WHERE f.key >= 'forfeit:' || {seat}.match || ':' AND f.key < 'forfeit:' || {seat}.match || ';'
            ORDER BY f.seq DESC LIMIT 1), {seat}.place)"""

    def count(self, tournament: str) -> int:
        """T13: return how often matches of a tournament were made void or forfeited after they had been entered."""
        rows = self._file.rows(
            """SELECT (SELECT count(*) FROM posted_match WHERE tournament = ? AND is_void)
                + (SELECT count(*) FROM entry
                WHERE key >= 'forfeit:' AND key < 'forfeit;' AND json_extract(payload, '$.tournament') = ?)""",
            tournament,
            tournament,
        )
        return int(rows[0][0])

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
        rows = self._file.rows(
            "SELECT payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq", f"rev:{match_id}:", f"rev:{match_id};"
        )
        bodies = [json.loads(payload) for (payload,) in rows]
        return {body["bot"]: body["delta"] for body in bodies if body["bot"] != BANK}

    def disqualified(self, tournament: str) -> dict[str, Disqualification]:
        """T10.7: return who is disqualified from a tournament, by label."""
        first = entry_bodies.disqualify_prefix(tournament)
        rows = self._file.rows(
            "SELECT payload FROM entry WHERE key >= ? AND key < ? ORDER BY seq", first, first[:-1] + ";"
        )
        found = {}
        for (payload,) in rows:
            body = json.loads(payload)
            found[body["bot"]] = Disqualification(
                body["bot"], body["round"], Results(body["results"]), body["reason"], body["who"]
            )
        return found

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
            rows = self._file.rows(
                """SELECT m.id FROM seat s JOIN match m ON m.id = s.match JOIN entry e ON e.key = 'match:' || m.id
                WHERE s.bot = ? AND m.tournament = ? ORDER BY m.round, m.table_number, m.game_number""",
                given.bot,
                tournament,
            )
            return sum(self.apply(match_id, given) for (match_id,) in rows)

    def apply(self, match_id: str, given: Disqualification) -> bool:
        """T10.7: make an entered match of a disqualified bot void, or forfeited by it; False if it was so already."""
        with self._file.write() as connection:
            if given.results is Results.VOID:
                return posting.void_match(connection, match_id, given.note, given.who)
            return posting.forfeit_match(connection, match_id, given.bot, given.note, given.who)

    def total(self) -> int:
        """T13: return how many matches of all pools are void or forfeited since; it grows with every one."""
        return int(
            self._file.rows(
                """SELECT (SELECT coalesce(sum(voids), 0) FROM pool_total)
                    + (SELECT count(*) FROM entry WHERE key >= 'forfeit:' AND key < 'forfeit;')"""
            )[0][0]
        )


def forfeit_note(forfeits: Sequence[Mapping[str, Any]]) -> str | None:
    """T13.12: say who has forfeited a match since it was played, and why; None if nobody has."""
    return "; ".join(f"{body['bot']}, {body['reason']}" for body in forfeits) or None
