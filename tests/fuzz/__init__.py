"""Fuzzing: all untrusted input of the arena, mutated, at every place where it is read."""
