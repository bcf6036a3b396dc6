"""A typed example: plays Fürstenfeld by reason, reading the view, and every other game at random."""

import random

from bot import main  # type: ignore[import-not-found]  # a bot runs in its own directory

from referee.games.furstenfeld.v1 import furstenfeld_pb2 as furstenfeld
from referee.v1 import play_pb2 as pb

FIELDS = range(furstenfeld.CARD_FIELD_HOPS_2, furstenfeld.CARD_FIELD_WATER_4 + 1)
PALACE = range(furstenfeld.CARD_PALACE_1, furstenfeld.CARD_PALACE_6 + 1)


def worth(option: furstenfeld.Action, view: furstenfeld.View) -> int:
    """Return how good an option looks: sell dear, sell all, build palace and fields on bare ground, keep the palace."""
    mine = view.estates[view.seat]
    match option.WhichOneof("kind"):
        case "choose_brewery":
            prices = view.prices[3 * option.choose_brewery.brewery - 3 :][:3]
            return sum(price * count for price, count in zip(prices, mine.goods, strict=True))
        case "sell_goods":
            return option.sell_goods.count
        case "build_card":
            card, covered = option.build_card.card, mine.lots[option.build_card.lot - 1]
            if card in PALACE:
                return 200 - covered if covered in FIELDS else 200 + covered
            return 100 + card if card in FIELDS and covered >= furstenfeld.CARD_PRINTED_HOPS else -1
        case "put_under_deck":
            return -1 if option.put_under_deck.card in PALACE else 1
        case _:
            return 0


def choose(prompt: pb.Prompt, dice: random.Random) -> pb.Answer:
    """Answer with the best option, written out; the first of several equals."""
    if prompt.game.WhichOneof("game") != "furstenfeld":
        return pb.Answer(option_index=dice.randrange(prompt.option_count))
    game = prompt.game.furstenfeld
    best = max(game.options, key=lambda option: worth(option, game.view))
    return pb.Answer(action=pb.GameAction(furstenfeld=best))


if __name__ == "__main__":
    main(choose)
