"""The version of this software, as the package, records, ledgers and workers name it.

It is defined only here, and pyproject.toml reads it: looking up the installed version takes 30 ms in every process.
"""

SOFTWARE = "0.1.0"
