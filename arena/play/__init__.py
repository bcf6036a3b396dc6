"""Playing: the runner of tournaments, its pool of referees, the verifier, and matches that are watched live."""
