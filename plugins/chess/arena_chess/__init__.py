"""Chess for the arena: the rules, PGN, opening books, and a bot that drives any UCI engine."""
