"""F13: a full state that fits what one seat may know, everything else dealt at random."""

from __future__ import annotations

from referee.agenda import Agenda
from referee.game import Seat
from referee.games.furstenfeld import state as states
from referee.games.furstenfeld.components import ADVANCED_SET, BASIC_SET, CARD_COUNT, IS_PALACE, Card
from referee.games.furstenfeld.rounds import round_steps, turn_steps
from referee.games.furstenfeld.state import Player, State, Step, Variant, clone
from referee.games.furstenfeld.view import ASKED, Estate, Question, View
from referee.rng import Rng


def imagine(view: View, seat: Seat, rng: Rng) -> State:
    """F13.2, F13.3: shuffle the unknown part of the seat's own deck, and all the hidden cards of every other seat."""
    players = [
        _own_player(view, estate, rng) if owner == seat else _other_player(view, estate, rng)
        for owner, estate in enumerate(view.estates)
    ]
    return State(
        variant=view.variant,
        round_number=view.round_number,
        turn_order=view.turn_order,
        demand=view.demands,
        placed=list(view.placed_goods),
        prices=list(view.prices),
        palace_parts=sum(IS_PALACE[shown] for player in players for shown in player.lots),
        players=players,
        agenda=_agenda(view),
    )


def redraw(state: State, rng: Rng) -> State:
    """F13.2: shuffle the part of every deck that its owner has never seen."""
    world = clone(state)
    for player in world.players:
        unseen = player.deck[: player.unseen]
        rng.shuffle(unseen)
        player.deck[: player.unseen] = unseen
    return world


def _numbers(cards: tuple[Card, ...]) -> list[int]:
    return [card.value for card in cards]


def _own_player(view: View, estate: Estate, rng: Rng) -> Player:
    unseen = _numbers(view.unseen_cards)
    rng.shuffle(unseen)
    deck = unseen + _numbers(view.tail_cards)
    return _player(estate, _numbers(view.hand_cards), deck, _numbers(view.scrapped_cards))


def _other_player(view: View, estate: Estate, rng: Rng) -> Player:
    """F13.1: whatever does not lie open is in the hand, the deck or among the scrapped cards."""
    everything = BASIC_SET if view.variant is Variant.BASIC else ADVANCED_SET
    open_cards = [card.value for card in (*estate.lots, *estate.covered_cards) if card.value <= CARD_COUNT]
    hidden = [card for card in everything if card not in open_cards]
    rng.shuffle(hidden)
    in_hand, in_deck = estate.hand_count, estate.hand_count + estate.deck_count
    return _player(estate, sorted(hidden[:in_hand]), hidden[in_hand:in_deck], hidden[in_deck:])


def _player(estate: Estate, hand: list[int], deck: list[int], scrapped: list[int]) -> Player:
    return Player(
        money=estate.money,
        income=estate.income,
        marker=estate.marker,
        goods=list(estate.goods),
        lots=_numbers(estate.lots),
        hand=hand,
        deck=deck,
        unseen=estate.unseen_count,
        covered=_numbers(estate.covered_cards),
        scrapped=scrapped,
    )


def _agenda(view: View) -> Agenda[Step]:
    """F3.3: the decision that is asked, the rest of this turn, and the turns after it."""
    agenda: Agenda[Step] = Agenda([])
    if view.question is None:
        return agenda
    if view.question is Question.SETUP_BOTTOM:
        agenda.then(states.AskSetupBottom(), states.StartRound())
        return agenda
    seat = view.asked_seats[0]
    position = view.turn_order.index(seat)
    agenda.then(*_current_turn(view, view.question, seat), *round_steps(view.turn_order[position + 1 :]))
    return agenda


def _current_turn(view: View, question: Question, seat: Seat) -> list[Step]:
    """F6, F7, F8: a sale in progress holds its amounts, building and scrapping what they have done already."""
    later = [step for step in turn_steps(seat) if ASKED[type(step)][0].value > question.value]
    match question:
        case Question.SELL_AMOUNT:
            assert view.sale_brewery is not None, "amounts are asked for one brewery"
            return [states.AskSellAmount(seat, view.sale_brewery, view.sale_amounts), *later]
        case Question.OFFICE_BONUS:
            assert view.sale_brewery is not None, "a bonus is asked for one sale"
            return [states.AskOfficeBonus(seat, view.sale_brewery, view.sale_amounts), *later]
        case Question.BUILD:
            return [states.AskBuild(seat, view.built_count), *later]
        case Question.SCRAP:
            return [states.AskScrap(seat, view.scrapped_count), *later]
        case _:
            return list(turn_steps(seat))[-len(later) - 1 :]
