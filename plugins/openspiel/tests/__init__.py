"""Tests of the plug-in for OpenSpiel."""
