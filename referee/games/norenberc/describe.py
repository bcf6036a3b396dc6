"""One line of plain English for every action and event."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.norenberc import actions as act
from referee.games.norenberc import events as ev
from referee.games.norenberc.actions import Action
from referee.games.norenberc.components import (
    GOOD_NAMES,
    GUILD_NAMES,
    SHOP_TILES,
    WINDOW_NAMES,
    CitizenKind,
    guild_of,
    has_agent_plus,
    is_artisan,
    kind_of,
    number_of,
    value_of,
)
from referee.games.norenberc.events import Event


def describe(item: Action | Event) -> str:
    """Return one line for an action or an event."""
    match item:
        case act.PassRound():
            return "Pass this round."
        case act.PlanGuilds(guilds):
            return f"Plan the {_join([guild_name(guild) for guild in guilds])}."
        case act.DoNothing():
            return "Do nothing."
        case act.SellGoods(count):
            return f"Sell {count} of the guild's goods."
        case act.HireGuest(window):
            return f"Hire the guest in window {WINDOW_NAMES[window - 1]}."
        case act.EnterStorehouse():
            return "Buy from the storehouse."
        case act.PayGoods(goods):
            return f"Pay {goods_text(goods)}."
        case act.BuyGoods(goods):
            return f"Buy {goods_text(goods)}."
        case act.DeclineTheft():
            return "Take nothing with the Thief."
        case act.StealGoods(victim, goods):
            return f"Take {goods_text(goods)} from seat {victim} with the Thief."
        case act.DeclineSwap():
            return "Swap nothing with the Guard."
        case act.SwapArtisans(guild, first, second):
            return f"Swap the {guild_name(guild)} at {position_name(first)} and {position_name(second)} with the Guard."
        case act.StoreGood(guild):
            return f"Store {GOOD_NAMES[guild - 1]} on the Pedlar."
        case act.PlaceMayor(guild):
            return f"Put the Mayor on the roof of the {guild_name(guild)}."
        case act.KeepPlace():
            return "Keep the place in the turn order."
        case act.MoveFirst():
            return "Move to the first place in the turn order."
        case _:
            return _describe_event(item)


def _describe_event(event: Event) -> str:
    match event:
        case ev.RoundBegan(number, masters, prestige):
            holder = f"the {guild_name(prestige)} hold the prestige blazon"
            return f"Round {number} begins under {_tiles_text(masters)}; {holder}."
        case ev.PlansLaid(counts):
            return f"Plans are laid: {_join([_plan_text(seat, count) for seat, count in enumerate(counts)])}."
        case ev.GuildCalled(guild, seats):
            return f"The {guild_name(guild)} are called by {_seats_text(seats)}."
        case ev.NothingDone(seat, guild):
            return f"Seat {seat} does nothing at the {guild_name(guild)}."
        case ev.GoodsSold(seat, guild, count, talers):
            sold = f"{count} {GOOD_NAMES[guild - 1]}"
            return f"Seat {seat} sells {sold} to the {guild_name(guild)} for {_talers_text(talers)}."
        case ev.GoodsBought(seat, guild, goods, talers):
            return f"Seat {seat} buys {goods_text(goods)} from the {guild_name(guild)} for {_talers_text(talers)}."
        case ev.GuestHired(seat, guild, window, tile, payment):
            where = f"window {WINDOW_NAMES[window - 1]} of the {guild_name(guild)}"
            return f"Seat {seat} hires {tile_name(tile)} from {where} for {goods_text(payment)}."
        case ev.AgentGained(seat):
            return f"Seat {seat} gains an agent."
        case ev.BonusPaid(seat, guild, talers):
            return f"Seat {seat} gets {_talers_text(talers)} for the agents on the roof of the {guild_name(guild)}."
        case ev.TurnOrderChanged(seat, track):
            return f"Seat {seat} moves to the first place; the turn order is {', '.join(map(str, track))}."
        case ev.CitizenReturned(tile):
            return f"{_sentence(tile_name(tile))} returns to the guest pile."
        case ev.GoodsStolen(seat, victim, goods, talers):
            taken = f"Seat {seat}'s Thief takes {goods_text(goods)} from seat {victim}"
            return f"{taken}, who gets {_talers_text(talers)} from the bank."
        case ev.TheftDeclined(seat):
            return f"Seat {seat}'s Thief takes nothing."
        case ev.ArtisansSwapped(seat, guild, first, second):
            places = f"{position_name(first)} and {position_name(second)}"
            return f"Seat {seat}'s Guard swaps the {guild_name(guild)} at {places}."
        case ev.SwapDeclined(seat):
            return f"Seat {seat}'s Guard swaps nothing."
        case ev.GoodStored(seat, guild):
            return f"Seat {seat} stores {GOOD_NAMES[guild - 1]} on a Pedlar."
        case ev.GoodTakenBack(seat, guild):
            return f"Seat {seat} takes {GOOD_NAMES[guild - 1]} back from a Pedlar."
        case ev.MayorPlaced(seat, guild):
            return f"Seat {seat} puts the Mayor on the roof of the {guild_name(guild)}."
        case _:
            return _describe_closing(event)


def _describe_closing(event: Event) -> str:
    match event:
        case ev.AgentsUsedUp(seat):
            return f"Seat {seat} has no agents left and finishes the round."
        case ev.TalersShown(guild, seats, talers):
            shown = [f"seat {seat} {_talers_text(count)}" for seat, count in zip(seats, talers, strict=True)]
            return f"Tied for the favour of the {guild_name(guild)}, these show their talers: {_join(shown)}."
        case ev.FavouriteChosen(seat, guild, tiles, is_prestige):
            prestige = " and the prestige blazon" if is_prestige else ""
            favoured = f"Seat {seat} is the favourite of the {guild_name(guild)}"
            return f"{favoured} and takes {_tiles_text(tiles)}, a blazon{prestige}."
        case ev.NoFavourite(guild, tiles, is_prestige):
            prestige = " and the prestige blazon" if is_prestige else ""
            return f"The {guild_name(guild)} have no favourite; {_tiles_text(tiles)}{prestige} go to the box."
        case ev.IncomePaid(talers):
            return f"Income: {_join([f'seat {seat} {_talers_text(count)}' for seat, count in enumerate(talers)])}."
        case ev.LodgingRefilled(guild, discarded, tiles):
            gone = f" after {tile_name(discarded)} has left" if discarded else ""
            guests = [f"{name} {tile_name(tile)}" for name, tile in zip(WINDOW_NAMES, tiles, strict=True) if tile]
            return f"The {guild_name(guild)} lodge {_join(guests) or 'nobody'}{gone}."
        case ev.SeatScored():
            return (
                f"Seat {event.seat} scores {event.total} and is number {event.rank}: "
                f"citizens {event.citizens}, majorities {event.majority}, value 30 {event.value_thirty}, "
                f"all types {event.all_types}, richest {event.richest} ({_talers_text(event.talers)}), "
                f"blazons {event.blazons}."
            )
        case _:
            raise TypeError(f"{type(event).__name__} is neither an action nor an event of Norenberc")


def guild_name(guild: int) -> str:
    """B1.1: the name of a guild."""
    return GUILD_NAMES[guild - 1]


def tile_name(tile: int) -> str:
    """Return what is printed on a tile, with an article."""
    if is_artisan(tile):
        plus = " with agent +" if has_agent_plus(tile) else ""
        return f"a {GUILD_NAMES[guild_of(tile) - 1][:-1]} of value {value_of(tile)}{plus}"
    name = CitizenKind(kind_of(tile)).name.replace("_", " ").capitalize()
    number = f"({number_of(tile)})" if number_of(tile) else ""
    return f"{'an' if name[0] in 'AE' else 'a'} {name}{number}"


def position_name(position: int) -> str:
    """B0.7: S2 … S4 and U in a shop, L<guild>.<window> in a lodging."""
    if position < SHOP_TILES:
        return f"S{position}"
    if position == SHOP_TILES:
        return "U"
    return f"L{position // 10}.{WINDOW_NAMES[position % 10 - 1]}"


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
    return f"seat {seat} {count} card{'s' if count > 1 else ''}"


def _talers_text(talers: int) -> str:
    return f"{talers} taler{'' if talers == 1 else 's'}"


def _seats_text(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {_join([str(seat) for seat in seats])}"


def _join(items: list[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
