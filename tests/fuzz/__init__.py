"""Fuzzing: everything that strangers hand to the arena, mutated, at every place where it is read."""
