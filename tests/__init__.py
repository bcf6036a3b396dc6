"""All tests run with rows that refuse what does not fit; see `referee.rows`."""

import os

os.environ.setdefault("MEISTERSINGER_CHECKED", "1")
