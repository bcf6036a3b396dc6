"""Tests of the chess plug-in."""
