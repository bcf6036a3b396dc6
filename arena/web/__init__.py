"""The web page: leaderboards, tournaments and replays, rendered on the server from a read-only database."""
