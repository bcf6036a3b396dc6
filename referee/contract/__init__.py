"""The promises of the game contract as tests, shipped so that a game in its own repository can run them."""

import sys

if "pytest" in sys.modules:  # so that failed asserts show the compared values, as in any test file
    sys.modules["pytest"].register_assert_rewrite("referee.contract.promises")
