"""Verdicts and claims are exact: floats only take short cuts where they cannot be wrong, so a changed integer here
changes VERDICT and CLAIM entries.
"""
