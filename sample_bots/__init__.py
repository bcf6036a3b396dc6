"""Starter bots, each a directory with a bot.toml that uses the published messages alone."""
