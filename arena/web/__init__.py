"""The web page: leaderboards, tournaments and replays, drawn on the server from a database that is only read."""
