"""The rules of Fürstenfeld, clause by clause."""
