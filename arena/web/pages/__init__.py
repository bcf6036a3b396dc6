"""Pages: for each, what its template needs, read from the database."""
