"""The trained policy, for `arena simulate` and for the bot beside it."""

from pathlib import Path
from typing import Any

from arena.lab.example.network import Network

NETWORK = Network.load(Path(__file__).with_name("weights.npz"))


def choose(question: Any) -> int:
    """Return an option by the network's ratings."""
    return NETWORK.choose(question)
