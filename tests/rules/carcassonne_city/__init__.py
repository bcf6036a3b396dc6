"""The rules of Carcassonne: The City under test."""
