"""Benchmarks: what a decision, a playout, a clone, a pairing and a rating cost."""
