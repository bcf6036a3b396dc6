"""Clients of a server, and forwarding for a bot that runs elsewhere."""
