"""Tournament files: TOML, checked key by key, as the plan of a tournament."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum
from itertools import product
from math import ceil, log2
from pathlib import Path
from typing import Any

from arena.bots.directory import Bot
from arena.bots.names import fault_of, first_alike
from arena.bots.samples import read_named
from arena.bots.toml_text import read_toml
from arena.plan.schedules import SCHEDULES
from arena.plan.seeding import SAFE_SEED, UNDRAWN
from arena.plan.settings import DECIDING, KNOCKOUT, RUNNING, GameSettings, RunSettings, TournamentSettings
from arena.plan.swiss import TableSizes
from ratings.ledger.secret_seed import BEACON, commitment, new_secret, nonce_fault, secret_seed
from referee.game import has_openings, seeds_matter
from referee.mistakes import UserError
from referee.order import OrderError, TimeControl, check_order, find_game
from referee.setting import Form, Setting, SettingError, refuse_unknown

SWISS, GAUNTLET = "swiss", "gauntlet"
LARGEST_FILE = 512 << 10  # room for ten thousand bots
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Preset(StrEnum):
    """T10: how long a Swiss tournament lasts."""

    QUICK = "quick"
    STANDARD = "standard"
    OVERNIGHT = "overnight"


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole tournament: everything that decides its results, its bots, and how it runs here."""

    name: str
    settings: TournamentSettings
    run: RunSettings
    bots: tuple[Bot, ...]
    house_bots: tuple[Bot, ...]
    secret: str = ""
    """T2.8: what its seed follows from, if it was drawn just now."""

    @property
    def rounds(self) -> int:
        """The maximum number of rounds, as far as is known before the first."""
        return self.settings.points_rounds + self.settings.rating_rounds


MAX_ROUNDS = 100_000
DECLARED = (
    Setting(
        "name", Form.TEXT, "Letters from a to z, digits, `.`, `_` and `-`, at most 64.", MISSING,
        default_said="required",
    ),
    Setting("game", Form.TEXT, "The only game played.", default_said="this or `games`"),
    Setting("games", Form.TEXTS, "Several games; rounds go through them in turn.", default_said="this or `game`"),
    Setting("options", Form.TABLE, "Options by game: `[options.norenberc]`.", {}),
    Setting("seats", Form.NUMBER, "The preferred table size.", None, 2, 5, default_said="the game's own"),
    Setting("min_seats", Form.NUMBER, "The smallest table.", None, 2, 5, default_said="the game's own"),
    Setting("max_seats", Form.NUMBER, "The largest table.", None, 2, 5, default_said="the game's own"),
    Setting("time_control", Form.TABLE, "See [time control](time_control.md).", {}),
    Setting(
        "bots", Form.TEXTS,
        "Bot directories, rungs of the game's [ladder](../explanation/baselines.md#the-ladder) by level, `level:1` to"
        " `level:10`, or bots submitted to the same database: by name for the newest version, by label for a"
        ' particular one, `"*"` for all.', (),
    ),
    Setting(
        "bot", Form.TABLES,
        "`[[bot]]` with `path` and, to enter one directory twice, another `name`; `author` says whose it is.", [],
    ),
    Setting(
        "house_bots", Form.TEXTS, "The organiser's bots that fill tables, given as in `bots`; they are not ranked.", ()
    ),
    Setting(
        "anchors", Form.TABLE,
        "Ratings in Elo at which house bots are frozen, by name, such as `anchors = { random = 1000 }`; they fix the"
        " scale.", {},
    ),
    Setting(
        "format", Form.TEXT,
        " ".join(f"`{name}`: {schedule.about}" for name, schedule in SCHEDULES.items()),
        SWISS, choices=tuple(SCHEDULES),
    ),
    Setting(
        "challenger", Form.TEXT, "The name of the bot that meets all others.", MISSING,
        default_said="required for a gauntlet",
    ),
    Setting(
        "preset", Form.TEXT, "`quick`, `standard` or `overnight`: how many rating rounds follow.",
        choices=tuple(Preset), default_said='`"standard"`; `"quick"` with `rounds`',
    ),
    Setting(
        "rounds", Form.NUMBER, "Rounds that count for the standings.", None, 1, MAX_ROUNDS,
        default_said="from the number of bots",
    ),
    Setting(
        "rating_rounds", Form.NUMBER, "Rounds after them that count for ratings only.", None, 0, MAX_ROUNDS,
        default_said="by preset",
    ),
    *DECIDING.values(),
    Setting(
        "nonces", Form.TEXTS,
        "Authors who each add a text of their own to the seed, so that nobody else has chosen it; round 1 waits until"
        " `arena tournament nonce` has entered all of them.", (),
    ),
    *RUNNING.values(),
)  # fmt: skip
"""Every key of a tournament file, in the order of the reference."""

