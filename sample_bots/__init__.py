"""Sample bots, each a directory with a bot.toml."""
