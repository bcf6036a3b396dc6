"""The benchmarks of `arena bench`: decisions, clones, the wire, matches, pairing and ratings."""
