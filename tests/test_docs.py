"""What the documentation says is so."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import tomllib
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from arena.bots.directory import KEYS as MANIFEST_KEYS
from arena.bots.directory import Manifest
from arena.cli import arena
from arena.plan.tournament_file import KEYS as TOURNAMENT_KEYS
from referee.games import BUILT_IN, GAMES
from referee.order import Ending, MatchOrder, SeatOrder, TimeControl
from referee.playout import random_chooser, step
from referee.record import Choice, How, Recorder
from referee.rng import seeded
from referee.wire import wire_for
from tests.documents import anchors, blocks, commands, links, pages, prose, rows
from tools.reference import FOLDER, PAGES, page
from tools.stubs import ROOT

DOCS = ROOT / "docs"
EVERY_PAGE = pages(with_rules=True)
OUR_PAGES = pages(with_rules=False)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_page = pytest.mark.parametrize("path", EVERY_PAGE, ids=name)
every_page_of_prose = pytest.mark.parametrize("path", OUR_PAGES, ids=name)


@pytest.mark.parametrize("generated", list(PAGES))
def test_the_generated_reference_is_fresh(generated: str) -> None:
    """A command, an option or a message that is not in the reference fails here: run make docs."""
    assert (FOLDER / f"{generated}.md").read_text(encoding="utf-8") == page(generated)


@every_page
def test_links_lead_somewhere(path: Path) -> None:
    broken = []
    for link in links(path):
        target, _, anchor = link.partition("#")
        file = (path.parent / target).resolve() if target else path
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(link)
    assert broken == []


def test_every_page_is_in_the_index() -> None:
    index = DOCS / "README.md"
    linked = {(DOCS / link).resolve() for link in links(index)}
    assert [name(path) for path in sorted(DOCS.rglob("*.md")) if path != index and path not in linked] == []


def test_every_game_has_its_rule_page() -> None:
    assert [slug for slug in BUILT_IN if not (DOCS / f"rules/{slug}.md").is_file()] == []


@every_page_of_prose
def test_one_sentence_per_line(path: Path) -> None:
    """Tables and list items may hold two short ones."""
    crowded = [
        line
        for line in prose(path).splitlines()
        if not line.startswith(("|", "- ", "#")) and re.search(r"[a-z`)][.!?] [A-Z]", line)
    ]
    assert crowded == []


@every_page_of_prose
def test_files_that_are_named_exist(path: Path) -> None:
    named = re.findall(r"`([\w.-]+/[\w./-]*\.(?:py|pyi|md|toml|proto))`", prose(path))
    for block in blocks(path):
        if block.language == "text":
            named += re.findall(r"^([\w.-]+/[\w./-]+)", block.code, re.MULTILINE)
    assert [file for file in named if not (ROOT / file).exists()] == []


def proofs() -> list[str]:
    """Return the commands in the last column of the table of attacks."""
    table = (DOCS / "explanation" / "threat_model.md").read_text(encoding="utf-8").partition("## Attacks, before")[2]
    cells = [line.split("|")[-2] for line in table.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return sorted({command for cell in cells for command in re.findall(r"`([^`]+)`", cell)})


@pytest.mark.parametrize("proof", [proof for proof in proofs() if proof.startswith(("pytest ", "python -m "))])
def test_every_attack_is_shown_by_tests_that_are_there(proof: str) -> None:
    """The files exist, and one of the words that choose tests stands in the name of one, or names its case."""
    words = shlex.split(proof)
    if words[0] == "python":
        module = ROOT / words[2].replace(".", "/")
        assert module.with_suffix(".py").is_file() or (module / "__main__.py").is_file()
        return
    chosen = words[words.index("-k") + 1].split(" or ") if "-k" in words else [""]
    places = [ROOT / word for word in words[1:] if word.startswith("tests")]
    files = [file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])]
    names = [found for file in files for found in re.findall(r'def (test_\w+)|"([\w-]+)"', file.read_text("utf-8"))]
    assert any(word in test or (word and word == case) for word in chosen for test, case in names if test or case)


def test_the_table_of_attacks_has_its_proofs() -> None:
    assert len(proofs()) > 50


QUOTING = [path for path in OUR_PAGES if any(block.source for block in blocks(path))]


@pytest.mark.parametrize("path", QUOTING, ids=name)
def test_quoted_code_is_the_code(path: Path) -> None:
    """A block that names its file stands in it, piece by piece where the block says `...`."""
    for block in blocks(path):
        if block.source is None:
            continue
        source, place = (ROOT / block.source).read_text(encoding="utf-8"), 0
        for piece in re.split(r"^\.\.\.\n", block.code, flags=re.MULTILINE):
            found = source.find(piece.strip("\n"), place)
            assert found >= 0, f"{block.source} does not have:\n{piece}"
            place = found + len(piece)


def test_the_toy_is_quoted_as_it_is() -> None:
    """The page that walks through it shows its rules, heuristic, messages, packaging and tests."""
    quoted = {block.source for block in blocks(DOCS / "howto/add_a_game.md") if block.source}
    shown = {"game.py", "heuristic.py", "toy.proto", "pyproject.toml", "contract_case.py"}
    assert {Path(source).name for source in quoted} == shown


def unknown_words(words: Sequence[str]) -> list[str]:
    """Return the verbs and options of a command line that the commands do not know."""
    command: click.Command = arena
    context = click.Context(arena, info_name="arena")
    rest = list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        verb = rest.pop(0)
        inner = command.get_command(context, verb)
        if inner is None:
            return [verb]
        command = inner
    known = {opt for param in command.get_params(context) for opt in (*param.opts, *param.secondary_opts)}
    return [word for word in rest if word.startswith("-") and word.partition("=")[0] not in known]


@every_page
def test_commands_that_are_shown_exist(path: Path) -> None:
    lines = [line.strip() for line in commands(path) if line.strip().startswith("arena ")]
    wrong = {line: bad for line in lines if (bad := unknown_words(shlex.split(line, comments=True)[1:]))}
    assert wrong == {}


@pytest.mark.parametrize("line", ["play toy --colour red", "replay tell x.jsonl", "dance"])
def test_commands_that_do_not_exist_are_found(line: str) -> None:
    assert unknown_words(line.split())


def defaults(kind: type) -> dict[str, str]:
    def shown(field: dataclasses.Field[object]) -> str:
        if field.default is dataclasses.MISSING:
            return "required"
        return json.dumps(field.default)

    return {field.name: shown(field) for field in dataclasses.fields(kind)}


def test_every_key_of_the_time_control_is_described_with_its_default() -> None:
    described = {cells[0]: cells[1] for cells in rows(FOLDER / "time_control.md", "Key")}
    assert described == defaults(TimeControl)


def test_every_ending_is_described() -> None:
    assert [cells[0] for cells in rows(FOLDER / "time_control.md", "Ending")] == list(Ending)


def test_every_key_of_the_manifest_is_described_with_its_default() -> None:
    described = {cells[0]: cells[2] for cells in rows(FOLDER / "bot_manifest.md", "Key")}
    assert described == defaults(Manifest)
    assert sorted(described) == sorted(MANIFEST_KEYS)


def test_every_key_of_the_tournament_file_is_described() -> None:
    assert [cells[0] for cells in rows(FOLDER / "tournament_file.md", "Key")] == list(TOURNAMENT_KEYS)


def test_tournament_files_that_are_shown_have_keys_that_exist() -> None:
    shown = [
        tomllib.loads(block.code) for block in blocks(DOCS / "howto/run_a_tournament.md") if block.language == "toml"
    ]
    assert len(shown) > 1
    for plain in shown:
        assert [key for key in plain if key not in TOURNAMENT_KEYS] == []
        TimeControl.from_plain(plain.get("time_control", {}))


def test_every_way_of_choosing_is_described() -> None:
    assert [cells[0] for cells in rows(FOLDER / "record_format.md", "How")] == list(How)


def test_every_key_of_a_record_is_described() -> None:
    """Header, step and result of a real record have the described keys in the described order."""
    game = GAMES["toy"]
    options = game.options({})
    seats = (SeatOrder("a@1", "t", "1a", "ann+1a2b3c4d+AQ=="), SeatOrder("b@1", "u", "1b"))
    order = MatchOrder("m", "toy", {}, seats, 7, terms="2c")
    state = game.new(2, order.seed, options)
    recorder = Recorder(order, game, options, game.digest(state), wire_for(game).action_json)
    choices, _events = step(game, state, random_chooser(seeded(1)))
    recorder.add([Choice(seat, action, How.ANSWERED) for seat, action in choices.items()], game.digest(state))
    keys = ("ending", "reason", "ranks", "scores", "seat_endings", "forfeited_at")
    header, line, last = map(json.loads, recorder.finish(dict.fromkeys(keys)).splitlines())
    tables = [cells[0] for cells in rows(FOLDER / "record_format.md", "Key")]
    assert tables == [*header, *line, *last["result"]]
    assert re.findall(r"`(\w+)`", prose(FOLDER / "record_format.md").partition("last line has the keys")[2])[:4] == [
        *last
    ]
    assert re.findall(r"each with `(\w+)`, `(\w+)` and `(\w+)`", prose(FOLDER / "record_format.md")) == [
        tuple(line["choices"][0])
    ]
