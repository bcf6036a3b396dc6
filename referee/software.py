"""The version of this software, as records, ledgers and workers name it.

It stands in pyproject.toml too, and a test holds the two together: asking what is installed takes 30 ms of a process.
"""

SOFTWARE = "0.1.0"
