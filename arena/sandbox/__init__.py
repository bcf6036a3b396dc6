"""The sandbox: what a hosted bot may touch, and how a command is put into it."""
