"""Players for the gift benchmark: honest ones with habits of their own, and pairs that collude.

All are played in this process. They rate options by the game's heuristic in the true state, which is quick, and hardly
ever looks at what a seat could not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from arena.analysis.gifts.valuing import settled
from arena.analysis.playing_on import ahead
from referee.game import AnyGame, Decision, Seat
from referee.games.nuremberg import actions as act
from referee.games.nuremberg.bundles import amounts_of
from referee.games.nuremberg.components import RESOURCE_COUNT
from referee.games.nuremberg.heuristic import hand_of, hopes, hopes_after, wishes
from referee.games.nuremberg.weights import DEFAULTS
from referee.heuristic import Heuristic, liked
from referee.rng import Rng


class Plant(StrEnum):
    """How a helper helps its boss; the last three do not value as the detector does."""

    FIRST = "first pair"
    """On its own turn the helper offers the boss two cards for one."""
    FEEDING = "feeding"
    """The boss asks for two cards for one of what it needs, and the helper accepts."""
    SOFT = "soft play"
    """Of options that it rates about equal, the helper takes the best for the boss."""
    THROWING = "throwing"
    """Beside the boss, the helper takes its worst option in a quarter of its decisions."""
    CARDS = "feeding by cards"
    """As feeding, but both count cards and value nothing."""
    SCORES = "soft play by scores"
    """As soft play, by nothing but the scores so far."""


OTHER_VALUES = (Plant.CARDS, Plant.SCORES)
SOFTNESS = {"nuremberg": 0.3, "carcassonne_city": 1.5, "norenberc": 0.3, "furstenfeld": 2.0}
TASTED = (
    "BuildSettlement", "BuildWorkshop", "BuildWall", "BuildTollBar", "SellWare", "EndTurn", "Decline", "PlaceFollower",
    "PlaceTile", "BuildTower", "TradeWithBank", "RobPlayer", "PlaceSettlement",
)  # fmt: skip
"""The types of action of which honest bots may be more or less fond than the heuristic."""
THROWN = 0.25
ASKED_GAIN = 0.1


@dataclass
class Table:
    """Who sits where in one match."""

    game: AnyGame
    heuristic: Heuristic
    seats: dict[str, Seat]


@dataclass
class Player:
    """One bot: noise, tastes by type of action, and how it trades; with a boss or a helper, how they collude."""

    name: str
    dice: Rng
    noise: float = 0.0
    tastes: dict[str, float] = field(default_factory=dict)
    is_trader: bool = False
    is_giver: bool = False
    is_basher: bool = False
    plant: Plant | None = None
    boss: str = ""
    helper: str = ""

    def choose(self, table: Table, state: Any, decision: Decision, options: Sequence[Any]) -> int:
        """Return the index of an option."""
        if len(options) == 1:
            return 0
        seat = decision.seat
        planned = self._collude(table, state, seat, options)
        if planned is not None:
            return planned
        heuristic = table.heuristic
        rate = heuristic.rate_trading if self.is_trader and heuristic.rate_trading is not None else heuristic.rate
        ratings = rate(state, seat, options)
        ratings = [
            rating + self.tastes.get(type(option).__name__, 0.0)
            for rating, option in zip(ratings, options, strict=True)
        ]
        order = liked(ratings)
        if self.plant is Plant.THROWING and self.boss in table.seats and self._chance() < THROWN:
            return order[-1]
        if self.is_giver and self._chance() < 0.8:
            accepting = [at for at, option in enumerate(options) if isinstance(option, act.AcceptTrade)]
            if accepting:
                return accepting[0]
        if self._chance() < self.noise:
            return order[self.dice.index(min(3, len(order)))]
        near = [at for at in order if ratings[order[0]] - ratings[at] <= SOFTNESS.get(table.game.slug, 0.0)]
        if self.plant in (Plant.SOFT, Plant.SCORES) and self.boss in table.seats and len(near) > 1:
            value = self._score if self.plant is Plant.SCORES else self._share
            return self._best_for(table, state, seat, options, near, table.seats[self.boss], value)
        if self.is_basher and len(near) > 1:
            worths = heuristic.worths(state)
            leader = max((other for other in range(len(worths)) if other != seat), key=worths.__getitem__)
            return self._best_for(table, state, seat, options, near, leader, lambda *at: -self._share(*at))
        return order[0]

    def _chance(self) -> float:
        return self.dice.index(1 << 30) / (1 << 30)

    def _best_for(
        self, table: Table, state: Any, seat: Seat, options: Sequence[Any], near: Sequence[int], who: Seat,
        value: Callable[[Table, Any, Seat], float],
    ) -> int:  # fmt: skip
        """Return the option, of several near the best, that is worth most by the measure given; the first of equals."""
        others = {each.seat: table.game.default_action(state, each.seat) for each in table.game.pending(state)}
        worths = []
        for at in near[:6]:
            after = settled(table.game, table.heuristic, state, {**others, seat: options[at]}, seat, ())
            worths.append(value(table, after, who))
        return near[worths.index(max(worths))]

    def _share(self, table: Table, state: Any, who: Seat) -> float:
        return ahead(table.heuristic.worths(state), table.game.scale.lead)[who]

    def _score(self, table: Table, state: Any, who: Seat) -> float:
        scores = table.game.scores_so_far(state)
        assert scores is not None, "the games of the benchmark count as they go"
        return scores[who] - (sum(scores) - scores[who]) / (len(scores) - 1)

    def _collude(self, table: Table, state: Any, seat: Seat, options: Sequence[Any]) -> int | None:
        """Return the option of a pair that trades, or None where it plays as everybody does."""
        friend = self.boss or self.helper
        if self.plant not in (Plant.FIRST, Plant.FEEDING, Plant.CARDS) or friend not in table.seats:
            return None
        partner = table.seats[friend]
        asks = bool(self.helper) if self.plant is not Plant.FIRST else bool(self.boss)
        kinds = {type(option) for option in options}
        if act.PickNobody in kinds:
            picks = [at for at, each in enumerate(options) if isinstance(each, act.PickReply) and each.seat == partner]
            return (picks or [0])[0] if asks else None
        if act.DeclineTrade in kinds:
            accepts = [at for at, each in enumerate(options) if isinstance(each, act.AcceptTrade)]
            return accepts[0] if accepts and state.active == partner and not asks else None
        if act.EndTurn in kinds and asks and state.proposals == 0:
            return self._proposal(state, seat, partner, options)
        return None

    def _proposal(self, state: Any, seat: Seat, partner: Seat, options: Sequence[Any]) -> int | None:
        """Return the trade of two cards for one that brings the boss most and both can pay."""
        boss = seat if self.helper else partner
        wanted = wishes(state, boss, DEFAULTS)
        best: tuple[float, int] = (ASKED_GAIN, -1)
        for at, option in enumerate(options):
            if not isinstance(option, act.ProposeTrade):
                continue
            given, taken = sum(option.give[:RESOURCE_COUNT]), sum(option.want[:RESOURCE_COUNT])
            if (given, taken) != ((1, 2) if self.helper else (2, 1)):
                continue
            give, want = amounts_of(option.give), amounts_of(option.want)
            left = hand_of(state, partner)
            left.swap(give, want)
            if not left.is_possible():
                continue
            if self.plant is Plant.CARDS:
                best = max(best, (1.0 + self._chance(), at))
                continue
            get, pay = (want, give) if boss == seat else (give, want)
            gain = hopes_after(state, boss, wanted, get, pay, DEFAULTS) - hopes(wanted, hand_of(state, boss), DEFAULTS)
            best = max(best, (gain, at))
        return None if best[1] < 0 else best[1]


def honest(name: str, dice: Rng, lead: float) -> Player:
    """Return a bot with habits of its own, drawn at random: noise, tastes, trading, giving, leader-bashing."""
    player = Player(name, dice.fork("play"), noise=dice.index(9) * 0.05)
    if dice.index(2):
        player.tastes = {kind: (dice.index(7) - 3) / 3 * 0.15 * lead for kind in TASTED}
    character = dice.index(6)
    player.is_trader, player.is_giver, player.is_basher = character < 3, character == 3, character == 4
    return player


def collude(plant: Plant, helper: Player, boss: Player) -> None:
    """Make two bots a pair."""
    helper.noise, boss.noise = min(helper.noise, 0.3), min(boss.noise, 0.3)
    helper.is_giver = helper.is_basher = False
    helper.plant, helper.boss = plant, boss.name
    if plant in (Plant.FIRST, Plant.FEEDING, Plant.CARDS):
        boss.plant, boss.helper = plant, helper.name
