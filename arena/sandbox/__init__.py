"""The sandbox: what a hosted bot may access, and how a command is started in it."""
