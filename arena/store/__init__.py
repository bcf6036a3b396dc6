"""The store: one SQLite file, and the only room that speaks SQL."""
