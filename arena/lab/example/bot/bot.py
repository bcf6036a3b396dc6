"""A trained policy on the wire: prompts become questions, answers go back by index."""

# A bot runs in its own directory, so this is the file beside this one.
from policy import choose  # type: ignore[import-not-found]

from referee.answering import answer_prompts, by_index, question_of, run
from referee.games import GAMES
from referee.v1 import play_pb2 as pb


def index_of(prompt: pb.Prompt, match: pb.MatchStarted) -> int:
    """Return the place of the option that the policy chooses; the first if the game is not installed here."""
    return int(choose(question_of(prompt, match))) if match.game in GAMES else 0


if __name__ == "__main__":
    run(answer_prompts(by_index(index_of), concurrency=16))
