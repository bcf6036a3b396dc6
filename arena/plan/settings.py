"""The settings of a tournament: those that decide its results, and those that say how it runs on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from enum import StrEnum
from typing import Any

from arena.plan.seeding import MAX_GIVEN_SEED, UNDRAWN, Seeding
from arena.plan.swiss import TableSizes
from arena.store.rows import StoredTournament
from referee.order import TimeControl
from referee.setting import option, settings_of
from referee.software import SOFTWARE
from referee.values import names_of

MAX_SPECTATOR_DELAY = 100_000  # steps, more than any match has

KNOCKOUT = "knockout"


class Verify(StrEnum):
    """Which records are replayed in a fresh process before their result counts."""

    ALL = "all"
    SAMPLE = "sample"
    NONE = "none"


class SameAuthor(StrEnum):
    """T5.4: whether bots of one author may share a table."""

    APART = "apart"
    """Only where no other draw is possible."""
    FREE = "free"


@dataclass(frozen=True, slots=True)
class GameSettings:
    """One game of a tournament; rounds go through the games in turn."""

    slug: str
    rules_version: int
    options: Mapping[str, object] = field(hash=False)
    sizes: TableSizes
    has_chance: bool = True
    """T2.3: whether seeds make any difference."""
    has_openings: bool = False
    """T2.10: whether they decide only openings that everybody sees."""

    @property
    def pool(self) -> str:
        """T8, T9.8: the name of the pool that its results belong to: other rules, another pool."""
        return f"{self.slug}:{self.rules_version}"

    def to_plain(self) -> dict[str, Any]:
        """T13: its form in the ledger."""
        return {
            "game": self.slug,
            "rules": self.rules_version,
            "options": dict(self.options),
            "sizes": [self.sizes.least, self.sizes.most, self.sizes.preferred],
            "chance": self.has_chance,
        } | ({"openings": True} if self.has_openings else {})

    @staticmethod
    def from_plain(plain: Mapping[str, Any]) -> GameSettings:
        """Read a game from its form in the ledger."""
        sizes = TableSizes(*plain["sizes"])
        openings = bool(plain.get("openings", False))
        return GameSettings(plain["game"], plain["rules"], plain["options"], sizes, plain["chance"], openings)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSettings:
    """T13: the settings that decide the results of a tournament; the ledger seals them."""

    games: tuple[GameSettings, ...]
    bots: tuple[str, ...]
    """Those entered at the start, by label."""
    house_bots: tuple[str, ...] = ()
    anchors: Mapping[str, int] = field(default_factory=dict, hash=False)
    """T9.6: house bots whose rating is frozen, by label, in Elo."""
    authors: Mapping[str, str] = field(default_factory=dict, hash=False)
    """T5.4: those of the bots entered at the start that are known, by label."""
    format: str
    """The name of its schedule."""
    challenger: str | None = None
    """The label of the bot that meets all others in a gauntlet."""
    points_rounds: int
    rating_rounds: int = 0
    time_control: TimeControl = TimeControl()
    software: str = SOFTWARE
    commitment: str = ""
    """T2.8: to the secret that the seed follows from; empty if the seed was given."""
    nonces: tuple[str, ...] = ()
    """T2.9: the authors whose nonces are mixed into the seed."""
    best_of: int = option(1, "For a knockout: the maximum blocks per duel, before a tie-break.", min=1, max=99)
    third_place: bool = option(False, "For a knockout: whether the losers of the semi-finals play for third place.")
    keeps_bracket: bool = True
    """T11.9: of a knockout: decided duels stay decided. Knockouts of 0.1.0 lack it, and were drawn otherwise."""
    top: int | None = option(
        0,
        "The number of top places whose order rating rounds are to decide, 0 for all; the tournament stops when every"
        " neighbour among them is decided.",
        min=0,
        max=1_000_000,
    )
    """T16.3: None in a tournament that makes no claims."""
    block: bool = option(True, "Whether a table plays as many games as it has seats, each bot once in every seat.")
    """T2.2: a table plays a block, not a single game."""
    seeding: Seeding = option(  # noqa: RUF009  declares a field, makes no value
        Seeding.PER_GAME,
        "`per_game`: every game has its own seed, but the games of a table share an opening that everybody sees"
        " ([T2.10](../rules/tournaments.md#t2-blocks-seats-and-seeds)). `per_block`: all games of a table have the"
        " same seed, which removes"
        " part of the chance from the comparison; refused unless every bot is hosted in a [sandbox](sandbox.md) fit for"
        " untrusted bots, with `fresh_process = true`, so that no bot can remember an earlier game.",
    )
    seed: int = option(
        MISSING,
        "The seed of all chance, for a tournament that is to be played again; refused on a server. Left out, it is"
        " secret until the end: the ledger is committed to it from the start. A number below 2^128 can be found by"
        " trying, and with it every card to come.",
        min=0,
        max=MAX_GIVEN_SEED,
        default_said="drawn, of 256 bits",
    )
    """T2.8, T2.9: UNDRAWN as long as a nonce is missing."""
    beacon: str = option(
        "",
        "A public value that nobody can know yet, such as the winning numbers of a lottery to come: it is mixed into"
        " the seed, and round 1 waits until `arena tournament nonce` has entered it.",
        default_said="none",
    )
    fresh_process: bool = option(False, "Whether every match starts new bot processes.")
    same_author: SameAuthor = option(  # noqa: RUF009  likewise
        SameAuthor.APART,
        "`apart`: bots of one author share a table only if no other draw is possible, in a Swiss tournament. `free`:"
        " the draw does not depend on authors. An author is known of bots submitted with a token, or from `[[bot]]`.",
    )
    bots_per_author: int = option(
        0, "The most entrants of one author, 0 for any number; `\"*\"` then means the newest of each.",
        min=0, max=1_000_000,
    )  # fmt: skip
    withdraw_after: int = option(
        2, "Consecutive rounds with every game forfeited after which a bot is no longer paired.", min=1, max=1_000
    )
    match_budget: int = option(
        300_000, "Matches of the whole tournament beyond which no rating round begins.", min=1, max=100_000_000
    )

    def game_in(self, round_number: int) -> GameSettings:
        """Return the game of a round: rounds go through the games in turn."""
        return self.games[(round_number - 1) % len(self.games)]

    def seeding_in(self, round_number: int) -> Seeding:
        """T2.10: return which games of a round have the same seed: those of a block, where it only draws an opening."""
        return Seeding.PER_BLOCK if self.game_in(round_number).has_openings else self.seeding

    @property
    def shares_secrets(self) -> bool:
        """T2.5: whether games share a seed of which a bot could remember what another must not know."""
        return self.seeding is Seeding.PER_BLOCK and not all(game.has_openings for game in self.games)

    @property
    def makes_claims(self) -> bool:
        """T16: whether it claims anything about the order of its bots."""
        return self.top is not None

    @property
    def is_house_anchored(self) -> bool:
        """T3.2: whether all house bots are anchors, whose ratings no match moves."""
        return self.anchors.keys() >= set(self.house_bots)

    def to_plain(self) -> dict[str, Any]:
        """T13: the form that the ledger seals: integers, text and lists of them."""
        plain = {name: getattr(self, name) for name in names_of(TournamentSettings)}
        plain |= {
            "games": [game.to_plain() for game in self.games],
            "bots": list(self.bots),
            "house_bots": list(self.house_bots),
            "nonces": list(self.nonces),
            "anchors": dict(self.anchors),
            "authors": dict(self.authors),
            "time_control": self.time_control.to_plain(),
        }
        absent = {"seed"} if self.commitment else {"commitment"}
        absent |= {key for key in ("beacon", "nonces") if not plain[key]}
        if self.format != KNOCKOUT:
            absent.add("keeps_bracket")
        return {key: value for key, value in plain.items() if value is not None and key not in absent}

    @staticmethod
    def of(stored: StoredTournament) -> TournamentSettings:
        """Return the settings of a tournament that is in the store."""
        return TournamentSettings.from_plain(stored.settings, stored.seed)

    @staticmethod
    def from_plain(plain: Mapping[str, Any], seed: int | None = None) -> TournamentSettings:
        """Read the settings as the ledger has them, with the seed that it is committed to, if that is known."""
        # What an absent key means: version 0.1.0 knew no authors, and worked out a knockout's bracket from its results.
        known = {
            "top": None, "challenger": None, "seed": UNDRAWN if seed is None else seed,
            "same_author": SameAuthor.FREE, "keeps_bracket": plain["format"] != KNOCKOUT,
        } | dict(plain)  # fmt: skip
        known |= {
            "games": tuple(map(GameSettings.from_plain, plain["games"])),
            "bots": tuple(plain["bots"]),
            "house_bots": tuple(plain["house_bots"]),
            "nonces": tuple(plain.get("nonces", ())),
            "time_control": TimeControl.from_plain(plain["time_control"]),
            "seeding": Seeding(plain["seeding"]),
            "same_author": SameAuthor(known["same_author"]),
        }
        return TournamentSettings(**known)


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a tournament runs on this machine; none of it changes a result."""

    referees: int = option(2, "Referee processes.", min=1, max=64)
    concurrency: int | None = option(
        None, "Maximum number of matches that each referee plays concurrently, up to each bot's own `concurrency`.",
        min=1, max=1_024, default_said="[chosen](../explanation/clocks_and_fairness.md#a-crowded-machine)",
    )  # fmt: skip
    verify: Verify = option(  # noqa: RUF009  likewise
        Verify.ALL, "`all`, `sample` or `none`: which records are replayed before their result counts."
    )
    verifiers: int | None = option(
        None, "Maximum number of processes that replay records.", min=1, max=1_024, default_said="one per processor"
    )
    until: str | None = option(
        None, 'A time of day such as `"07:00"`: only rounds expected to end by then begin.', default_said="none"
    )
    chunk: int = option(20, "On a [cluster](cluster.md): the maximum number of matches in a chunk.", min=1, max=10_000)
    recheck: float = option(
        0.0,
        "On a [cluster](cluster.md): the share of matches between deterministic bots that another worker reruns, for"
        " comparison.",
    )
    cluster_class: str = option(
        "",
        "On a [cluster](cluster.md): the class of machines that must play, as its workers name it.",
        default_said="any",
    )
    spectator_delay: int = option(
        0, "Steps that the [match page](web.md#live-matches) lags behind play.", min=0, max=MAX_SPECTATOR_DELAY
    )
    remote_wait_ms: int = option(
        0,
        "On a server: how long the first match of a [remote bot](server.md#remote-bots) that is not connected waits"
        " for it, once in the tournament.", min=0, max=86_400_000,
    )  # fmt: skip

    def to_plain(self) -> dict[str, Any]:
        """Return its form in the store."""
        return {name: getattr(self, name) for name in names_of(RunSettings)}

    @staticmethod
    def from_plain(plain: Mapping[str, Any]) -> RunSettings:
        """Read it from its form in the store."""
        return RunSettings(**{**plain, "verify": Verify(plain["verify"])})


DECIDING = settings_of(TournamentSettings)
RUNNING = settings_of(RunSettings)
