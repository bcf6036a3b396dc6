// A typed example: plays Fürstenfeld by reason, reading the view, and every other game at random.
#include "choosers.h"

using namespace referee::games::furstenfeld::v1;

static bool is_field(Card card) { return card >= CARD_FIELD_HOPS_2 && card <= CARD_FIELD_WATER_4; }
static bool is_palace(Card card) { return card >= CARD_PALACE_1 && card <= CARD_PALACE_6; }
static bool is_ground(Card card) { return card >= CARD_PRINTED_HOPS; }

// How good an option looks: sell dear, sell all, build palace and fields on bare ground, keep the palace.
static int worth(const Action& option, const View& view) {
  const Estate& mine = view.estates(view.seat());
  switch (option.kind_case()) {
    case Action::kChooseBrewery: {
      int first = 3 * option.choose_brewery().brewery() - 3, sum = 0;
      for (int good = 0; good < 3; ++good) sum += mine.goods(good) * view.prices(first + good);
      return sum;
    }
    case Action::kSellGoods:
      return option.sell_goods().count();
    case Action::kBuildCard: {
      Card card = option.build_card().card(), covered = mine.lots(option.build_card().lot() - 1);
      if (is_palace(card)) return is_field(covered) ? 200 : is_ground(covered) ? 202 : 201;
      return is_field(card) && is_ground(covered) ? 100 + card : -1;
    }
    case Action::kPutUnderDeck:
      return is_palace(option.put_under_deck().card()) ? -1 : 1;
    default:
      return 0;
  }
}

// Answers with the best option, written out; the first of several equals.
void choose_as_brewer(const referee::v1::Prompt& prompt, Table& table, referee::v1::Answer* answer) {
  if (!prompt.game().has_furstenfeld()) return choose_at_random(prompt, table, answer);
  const Prompt& game = prompt.game().furstenfeld();
  const Action* best = &game.options(0);
  for (const Action& option : game.options())
    if (worth(option, game.view()) > worth(*best, game.view())) best = &option;
  *answer->mutable_action()->mutable_furstenfeld() = *best;
}
