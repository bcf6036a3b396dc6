"""Tournament files: TOML, checked key by key, as the plan of a tournament."""

from __future__ import annotations

import dataclasses
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from math import ceil, log2
from pathlib import Path
from typing import Any

from arena.bots.directory import BotDirectory, read_bot
from arena.bots.names import fault_of
from arena.bots.toml_text import parse_toml
from arena.plan.luck import ON_OFFER, Luck, luck_of
from arena.plan.schedules import SCHEDULES, schedule_of
from arena.plan.swiss import TableSizes
from referee.order import OrderError, TimeControl, check_order, find_game
from referee.record import SOFTWARE

SWISS, GAUNTLET, KNOCKOUT = "swiss", "gauntlet", "knockout"
LARGEST_FILE = 4 << 20
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MOST_SEED = (1 << 63) - 1
MOST_SPECTATOR_DELAY = 100_000  # steps, more than any match has


class Preset(StrEnum):
    """9.10: how long a Swiss tournament lasts."""

    QUICK = "quick"
    STANDARD = "standard"
    OVERNIGHT = "overnight"


class Verify(StrEnum):
    """Which records are replayed in a fresh process before their result counts."""

    ALL = "all"
    SAMPLE = "sample"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class GamePlan:
    """One game of a tournament; rounds go through the games in turn."""

    slug: str
    rules_version: int
    options: Mapping[str, object]
    sizes: TableSizes

    @property
    def pool(self) -> str:
        """9.8: the name of the pool that its results belong to."""
        return f"{self.slug}:{self.rules_version}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole tournament: everything that decides its results, then how it is run here."""

    name: str
    games: tuple[GamePlan, ...]
    bots: tuple[BotDirectory, ...]
    house_bots: tuple[BotDirectory, ...]
    anchors: Mapping[str, int]
    """9.9: house bots whose rating is frozen, by label, in Elo."""
    form: str
    """The name of its schedule."""
    challenger: str | None
    best_of: int
    has_third_place: bool
    points_rounds: int
    rating_rounds: int
    is_block: bool
    luck: Luck
    seed: int
    time_control: TimeControl
    fresh_process: bool
    withdraw_after: int
    match_budget: int
    referees: int
    at_once: int
    verify: Verify
    until: str | None
    spectator_delay: int
    """Steps by which the page of a match that is being played stays behind."""
    remote_wait_ms: int
    """How long the tournament waits, once, for a bot that runs elsewhere and is not connected."""

    @property
    def rounds(self) -> int:
        """The most rounds there will be, as far as is known before the first."""
        return self.points_rounds + self.rating_rounds

    def as_begun(self, settings: Mapping[str, Any]) -> Plan:
        """Return the plan by the settings that its tournament began with, as far as there was no choice then."""
        if luck_of(settings) is not Luck.TABLE:
            return self
        rounds = {key: settings[key] for key in ("points_rounds", "rating_rounds")} if self.form != SWISS else {}
        return dataclasses.replace(self, luck=Luck.TABLE, **rounds)

    def settings(self) -> dict[str, Any]:
        """9.13: what decides the results, as the ledger keeps it: integers, text and lists of them."""
        # Settings of tournaments that began before there was such a choice stay as they were (T2.6).
        luck = {} if self.luck is Luck.TABLE else {"luck": self.luck}
        knockout = {"best_of": self.best_of, "third_place": self.has_third_place} if self.form == KNOCKOUT else {}
        return {
            **luck,
            **knockout,
            "software": SOFTWARE,
            "games": [
                {
                    "game": game.slug,
                    "rules": game.rules_version,
                    "options": dict(game.options),
                    "sizes": [game.sizes.least, game.sizes.most, game.sizes.preferred],
                }
                for game in self.games
            ],
            "bots": [bot.label for bot in self.bots],
            "house_bots": [bot.label for bot in self.house_bots],
            "anchors": dict(self.anchors),
            "format": self.form,
            "challenger": self.challenger,
            "points_rounds": self.points_rounds,
            "rating_rounds": self.rating_rounds,
            "block": self.is_block,
            "seed": self.seed,
            "time_control": dataclasses.asdict(self.time_control),
            "fresh_process": self.fresh_process,
            "withdraw_after": self.withdraw_after,
            "match_budget": self.match_budget,
        }

    def running(self) -> dict[str, Any]:
        """How the tournament is run on this machine; none of it changes a result."""
        return {
            "referees": self.referees,
            "at_once": self.at_once,
            "verify": self.verify,
            "until": self.until,
            "spectator_delay": self.spectator_delay,
            "remote_wait_ms": self.remote_wait_ms,
        }


