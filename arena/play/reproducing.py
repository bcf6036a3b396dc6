"""T22: entered matches played again, by the programs that the ledger names and on its own terms.

A replay proves that a record keeps the rules, not who made its choices: anybody can play a tournament with other
programs behind the hashes. Playing it again from the hashed files does.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Any

from arena.bots.by_hash import FoundBots, find_bots
from arena.bots.directory import MANIFEST, Bot, BotDirectory, declared_version
from arena.bots.label import name_of
from arena.bots.one_file import is_one_file
from arena.bots.rungs import rungs_of_versions
from arena.bots.samples import starter_bots
from arena.plan.entries import bot_of
from arena.plan.settings import RunSettings, TournamentSettings
from arena.play.agreement import has_timed_choices
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import OpenPool, PoolConfig, play_all
from arena.play.stand_ins import with_stand_ins
from arena.sandbox.levels import SandboxPolicy
from arena.store.database import Store
from arena.store.evidence import UNREADABLE
from ratings.ledger.chain import Body
from ratings.ledger.test_entries import read_test
from referee.mistakes import UserError
from referee.order import Ending, MatchResult, OrderError, TimeControl, find_game
from referee.record import RecordError, read, verify
from referee.software import SOFTWARE

LATE = '"how":"late"'  # in the record line of a choice
LOST = (Ending.FORFEIT_CRASH, Ending.FORFEIT_DISCONNECT)
"""How a seat ends whose program may lack something on this machine; what it did before is compared all the same."""
MAX_CONCURRENT = 8  # matches: their clocks run, and every one starts processes of its own


class Hindrance(StrEnum):
    """T22.4: why a match cannot be reproduced."""

    REMOTE = "a bot runs elsewhere; the others chose the same again"
    SIGNED = "a bot runs elsewhere, and its author signed its choices; the others chose the same again"
    MISSING = "no files with the hash of a bot were found"
    UNUSABLE = "the files of a bot cannot be used"
    UNDECLARED = "a bot does not declare itself deterministic"
    TIMED = "the clock made a choice"
    FORFEITED = "a seat forfeited"
    RULES = "its game or its rules are not installed here"
    TOLD = "bots were told other ids of matches then"
    SLOW = "the clock made a choice when it was played again"
    CRASHED = "a bot ended or hung up when it was played again"
    NOT_PLAYED = "it could not be played again"


@dataclass(frozen=True, slots=True)
class MatchDifference:
    """How a match came out when it was played again; without a step, something else than a choice differs."""

    match: str
    what: str
    step: int | None = None
    seat: int | None = None
    bot: str | None = None

    def __str__(self) -> str:
        where = "" if self.step is None else f"step {self.step}, seat {self.seat}, {self.bot}: "
        return f"match {self.match} differs: {where}{self.what}"


@dataclass(frozen=True, slots=True)
class Hindered:
    """A match that cannot be reproduced, why, and what it is about."""

    match: str
    why: Hindrance
    detail: str = ""

    def __str__(self) -> str:
        return f"match {self.match} was not reproduced: {self.why}{f' ({self.detail})' if self.detail else ''}"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What came of a sample."""

    reproduced: tuple[str, ...]
    """The ids of the matches that came out the same."""
    differences: tuple[MatchDifference, ...]
    hindered: tuple[Hindered, ...]

    @property
    def by_reason(self) -> dict[str, int]:
        """How many matches could not be reproduced, by reason."""
        return dict(sorted(Counter(each.why.value for each in self.hindered).items()))


def draw_sample(matches: Sequence[Body], share: float, seed: int) -> list[Body]:
    """T22.2: return a share of the entered matches, at least one: those whose hash with the seed is smallest."""
    size = min(len(matches), max(1, ceil(share * len(matches))))
    drawn = set(drawn_ids([body["match"] for body in matches], size, seed))
    return [body for body in matches if body["match"] in drawn]


def drawn_ids(match_ids: Sequence[str], size: int, seed: int) -> list[str]:
    """T22.2: return the ids of a sample of this size, in the order of the entries."""
    drawn = set(sorted(match_ids, key=lambda match_id: _draw(seed, match_id))[:size])
    return [match_id for match_id in match_ids if match_id in drawn]


def _draw(seed: int, match_id: str) -> bytes:
    return sha256(f"reproduce|{seed}|{match_id}".encode()).digest()


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """What matches are played again with."""

    places: Sequence[Path]
    """Where bots are looked for, beside the database's own and the sample bots."""
    folder: Path
    """They are unpacked here."""
    open_pool: OpenPool
    sandbox: SandboxPolicy
    tries_undeclared: bool = False
    """Whether bots play that do not declare themselves deterministic: what they do otherwise is no difference."""


