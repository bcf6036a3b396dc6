"""Bots on disk and as processes: manifest, directory, archive, build."""
