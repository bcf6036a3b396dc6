"""The plan of a tournament: its file, its entrants, the draw of every round, and the final order."""
