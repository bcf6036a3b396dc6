// A typed example: plays Fürstenfeld by reason, reading the view, and every other game at random.
import java.util.Comparator;
import java.util.Random;
import referee.games.furstenfeld.v1.Furstenfeld;
import referee.games.furstenfeld.v1.Furstenfeld.Card;
import referee.v1.Play.Answer;
import referee.v1.Play.GameAction;
import referee.v1.Play.Prompt;

final class Brewer {
  private Brewer() {}

  private static boolean isField(Card card) {
    return card.getNumber() >= Card.CARD_FIELD_HOPS_2_VALUE && card.getNumber() <= Card.CARD_FIELD_WATER_4_VALUE;
  }

  private static boolean isPalace(Card card) {
    return card.getNumber() >= Card.CARD_PALACE_1_VALUE && card.getNumber() <= Card.CARD_PALACE_6_VALUE;
  }

  private static boolean isGround(Card card) {
    return card.getNumber() >= Card.CARD_PRINTED_HOPS_VALUE;
  }

  /** How good an option looks: sell dear, sell all, build palace and fields on bare ground, keep the palace. */
  private static int worth(Furstenfeld.Action option, Furstenfeld.View view) {
    Furstenfeld.Estate mine = view.getEstates(view.getSeat());
    switch (option.getKindCase()) {
      case CHOOSE_BREWERY:
        int first = 3 * option.getChooseBrewery().getBrewery() - 3;
        int sum = 0;
        for (int good = 0; good < 3; good++) sum += mine.getGoods(good) * view.getPrices(first + good);
        return sum;
      case SELL_GOODS:
        return option.getSellGoods().getCount();
      case BUILD_CARD:
        Card card = option.getBuildCard().getCard();
        Card covered = mine.getLots(option.getBuildCard().getLot() - 1);
        if (isPalace(card)) return isField(covered) ? 200 : isGround(covered) ? 202 : 201;
        return isField(card) && isGround(covered) ? 100 + card.getNumber() : -1;
      case PUT_UNDER_DECK:
        return isPalace(option.getPutUnderDeck().getCard()) ? -1 : 1;
      default:
        return 0;
    }
  }

  /** Answers with the best option, written out. */
  static Answer.Builder choose(Prompt prompt, Random dice) {
    if (!prompt.getGame().hasFurstenfeld()) return Bot.atRandom(prompt, dice);
    Furstenfeld.Prompt game = prompt.getGame().getFurstenfeld();
    Comparator<Furstenfeld.Action> byWorth = Comparator.comparingInt(option -> worth(option, game.getView()));
    Furstenfeld.Action best = game.getOptionsList().stream().max(byWorth).orElseThrow();
    return Answer.newBuilder().setAction(GameAction.newBuilder().setFurstenfeld(best));
  }
}