KEYS = tuple(setting.key for setting in DECLARED)
BY_KEY = {setting.key: setting for setting in DECLARED}
ONLY_IN = {
    "challenger": GAUNTLET, "best_of": KNOCKOUT, "third_place": KNOCKOUT,
    "preset": SWISS, "rounds": SWISS, "rating_rounds": SWISS, "top": SWISS,
}  # fmt: skip
"""The only schedule that has a key, for keys that not all have."""
AUTHOR = Setting("author", Form.TEXT, "Whose bot it is.")
ANCHOR = Setting("", Form.NUMBER, "A rating in Elo.", None, 0, 5_000)


def read_file(file: Path) -> dict[str, Any]:
    """Read a TOML file without checking its keys; a UserError says why it cannot be read."""
    return read_toml(file, LARGEST_FILE)


FindBots = Callable[[str, str], Sequence[Bot]]
"""Finds the bots that one value of a key names; an OrderError says why there are none."""


def beside(folder: Path) -> FindBots:
    """Find bots in directories, relative to the folder of the file."""
    return lambda _key, path: (read_named(path, folder),)


AuthorOf = Callable[[str], str | None]
"""Returns the author of a bot by its name, None if that is unknown."""


def no_author(_name: str) -> str | None:
    """Know of no author."""
    return None


def parse_plan(
    plain: Mapping[str, Any],
    find_bots: FindBots,
    author_of: AuthorOf = no_author,
    begun: TournamentSettings | None = None,
) -> Plan:
    """Check the keys of a tournament file and find its bots; an OrderError names the wrong key.

    A tournament that has begun keeps the seed that was drawn for it.
    """
    try:
        return _parse(plain, find_bots, author_of, begun)
    except SettingError as error:
        raise OrderError(str(error)) from None


def _parse(
    plain: Mapping[str, Any], find_bots: FindBots, author_of: AuthorOf, begun: TournamentSettings | None
) -> Plan:
    refuse_unknown(plain, KEYS)
    name = _value(plain, "name")
    if not NAME.fullmatch(name):
        raise OrderError(
            f"name: {name!r} is not allowed; expected letters from a to z, digits, '.', '_' and '-', at most 64"
        )
    for key in ("bots", "house_bots"):
        _refuse_repeats(key, _value(plain, key))  # before their files are read repeatedly
    bots = _bots(plain, find_bots)
    house_bots = tuple(bot for name in _value(plain, "house_bots") for bot in find_bots("house_bots", name))
    games = _games(plain)
    _check_bots(games, bots, house_bots)
    form = _value(plain, "format")
    _check_format(plain, form)
    points_rounds, rating_rounds = _rounds(plain, len(bots))
    seeds, secret = _seeds(plain, name, begun)
    decided = {key: setting.of(plain) for key, setting in DECIDING.items() if key != "seed"}
    settings = TournamentSettings(
        **decided | ({} if form == SWISS else {"top": None}),
        **seeds,
        games=games,
        bots=tuple(bot.label for bot in bots),
        house_bots=tuple(bot.label for bot in house_bots),
        anchors=_anchors(plain, house_bots),
        authors=_authors(plain, bots, author_of),
        format=form,
        challenger=_challenger(plain, form, bots),
        points_rounds=points_rounds,
        rating_rounds=rating_rounds,
        time_control=TimeControl.from_plain(_value(plain, "time_control")),
    )
    _check_seeding(settings)
    check_author_limit(settings.authors.values(), settings.bots_per_author)
    run = RunSettings(**{key: setting.of(plain) for key, setting in RUNNING.items()})
    _check_until(run.until)
    return Plan(name, _with_planned_rounds(settings), run, bots, house_bots, secret)


