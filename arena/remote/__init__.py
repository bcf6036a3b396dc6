"""Talking to a server, or to a bot that runs elsewhere."""
