"""The chain of entries: posting, queries, audit; changed keys, or keys in another order, change every head."""