def _seeds(plain: Mapping[str, Any], name: str, begun: TournamentSettings | None) -> tuple[dict[str, Any], str]:
    """T2.8, T2.9: return the settings that the seed follows from, and the secret if it is drawn now."""
    nonces = _value(plain, "nonces")
    for author in nonces:
        if fault := nonce_fault(author) or ("it is the beacon's" if author == BEACON else ""):
            raise OrderError(f"nonces: the name {author!r} is not allowed: {fault}")
    if len(set(nonces)) < len(nonces):
        raise OrderError("nonces: a name appears twice; expected each author once")
    is_mixed = "beacon" in plain or bool(nonces)
    if "seed" in plain:
        if is_mixed:
            raise OrderError("seed: a given seed takes no beacon and no nonces; leave it out, and it is drawn")
        return {"seed": _value(plain, "seed")}, ""
    if begun is not None:
        return {"seed": begun.seed, "commitment": begun.commitment, "nonces": nonces}, ""
    secret = new_secret()
    seed = UNDRAWN if is_mixed else secret_seed(secret)
    return {"seed": seed, "commitment": commitment(name, secret), "nonces": nonces}, secret


def seed_warning(settings: TournamentSettings) -> str:
    """T2.8: what is to be said of a seed that was given and is small; empty if there is nothing to say."""
    if settings.commitment or settings.seed >= SAFE_SEED:
        return ""
    return f"seed: {settings.seed} can be found by trying, and with it every card; leave it out where that matters"


def _value(plain: Mapping[str, Any], key: str, **default: Any) -> Any:
    return BY_KEY[key].of(plain, **default)


