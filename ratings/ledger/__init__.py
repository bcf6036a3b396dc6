"""A changed body, key or canonical form here changes the hash of every later entry."""
