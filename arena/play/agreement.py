"""T1.3: whether the result of a match, its record and its order agree."""

from __future__ import annotations

import json

from arena.play.match_to_play import MatchToPlay
from referee.codec import codec_for
from referee.order import TOLD_IDS, Ending, MatchResult, find_game
from referee.record import bound_header
from referee.software import SOFTWARE

TIMED = ('"how":"late"', '"how":"house"')  # in the record lines of choices made by the clock


def disagreement(fixture: MatchToPlay, result: MatchResult) -> str:
    """Return how a result differs from its record, or its record from the order; empty if all agree.

    The verifier replays the record; here it must be the record of this match and of this result.
    """
    if result.match_id != fixture.match_id:
        return f"the result is of another match: {result.match_id!r}"
    if len(result.seat_endings) != len(fixture.bots):
        return f"the result has endings for {len(result.seat_endings)} seats; expected {len(fixture.bots)}"
    if result.ending is Ending.VOIDED:
        has_result = result.ranks or result.scores or set(result.seat_endings) != {Ending.VOIDED}
        return "the match is void, but has a result" if has_result else ""
    try:
        lines = result.record.rstrip("\n")
        header, last = json.loads(lines.partition("\n")[0]), json.loads(lines.rpartition("\n")[2])
        said = {**last["result"], "digest": last["digest"]}
        pairs = [
            *((key, header[key], ordered, "the order says") for key, ordered in _ordered(fixture).items()),
            *((key, said[key], claimed, "the result says") for key, claimed in _claimed(result).items()),
        ]
    except (ValueError, KeyError, TypeError, RecursionError):
        return "the record has no readable header and result"
    for key, recorded, wanted, who in pairs:
        if recorded != wanted:
            return f"the record says {key} {json.dumps(recorded)}, {who} {json.dumps(wanted)}"
    return ""


def _ordered(fixture: MatchToPlay) -> dict[str, object]:
    """The expected header of the record; a bot's label contains the hash of its files."""
    game = find_game(fixture.game)
    return {
        "software": SOFTWARE,
        "match_id": fixture.match_id,
        "game": fixture.game,
        "rules_version": game.rules_version,
        "options": codec_for(game).options.to_plain(game.options(fixture.options)),
        "bots": [bot.label for bot in fixture.bots],
        "seed": fixture.seed,
        "time_control": fixture.time_control.to_plain(),
        "told_ids": TOLD_IDS,
        **bound_header(fixture.terms, [bot.version for bot in fixture.bots], [bot.public_key for bot in fixture.bots]),
    }


def _claimed(result: MatchResult) -> dict[str, object]:
    """The expected last line of the record."""
    return {
        "ending": result.ending,
        "reason": result.reason,
        "ranks": list(result.ranks),
        "scores": list(result.scores),
        "seat_endings": list(result.seat_endings),
        "digest": result.digest,
    }


def has_timed_choices(record: str) -> bool:
    """Return whether the clock made a choice, so that a match may go another way when it is played again."""
    return any(how in record for how in TIMED)
