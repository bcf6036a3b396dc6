"""A search for every game that grows with its budget, for bots and for the look-ahead helper."""
