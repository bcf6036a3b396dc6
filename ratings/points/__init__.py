"""What a match is worth: places, points and the running Elo, in exact integers; a change here changes every rating."""
