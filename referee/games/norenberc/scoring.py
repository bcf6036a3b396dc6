"""B9 End of the game: scoring and ranking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.game import Outcome, Seat
from referee.games.norenberc import components as box
from referee.games.norenberc.components import CitizenKind
from referee.games.norenberc.events import SeatScored
from referee.games.norenberc.state import State


@dataclass(frozen=True, slots=True)
class Holdings:
    """What one seat brings to the scoring."""

    artisans: tuple[tuple[int, ...], ...]  # per house, the values of its artisans
    citizens: tuple[int, ...]
    talers: int
    blazon_types: int
    prestige: int

    def values(self) -> list[int]:
        """Return the values of all artisans."""
        return [value for values in self.artisans for value in values]

    def count(self, kind: CitizenKind) -> int:
        """B6.15: how many citizens of a kind there are; each works on its own."""
        return sum(box.kind_of(tile) == kind for tile in self.citizens)


def scores(state: State) -> tuple[SeatScored, ...]:
    """B9.1: the score and rank of every seat; goods left over are worth nothing."""
    holdings = [holdings_of(state, seat) for seat in range(state.seats)]
    majority = majority_points(holdings)
    richest = richest_points(holdings)
    columns = [
        (
            citizen_points(own),
            majority[seat],
            box.THRESHOLD_VP * sum(sum(values) >= box.THRESHOLD_VALUE for values in own.artisans),  # B9.7
            box.ALL_TYPES_VP if all(own.artisans) else 0,  # B9.7
            richest[seat],
            blazon_points(own),
        )
        for seat, own in enumerate(holdings)
    ]
    totals = [sum(column) for column in columns]
    ranks = ranking(totals, holdings)
    return tuple(
        SeatScored(seat, *columns[seat], total=totals[seat], rank=ranks[seat], talers=state.talers[seat])
        for seat in range(state.seats)
    )


def holdings_of(state: State, seat: Seat) -> Holdings:
    """B9.1: sort what lies in front of a seat."""
    tiles = [tile for tile, owner in zip(state.owned_tiles, state.owned_by, strict=True) if owner == seat]
    artisans = [tile for tile in tiles if box.is_artisan(tile)]
    blazons = state.blazons[seat * state.houses : (seat + 1) * state.houses]
    return Holdings(
        artisans=tuple(
            tuple(box.value_of(tile) for tile in artisans if box.guild_of(tile) == guild)
            for guild in range(1, state.houses + 1)
        ),
        citizens=tuple(tile for tile in tiles if not box.is_artisan(tile)),
        talers=state.talers[seat],
        blazon_types=sum(count > 0 for count in blazons),
        prestige=state.prestige[seat],
    )


def citizen_points(own: Holdings) -> int:
    """B9.2: Noblemen their number, Tax collectors one per full ten talers, Foremen one per artisan of their value."""
    points = 0
    for tile in own.citizens:
        match box.kind_of(tile):
            case CitizenKind.NOBLEMAN:
                points += box.number_of(tile)  # B6.10
            case CitizenKind.TAX_COLLECTOR:
                points += own.talers // box.TAX_STEP  # B6.11, rounded down
            case CitizenKind.FOREMAN:
                points += own.values().count(box.number_of(tile))  # B6.13
    return points


def majority_points(holdings: list[Holdings]) -> list[int]:
    """B9.3: the points for the majorities in all guilds, with what the Apprentices add (B9.9)."""
    points = [0] * len(holdings)
    for house in range(len(holdings[0].artisans)):
        groups = tie_groups([own.artisans[house] for own in holdings])
        for seat, place, won in guild_majority(groups):
            points[seat] += won
            if place > 1 and won:  # B6.14: a place that scores, but not the first
                points[seat] += holdings[seat].count(CitizenKind.APPRENTICE)
    return points


def tie_groups(artisans: list[tuple[int, ...]]) -> list[list[Seat]]:
    """B9.3: seats with artisans of a guild, by total value and then by number; equal seats form one group."""
    keys = {seat: (sum(values), len(values)) for seat, values in enumerate(artisans) if values}
    return [[seat for seat in keys if keys[seat] == key] for key in sorted(set(keys.values()), reverse=True)]


def guild_majority(groups: list[list[Seat]]) -> Iterator[tuple[Seat, int, int]]:
    """B9.4: (seat, place, points) of every ranked seat; a group's place counts the players before it (B9.6)."""
    place = 1
    for group in groups:
        won = 0
        if place <= len(box.MAJORITY_VP):
            won = box.MAJORITY_VP[place - 1] if len(group) == 1 else box.MAJORITY_TIE_VP[place - 1]
        if place == 1:
            won += unclaimed_points(groups)
        for seat in group:
            yield seat, place, won
        place += len(group)


def unclaimed_points(groups: list[list[Seat]]) -> int:
    """B9.5: a sole first also gets the points of places that nobody is ranked for, but never those lost by a tie."""
    ranked = sum(len(group) for group in groups)
    if len(groups[0]) > 1:
        return 0
    return sum(box.MAJORITY_VP[ranked:])


def richest_points(holdings: list[Holdings]) -> list[int]:
    """B9.7: five points for the most talers, two each if several share the most."""
    most = max(own.talers for own in holdings)
    is_shared = sum(own.talers == most for own in holdings) > 1
    return [(box.RICHEST_TIE_VP if is_shared else box.RICHEST_VP) if own.talers == most else 0 for own in holdings]


def blazon_points(own: Holdings) -> int:
    """B9.8: by the number of different guild blazons, prestige blazons and Engravers (B6.12)."""
    different = own.blazon_types + own.prestige + own.count(CitizenKind.ENGRAVER)
    return box.BLAZON_VP[min(different, len(box.BLAZON_VP) - 1)]


def ranking(totals: list[int], holdings: list[Holdings]) -> list[int]:
    """B9.10: by points, then artisan tiles, then the best artisan; equal seats share a rank (1, 2, 2, 4)."""
    keys = [
        (total, len(own.values()), max(own.values(), default=0)) for total, own in zip(totals, holdings, strict=True)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def final_outcome(state: State) -> Outcome:
    """B9.10: the ranks and points of a finished match."""
    results = scores(state)
    return Outcome(
        ranks=tuple(result.rank for result in results),
        scores=tuple(result.total for result in results),
        reason="four rounds are over",
    )
