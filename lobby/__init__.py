"""The arena's public messages, named apart from the package `arena`, whose service they describe."""
