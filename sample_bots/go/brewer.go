// A typed example: plays Fürstenfeld by reason, reading the view, and every other game at random.
package main

import (
	"math/rand"

	furstenfeld "arena/referee/games/furstenfeld/v1"
	pb "arena/referee/v1"
)

func isField(card furstenfeld.Card) bool {
	return card >= furstenfeld.Card_CARD_FIELD_HOPS_2 && card <= furstenfeld.Card_CARD_FIELD_WATER_4
}

func isPalace(card furstenfeld.Card) bool {
	return card >= furstenfeld.Card_CARD_PALACE_1 && card <= furstenfeld.Card_CARD_PALACE_6
}

func isGround(card furstenfeld.Card) bool { return card >= furstenfeld.Card_CARD_PRINTED_HOPS }

// How good an option looks: sell dear, sell all, build palace and fields on bare ground, keep the palace.
func worth(option *furstenfeld.Action, view *furstenfeld.View) (sum int32) {
	mine := view.Estates[view.Seat]
	switch kind := option.Kind.(type) {
	case *furstenfeld.Action_ChooseBrewery:
		for good, count := range mine.Goods {
			sum += count * view.Prices[3*(kind.ChooseBrewery.Brewery-1)+int32(good)]
		}
		return sum
	case *furstenfeld.Action_SellGoods:
		return kind.SellGoods.Count
	case *furstenfeld.Action_BuildCard:
		card, covered := kind.BuildCard.Card, mine.Lots[kind.BuildCard.Lot-1]
		switch {
		case isPalace(card) && isField(covered):
			return 200
		case isPalace(card) && isGround(covered):
			return 202
		case isPalace(card):
			return 201
		case isField(card) && isGround(covered):
			return 100 + int32(card)
		}
		return -1
	case *furstenfeld.Action_PutUnderDeck:
		if isPalace(kind.PutUnderDeck.Card) {
			return -1
		}
		return 1
	}
	return 0
}

// Answers with the best option, written out; the first of several equals.
func asBrewer(prompt *pb.Prompt, dice *rand.Rand) *pb.Answer {
	game := prompt.Game.GetFurstenfeld()
	if game == nil {
		return atRandom(prompt, dice)
	}
	best := game.Options[0]
	for _, option := range game.Options {
		if worth(option, game.View) > worth(best, game.View) {
			best = option
		}
	}
	action := &pb.GameAction{Game: &pb.GameAction_Furstenfeld{Furstenfeld: best}}
	return &pb.Answer{Choice: &pb.Answer_Action{Action: action}}
}
