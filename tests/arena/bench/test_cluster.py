"""The command line of the cluster benchmark."""

from __future__ import annotations

import sys

import pytest

from arena.bench import cluster


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--help"], 0, ", ".join(cluster.PARTS)),
        (["equal", "nothing"], 2, "'nothing' is unknown; expected some of: equal"),
    ],
)
def test_the_cluster_benchmark_explains_its_parts(
    words: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["cluster", *words])
    with pytest.raises(SystemExit) as ended:
        cluster.main()
    assert ended.value.code == code
    printed = capsys.readouterr()
    assert said in " ".join((printed.out + printed.err).split())
