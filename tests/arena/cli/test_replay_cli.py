"""arena replay: records verified, told, exported, and refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from arena.store.database import open_to_read
from referee.record import read
from tests.arena.cli.test_cli import refused
from tests.arena.command_line import CommandLine
from tests.arena.web.filled_database import RUNNING, comment, filled_database
from tools.golden import GOLDENS

GOLDEN = {golden.slug: golden for golden in GOLDENS}
TOY = str(GOLDEN["toy"].record_file)
NORENBERC = str(GOLDEN["norenberc"].record_file)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return filled_database(tmp_path)


@pytest.fixture
def forged(tmp_path: Path) -> str:
    """A record in which one bid was raised."""
    lines = Path(TOY).read_text().splitlines()
    lines[3] = lines[3].replace('"card":', '"card":1', 1)
    file = tmp_path / "forged.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def test_verify_says_one_line_a_file(command_line: CommandLine) -> None:
    said = command_line("replay", "verify", TOY, NORENBERC)
    assert said.code == 0
    first, second = said.out.splitlines()
    assert first.startswith(f"verified {TOY}  toy, 2 seats, ")
    assert second.startswith(f"verified {NORENBERC}  norenberc, 2 seats, ")
    assert said.err == ""


def test_verify_refuses_a_changed_record_and_names_the_step(command_line: CommandLine, forged: str) -> None:
    said = command_line("replay", "verify", TOY, forged)
    assert said.code == 1
    assert said.out.splitlines()[1] == f"refused  {forged}  step 3: the seal does not match: this line was changed"
    data = command_line("replay", "verify", "--json", TOY, forged)
    assert data.code == 1
    assert [verdict["verdict"] for verdict in data.data] == ["verified", "refused"]
    assert data.data[0]["digest"] == read(Path(TOY).read_text()).result_digest


def test_a_byte_that_is_no_text_is_a_changed_record_and_not_an_accident(
    command_line: CommandLine, tmp_path: Path
) -> None:
    data = bytearray(Path(TOY).read_bytes())
    data[data.index(b'"step":2')] ^= 0x80
    (tmp_path / "odd.jsonl").write_bytes(data)
    said = command_line("replay", "verify", "odd.jsonl")
    assert said.code == 1
    assert "step 2" in said.out


def test_verify_goes_on_after_a_file_that_cannot_be_read(command_line: CommandLine, forged: str) -> None:
    said = command_line("replay", "verify", "nothing.jsonl", forged, TOY)
    assert said.code == 2
    assert [line.split()[0] for line in said.out.splitlines()] == ["refused", "verified"]
    assert said.err == "arena: nothing.jsonl: cannot be read: No such file or directory\n"


@pytest.mark.parametrize("verb", ["verify", "show", "export"])
def test_what_is_no_record_is_refused_with_one_line(verb: str, command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(bytes(range(256)))
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "other.jsonl").write_text('{"format": 1}\n{"result": {}}\n')
    for name, reason in (
        ("nothing.jsonl", "cannot be read: No such file"),
        ("folder.jsonl", "cannot be read: Is a directory"),
        ("picture.png", "is not a match record"),
        ("empty.jsonl", "is not a match record"),
        ("other.jsonl", "is not a match record"),
    ):
        assert f"{name}: {reason}" in refused(command_line, "replay", verb, name)
    assert "Missing argument" in refused(command_line, "replay", verb)
    assert "No such option" in refused(command_line, "replay", verb, TOY, "--loudly")


@pytest.mark.parametrize("verb", ["show", "export"])
def test_a_changed_record_is_neither_told_nor_exported(verb: str, command_line: CommandLine, forged: str) -> None:
    line = refused(command_line, "replay", verb, forged)
    assert f"{forged}: the record is refused: step 3: the seal does not match" in line


def test_show_refuses_seats_that_are_not_there(command_line: CommandLine) -> None:
    assert "--seat: 2 is not allowed; expected 0 to 1" in refused(command_line, "replay", "show", TOY, "--seat", "2")
    assert "-1 is not in the range" in refused(command_line, "replay", "show", TOY, "--seat", "-1")
    assert "'north' is not a valid integer" in refused(command_line, "replay", "show", TOY, "--seat", "north")
    assert "--open" in refused(command_line, "replay", "show", TOY, "--seat", "0", "--open")


def test_show_tells_the_story_to_a_spectator_a_seat_and_with_open_cards(command_line: CommandLine) -> None:
    spectator = command_line("replay", "show", TOY).out
    seat = command_line("replay", "show", TOY, "--seat", "1").out
    everything = command_line("replay", "show", TOY, "--open").out
    assert spectator.splitlines()[0] == "Toy, 2 seats, seed 1"
    for story in (spectator, seat, everything):
        assert "  1. with " in story
        assert "completed after" in story
    assert "draws a card" in spectator
    assert "seat 0 draws a card" in seat
    assert "seat 1 draws a card" not in seat
    assert "draws a card" not in everything
    assert "seat 0, BID (T3): bid" in spectator
    assert "seat 0, BID (T3): bid" not in seat, "a seat sees others' choices by what comes of them"
    assert "seat 1, BID (T3): bid" in seat
    assert seat == GOLDEN["toy"].story_file.read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", list(GOLDEN))
def test_show_as_data_holds_every_step_choice_and_event(slug: str, command_line: CommandLine) -> None:
    file = GOLDEN[slug].record_file
    record = read(file.read_text())
    data = command_line("replay", "show", str(file), "--json").data
    assert data["header"]["game"] == slug
    assert [step["step"] for step in data["steps"]] == [step.number for step in record.steps]
    for step, told in zip(record.steps, data["steps"], strict=True):
        assert [choice["seat"] for choice in told["choices"]] == [choice.seat for choice in step.choices]
        assert all(choice["text"] and choice["kind"] and choice["clause"] for choice in told["choices"])
    assert any(event["text"] for step in data["steps"] for event in step["events"])
    assert data["result"] == record.result


def test_export_writes_a_row_for_every_choice(command_line: CommandLine) -> None:
    records = [read(Path(file).read_text()) for file in (TOY, NORENBERC)]
    choices = [choice for record in records for step in record.steps for choice in step.choices]
    table = list(csv.DictReader(io.StringIO(command_line("replay", "export", TOY, NORENBERC, "--format", "csv").out)))
    lines = [json.loads(line) for line in command_line("replay", "export", TOY, NORENBERC).out.splitlines()]
    assert len(table) == len(lines) == len(choices)
    assert [int(row["seat"]) for row in table] == [row["seat"] for row in lines] == [choice.seat for choice in choices]
    assert [json.loads(row["action"]) for row in table] == [row["action"] for row in lines]
    assert {row["game"] for row in table} == {"toy", "norenberc"}
    assert list(table[0]) == list(lines[0])


def test_export_writes_files_and_leaves_none_behind_when_it_fails(
    command_line: CommandLine, tmp_path: Path, forged: str
) -> None:
    said = command_line("replay", "export", TOY, "--format", "csv", "--output", "toy.csv")
    assert (said.code, said.out, said.err) == (0, "", "")
    assert (tmp_path / "toy.csv").read_text() == command_line("replay", "export", TOY, "--format", "csv").out
    refused(command_line, "replay", "export", TOY, forged, "--output", "half.jsonl")
    assert not (tmp_path / "half.jsonl").exists()
    line = refused(command_line, "replay", "export", TOY, "--output", "no/such/folder/toy.csv")
    assert "--output: cannot write no/such/folder/toy.csv: No such file or directory" in line
    assert "'xml' is not one of" in refused(command_line, "replay", "export", TOY, "--format", "xml")


def test_comments_are_told_to_all_but_other_seats_and_exported_with_their_choice(
    command_line: CommandLine, database: Path, tmp_path: Path
) -> None:
    """The round of the first match is closed, that of the second is not."""
    store = open_to_read(database)
    ended, running = (next(match.id for match in store.matches.of(RUNNING) if match.round == at) for at in (1, 2))
    (tmp_path / "ended.jsonl").write_text(store.matches.record(ended))
    store.close()
    for file in ("ended.jsonl", ended):
        story = command_line("replay", "show", file, "--db", str(database)).out
        assert all(f"“{comment(seat)}”" in story for seat in range(4))
        as_seat = command_line("replay", "show", file, "--seat", "1", "--db", str(database)).out
        assert comment(1) in as_seat
        assert comment(0) not in as_seat
        rows = csv.DictReader(
            io.StringIO(command_line("replay", "export", file, "--format", "csv", "--db", str(database)).out)
        )
        assert {(row["seat"], row["comment"]) for row in rows} == {(str(seat), comment(seat)) for seat in range(4)}
    assert comment(2) in command_line("match", "logs", ended, "--db", str(database)).out
    for words in (["replay", "show", "--json"], ["replay", "show", "--open"], ["replay", "export"], ["match", "logs"]):
        said = command_line(*words, running, "--db", str(database))
        assert said.code == 0
        assert "I am seat" not in said.out, words
