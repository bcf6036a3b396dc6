"""The bot of a trained policy: these files and its weights."""
