"""The state of a game, and the steps that say where in the round we are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TypeAlias

from referee.agenda import Agenda
from referee.clone import cloner, digester
from referee.game import Seat
from referee.games.furstenfeld.components import DEFAULT_VARIANT
from referee.setting import option


class Variant(Enum):
    """F2.1: the basic game, or the advanced one with its two extra cards and palace parts at fixed lots."""

    BASIC = 0
    ADVANCED = 1


@dataclass(frozen=True, slots=True)
class Options:
    """F2.1: how a match differs from the standard game."""

    variant: Variant = option(  # noqa: RUF009  declares a field, makes no value
        Variant[DEFAULT_VARIANT.upper()], "the basic game, or the advanced one with a planned deck"
    )


@dataclass(frozen=True, slots=True)
class AskSetupBottom:
    """F2.8: every seat puts one card of its first ten under its deck; repeated until one is left."""


@dataclass(frozen=True, slots=True)
class StartRound:
    """F3.2: all seats draw and harvest at the same time; nothing is asked."""


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """F3.3: a seat plays its phases 3, 4 and 5."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class EndRound:
    """F3.4: prices are adjusted once, after the last seat; or the game ends (F11.1)."""


@dataclass(frozen=True, slots=True)
class AskExchange:
    """F6.1: whether the market exchanges goods; passed over without a visible market."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskBrewery:
    """F6.2: which brewery the seat sells to, if any."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskSellAmount:
    """F6.3: how much of the next good is sold; `sold` holds the amounts of the goods before it."""

    seat: Seat
    brewery: int
    sold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskOfficeBonus:
    """F6.5: which of the goods sold earns the trading office's extra coins."""

    seat: Seat
    brewery: int
    sold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskBuild:
    """F7.1: the next card to build; `built` were built in this turn already, at most two."""

    seat: Seat
    built: int


@dataclass(frozen=True, slots=True)
class AskScrap:
    """F8.1: the next card the rag collector removes; `scrapped` are gone in this turn already.

    Passed over without a visible rag collector.
    """

    seat: Seat
    scrapped: int


@dataclass(frozen=True, slots=True)
class AskDiscard:
    """F8.3: the next card to put under the deck; passed over when only one is left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AskStore:
    """F8.6: which unsold goods the warehouse keeps."""

    seat: Seat


Step: TypeAlias = (
    AskSetupBottom | StartRound | TakeTurn | EndRound | AskExchange | AskBrewery | AskSellAmount | AskOfficeBonus
    | AskBuild | AskScrap | AskDiscard | AskStore
)  # fmt: skip


@dataclass(slots=True)
class Player:
    """What one seat owns. Lists of cards hold card numbers."""

    money: int
    income: int  # of this round; 0 until its phase 3 is over
    marker: int  # where the turn order marker stands on its income track
    goods: list[int]
    lots: list[int]
    hand: list[int]  # sorted
    deck: list[int]  # the top card first
    unseen: int  # number of cards on top of the deck never seen by their owner (F13.2)
    covered: list[int]  # in the order they were covered
    scrapped: list[int]  # in the order they were scrapped


@dataclass(slots=True)
class State:
    """A game between two decisions. Breweries are laid out flat: three entries each, in the order of the goods."""

    variant: Variant
    round_number: int  # 0 in the set-up of the advanced game
    turn_order: tuple[Seat, ...]
    demand: tuple[int, ...]
    placed: list[int]
    prices: list[int]
    palace_parts: int  # built so far by all seats
    players: list[Player]
    agenda: Agenda[Step]


@lru_cache(maxsize=4096)
def step_name(step: Step) -> str:
    """Return a step as its fingerprint has it; there are few, so each is spelt once."""
    return repr(step)


clone = cloner(State)
digest = digester(State, step_name, exact=True)


def visible(player: Player, effect: tuple[int, ...]) -> int:
    """F3.8, F3.9: the sum of one effect over what the lots show; what is covered does not count."""
    total = 0
    for shown in player.lots:
        total += effect[shown]
    return total
