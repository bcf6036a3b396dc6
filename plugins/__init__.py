"""Packages of their own that join the arena; none of them is part of the default install."""
