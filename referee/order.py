"""Orders and results: the arena's requests to a referee and the answers, as plain JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any, TypeAlias

from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.hooks import in_one_line
from referee.mistakes import UserError
from referee.setting import Form, Setting, SettingError, did_you_mean, refuse_unknown
from referee.values import fields_of, names_of

MAX_LISTED = 20  # games in a message
MAX_CONNECTIONS = 4
"""To a bot's own socket: its own, one that it has lost, and the arena's, which proves that it can be reached."""


class OrderError(UserError):
    """A match or tournament is badly described; the message names the key and says what was expected."""


class Ending(StrEnum):
    """The closed list of endings, of a match and of each seat in it."""

    COMPLETED = "completed"
    FORFEIT_TIMEOUT = "forfeit_timeout"
    FORFEIT_CRASH = "forfeit_crash"
    FORFEIT_ILLEGAL = "forfeit_illegal"
    FORFEIT_DISCONNECT = "forfeit_disconnect"
    VOIDED = "voided"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How time is kept, in milliseconds: a bank, an increment after every answer, a cap on each answer."""

    bank_ms: int = 60_000
    increment_ms: int = 500
    cap_ms: int = 10_000
    """The most that one answer may take; 0 where only the bank limits it."""
    strike_limit: int = 3
    """Strikes a seat may collect; one more and it forfeits."""
    grace_ms: int = 5_000
    """How long a lost connection may take to come back."""
    join_ms: int = 20_000
    """How long a match waits for its bots before it starts without the missing ones."""
    lag_ms: int = 0
    """The maximum transport time forgiven per prompt for a bot that reports its thinking time."""

    @staticmethod
    def from_plain(plain: Mapping[str, object]) -> TimeControl:
        """Check untrusted settings; an OrderError names the key."""
        return TimeControl(**_checked(plain, TIME_CONTROL, "time_control."))

    def to_plain(self) -> dict[str, int]:
        """Return the settings by name, as sent and as recorded."""
        # By name: dataclasses.asdict copies every value deeply, at ten times the cost.
        return {name: getattr(self, name) for name in TIME_CONTROL_KEYS}


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """A bot in a seat: its name in the record, and the ticket its process connects with."""

    bot: str
    ticket: str
    version: str = ""
    """T13.16: the whole hash of the bot's version, which its name has only the beginning of; empty if unknown."""
    key: str = ""
    """T22.9: the public key that signs all its answers; empty if none does."""


TOLD_IDS = 1
"""T2.7: the scheme of `told_id`, as the header of a record names it; without one, every seat was told the match id."""


