// A typed example: plays Fürstenfeld by reason, reading the view, and every other game at random.
"use strict";
const { atRandom, play } = require("./bot.js");

const isField = (card) => card.startsWith("CARD_FIELD_");
const isPalace = (card) => card.startsWith("CARD_PALACE_");
const isGround = (card) => card.startsWith("CARD_PRINTED_") || card === "CARD_BARE_GROUND";

// How good an option looks: sell dear, sell all, build palace and fields on bare ground, keep the palace.
function worth(option, view) {
  const mine = view.estates[view.seat];
  switch (option.kind) {
    case "choose_brewery": {
      const first = 3 * option.choose_brewery.brewery - 3;
      return mine.goods.reduce((sum, count, good) => sum + count * view.prices[first + good], 0);
    }
    case "sell_goods":
      return option.sell_goods.count;
    case "build_card": {
      const { card, lot } = option.build_card;
      const covered = mine.lots[lot - 1];
      if (isPalace(card)) return isField(covered) ? 200 : isGround(covered) ? 202 : 201;
      return isField(card) && isGround(covered) ? 100 + Number(card.at(-1)) : -1;
    }
    case "put_under_deck":
      return isPalace(option.put_under_deck.card) ? -1 : 1;
    default:
      return 0;
  }
}

// Answers with the best option, written out; the first of several equals.
function choose(prompt, seat) {
  if (prompt.game.game !== "furstenfeld") return atRandom(prompt, seat);
  const { options, view } = prompt.game.furstenfeld;
  const best = options.reduce((best, option) => (worth(option, view) > worth(best, view) ? option : best));
  return { action: { furstenfeld: best } };
}

play(choose);
