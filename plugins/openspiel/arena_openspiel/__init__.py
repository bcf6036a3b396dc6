"""OpenSpiel's games in the arena as `spiel_<name>`, and the arena's games for OpenSpiel's algorithms."""
