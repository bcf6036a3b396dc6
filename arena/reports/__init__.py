"""One answer to each question that people ask of a database."""