async def reproduce(
    store: Store, matches: Sequence[Body], means: PlayAgain, advance: Callable[[], object]
) -> Reproduction:
    """T22.3: play entered matches again in fresh processes and compare every choice."""
    found = _find(store, matches, means)
    outcomes: dict[str, MatchDifference | Hindered | None] = {}
    playable: list[tuple[Body, MatchToPlay]] = []
    for body in matches:
        order = _order(store, body, found, tries_undeclared=means.tries_undeclared)
        if isinstance(order, MatchToPlay):
            playable.append((body, order))
        else:
            outcomes[body["match"]] = order
            advance()

    async def compare(number: int, result: MatchResult) -> None:
        body, order = playable[number]
        outcomes[body["match"]] = _outcome(store, body, order, result)
        advance()

    if playable:
        await _play(store, [order for _body, order in playable], means, compare)
    came = [(body["match"], outcomes[body["match"]]) for body in matches]
    return Reproduction(
        tuple(match_id for match_id, outcome in came if outcome is None),
        tuple(outcome for _, outcome in came if isinstance(outcome, MatchDifference)),
        tuple(outcome for _, outcome in came if isinstance(outcome, Hindered)),
    )


async def _play(
    store: Store, orders: Sequence[MatchToPlay], means: PlayAgain, report: Callable[[int, MatchResult], Awaitable[None]]
) -> None:
    async def trust(_result: MatchResult) -> None:
        """Every choice is compared anyway."""

    remote = [order for order in orders if any(bot.is_remote for bot in order.bots)]
    start = with_stand_ins([(order, read(store.matches.record(order.match_id))) for order in remote], means.folder)
    run = RunSettings(referees=1, concurrency=min(MAX_CONCURRENT, len(os.sched_getaffinity(0))))
    config = PoolConfig(
        run, fresh_process=True, log_level="error", sandbox=means.sandbox, start_bot=start,
        heard=lambda _match, _seat, _printed: None, verify=trust, tournament="reproduce",
    )  # fmt: skip
    async with means.open_pool(config) as pool:
        await play_all(pool, orders, pool.max_asked, report)


def _find(store: Store, matches: Sequence[Body], means: PlayAgain) -> FoundBots:
    wanted = {version for body in matches for version in body["bot_hashes"]}
    stored = [Path(each.path) for each in store.bots.versions() if each.version in wanted and not each.is_remote]
    # The database may be somebody else's: what it names is looked at only if it is a bot, and never searched.
    own = [path for path in stored if (path / MANIFEST).is_file() or is_one_file(path)]
    places = [*own, *means.places, starter_bots(), *rungs_of_versions(wanted)]
    return find_bots(wanted, places, means.folder)


def _order(
    store: Store, body: Body, found: FoundBots, *, tries_undeclared: bool
) -> MatchToPlay | Hindered | MatchDifference:
    """Return the match as the ledger orders it, or why it cannot be played again."""
    match_id = body["match"]
    try:
        slug, _, rules = body["pool"].rpartition(":")
        if str(find_game(slug).rules_version) != rules:
            return Hindered(match_id, Hindrance.RULES, body["pool"])
        options, time_control = _terms(store, body)
        if len(body["bot_hashes"]) != len(body["seating"]):
            return MatchDifference(match_id, "its entry does not have a hash for every seat")
    except OrderError:
        return Hindered(match_id, Hindrance.RULES, body["pool"])
    except (*UNREADABLE, UserError) as error:
        return MatchDifference(match_id, f"its entry or that of its tournament cannot be read: {error!r}")
    if body["ending"] != Ending.COMPLETED or body["forfeits"]:
        return Hindered(match_id, Hindrance.FORFEITED, str(body["ending"]))
    bots: list[Bot] = []
    for label, version in zip(body["seating"], body["bot_hashes"], strict=True):
        bot = found.bots.get(version) or _declared(store, label, version)
        if bot is None:
            return Hindered(match_id, *_missing(label, version, found))
        if isinstance(bot, BotDirectory) and not (bot.manifest.deterministic or tries_undeclared):
            return Hindered(match_id, Hindrance.UNDECLARED, label)
        bots.append(bot.renamed(name_of(label)))
        if bots[-1].label != label:
            return MatchDifference(match_id, f"{label} played, and its entry has the hash {version}")
    record = _record(store, match_id)
    if record is not None and has_timed_choices(record):
        return Hindered(match_id, Hindrance.TIMED)
    if any(bot.is_remote for bot in bots):
        try:
            named = verify(record or "").header.get("keys", [""] * len(bots))
        except RecordError as error:
            return MatchDifference(match_id, f"its record does not replay: {error}")
        if named != (entered := [bot.public_key for bot in bots]):
            return MatchDifference(match_id, f"its record names the keys {named}, its bots were entered with {entered}")
    # What a record says of its terms changes nothing in the play, and `ledger verify` compares it with the entry.
    said = {"terms": header["terms"]} if record is not None and "terms" in (header := _header(record)) else {}
    return MatchToPlay(match_id, slug, options, tuple(bots), body["seed"], time_control, **said)


def _declared(store: Store, label: str, version: str) -> Bot | None:
    """Return a bot that runs elsewhere as its author declared it, whose hash is its version; None for any other."""
    stored = store.bots.version(label)
    if stored is None or not stored.is_remote or declared_version(stored.manifest) != version:
        return None
    return bot_of(stored)


def _missing(label: str, version: str, found: FoundBots) -> tuple[Hindrance, str]:
    if version in found.faults:
        return Hindrance.UNUSABLE, f"{label}: {found.faults[version]}"
    return Hindrance.MISSING, f"{label}, {version}"


