"""The templates of arena new-bot --one-file."""
