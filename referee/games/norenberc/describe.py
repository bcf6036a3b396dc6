"""One line of plain English for every action and event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.drawing import many
from referee.games.norenberc import actions, events
from referee.games.norenberc import components as box
from referee.games.norenberc.components import GOOD_NAMES, GUILD_NAMES, SHOP_TILES, WINDOW_NAMES


def guild_name(guild: int) -> str:
    """B1.1: the name of a guild."""
    return GUILD_NAMES[guild - 1]


def tile_name(tile: int) -> str:
    """Return what is printed on a tile, with an article."""
    if box.is_artisan(tile):
        plus = " with agent +" if box.has_agent_plus(tile) else ""
        return f"a {GUILD_NAMES[box.guild_of(tile) - 1][:-1]} of value {box.value_of(tile)}{plus}"
    name = box.CitizenKind(box.kind_of(tile)).name.replace("_", " ").capitalize()
    number = f"({box.number_of(tile)})" if box.number_of(tile) else ""
    return f"{'an' if name[0] in 'AE' else 'a'} {name}{number}"


def position_name(position: int) -> str:
    """B0.7: S2 … S4 and U in a shop, L<guild>.<window> in a lodging."""
    if position < SHOP_TILES:
        return f"S{position}"
    if position == SHOP_TILES:
        return "U"
    return f"L{position // 10}.{WINDOW_NAMES[position % 10 - 1]}"


def _places(it: actions.SwapArtisans | events.ArtisansSwapped) -> str:
    return f"{position_name(it.first)} and {position_name(it.second)}"


def goods_text(goods: Sequence[int]) -> str:
    """Return the goods of a vector by name."""
    return _join([f"{count} {GOOD_NAMES[house]}" for house, count in enumerate(goods) if count]) or "nothing"


def _tiles_text(tiles: Sequence[int]) -> str:
    return _join([tile_name(tile) for tile in tiles])


def _plan_text(seat: int, count: int) -> str:
    if count < 0:
        return f"seat {seat} had finished"
    if count == 0:
        return f"seat {seat} passes"
    return f"seat {seat} {many(count, 'card')}"


def _seats_text(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {_join([str(seat) for seat in seats])}"


def _join(items: list[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def _talers_text(talers: int) -> str:
    return many(talers, "taler")


def _shown(seats: Sequence[int], talers: Sequence[int]) -> str:
    return _join([f"seat {seat} {_talers_text(count)}" for seat, count in zip(seats, talers, strict=True)])


def _prestige(is_prestige: bool) -> str:
    return " and the prestige blazon" if is_prestige else ""


def _round_began(it: events.RoundBegan) -> str:
    holder = f"the {guild_name(it.prestige_guild)} hold the prestige blazon"
    return f"Round {it.round_number} begins under {_tiles_text(it.masters)}; {holder}."


def _goods_sold(it: events.GoodsSold) -> str:
    sold = f"{it.count} {GOOD_NAMES[it.guild - 1]}"
    return f"Seat {it.seat} sells {sold} to the {guild_name(it.guild)} for {_talers_text(it.talers)}."


def _guest_hired(it: events.GuestHired) -> str:
    where = f"window {WINDOW_NAMES[it.window - 1]} of the {guild_name(it.guild)}"
    return f"Seat {it.seat} hires {tile_name(it.tile)} from {where} for {goods_text(it.paid_goods)}."


def _citizen_returned(it: events.CitizenReturned) -> str:
    name = tile_name(it.tile)
    return f"{name[0].upper()}{name[1:]} returns to the guest pile."


def _goods_stolen(it: events.GoodsStolen) -> str:
    taken = f"Seat {it.seat}'s Thief takes {goods_text(it.goods)} from seat {it.victim}"
    return f"{taken}, who gets {_talers_text(it.talers)} from the bank."


def _favourite_chosen(it: events.FavouriteChosen) -> str:
    favoured = f"Seat {it.seat} is the favourite of the {guild_name(it.guild)}"
    return f"{favoured} and takes {_tiles_text(it.tiles)}, a blazon{_prestige(it.is_prestige)}."


def _no_favourite(it: events.NoFavourite) -> str:
    lost = f"{_tiles_text(it.tiles)}{_prestige(it.is_prestige)}"
    return f"The {guild_name(it.guild)} have no favourite; {lost} go to the box."


def _lodging_refilled(it: events.LodgingRefilled) -> str:
    gone = f" after {tile_name(it.discarded_tile)} has left" if it.discarded_tile else ""
    guests = [f"{name} {tile_name(tile)}" for name, tile in zip(WINDOW_NAMES, it.tiles, strict=True) if tile]
    return f"The {guild_name(it.guild)} lodge {_join(guests) or 'nobody'}{gone}."


def _talers_shown(it: events.TalersShown) -> str:
    shown = _shown(it.tied_seats, it.talers)
    return f"Tied for the favour of the {guild_name(it.guild)}, these show their talers: {shown}."


def _seat_scored(it: events.SeatScored) -> str:
    return (
        f"Seat {it.seat} scores {it.total} and is number {it.rank}: "
        f"citizens {it.citizens}, majorities {it.majority}, value 30 {it.value_thirty}, "
        f"all types {it.all_types}, richest {it.richest} ({_talers_text(it.talers)}), "
        f"blazons {it.blazons}."
    )


SENTENCES: Mapping[type, Callable[[Any], str]] = {
    actions.PassRound: lambda _: "Pass this round.",
    actions.PlanGuilds: lambda it: f"Plan the {_join([guild_name(guild) for guild in it.guilds])}.",
    actions.DoNothing: lambda _: "Do nothing.",
    actions.SellGoods: lambda it: f"Sell {it.count} of the guild's goods.",
    actions.HireGuest: lambda it: f"Hire the guest in window {WINDOW_NAMES[it.window - 1]}.",
    actions.EnterStorehouse: lambda _: "Buy from the storehouse.",
    actions.PayGoods: lambda it: f"Pay {goods_text(it.goods)}.",
    actions.BuyGoods: lambda it: f"Buy {goods_text(it.goods)}.",
    actions.DeclineTheft: lambda _: "Take nothing with the Thief.",
    actions.StealGoods: lambda it: f"Take {goods_text(it.goods)} from seat {it.victim} with the Thief.",
    actions.DeclineSwap: lambda _: "Swap nothing with the Guard.",
    actions.SwapArtisans: lambda it: f"Swap the {guild_name(it.guild)} at {_places(it)} with the Guard.",
    actions.StoreGood: lambda it: f"Store {GOOD_NAMES[it.guild - 1]} on the Pedlar.",
    actions.PlaceMayor: lambda it: f"Put the Mayor on the roof of the {guild_name(it.guild)}.",
    actions.KeepPlace: lambda _: "Keep the place in the turn order.",
    actions.MoveFirst: lambda _: "Move to the first place in the turn order.",
    events.RoundBegan: _round_began,
    events.PlansLaid: lambda it: (
        f"Plans are laid: {_join([_plan_text(seat, count) for seat, count in enumerate(it.card_counts)])}."
    ),
    events.GuildCalled: lambda it: f"The {guild_name(it.guild)} are called by {_seats_text(it.revealed_seats)}.",
    events.NothingDone: lambda it: f"Seat {it.seat} does nothing at the {guild_name(it.guild)}.",
    events.GoodsSold: _goods_sold,
    events.GoodsBought: lambda it: (
        f"Seat {it.seat} buys {goods_text(it.goods)} from the {guild_name(it.guild)} for {_talers_text(it.talers)}."
    ),
    events.GuestHired: _guest_hired,
    events.AgentGained: lambda it: f"Seat {it.seat} gains an agent.",
    events.BonusPaid: lambda it: (
        f"Seat {it.seat} gets {_talers_text(it.talers)} for the agents on the roof of the {guild_name(it.guild)}."
    ),
    events.TurnOrderChanged: lambda it: (
        f"Seat {it.seat} moves to the first place; the turn order is {', '.join(map(str, it.track_seats))}."
    ),
    events.CitizenReturned: _citizen_returned,
    events.GoodsStolen: _goods_stolen,
    events.TheftDeclined: lambda it: f"Seat {it.seat}'s Thief takes nothing.",
    events.ArtisansSwapped: lambda it: f"Seat {it.seat}'s Guard swaps the {guild_name(it.guild)} at {_places(it)}.",
    events.SwapDeclined: lambda it: f"Seat {it.seat}'s Guard swaps nothing.",
    events.GoodStored: lambda it: f"Seat {it.seat} stores {GOOD_NAMES[it.guild - 1]} on a Pedlar.",
    events.GoodTakenBack: lambda it: f"Seat {it.seat} takes {GOOD_NAMES[it.guild - 1]} back from a Pedlar.",
    events.MayorPlaced: lambda it: f"Seat {it.seat} puts the Mayor on the roof of the {guild_name(it.guild)}.",
    events.AgentsUsedUp: lambda it: f"Seat {it.seat} has no agents left and finishes the round.",
    events.TalersShown: _talers_shown,
    events.FavouriteChosen: _favourite_chosen,
    events.NoFavourite: _no_favourite,
    events.IncomePaid: lambda it: f"Income: {_shown(range(len(it.talers)), it.talers)}.",
    events.LodgingRefilled: _lodging_refilled,
    events.SeatScored: _seat_scored,
}
