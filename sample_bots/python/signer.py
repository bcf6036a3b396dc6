"""A bot that signs: the random one, for a server that was told its author's key, without `arena connect --key`."""

import base64
import os
import random
from hashlib import sha256
from pathlib import Path

from bot import Choose, at_random, main  # type: ignore[import-not-found]  # a bot runs in its own directory
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.v1 import play_pb2 as pb


def signing(choose: Choose, key: Ed25519PrivateKey) -> Choose:
    """Return a bot that chooses likewise and signs what it was shown and what it chose."""

    def answer(prompt: pb.Prompt, dice: random.Random) -> pb.Answer:
        chosen: pb.Answer = choose(prompt, dice)
        shown = sha256(prompt.game.SerializeToString(deterministic=True)).digest()
        statement = pb.ChoiceStatement(match_id=prompt.match_id, prompt_id=prompt.prompt_id, prompt_digest=shown)
        if chosen.WhichOneof("choice") == "option_index":
            statement.option_index = chosen.option_index
        else:
            statement.action.CopyFrom(chosen.action)
        chosen.signed_choice.statement = statement.SerializeToString()
        chosen.signed_choice.signature = key.sign(b"meistersinger choice\n" + chosen.signed_choice.statement)
        return chosen

    return answer


def read_key(file: Path) -> Ed25519PrivateKey:
    """Read a private key as `arena ledger key` writes it."""
    encoded = file.read_text().strip().split("+", 4)[4]
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(encoded)[1:])


if __name__ == "__main__":
    main(signing(at_random, read_key(Path(os.environ["ARENA_SIGNING_KEY"]))))
