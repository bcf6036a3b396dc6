"""The tuned bot: as greedy where nothing is tuned, else by the weights of the table size, also those of a file."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from arena.bots.opponents import opponent
from arena.bots.policies import find_policy, load_policy
from referee.games import BUILT_IN, GAMES
from referee.heuristic import values_of, with_weights
from referee.mistakes import UserError
from referee.policy import Question, greedily, play_match
from referee.rng import Rng
from sample_bots.tuned import choosing
from sample_bots.tuned.choosing import chooser

ROOT = Path(__file__).parents[2]
WEIGHTS: dict[str, Any] = {"seats": {"2": {"weights": {"taler": 0.8, "guild": 3.0}}, "3": {"weights": {}}}}


def written(folder: Path, content: dict[str, Any]) -> Path:
    file = folder / "weights.json"
    file.write_text(json.dumps(content))
    return file


@pytest.mark.parametrize("slug", BUILT_IN)
def test_tuned_plays_by_the_tuned_heuristic_of_its_table_size(slug: str) -> None:
    game, choose = GAMES[slug], chooser([])
    for seats in game.table_sizes:
        heuristic = game.tuned_heuristic(seats)
        assert heuristic is not None
        rate, asked = heuristic.rate_trading or heuristic.rate, 0

        def answer(question: Question, rate: Any = rate) -> int:
            nonlocal asked
            asked += 1
            ratings = rate(question.imagine(Rng(0)), question.seat, question.options)
            index = choose(question)
            assert index == ratings.index(max(ratings))
            return index

        play_match(game, [answer, *[greedily] * (seats - 1)], seats, game.options({}), "match")
        assert asked


def test_weights_of_a_file_are_played_at_the_table_sizes_that_it_names(tmp_path: Path) -> None:
    game = GAMES["norenberc"]
    policy = load_policy(find_policy(f"tuned:weights={written(tmp_path, {'game': 'norenberc', **WEIGHTS})}"))
    known = game.heuristic()
    assert known is not None
    other = with_weights(known, WEIGHTS["seats"]["2"]["weights"])
    for seats, heuristic, differs in ((2, other, True), (3, known, False), (4, known, False)):
        moves: list[tuple[int, int]] = []

        def answer(question: Question, heuristic: Any = heuristic, moves: Any = moves) -> int:
            ratings = heuristic.rate(question.imagine(Rng(0)), question.seat, question.options)
            assert policy(question) == ratings.index(max(ratings))
            moves.append((policy(question), greedily(question)))
            return policy(question)

        for seed in range(3):
            play_match(game, [answer] * seats, seed, game.options({}), "match")
        assert any(ours != theirs for ours, theirs in moves) is differs


@pytest.mark.parametrize("slug", BUILT_IN)
def test_slips_are_those_of_the_noisy_bot(slug: str) -> None:
    """Where all decisions are slips it plays as noisy does, with some it differs, and with none it is tuned."""
    game = GAMES[slug]

    def played(*bot: str) -> str:
        return play_match(game, [opponent(*bot)] * 3, 7, game.options({}), "m").digest

    assert played("tuned", "--noise", "100") == played("noisy", "--noise", "100")
    assert played("tuned", "--noise", "20") not in (played("tuned"), played("noisy", "--noise", "20"))
    assert played("tuned", "--noise", "0") == played("tuned")


@pytest.mark.parametrize(("noise", "said"), [("101", "0 to 100"), ("-1", "0 to 100"), ("x", "invalid")])
def test_a_wrong_noise_is_refused(noise: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        chooser(["--noise", noise])
    assert error.value.code == 2
    assert said in capsys.readouterr().err


def test_policies_with_other_weights_have_other_labels(tmp_path: Path) -> None:
    file = written(tmp_path, {"game": "norenberc", **WEIGHTS})
    one = find_policy(f"tuned:weights={file}").label
    file.write_text(file.read_text().replace("0.8", "0.7"))
    assert len({one, find_policy(f"tuned:weights={file}").label, find_policy("tuned").label}) == 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"game": "norenberc"}, "not a file of weights"),
        ({"game": "checkers", **WEIGHTS}, "the weights are of game 'checkers'; expected one that is installed"),
        ({"game": "nuremberg", **WEIGHTS}, "taler is not one of the weights"),
        ({"game": "norenberc", "seats": {"2": {"weights": {"taler": 99}}}}, "taler is 99; expected a number from 0.03"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_before_anything_is_played(
    tmp_path: Path, content: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        load_policy(find_policy(f"tuned:weights={written(tmp_path, content)}"))


def test_a_missing_file_of_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"none\.json: No such file or directory; expected a file of weights"):
        find_policy(f"tuned:weights={tmp_path / 'none.json'}")


def test_changed_weights_make_a_new_version_of_the_bot_that_plays_by_them() -> None:
    """A version is the hash of the bot's files, and the weights lie outside: the bot carries a number for them."""
    files = [ROOT / "referee" / "games" / slug / "tuned.json" for slug in BUILT_IN]
    found = blake2b(b"".join(file.read_bytes() for file in files), digest_size=8).hexdigest()
    assert (choosing.WEIGHTS, found) == (4, "369ebcc55b7087bd"), "note the new hash, and raise the number"


@pytest.mark.parametrize("slug", BUILT_IN)
def test_shipped_weights_say_what_made_them_and_were_found_better(slug: str) -> None:
    file = ROOT / "referee" / "games" / slug / "tuned.json"
    said = json.loads(file.read_text(encoding="utf-8"))
    assert said["game"] == slug
    assert said["command"].startswith(f"arena tune {slug} --seats ")
    assert f"--seed {said['terms']['seed']}" in said["command"]
    assert said["seats"]
    assert {entry["verdict"] for entry in said["seats"].values()} <= {"better", "kept"}
    heuristic = GAMES[slug].heuristic()
    assert heuristic is not None
    assert {name: tuple(weight) for name, weight in said["terms"]["constants"].items()} == heuristic.weights
    for seats, entry in said["seats"].items():
        found = GAMES[slug].tuned_heuristic(int(seats))
        assert found is not None
        assert values_of(found) == entry["weights"]
