"""The store: one SQLite file, and the only room with SQL."""
