"""Tournament files: TOML, checked key by key, as the plan of a tournament."""

from __future__ import annotations

import dataclasses
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from math import ceil, log2
from pathlib import Path
from typing import Any

from arena.bots.directory import Bot, read_bot
from arena.bots.names import fault_of, first_alike
from arena.bots.toml_text import parse_toml
from arena.plan.luck import MAX_SEED, ON_OFFER, Luck, luck_of
from arena.plan.schedules import SCHEDULES, schedule_of
from arena.plan.swiss import TableSizes
from referee.game import seeds_matter
from referee.mistakes import UserError
from referee.order import OrderError, TimeControl, check_order, find_game
from referee.setting import Form, Home, Setting, SettingError, refuse_unknown
from referee.software import SOFTWARE

SWISS, GAUNTLET, KNOCKOUT = "swiss", "gauntlet", "knockout"
LARGEST_FILE = 4 << 20
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MAX_SPECTATOR_DELAY = 100_000  # steps, more than any match has


class Preset(StrEnum):
    """T10: how long a Swiss tournament lasts."""

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
    has_chance: bool = True
    """T2.3: whether seeds make any difference."""

    @property
    def pool(self) -> str:
        """T8, T9.8: the name of the pool that its results belong to: other rules, another pool."""
        return f"{self.slug}:{self.rules_version}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole tournament: everything that decides its results, then how it is run here."""

    name: str
    games: tuple[GamePlan, ...]
    bots: tuple[Bot, ...]
    house_bots: tuple[Bot, ...]
    anchors: Mapping[str, int]
    """T9.6: house bots whose rating is frozen, by label, in Elo."""
    form: str
    """The name of its schedule."""
    challenger: str | None
    best_of: int
    has_third_place: bool
    points_rounds: int
    rating_rounds: int
    top: int | None
    """T16.3: how many first places are to be decided, 0 for all; None in a tournament that makes no claims."""
    is_block: bool
    """T2.2: a table plays a block, and not a single game."""
    luck: Luck
    seed: int
    time_control: TimeControl
    fresh_process: bool
    withdraw_after: int
    match_budget: int
    referees: int
    at_once: int
    verify: Verify
    verifiers: int | None
    """Processes that replay records; None for one per processor."""
    until: str | None
    chunk: int
    """The most matches that a worker of a cluster is given at a time."""
    recheck: float
    """The share of matches that another worker of a cluster plays again."""
    cluster_class: str | None
    """The class of machines that workers of a cluster must be of."""
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
        if self.top is not None and "top" not in settings:
            return dataclasses.replace(self, top=None).as_begun(settings)
        known = {game["game"]: game.get("chance", True) for game in settings["games"]}
        if any(known.get(game.slug, game.has_chance) != game.has_chance for game in self.games):
            games = tuple(dataclasses.replace(game, has_chance=known.get(game.slug, True)) for game in self.games)
            return dataclasses.replace(self, games=games).as_begun(settings)
        if luck_of(settings) is not Luck.TABLE:
            return self
        rounds = {key: settings[key] for key in ("points_rounds", "rating_rounds")} if self.form != SWISS else {}
        return dataclasses.replace(self, luck=Luck.TABLE, **rounds)

    def settings(self) -> dict[str, Any]:
        """T13: what decides the results, as the ledger keeps it: integers, text and lists of them."""
        return {
            **self._kept(Home.LEDGER),
            "software": SOFTWARE,
            "games": [
                {
                    "game": game.slug,
                    "rules": game.rules_version,
                    "options": dict(game.options),
                    "sizes": [game.sizes.least, game.sizes.most, game.sizes.preferred],
                    **({} if game.has_chance else {"chance": False}),
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
            "time_control": dataclasses.asdict(self.time_control),
        }

    def running(self) -> dict[str, Any]:
        """How the tournament is run on this machine; none of it changes a result."""
        return self._kept(Home.MACHINE)

    def _kept(self, home: Home) -> dict[str, Any]:
        """Return the settings that are kept in one place; an older tournament goes on without what it lacks."""
        return {
            setting.key: getattr(self, setting.name)
            for setting in DECLARED
            if setting.home is home
            and setting.format in ("", self.form)
            and (home is Home.MACHINE or getattr(self, setting.name) not in (Luck.TABLE, None))
        }


MAX_ROUNDS = 100_000
DECLARED = (
    Setting("name", Form.TEXT, "Letters from a to z, digits, `.`, `_` and `-`, at most 64.", default_said="required"),
    Setting("game", Form.TEXT, "The one game that is played.", default_said="this or `games`"),
    Setting("games", Form.TEXTS, "Several games; rounds go through them in turn.", default_said="this or `game`"),
    Setting("options", Form.TABLE, "Options by game: `[options.norenberc]`.", {}),
    Setting(
        "bots", Form.TEXTS,
        "Bot directories, or bots that were submitted to the same database: by name for the newest version, by label"
        ' for a certain one, `"*"` for all.', (),
    ),
    Setting(
        "bot", Form.TABLES, "`[[bot]]` with `path` and, to enter one directory twice, another `name`.", []
    ),
    Setting(
        "house_bots", Form.TEXTS, "Bots of the organiser that fill tables, given as in `bots`; they are not ranked.", ()
    ),
    Setting(
        "anchors", Form.TABLE,
        "Ratings in Elo at which house bots are frozen, by name, such as `anchors = { random = 1000 }`; they hold the"
        " scale in place.", {},
    ),
    Setting(
        "format", Form.TEXT,
        " ".join(f"`{name}`: {schedule.about}" for name, schedule in SCHEDULES.items()),
        SWISS, choices=tuple(SCHEDULES), attribute="form",
    ),
    Setting(
        "challenger", Form.TEXT, "The name of the bot that meets all others.",
        default_said="required for a gauntlet", format=GAUNTLET,
    ),
    Setting(
        "best_of", Form.NUMBER, "Of a knockout: the most blocks that decide a duel, before a tie.", 1, 1, 99,
        home=Home.LEDGER, absent=1, format=KNOCKOUT,
    ),
    Setting(
        "third_place", Form.FLAG,
        "Of a knockout: whether the losers of the semi-finals play for the third place.", False,
        home=Home.LEDGER, attribute="has_third_place", absent=False, format=KNOCKOUT,
    ),
    Setting(
        "preset", Form.TEXT, "`quick`, `standard` or `overnight`: how many rating rounds follow.",
        choices=tuple(Preset), default_said='`"standard"`; `"quick"` with `rounds`', format=SWISS,
    ),
    Setting(
        "rounds", Form.NUMBER, "Rounds that count for the standings.", None, 1, MAX_ROUNDS,
        default_said="from the number of bots", format=SWISS,
    ),
    Setting(
        "rating_rounds", Form.NUMBER, "Rounds after them that count for ratings only.", None, 0, MAX_ROUNDS,
        default_said="by preset", format=SWISS,
    ),
    Setting(
        "top", Form.NUMBER,
        "The first places whose order rating rounds are to decide, 0 for all; the tournament stops when every neighbour"
        " there is decided.", 0, 0, 1_000_000, home=Home.LEDGER, format=SWISS,
    ),
    Setting("seats", Form.NUMBER, "The table size that is preferred.", None, 2, 5, default_said="the game's own"),
    Setting("least_seats", Form.NUMBER, "The smallest table.", None, 2, 5, default_said="the game's own"),
    Setting("most_seats", Form.NUMBER, "The largest table.", None, 2, 5, default_said="the game's own"),
    Setting(
        "block", Form.FLAG,
        "Whether a table plays as many games as it has seats, each bot once in every seat.", True,
        home=Home.LEDGER, attribute="is_block",
    ),
    Setting(
        "luck", Form.TEXT,
        "`own`: every game has a seed of its own. `shared`: all games of a table have the same seed, which takes part"
        " of the luck out of the comparison; refused unless every bot is hosted in a [sandbox](sandbox.md) fit for"
        " strangers, with `fresh_process = true`, so that nobody can remember what comes.",
        Luck.OWN, choices=ON_OFFER, home=Home.LEDGER, absent=Luck.TABLE,
    ),
    Setting(
        "seed", Form.NUMBER,
        "The seed of all chance. Leave it out where strangers play: a small number can be found by trying, from what"
        " closed rounds show.", None, 0, MAX_SEED, default_said="drawn at random", home=Home.LEDGER,
    ),
    Setting("time_control", Form.TABLE, "See [time control](time_control.md).", {}),
    Setting(
        "fresh_process", Form.FLAG, "Whether every match starts its bots anew.", False, home=Home.LEDGER
    ),
    Setting(
        "withdraw_after", Form.NUMBER,
        "After so many rounds in a row with every game forfeited, a bot is not paired any more.", 2, 1, 1_000,
        home=Home.LEDGER,
    ),
    Setting(
        "match_budget", Form.NUMBER,
        "No rating round begins that would take the tournament over so many matches.", 300_000, 1, 100_000_000,
        home=Home.LEDGER,
    ),
    Setting("referees", Form.NUMBER, "Referee processes.", 2, 1, 64, home=Home.MACHINE),
    Setting(
        "at_once", Form.NUMBER, "Matches at once at each referee, as far as the bots declare it.", 16, 1, 1_024,
        home=Home.MACHINE,
    ),
    Setting(
        "verify", Form.TEXT,
        "`all`, `sample` or `none`: which records are replayed before their result counts.",
        Verify.ALL, choices=tuple(Verify), home=Home.MACHINE,
    ),
    Setting(
        "verifiers", Form.NUMBER, "The most processes that replay records at once.", None, 1, 1_024,
        default_said="one per processor", home=Home.MACHINE,
    ),
    Setting(
        "until", Form.TEXT,
        'A time of day such as `"07:00"`: no round begins that is not expected to end by then.',
        default_said="none", home=Home.MACHINE,
    ),
    Setting(
        "chunk", Form.NUMBER,
        "On a [cluster](cluster.md): the most matches that a worker is given at a time.",
        20, 1, 10_000, home=Home.MACHINE, absent=20,
    ),
    Setting(
        "recheck", Form.SHARE,
        "On a [cluster](cluster.md): the share of matches between deterministic bots that another worker plays again,"
        " to be compared.", 0.0, home=Home.MACHINE, absent=0.0,
    ),
    Setting(
        "cluster_class", Form.TEXT,
        "On a [cluster](cluster.md): the class of machines that must play, as `arena worker --class` names it.",
        default_said="any", home=Home.MACHINE,
    ),
    Setting(
        "spectator_delay", Form.NUMBER,
        "Steps by which the [page of a match](web.md#live-matches) stays behind while it is played.",
        0, 0, MAX_SPECTATOR_DELAY, home=Home.MACHINE, absent=0,
    ),
    Setting(
        "remote_wait_ms", Form.NUMBER,
        "On a server: how long the first match of a [remote bot](server.md#remote-bots) that is not connected waits"
        " for it, once in the tournament.", 0, 0, 86_400_000, home=Home.MACHINE, absent=0,
    ),
)  # fmt: skip
"""Every key of a tournament file, in the order of the reference."""

KEYS = tuple(setting.key for setting in DECLARED)
BY_KEY = {setting.key: setting for setting in DECLARED}
ANCHOR = Setting("", Form.NUMBER, "A rating in Elo.", None, 0, 5_000)


def read_file(file: Path) -> dict[str, Any]:
    """Read a TOML file without a look at its keys; a UserError says why it cannot be read."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise UserError(f"{file}: is larger than {LARGEST_FILE} bytes")
        data = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    return parse_toml(data, str(file))


FindBots = Callable[[str, str], Sequence[Bot]]
"""Finds the bots that a key of a file names with one of its texts; an OrderError says why there are none."""


def beside(folder: Path) -> FindBots:
    """Find bots in directories, relative to the folder of the file."""
    return lambda _key, path: (read_bot(folder / path),)


def parse_plan(plain: Mapping[str, Any], find_bots: FindBots) -> Plan:
    """Check the keys of a tournament file and find its bots; an OrderError names the key that is wrong."""
    try:
        return _parse(plain, find_bots)
    except SettingError as error:
        raise OrderError(str(error)) from None


def _parse(plain: Mapping[str, Any], find_bots: FindBots) -> Plan:
    refuse_unknown(plain, KEYS)
    name = BY_KEY["name"].checked(plain.get("name"))
    if not NAME.fullmatch(name):
        raise OrderError(
            f"name: {name!r} is not allowed; expected letters from a to z, digits, '.', '_' and '-', at most 64"
        )
    bots = _bots(plain, find_bots)
    house_bots = tuple(bot for name in _value(plain, "house_bots") for bot in find_bots("house_bots", name))
    games = _games(plain)
    for game in games:
        for bot in (*bots, *house_bots):
            if not bot.manifest.plays(game.slug):
                raise OrderError(f"bots: {bot.manifest.name} does not play {game.slug}")
    labels = [bot.label for bot in (*bots, *house_bots)]
    for label in labels:
        if labels.count(label) > 1:
            raise OrderError(f"bots: {label} is entered twice; give one of them another name in a [[bot]] table")
    form = _value(plain, "format")
    for key in plain:
        if BY_KEY[key].format not in ("", form):
            if BY_KEY[key].format == SWISS:
                own = f"the schedule of a {form} has its own number of rounds"
                raise OrderError(f"rounds: {own}; leave out rounds and preset")
            raise OrderError(f"{key}: only a {BY_KEY[key].format} has one; expected format = '{BY_KEY[key].format}'")
    points_rounds, rating_rounds = _rounds(plain, len(bots))
    least = min(game.sizes.least for game in games)
    if len(bots) + (len(house_bots) > 0) < least:
        raise OrderError(f"bots: {len(bots)} bots cannot fill a table; expected at least {least}")
    kept = {setting.name: setting.of(plain) for setting in DECLARED if setting.home is not Home.NOWHERE}
    _check_luck(kept)
    _check_until(kept["until"])
    kept |= {"luck": Luck(kept["luck"]), "verify": Verify(kept["verify"])}
    kept["top"] = kept["top"] if form == SWISS else None
    kept["seed"] = secrets.randbits(63) if kept["seed"] is None else kept["seed"]
    plan = Plan(
        name=name,
        games=games,
        bots=bots,
        house_bots=house_bots,
        anchors=_anchors(plain, house_bots),
        form=form,
        challenger=_challenger(plain, form, bots),
        points_rounds=points_rounds,
        rating_rounds=rating_rounds,
        time_control=TimeControl.from_plain(_value(plain, "time_control")),
        **kept,
    )
    schedule, terms = schedule_of(plan.settings())
    try:
        schedule.check(terms)
        points_rounds, rating_rounds = schedule.planned(terms, 0)
    except ValueError as error:
        raise OrderError(f"format: {error}") from None
    return dataclasses.replace(plan, points_rounds=points_rounds, rating_rounds=rating_rounds)


def _value(plain: Mapping[str, Any], key: str) -> Any:
    return BY_KEY[key].of(plain)


def stored_plan(name: str, settings: Mapping[str, Any], running: Mapping[str, Any], bots: Mapping[str, Bot]) -> Plan:
    """Return the plan whose `settings` and `running` were stored, with the bots found again by label."""
    games = []
    for game in settings["games"]:
        present = find_game(game["game"]).rules_version
        if present != game["rules"]:
            raise OrderError(
                f"games: {game['game']} has rules version {present} here; the tournament began with {game['rules']}"
            )
        sizes = TableSizes(*game["sizes"])
        games.append(GamePlan(game["game"], present, game["options"], sizes, game.get("chance", True)))
    places = {Home.LEDGER: settings, Home.MACHINE: running}
    kept = {
        setting.name: places[setting.home].get(setting.key, setting.absent)
        for setting in DECLARED
        if setting.home in places
    }
    kept |= {"luck": Luck(kept["luck"]), "verify": Verify(kept["verify"])}
    return Plan(
        name=name,
        games=tuple(games),
        bots=tuple(bots[label] for label in settings["bots"]),
        house_bots=tuple(bots[label] for label in settings["house_bots"]),
        anchors=settings["anchors"],
        form=settings["format"],
        challenger=settings["challenger"],
        points_rounds=settings["points_rounds"],
        rating_rounds=settings["rating_rounds"],
        time_control=TimeControl.from_plain(settings["time_control"]),
        **kept,
    )


def _games(plain: Mapping[str, Any]) -> tuple[GamePlan, ...]:
    if ("game" in plain) == ("games" in plain):
        raise OrderError("game: expected exactly one of game = '…' and games = ['…', …]")
    slugs = (_value(plain, "game"),) if "game" in plain else _value(plain, "games")
    if not slugs or len(set(slugs)) < len(slugs):
        raise OrderError("games: expected at least one game, each once")
    options = _value(plain, "options")
    for slug in options:
        if slug not in slugs:
            raise OrderError(f"options.{slug}: is not a game of this tournament; expected one of: {', '.join(slugs)}")
    return tuple(_game(plain, slug, Setting(slug, Form.TABLE, "").of(options, "options.", {})) for slug in slugs)


def _game(plain: Mapping[str, Any], slug: str, options: Mapping[str, object]) -> GamePlan:
    game = find_game(slug)
    allowed = game.table_sizes
    least = BY_KEY["least_seats"].of(plain, default=allowed[0])
    most = BY_KEY["most_seats"].of(plain, default=allowed[-1])
    preferred = BY_KEY["seats"].of(plain, default=min(max(game.preferred_seats, least), most))
    if not (least in allowed and most in allowed and least <= preferred <= most):
        raise OrderError(
            f"seats: {preferred} (from {least} to {most}) does not fit {slug}; expected {allowed[0]} to {allowed[-1]}"
        )
    for seats in range(least, most + 1):
        try:
            check_order(game, seats, options)
        except UserError as error:
            raise OrderError(f"options.{slug}.{error}") from None
    is_chancy = seeds_matter(game, preferred, game.options(options))
    return GamePlan(slug, game.rules_version, dict(options), TableSizes(least, most, preferred), is_chancy)


def _bots(plain: Mapping[str, Any], find_bots: FindBots) -> tuple[Bot, ...]:
    bots = [bot for name in _value(plain, "bots") for bot in find_bots("bots", name)]
    aliases: list[str] = []
    for table in _value(plain, "bot"):
        refuse_unknown(table, ("path", "name"), "bot.")
        (bot,) = find_bots("bot", Setting("path", Form.TEXT, "").checked(table.get("path"), "bot."))
        alias = table.get("name", bot.manifest.name)
        if fault := fault_of(alias):
            raise OrderError(f"bot.name: {fault}")
        aliases.append(alias)
        bots.append(bot.renamed(alias))
    if alike := first_alike(aliases):
        raise OrderError(f"bot.name: {alike[0]!r} looks like {alike[1]!r}; expected another name")
    if not bots:
        raise OrderError("bots: expected a list of bot directories, or [[bot]] tables")
    return tuple(bots)


def _anchors(plain: Mapping[str, Any], house_bots: Sequence[Bot]) -> dict[str, int]:
    """T9.6: the ratings at which house bots are frozen, given by name in Elo."""
    table = _value(plain, "anchors")
    labels = {bot.manifest.name: bot.label for bot in house_bots}
    for name in table:
        if name not in labels:
            raise OrderError(f"anchors.{name}: is not a house bot; expected one of: {', '.join(labels) or 'none'}")
    return {labels[name]: dataclasses.replace(ANCHOR, key=name).of(table, "anchors.") for name in table}


def _challenger(plain: Mapping[str, Any], form: str, bots: Sequence[Bot]) -> str | None:
    if form != GAUNTLET:
        return None
    wanted = BY_KEY["challenger"].checked(plain.get("challenger"))
    found = [bot.label for bot in bots if bot.manifest.name == wanted]
    if len(found) != 1:
        raise OrderError(f"challenger: {wanted!r} is not one of the bots")
    return found[0]


def _rounds(plain: Mapping[str, Any], bots: int) -> tuple[int, int]:
    """T10.1: how many points rounds and how many rating rounds, by preset unless the file says."""
    preset = BY_KEY["preset"].of(plain, default=Preset.QUICK if "rounds" in plain else Preset.STANDARD)
    doublings = max(1, ceil(log2(max(bots, 2))))
    points_rounds = BY_KEY["rounds"].of(plain, default=doublings + 2)
    rating_rounds = {
        Preset.QUICK: 0,
        Preset.STANDARD: max(0, 3 * doublings - points_rounds),
        Preset.OVERNIGHT: MAX_ROUNDS,
    }[Preset(preset)]
    return points_rounds, BY_KEY["rating_rounds"].of(plain, default=rating_rounds)


def _check_luck(kept: Mapping[str, Any]) -> None:
    """T2.5: shared luck is for bots that are started afresh for every game."""
    if kept["luck"] == Luck.SHARED and not kept["fresh_process"]:
        raise OrderError("luck: 'shared' needs fresh_process = true: a process that plays on remembers its games")


def _check_until(text: str | None) -> None:
    try:
        time.fromisoformat(text or "00:00")
    except ValueError:
        raise OrderError(f"until: {text!r} is not a time of day; expected one such as '07:00'") from None


def next_time(until: str, now: datetime) -> datetime:
    """Return the next moment at which the clock shows this time of day."""
    moment = datetime.combine(now.date(), time.fromisoformat(until), now.tzinfo)
    return moment if moment > now else moment + timedelta(days=1)
