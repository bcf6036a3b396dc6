"""arena tune --cluster: workers play what processes would have played."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bench.local_cluster import clean_folder, local_cluster
from arena.cli import arena

ROOT = Path(__file__).parents[3]
WORDS = (
    "tune", "norenberc", "--seats", "2", "--generations", "2", "--population", "4", "--opponent", "heuristic=2",
    "--opponent", "search:nodes=2=1", "--max-blocks", "20", "--seed", "4", "--quiet",
)  # fmt: skip


@pytest.mark.long
def test_a_cluster_finds_the_same_weights(tmp_path: Path) -> None:
    """Two real workers on loopback, each with processes of its own."""
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    CliRunner().invoke(arena, [*WORDS, "--out", str(here)], catch_exceptions=False, standalone_mode=False)
    with clean_folder() as scratch:
        environment = {"TMPDIR": str(scratch), "PYTHONPATH": str(ROOT)}
        with local_cluster(tmp_path, ("w1", "w2"), environment) as cluster:
            words = [*WORDS, "--cluster", str(cluster.file), "--out", str(there)]
            CliRunner().invoke(arena, words, catch_exceptions=False, standalone_mode=False)
    assert there.read_bytes() == here.read_bytes()
