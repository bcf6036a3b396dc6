"""The tuned bot: it plays by each game's heuristic with weights that `arena tune` found."""
