"""The noisy bot: greedy but for its slips, the weaker the more of them, and the same again in every process."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from arena.bots.opponents import opponent
from referee.games import BUILT_IN, GAMES
from referee.policy import Policy, play_match
from sample_bots.noisy.policy import policy
from sample_bots.noisy.slips import slip

BOTS = Path(__file__).parents[2] / "sample_bots"


@pytest.mark.parametrize("slug", BUILT_IN)
def test_without_noise_it_plays_like_greedy(slug: str) -> None:
    def played(made: Policy) -> str:
        return play_match(GAMES[slug], [made] * 3, 7, GAMES[slug].options({}), "m").digest

    assert played(opponent("noisy", "--noise", "0")) == played(opponent("greedy"))
    assert played(opponent("noisy", "--noise", "30")) != played(opponent("greedy"))


@pytest.mark.parametrize("noise", [0, 5, 40, 100])
def test_it_slips_in_its_share_of_decisions_to_every_option_alike(noise: int) -> None:
    slips = [slip("match", seat, prompt, 4, noise) for seat in range(4) for prompt in range(2_500)]
    found = Counter(slips)
    expected = 10_000 * noise / 400
    assert all(abs(found[option] - expected) <= 5 * expected**0.5 for option in range(4))
    assert found.total() == 10_000
    assert set(found) <= {None, 0, 1, 2, 3}


def test_more_noise_loses_to_less() -> None:
    """Every block has both in every seat; each level of noise loses clearly to half of it."""
    game = GAMES["norenberc"]
    for more, less in (("80", "40"), ("40", "20")):
        policies = [policy(["--noise", more]), policy(["--noise", less])]
        wins = 0
        for number in range(120):
            shift = number % 2
            seated = [policies[shift], policies[1 - shift]]
            ranks = play_match(game, seated, number, game.options({}), f"match-{number}").outcome.ranks
            wins += ranks[1 - shift] < ranks[shift]
        assert wins > 72, (more, less, wins)


def test_slips_are_the_same_in_every_process() -> None:
    code = "from sample_bots.noisy.slips import slip; print([slip('m', 1, n, 9, 50) for n in range(40)])"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, cwd=BOTS.parent, check=True, capture_output=True
        ).stdout
        for seed in ("0", "1")
    }
    assert outputs == {f"{[slip('m', 1, n, 9, 50) for n in range(40)]}\n".encode()}


@pytest.mark.parametrize(
    ("arguments", "said"), [([], "--noise"), (["--noise", "101"], "0 to 100"), (["--noise", "x"], "invalid")]
)
def test_a_wrong_noise_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        policy(arguments)
    assert error.value.code == 2
    assert said in capsys.readouterr().err


def test_it_carries_the_client_and_the_choice_of_greedy() -> None:
    """A bot directory is whole, but for the installed packages."""
    for name in ("client.py", "choosing.py"):
        assert (BOTS / "noisy" / name).read_bytes() == (BOTS / "greedy" / name).read_bytes()
