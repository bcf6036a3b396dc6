"""The version of this software, as the package, records, ledgers and workers name it.

It stands here alone, and pyproject.toml reads it: asking what is installed takes 30 ms of a process.
"""

SOFTWARE = "0.1.0"
