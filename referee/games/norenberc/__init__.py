"""Norenberc: simultaneous plans, guilds called in order, and favourites at the end of each round."""
