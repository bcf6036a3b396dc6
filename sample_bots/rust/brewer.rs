//! A typed example: plays Fürstenfeld by reason, reading the view, and every other game at random.

use crate::messages::referee::games::furstenfeld::v1::{action::Kind, Action, Card, View};
use crate::messages::referee::v1::{answer::Choice, game_action, game_prompt, GameAction, Prompt};

fn is_field(card: i32) -> bool {
    (Card::FieldHops2 as i32..=Card::FieldWater4 as i32).contains(&card)
}

fn is_palace(card: i32) -> bool {
    (Card::Palace1 as i32..=Card::Palace6 as i32).contains(&card)
}

fn is_ground(card: i32) -> bool {
    card >= Card::PrintedHops as i32
}

/// How good an option looks: sell dear, sell all, build palace and fields on bare ground, keep the palace.
fn worth(option: &Action, view: &View) -> i32 {
    let mine = &view.estates[view.seat() as usize];
    match &option.kind {
        Some(Kind::ChooseBrewery(choice)) => {
            let prices = &view.prices[3 * (choice.brewery as usize - 1)..];
            mine.goods.iter().zip(prices).map(|(count, price)| count * price).sum()
        }
        Some(Kind::SellGoods(sale)) => sale.count,
        Some(Kind::BuildCard(plan)) => match (plan.card, mine.lots[plan.lot as usize - 1]) {
            (card, covered) if is_palace(card) && is_field(covered) => 200,
            (card, covered) if is_palace(card) && is_ground(covered) => 202,
            (card, _) if is_palace(card) => 201,
            (card, covered) if is_field(card) && is_ground(covered) => 100 + card,
            _ => -1,
        },
        Some(Kind::PutUnderDeck(choice)) if is_palace(choice.card) => -1,
        Some(Kind::PutUnderDeck(_)) => 1,
        _ => 0,
    }
}

/// Answers with the best option, written out; the first of several equals, where `max_by_key` would take the last.
pub fn choose(prompt: &Prompt, seat: i32) -> Choice {
    match prompt.game.as_ref().and_then(|part| part.game.as_ref()) {
        Some(game_prompt::Game::Furstenfeld(part)) => {
            let view = part.view.as_ref().expect("a prompt has a view");
            let best = part.options.iter().min_by_key(|option| -worth(option, view)).expect("a prompt has options");
            Choice::Action(GameAction { game: Some(game_action::Game::Furstenfeld(best.clone())) })
        }
        _ => crate::at_random(prompt, seat),
    }
}
