"""The arena: tournaments, processes, the database and the command line."""
