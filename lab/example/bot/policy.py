"""What was learnt, as a policy: for `arena simulate`, and for the bot beside."""

from pathlib import Path
from typing import Any

from lab.example.network import Network

NETWORK = Network.load(Path(__file__).with_name("weights.npz"))


def choose(question: Any) -> int:
    """Return the option that the network rates best."""
    return NETWORK.best(question.game, question.seats, question.view, question.options)
