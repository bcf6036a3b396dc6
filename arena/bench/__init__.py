"""What `arena bench` measures: decisions, clones, the wire, matches, pairing and ratings."""
