"""Playing: the tournament runner, its pool of referees, the verifier, and live matches."""
