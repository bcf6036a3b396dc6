"""The tournaments behind docs/explanation/baselines.md: their files are read, and their bots are the ones told of."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from arena.plan.entries import local_plan

ROOT = Path(__file__).parents[2]
TOURNAMENTS = Path("docs/explanation/tournaments")


def test_every_tournament_of_the_baselines_can_be_run_and_is_told_of(tmp_path: Path) -> None:
    """The bot with a budget of time is built as the page says, and is the search bot but for its command."""
    for folder in (TOURNAMENTS, *(Path("sample_bots") / bot for bot in ("greedy", "python", "search"))):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("build", "__pycache__"))
    timed, search = tmp_path / TOURNAMENTS / "search_200ms", tmp_path / "sample_bots" / "search"
    subprocess.run(["sh", timed / "build.sh"], check=True)
    built = {file.name: file.read_bytes() for file in (timed / "build").iterdir()}
    assert built == {file.name: file.read_bytes() for file in search.glob("*.py")}

    plans = {file.name: local_plan(file, None) for file in sorted((tmp_path / TOURNAMENTS).glob("*.toml"))}
    assert len(plans) == 12
    page = (ROOT / "docs/explanation/baselines.md").read_text(encoding="utf-8")
    commands: dict[str, tuple[str, ...]] = {}
    for file, plan in plans.items():
        (game,) = plan.settings.games
        assert f"{TOURNAMENTS}/{file.replace(game.slug, '$game')}" in page
        assert plan.settings.seed == 1494
        commands |= {Path(bot.location).name: bot.manifest.command for bot in plan.bots}
    assert commands["search_200ms"] == ("python3", "build/bot.py", "--ms", "200")
    assert commands["search"] == ("python3", "bot.py", "--nodes", "32")
