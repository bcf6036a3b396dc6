"""Pages: for each, the context of its template, read from the database."""