def _refuse_repeats(key: str, names: Sequence[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise OrderError(f"{key}: {name} is entered twice; give one of them another name in a [[bot]] table")


def _check_bots(games: Sequence[GameSettings], bots: Sequence[Bot], house_bots: Sequence[Bot]) -> None:
    for game, bot in product(games, (*bots, *house_bots)):
        if not bot.manifest.plays(game.slug):
            raise OrderError(f"bots: {bot.manifest.name} does not play {game.slug}")
    for label, count in Counter(bot.label for bot in (*bots, *house_bots)).items():
        if count > 1:
            raise OrderError(f"bots: {label} is entered twice; give one of them another name in a [[bot]] table")
    least = min(game.sizes.least for game in games)
    if len(bots) + (len(house_bots) > 0) < least:
        raise OrderError(f"bots: {len(bots)} bots cannot fill a table; expected at least {least}")


def _authors(plain: Mapping[str, Any], bots: Sequence[Bot], author_of: AuthorOf) -> dict[str, str]:
    """T5.4: the authors that are known, by label: as the file says, else as the bots were submitted."""
    tables = _value(plain, "bot")
    told: list[str | None] = [None] * (len(bots) - len(tables))  # bots with a table of their own come last
    told += [AUTHOR.of(table, "bot.") for table in tables]
    found = {}
    for bot, author in zip(bots, told, strict=True):
        known = author or author_of(bot.manifest.name)
        if known is not None:
            found[bot.label] = known
    return found


def check_author_limit(authors: Iterable[str], limit: int) -> None:
    """T5.6: refuse more entrants of one author than the tournament allows."""
    for author, count in Counter(authors).items():
        if 0 < limit < count:
            raise OrderError(f"bots: {author} has {count} bots; expected at most {limit} of one author")


def _check_format(plain: Mapping[str, Any], form: str) -> None:
    for key in plain:
        only_in = ONLY_IN.get(key, form)
        if only_in == form:
            continue
        if only_in == SWISS:
            own = f"a {form} has its own number of rounds"
            raise OrderError(f"rounds: {own}; leave out rounds and preset")
        raise OrderError(f"{key}: only a {only_in} has one; expected format = '{only_in}'")


def _with_planned_rounds(settings: TournamentSettings) -> TournamentSettings:
    """T10.2: fill in the schedule's number of rounds."""
    schedule = SCHEDULES[settings.format]
    try:
        schedule.check(settings)
        points_rounds, rating_rounds = schedule.planned(settings, 0)
    except ValueError as error:
        raise OrderError(f"format: {error}") from None
    return dataclasses.replace(settings, points_rounds=points_rounds, rating_rounds=rating_rounds)


def _games(plain: Mapping[str, Any]) -> tuple[GameSettings, ...]:
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


def _game(plain: Mapping[str, Any], slug: str, options: Mapping[str, object]) -> GameSettings:
    game = find_game(slug)
    allowed = game.table_sizes
    least = _value(plain, "min_seats", default=allowed[0])
    most = _value(plain, "max_seats", default=allowed[-1])
    preferred = _value(plain, "seats", default=min(max(game.preferred_seats, least), most))
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
    sizes = TableSizes(least, most, preferred)
    return GameSettings(slug, game.rules_version, dict(options), sizes, is_chancy, has_openings(game))


def _bots(plain: Mapping[str, Any], find_bots: FindBots) -> tuple[Bot, ...]:
    bots = [bot for name in _value(plain, "bots") for bot in find_bots("bots", name)]
    aliases: list[str] = []
    for table in _value(plain, "bot"):
        refuse_unknown(table, ("path", "name", "author"), "bot.")
        (bot,) = find_bots("bot", Setting("path", Form.TEXT, "", MISSING).of(table, "bot."))
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
    wanted = _value(plain, "challenger")
    found = [bot.label for bot in bots if bot.manifest.name == wanted]
    if len(found) != 1:
        raise OrderError(f"challenger: {wanted!r} is not one of the bots")
    return found[0]


def _rounds(plain: Mapping[str, Any], bots: int) -> tuple[int, int]:
    """T10.1: the number of points rounds and of rating rounds, by preset unless the file says."""
    preset = _value(plain, "preset", default=Preset.QUICK if "rounds" in plain else Preset.STANDARD)
    doublings = max(1, ceil(log2(max(bots, 2))))
    points_rounds = _value(plain, "rounds", default=doublings + 2)
    standard = max(0, 3 * doublings - points_rounds)
    rating_rounds = {Preset.QUICK: 0, Preset.STANDARD: standard, Preset.OVERNIGHT: MAX_ROUNDS}[Preset(preset)]
    return points_rounds, _value(plain, "rating_rounds", default=rating_rounds)


def _check_seeding(settings: TournamentSettings) -> None:
    """T2.5: per-block seeding is for bots started in new processes for every game."""
    if settings.shares_secrets and not settings.fresh_process:
        raise OrderError("seeding: 'per_block' needs fresh_process = true: a reused process remembers its games")


def _check_until(text: str | None) -> None:
    try:
        time.fromisoformat(text or "00:00")
    except ValueError:
        raise OrderError(f"until: {text!r} is not a time of day; expected one such as '07:00'") from None


def next_time(until: str, now: datetime) -> datetime:
    """Return the next moment at which the clock shows this time of day."""
    moment = datetime.combine(now.date(), time.fromisoformat(until), now.tzinfo)
    return moment if moment > now else moment + timedelta(days=1)
