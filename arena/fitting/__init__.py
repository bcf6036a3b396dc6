"""The fitted ratings of pools: fitted, entered in the ledger, kept for readers, and audited."""
