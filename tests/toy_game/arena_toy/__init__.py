"""Toy: a small bidding game with hidden hands, simultaneous bids, chance and an interrupt."""