KEYS = (
    "name", "game", "games", "options", "bots", "bot", "house_bots", "anchors", "format", "challenger", "best_of",
    "third_place", "preset", "rounds",
    "rating_rounds", "seats", "least_seats", "most_seats", "block", "luck", "seed", "time_control", "fresh_process",
    "withdraw_after", "match_budget", "referees", "at_once", "verify", "until", "spectator_delay",
    "remote_wait_ms",
)  # fmt: skip


def read_file(file: Path) -> dict[str, Any]:
    """Read a TOML file without a look at its keys; an OrderError says why it cannot be read."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise OrderError(f"{file}: is larger than {LARGEST_FILE} bytes")
        data = file.read_bytes()
    except OSError as error:
        raise OrderError(f"{file}: cannot be read: {error.strerror}") from None
    return parse_toml(data, str(file))


def parse_plan(plain: Mapping[str, Any], folder: Path) -> Plan:
    """Check the keys of a tournament file; bot directories are relative to its folder."""
    for key in plain:
        if key not in KEYS:
            raise OrderError(f"{key}: unknown key; expected one of: {', '.join(KEYS)}")
    name = _text(plain, "name")
    if not NAME.fullmatch(name):
        raise OrderError(f"name: {name!r} is not allowed; expected letters, digits, '.', '_' and '-', at most 64")
    bots = _bots(plain, folder)
    house_bots = tuple(read_bot(folder / path) for path in _texts(plain, "house_bots"))
    games = _games(plain)
    for game in games:
        for bot in (*bots, *house_bots):
            if not bot.manifest.plays(game.slug):
                raise OrderError(f"bots: {bot.manifest.name} does not play {game.slug}")
    labels = [bot.label for bot in (*bots, *house_bots)]
    for label in labels:
        if labels.count(label) > 1:
            raise OrderError(f"bots: {label} is entered twice; give one of them another name in a [[bot]] table")
    form = plain.get("format", SWISS)
    if form not in SCHEDULES:
        raise OrderError(f"format: {form!r} is not allowed; expected one of: {', '.join(SCHEDULES)}")
    for key in ("best_of", "third_place"):
        if key in plain and form != KNOCKOUT:
            raise OrderError(f"{key}: only a knockout has it; expected format = 'knockout'")
    challenger = _challenger(plain, form, bots)
    points_rounds, rating_rounds = _rounds(plain, form, len(bots))
    least = min(game.sizes.least for game in games)
    if len(bots) + (len(house_bots) > 0) < least:
        raise OrderError(f"bots: {len(bots)} bots cannot fill a table; expected at least {least}")
    plan = Plan(
        name=name,
        games=games,
        bots=bots,
        house_bots=house_bots,
        anchors=_anchors(plain, house_bots),
        form=form,
        challenger=challenger,
        best_of=_number(plain, "best_of", 1, 1, 99),
        has_third_place=_flag(plain, "third_place", default=False),
        points_rounds=points_rounds,
        rating_rounds=rating_rounds,
        is_block=_flag(plain, "block", default=True),
        luck=_luck(plain),
        seed=_number(plain, "seed", None, 0, MOST_SEED),
        time_control=TimeControl.from_plain(_table(plain, "time_control")),
        fresh_process=_flag(plain, "fresh_process", default=False),
        withdraw_after=_number(plain, "withdraw_after", 2, 1, 1_000),
        match_budget=_number(plain, "match_budget", 300_000, 1, 100_000_000),
        referees=_number(plain, "referees", 2, 1, 64),
        at_once=_number(plain, "at_once", 16, 1, 1_024),
        verify=_member(plain, "verify", Verify, Verify.ALL),
        until=_until(plain),
        remote_wait_ms=_number(plain, "remote_wait_ms", 0, 0, 86_400_000),
        spectator_delay=_number(plain, "spectator_delay", 0, 0, MOST_SPECTATOR_DELAY),
    )
    schedule, terms = schedule_of(plan.settings())
    try:
        schedule.check(terms)
        points_rounds, rating_rounds = schedule.planned(terms, 0)
    except ValueError as error:
        raise OrderError(f"format: {error}") from None
    return dataclasses.replace(plan, points_rounds=points_rounds, rating_rounds=rating_rounds)


def stored_plan(
    name: str, settings: Mapping[str, Any], running: Mapping[str, Any], bots: Mapping[str, BotDirectory]
) -> Plan:
    """Return the plan whose `settings` and `running` were stored, with the bots found again by label."""
    games = []
    for game in settings["games"]:
        present = find_game(game["game"]).rules_version
        if present != game["rules"]:
            raise OrderError(
                f"games: {game['game']} has rules version {present} here; the tournament began with {game['rules']}"
            )
        games.append(GamePlan(game["game"], present, game["options"], TableSizes(*game["sizes"])))
    return Plan(
        name=name,
        games=tuple(games),
        bots=tuple(bots[label] for label in settings["bots"]),
        house_bots=tuple(bots[label] for label in settings["house_bots"]),
        anchors=settings["anchors"],
        form=settings["format"],
        challenger=settings["challenger"],
        best_of=settings.get("best_of", 1),
        has_third_place=settings.get("third_place", False),
        points_rounds=settings["points_rounds"],
        rating_rounds=settings["rating_rounds"],
        is_block=settings["block"],
        luck=luck_of(settings),
        seed=settings["seed"],
        time_control=TimeControl.from_plain(settings["time_control"]),
        fresh_process=settings["fresh_process"],
        withdraw_after=settings["withdraw_after"],
        match_budget=settings["match_budget"],
        referees=running["referees"],
        at_once=running["at_once"],
        verify=Verify(running["verify"]),
        until=running["until"],
        remote_wait_ms=running.get("remote_wait_ms", 0),
        spectator_delay=running.get("spectator_delay", 0),
    )


def _games(plain: Mapping[str, Any]) -> tuple[GamePlan, ...]:
    if ("game" in plain) == ("games" in plain):
        raise OrderError("game: expected exactly one of game = '…' and games = ['…', …]")
    slugs = (_text(plain, "game"),) if "game" in plain else _texts(plain, "games")
    if not slugs or len(set(slugs)) < len(slugs):
        raise OrderError("games: expected at least one game, each once")
    options = _table(plain, "options")
    for slug in options:
        if slug not in slugs:
            raise OrderError(f"options.{slug}: is not a game of this tournament; expected one of: {', '.join(slugs)}")
    return tuple(_game(plain, slug, _table(options, slug, "options.")) for slug in slugs)


def _game(plain: Mapping[str, Any], slug: str, options: Mapping[str, object]) -> GamePlan:
    game = find_game(slug)
    allowed = game.table_sizes
    least = _number(plain, "least_seats", allowed[0], 2, 5)
    most = _number(plain, "most_seats", allowed[-1], 2, 5)
    preferred = _number(plain, "seats", min(max(game.preferred_seats, least), most), 2, 5)
    if not (least in allowed and most in allowed and least <= preferred <= most):
        raise OrderError(
            f"seats: {preferred} (from {least} to {most}) does not fit {slug}; expected {allowed[0]} to {allowed[-1]}"
        )
    for seats in range(least, most + 1):
        try:
            check_order(game, seats, options)
        except OrderError as error:
            raise OrderError(f"options.{slug}.{error}") from None
    return GamePlan(slug, game.rules_version, dict(options), TableSizes(least, most, preferred))


def _bots(plain: Mapping[str, Any], folder: Path) -> tuple[BotDirectory, ...]:
    bots = [read_bot(folder / path) for path in _texts(plain, "bots")]
    tables = plain.get("bot", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise OrderError("bot: expected [[bot]] tables with path and name")
    for table in tables:
        for key in table:
            if key not in ("path", "name"):
                raise OrderError(f"bot.{key}: unknown key; expected path and name")
        bot = read_bot(folder / _text(table, "path", "bot."))
        alias = table.get("name", bot.manifest.name)
        if fault := fault_of(alias):
            raise OrderError(f"bot.name: {fault}")
        bots.append(dataclasses.replace(bot, manifest=dataclasses.replace(bot.manifest, name=alias)))
    if not bots:
        raise OrderError("bots: expected a list of bot directories, or [[bot]] tables")
    return tuple(bots)


def _anchors(plain: Mapping[str, Any], house_bots: Sequence[BotDirectory]) -> dict[str, int]:
    """9.9: the ratings at which house bots are frozen, given by name in Elo."""
    table = _table(plain, "anchors")
    labels = {bot.manifest.name: bot.label for bot in house_bots}
    for name in table:
        if name not in labels:
            raise OrderError(f"anchors.{name}: is not a house bot; expected one of: {', '.join(labels) or 'none'}")
    return {labels[name]: _number(table, name, None, 0, 5_000, "anchors.") for name in table}


def _challenger(plain: Mapping[str, Any], form: str, bots: Sequence[BotDirectory]) -> str | None:
    if form != GAUNTLET:
        if "challenger" in plain:
            raise OrderError("challenger: only a gauntlet has one; expected format = 'gauntlet'")
        return None
    wanted = _text(plain, "challenger")
    found = [bot.label for bot in bots if bot.manifest.name == wanted]
    if len(found) != 1:
        raise OrderError(f"challenger: {wanted!r} is not one of the bots")
    return found[0]


def _rounds(plain: Mapping[str, Any], form: str, bots: int) -> tuple[int, int]:
    """9.10: how many points rounds and how many rating rounds, by preset unless the file says."""
    preset = _member(plain, "preset", Preset, Preset.QUICK if "rounds" in plain else Preset.STANDARD)
    doublings = max(1, ceil(log2(max(bots, 2))))
    points_rounds = _number(plain, "rounds", doublings + 2, 1, 100_000)
    rating_rounds = {
        Preset.QUICK: 0,
        Preset.STANDARD: max(0, 3 * doublings - points_rounds),
        Preset.OVERNIGHT: 100_000,
    }[preset]
    rating_rounds = _number(plain, "rating_rounds", rating_rounds, 0, 100_000)
    if form != SWISS and ("rounds" in plain or "rating_rounds" in plain or "preset" in plain):
        raise OrderError(f"rounds: the schedule of a {form} has its own number of rounds; leave out rounds and preset")
    return points_rounds, rating_rounds


def _luck(plain: Mapping[str, Any]) -> Luck:
    """T2.5: shared luck is for bots that are started afresh for every game."""
    luck = plain.get("luck", Luck.OWN)
    if luck not in ON_OFFER:
        raise OrderError(f"luck: {luck!r} is not allowed; expected one of: {', '.join(ON_OFFER)}")
    if luck == Luck.SHARED and not _flag(plain, "fresh_process", default=False):
        raise OrderError("luck: 'shared' needs fresh_process = true: a process that plays on remembers its games")
    return Luck(luck)


def _until(plain: Mapping[str, Any]) -> str | None:
    if "until" not in plain:
        return None
    text = _text(plain, "until")
    try:
        time.fromisoformat(text)
    except ValueError:
        raise OrderError(f"until: {text!r} is not a time of day; expected one such as '07:00'") from None
    return text


def next_time(until: str, now: datetime) -> datetime:
    """Return the next moment at which the clock shows this time of day."""
    moment = datetime.combine(now.date(), time.fromisoformat(until), now.tzinfo)
    return moment if moment > now else moment + timedelta(days=1)


def _text(plain: Mapping[str, Any], key: str, prefix: str = "") -> str:
    value = plain.get(key)
    if not isinstance(value, str) or not value:
        raise OrderError(f"{prefix}{key}: {value!r} is not allowed; expected a text")
    return value


def _texts(plain: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = plain.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
        raise OrderError(f"{key}: {values!r} is not allowed; expected a list of texts")
    return tuple(values)


def _table(plain: Mapping[str, Any], key: str, prefix: str = "") -> Mapping[str, Any]:
    value = plain.get(key, {})
    if not isinstance(value, dict):
        raise OrderError(f"{prefix}{key}: {value!r} is not allowed; expected a table of keys")
    return value


def _flag(plain: Mapping[str, Any], key: str, *, default: bool) -> bool:
    value = plain.get(key, default)
    if not isinstance(value, bool):
        raise OrderError(f"{key}: {value!r} is not allowed; expected true or false")
    return value


def _number(plain: Mapping[str, Any], key: str, default: int | None, least: int, most: int, prefix: str = "") -> int:
    value = plain.get(key, default)
    if value is None:
        return secrets.randbits(63)
    if type(value) is not int or not least <= value <= most:
        raise OrderError(f"{prefix}{key}: {value!r} is not allowed; expected a whole number from {least} to {most}")
    return value


def _member(plain: Mapping[str, Any], key: str, kind: Any, default: Any) -> Any:
    value = plain.get(key, default)
    if value not in list(kind):
        raise OrderError(f"{key}: {value!r} is not allowed; expected one of: {', '.join(kind)}")
    return kind(value)
