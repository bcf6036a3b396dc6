"""Labels of bot versions: read and written in one place."""

from __future__ import annotations

from arena.bots.label import Label, name_of


def test_a_label_reads_back_what_it_says() -> None:
    label = Label.of("greedy", "0123456789abcdef")
    assert str(label) == "greedy@0123456789ab"
    assert Label.parse(str(label)) == label
    assert name_of(str(label)) == "greedy"


def test_a_bare_name_is_a_label_without_a_version() -> None:
    assert Label.parse("greedy") == Label("greedy", "")


def test_a_version_is_meant_by_its_name_and_by_its_label_only() -> None:
    label = Label("greedy", "0123456789ab")
    assert [label.is_meant_by(wanted) for wanted in ("greedy", str(label), "0123456789ab", "gree")] == [
        True, True, False, False,
    ]  # fmt: skip