def _terms(store: Store, body: Body) -> tuple[Mapping[str, object], TimeControl]:
    """Return the options and the time control of a match, by the entry of its tournament or test."""
    if (entry := store.evidence.entry(f"tournament:{body['tournament']}")) is not None:
        settings = TournamentSettings.from_plain(entry.body["settings"])
        return settings.game_in(body["round"]).options, settings.time_control
    if (entry := store.evidence.entry(f"test:{body['tournament']}")) is not None:
        agreed = read_test(entry.body).settings
        return agreed["options"], TimeControl.from_plain(agreed["time_control"])
    raise UserError(f"{body['tournament']} has no entry")


def _record(store: Store, match_id: str) -> str | None:
    try:
        return store.matches.record(match_id)
    except UserError:
        return None


def _header(record: str) -> dict[str, Any]:
    """Return the first line of a record; nothing if it cannot be read, which comes out when it is compared."""
    try:
        header = json.loads(record.partition("\n")[0])
    except ValueError:
        return {}
    return header if isinstance(header, dict) else {}


def _outcome(store: Store, body: Body, order: MatchToPlay, again: MatchResult) -> MatchDifference | Hindered | None:
    """T22.3, T22.4: return how a match differs from its entry, or why that cannot be said; None if it is the same."""
    match_id = body["match"]
    if again.ending is Ending.VOIDED:
        return Hindered(match_id, Hindrance.NOT_PLAYED, again.reason)
    if again.digest == body["replay"]:
        return _only_repeated(order)
    if LATE in again.record:
        return Hindered(match_id, Hindrance.SLOW)
    if undeclared := [bot.label for bot in order.bots if not (bot.is_remote or bot.manifest.deterministic)]:
        return Hindered(match_id, Hindrance.UNDECLARED, f"{undeclared[0]}; it came out differently")
    record = _record(store, match_id)
    if record is None:
        return MatchDifference(match_id, "it has no record that can be read, and another digest")
    try:
        was = verify(record)
    except RecordError as error:
        return MatchDifference(match_id, f"its record does not replay: {error}")
    if was.result_digest != body["replay"]:
        return MatchDifference(
            match_id, f"the digest of its record is {was.result_digest}, its entry has {body['replay']}"
        )
    if was.header.get("told_ids") != _header(again.record).get("told_ids"):
        return Hindered(match_id, Hindrance.TOLD, f"by {was.header['software']}")
    found = compare_records(match_id, record, again.record)
    if found is not None and found.seat is not None and again.seat_endings[found.seat] in LOST:
        return Hindered(match_id, Hindrance.CRASHED, f"{found.bot}, step {found.step}")
    if found is None and was.header["software"] == SOFTWARE:
        return MatchDifference(match_id, "every choice is the same, and the digest differs")
    return found


def _only_repeated(order: MatchToPlay) -> Hindered | None:
    """T22.4: return that a stand-in has repeated recorded choices; the referee has checked all signatures again."""
    remote = [bot for bot in order.bots if bot.is_remote]
    if not remote:
        return None
    why = Hindrance.SIGNED if all(bot.public_key for bot in remote) else Hindrance.REMOTE
    return Hindered(order.match_id, why, ", ".join(f"{bot.label} {bot.public_key}".strip() for bot in remote))


def compare_records(match_id: str, first: str, second: str) -> MatchDifference | None:
    """Return the first difference of two records of a match: what ordered it, a choice, or the result.

    Times and comments may differ, and so may the version of the software.
    """
    was, now = ([json.loads(line) for line in text.rstrip("\n").split("\n")] for text in (first, second))
    for key in sorted((was[0].keys() | now[0].keys()) - {"software", "digest", "seal"}):
        if was[0].get(key) != now[0].get(key):
            said = f"the record says {key} {_short(was[0].get(key))}, the ledger {_short(now[0].get(key))}"
            return MatchDifference(match_id, said)
    bots = was[0]["bots"]
    for step, (old, new) in enumerate(zip(was[1:-1], now[1:-1], strict=False), start=1):
        for chosen, repeated in zip(old["choices"], new["choices"], strict=False):
            if chosen != repeated:
                said = f"the record has {_choice(chosen)}, the hashed program chose {_choice(repeated)}"
                return MatchDifference(match_id, said, step, chosen["seat"], bots[chosen["seat"]])
        if len(old["choices"]) != len(new["choices"]):
            return MatchDifference(match_id, f"step {step} has another number of choices")
    if len(was) != len(now):
        return MatchDifference(match_id, f"it ends after {len(now) - 2} steps, and was recorded with {len(was) - 2}")
    if was[-1]["result"] != now[-1]["result"]:
        said = f"the record has {_short(was[-1]['result'])}, again it is {_short(now[-1]['result'])}"
        return MatchDifference(match_id, f"every choice is the same, and the result differs: {said}")
    return None


def _choice(plain: Mapping[str, Any]) -> str:
    how = "" if plain["how"] == "answered" else f" ({plain['how']})"
    return _short(plain["action"]) + how


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:119]}…"
