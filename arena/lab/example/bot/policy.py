"""What was learnt, as a policy: for `arena simulate`, and for the bot beside."""

from pathlib import Path
from typing import Any

from arena.lab.example.network import Network

NETWORK = Network.load(Path(__file__).with_name("weights.npz"))


def choose(question: Any) -> int:
    """Return an option by what the network makes of them."""
    return NETWORK.choose(question)
