"""What programs that write bots are told: bounded, true, and enough to begin with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from arena.cli import arena
from arena.cli.agent_guide import MAX_CHARACTERS, agents_page, for_agents
from arena.cli.new_bot import write_bot
from referee.game import AnyGame
from referee.games import GAMES
from tests.journeys.commands import ROOT, run_arena

SHOWN = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg")


@pytest.mark.parametrize("slug", SHOWN)
def test_the_text_has_the_rules_the_values_and_the_workflow_and_an_end(slug: str) -> None:
    game: AnyGame = GAMES[slug]
    text = for_agents(slug)
    assert len(text) <= MAX_CHARACTERS
    state = game.new(game.preferred_seats, 1, game.options({}))
    assert f"{game.pending(state)[0].clause}**" in text or f"{game.pending(state)[0].clause} " in text
    for option in game.legal_actions(state, game.pending(state)[0].seat):
        assert f"{type(option).__name__}(" in text
    assert all(f"{name}: " in text for name in type(game.observe(state, 0)).__slots__)


def test_every_command_that_is_named_exists_with_its_options() -> None:
    context = click.Context(arena)
    for line in (*for_agents("norenberc").splitlines(), *agents_page("mine").splitlines()):
        found = re.match(r"    arena ([a-z-]+)(.*?)(?:  +#|$)", line)
        if found is None:
            continue
        verb = arena.get_command(context, found[1])
        assert verb is not None, line
        known = {option for parameter in verb.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", found[2])) <= known, line


def test_a_new_bot_has_a_page_for_agents(tmp_path: Path) -> None:
    write_bot("python", tmp_path / "mine")
    page = (tmp_path / "mine" / "AGENTS.md").read_text(encoding="utf-8")
    assert page.startswith("# mine: a bot of the arena\n")
    assert "arena evaluate . --game norenberc" in page
    assert "--one-file" not in page


def test_a_wrong_game_is_one_line() -> None:
    done = run_arena("docs", "--for", "agents", "ludo")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "ludo" in done.stderr


def test_a_bot_written_from_the_text_alone_gets_better_by_the_answers_of_evaluate(tmp_path: Path) -> None:
    """The first edit is the text's smallest bot, the second its heuristic; both are played for real."""
    told = run_arena("docs", "--for", "agents", "toy").stdout
    first, second = re.findall(r"(?:    from [^\n]+\n\n)?    def choose\(.*?\n(?=\n?\S)", told, re.DOTALL)
    bot, scores = tmp_path / "my_bot.py", []
    for source in (first, second):
        bot.write_text(re.sub(r"^    ", "", source, flags=re.MULTILINE))
        done = run_arena(
            "evaluate", str(bot), "--game", "toy", "--opponent", str(ROOT / "sample_bots/python"),
            "--budget", "8", "--seed", "8", "--judge", "0", "--json",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        scores.append(json.loads(done.stdout)["score"])
    assert scores[0] < scores[1]
