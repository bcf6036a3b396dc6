"""F3, F4, F5, F9, F11: what happens without being asked: a round begins, turns follow each other, a round ends."""

from __future__ import annotations

from functools import cache

from referee.game import Seat
from referee.games.furstenfeld import components as box
from referee.games.furstenfeld import state as states
from referee.games.furstenfeld.events import CardsDrawn, Event, GameEnded, GoodsHarvested, PricesAdjusted, RoundStarted
from referee.games.furstenfeld.scoring import end_reason, ranks, visible_parts
from referee.games.furstenfeld.state import Player, State, Step, visible


@cache
def turn_steps(seat: Seat) -> tuple[Step, ...]:
    """F3.3: one seat's phases 3, 4 and 5, one directly after the other."""
    return (
        states.AskExchange(seat),
        states.AskBrewery(seat),
        states.AskBuild(seat, 0),
        states.AskScrap(seat, 0),
        states.AskDiscard(seat),
        states.AskStore(seat),
    )


@cache
def round_steps(turn_order: tuple[Seat, ...]) -> tuple[Step, ...]:
    """F3.1, F3.3, F3.4: the turns of these seats in order, then the end of the round."""
    return (*(states.TakeTurn(seat) for seat in turn_order), states.EndRound())


def advance(state: State, events: list[Event]) -> None:
    """F3.2: carry out everything that asks nobody, up to the next decision or the end of the game."""
    agenda = state.agenda
    while agenda.steps:
        match agenda.steps[-1]:
            case states.StartRound():
                agenda.done()
                start_round(state, events)
            case states.TakeTurn(seat):
                agenda.done()
                agenda.then(*turn_steps(seat))
            case states.EndRound():
                agenda.done()
                end_round(state, events)
            case step if is_passed_over(state, step):
                agenda.done()
            case _:
                return


def is_passed_over(state: State, step: Step) -> bool:
    """F12: whether a step of the turn asks nothing: no market, two cards built, no rag collector, one card left."""
    match step:
        case states.AskExchange(seat):
            return not visible(state.players[seat], box.MAX_EXCHANGE_OF)
        case states.AskBuild(_, built):
            return built >= box.MAX_BUILDS
        case states.AskScrap(seat, scrapped):
            return scrapped >= visible(state.players[seat], box.MAX_SCRAP_OF)
        case states.AskDiscard(seat):
            return len(state.players[seat].hand) <= box.MIN_KEEP
        case _:
            return False


# The beginning of a round


def start_round(state: State, events: list[Event]) -> None:
    """F3.1, F3.2: phases 1 and 2 of all seats, then their turns."""
    state.round_number += 1
    events.append(RoundStarted(state.round_number, state.turn_order))
    for seat, player in enumerate(state.players):
        player.income = 0
        events.append(draw(player, seat))
    events += [harvest(player, seat) for seat, player in enumerate(state.players)]
    state.agenda.then(*round_steps(state.turn_order))


def draw(player: Player, seat: Seat) -> CardsDrawn:
    """F4.1 to F4.4, F10.4: three cards and those of the laboratories, as far as the deck goes."""
    count = box.BASE_DRAW + visible(player, box.EXTRA_DRAW_OF)
    drawn = player.deck[:count]
    del player.deck[:count]
    drawn.sort()
    player.unseen = max(0, player.unseen - count)
    player.hand = sorted(player.hand + drawn)
    return CardsDrawn(seat, len(drawn), tuple([box.CARDS[card] for card in drawn]))


def harvest(player: Player, seat: Seat) -> GoodsHarvested:
    """F5.1, F5.2, F10.1: every visible field produces; the goods join those in the warehouse."""
    hops = barley = water = 0
    for shown in player.lots:
        field_hops, field_barley, field_water = box.HARVEST_OF[shown]
        hops += field_hops
        barley += field_barley
        water += field_water
    goods = player.goods
    goods[0] += hops
    goods[1] += barley
    goods[2] += water
    return GoodsHarvested(seat, hops, barley, water)


# The end of a round


def end_round(state: State, events: list[Event]) -> None:
    """F3.4, F11.1 to F11.3: adjust prices and go on; or end the game, after a finished palace or the last round."""
    if state.round_number >= box.MAX_ROUNDS or any(
        visible(player, box.IS_PALACE) == box.PARTS_TO_WIN for player in state.players
    ):
        parts = tuple(visible_parts(state))
        coins = tuple(player.money for player in state.players)
        events.append(GameEnded(end_reason(state), state.round_number, ranks(state), parts, coins))
        return
    adjust_prices(state, events)
    state.turn_order = next_turn_order(state)
    state.agenda.then(states.StartRound())


def adjust_prices(state: State, events: list[Event]) -> None:
    """F9.1 to F9.3: a price rises by its empty demand spaces, at most 3, not above 3; then all spaces are emptied."""
    for at, price in enumerate(state.prices):
        rise = min(box.MAX_RISE, state.demand[at] - state.placed[at])
        state.prices[at] = min(box.PRICE_MAX, price + rise)
    state.placed = [0] * len(state.demand)
    events.append(PricesAdjusted(tuple(state.prices)))


def next_turn_order(state: State) -> tuple[Seat, ...]:
    """F3.5 to F3.7: lower markers first; on the same space the one placed later, which lies on top.

    Markers are placed in turn order, so the placing sequence of the round is its turn order.
    """
    last_placed_first = reversed(state.turn_order)
    return tuple(sorted(last_placed_first, key=lambda seat: state.players[seat].marker))
