"""Bots that attack: each a program of its own, started beside player.py in a bot directory."""