def told_id(seed: int, match_id: str, seat: int) -> str:
    """T2.7: the id of a match as the bot in a seat is told it: nothing else can be found out from it.

    The id of the match itself is a hash of round, table, seating and seed (T13.4), which a search could find.
    """
    return sha256(f"told|{seed}|{match_id}|{seat}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """One match to be refereed."""

    match_id: str
    game: str
    options: Mapping[str, object]
    seats: tuple[SeatOrder, ...]
    seed: int
    time_control: TimeControl = TimeControl()
    parts_first: bool = False
    """Whether the bots are notified of the end before the result is reported, so that their output on it is kept."""
    terms: str = ""
    """T13.16: the digest of the settings that the match is played under; empty outside tournaments and tests."""

    def to_plain(self) -> dict[str, Any]:
        """Return the order as it travels to a referee process."""
        return {each.key: getattr(self, each.key) for each in ORDER if each.key != "terms" or self.terms} | {
            "options": dict(self.options),
            "seats": [
                {"bot": seat.bot, "ticket": seat.ticket}
                | ({"version": seat.version} if seat.version else {})
                | ({"key": seat.key} if seat.key else {})
                for seat in self.seats
            ],
            "time_control": self.time_control.to_plain(),
        }

    @staticmethod
    def from_plain(plain: Any) -> MatchOrder:
        """Check an order from outside; an OrderError says what is wrong with it."""
        if not isinstance(plain, dict):
            raise OrderError(f"order: {plain!r} is not a table of keys")
        told = _checked(plain, ORDER)
        told["seats"] = tuple(SeatOrder(**_checked(seat, SEAT, "seats.")) for seat in told["seats"])
        told["time_control"] = TimeControl.from_plain(told["time_control"])
        return MatchOrder(**told)


def _checked(plain: Mapping[str, Any], settings: Sequence[Setting], prefix: str = "") -> dict[str, Any]:
    """Return a value for every setting; an OrderError names the wrong key."""
    try:
        refuse_unknown(plain, [each.key for each in settings], prefix)
        return {each.key: each.of(plain, prefix) for each in settings}
    except SettingError as error:
        raise OrderError(str(error)) from None


def find_game(slug: str) -> AnyGame:
    """Return a game by its slug; an OrderError lists the known games."""
    try:
        return GAMES[slug]
    except KeyError:
        known = list(GAMES)
        listed = ", ".join(known) if len(known) <= MAX_LISTED else f"the {len(known)} of arena games"
        raise OrderError(f"game: {slug!r} is unknown; expected one of: {listed}{did_you_mean(slug, known)}") from None


def find_rules(slug: str, version: object) -> AnyGame:
    """Return a game in this version of its rules; an OrderError lists the known versions."""
    game = find_game(slug)
    known: list[AnyGame] = [*reversed(game.earlier), game]
    for rules in known:
        if rules.rules_version == version:
            return rules
    versions = " or ".join(str(rules.rules_version) for rules in known)
    raise OrderError(f"rules version {version!r} of {slug} is not available; expected {versions}")


def check_order(game: AnyGame, seats: int, options: Mapping[str, object]) -> None:
    """Set up a match as a check; an OrderError names the wrong key, or says why no match of the game can be played."""
    try:
        game.new(seats, 0, game.options(options))
    except (ValueError, UserError) as error:
        raise OrderError(str(error)) from None
    except Exception as error:
        raise OrderError(f"game {game.slug}: no match can begin: {in_one_line(error)}") from error
    if game.slug not in BUILT_IN:
        from referee.codec import stubs_of

        stubs_of(game)  # whose types may hold what no message can


Strike: TypeAlias = tuple[int, int, str, str]
"""A refused answer: the step, the seat, the clause or nothing, and the reason sent to the bot."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended, with its record; a voided match has no ranks."""

    match_id: str
    ending: Ending
    reason: str
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    seat_endings: tuple[Ending, ...]
    decisions: int
    asked: int
    record: str
    strikes: tuple[Strike, ...] = ()
    """The first strikes, only for the bots' authors; not part of the result."""
    digest: str = ""
    """The end of the record's digest chain, which identifies everything that happened except times."""

    def to_plain(self) -> dict[str, Any]:
        """Return the result as it travels back to the arena."""
        return {name: getattr(self, name) for name in RESULT_KEYS}

    @staticmethod
    def from_plain(plain: dict[str, Any]) -> MatchResult:
        """Rebuild a result that a referee process has written."""
        return MatchResult(
            match_id=plain["match_id"],
            ending=Ending(plain["ending"]),
            reason=plain["reason"],
            ranks=tuple(plain["ranks"]),
            scores=tuple(plain["scores"]),
            seat_endings=tuple(Ending(ending) for ending in plain["seat_endings"]),
            decisions=plain["decisions"],
            asked=plain["asked"],
            record=plain["record"],
            strikes=tuple(
                (int(step), int(seat), str(clause), str(reason))
                for step, seat, clause, reason in plain.get("strikes", ())
            ),
            digest=str(plain["digest"]),
        )


TIME_CONTROL = tuple(Setting(each.name, Form.NUMBER, "", each.default, min=0) for each in fields_of(TimeControl))
SEAT = (
    Setting("bot", Form.TEXT, "", MISSING),
    Setting("ticket", Form.TEXT, "", MISSING),
    Setting("version", Form.TEXT, "", ""),
    Setting("key", Form.TEXT, "", ""),
)
ORDER = (
    Setting("match_id", Form.TEXT, "", MISSING),
    Setting("game", Form.TEXT, "", MISSING),
    Setting("options", Form.TABLE, "", MISSING),
    Setting("seats", Form.TABLES, "", MISSING),
    Setting("seed", Form.NUMBER, "", MISSING),
    Setting("time_control", Form.TABLE, "", MISSING),
    Setting("parts_first", Form.FLAG, "", False),
    Setting("terms", Form.TEXT, "", ""),
)
TIME_CONTROL_KEYS = names_of(TimeControl)
RESULT_KEYS = names_of(MatchResult)
