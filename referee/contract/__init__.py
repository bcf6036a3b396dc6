"""The promises of the game contract as tests, shipped so that a game in its own repository can run them."""

import sys

if "pytest" in sys.modules:  # a broken promise then shows what was compared, as the asserts of any test file do
    sys.modules["pytest"].register_assert_rewrite("referee.contract.promises")
