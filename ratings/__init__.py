"""Points, the Elo ledger and fitted ratings; independent of referees, tournaments and games."""
