"""Points, the Elo ledger and fitted ratings; knows nothing of referees, tournaments or games."""
