"""Benchmarks of the chess plug-in."""
