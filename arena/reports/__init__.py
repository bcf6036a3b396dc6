"""Reports: one answer to each question about a database."""
