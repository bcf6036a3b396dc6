"""The bot that a trained policy becomes: these files and its weights."""
