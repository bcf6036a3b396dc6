"""A third-party game as its author would ship it, installed beside the arena for the tests."""
