"""One-file bots: `my_bot.py` or `my_bot.mjs` with one function, `choose(view, options)`, that returns an index.

    python -m referee.one_file my_bot.py     # plays on the address in ARENA_ADDRESS

The function may be a method of a class, of which one object plays all matches of a process; its `reset()`, if it has
one, is called before each. Both may take the `Question` as one more argument. In Python views and options are the
game's own values; in Node.js they are those of records, so that an option reads `{"sell_goods": {"count": 2}}`.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from referee.answering import answer_prompts, by_index, question_of, run
from referee.codec import ProtocolError
from referee.one_file.policies import OneFileError, load
from referee.policy import Policy
from referee.v1 import play_pb2 as pb


def index_of(policy: Policy, prompt: pb.Prompt, match: pb.MatchStarted) -> int:
    """Return the place of the option that the file chooses; a OneFileError says that it is none."""
    question = question_of(prompt, match)
    index = policy(question)
    if not 0 <= index < question.option_count:
        raise OneFileError(f"choose returned {index}; expected 0 to {question.option_count - 1}")
    return index


def main() -> None:
    """Play a file; a file that is no bot, its own error or a lost connection ends it, with the reason."""
    try:
        policy = load(Path(sys.argv[1]))
        run(answer_prompts(by_index(lambda prompt, match: index_of(policy, prompt, match))))
    except (OneFileError, ProtocolError) as error:
        sys.exit(str(error))
    except Exception:
        traceback.print_exc()
        sys.exit(1)


if __name__ == "__main__":
    main()
