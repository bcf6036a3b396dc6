"""arena ledger reproduce: an honest tournament comes out again; a forged one, which verifies, does not."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.bots.archive import pack
from arena.bots.directory import Bot, content_version, read_bot, remote_bot
from arena.cli.signing import signed_statement
from arena.cli.watching import Silent
from arena.plan.tournament_file import beside, parse_plan
from arena.play.local_pool import start_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import RunningBot
from arena.play.reproducing import Hindered, Hindrance, _outcome, compare_records, draw_sample, drawn_ids
from arena.play.runner import Runner
from arena.sandbox.levels import Level
from arena.store.database import open_store, open_to_read
from arena.store.heads import heads_file
from arena.store.local_time import local_now
from ratings.ledger.chain import canonical_json, entry_hash
from referee.keys import Signer, make_signer
from referee.order import Ending, MatchResult
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import ROOT, small_database
from tests.kept_folder import kept_folder

BOTS = ("ann", "bob", "cat")
CHEAT = "bob"
"""Behind whose hash another program plays."""


def written_bot(
    folder: Path, name: str, *, is_declared: bool = True, at: str = "randrange(prompt.option_count)"
) -> Path:
    """Write a copy of the random bot under a name, with files and a hash of its own."""
    shutil.copytree(ROOT / "sample_bots" / "python", folder, ignore=shutil.ignore_patterns("__pycache__", "README.md"))
    declared = "deterministic = true\n" if is_declared else ""
    (folder / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "bot.py"]\nconcurrency = 64\n{declared}')
    program = (folder / "bot.py").read_text()
    assert "randrange(prompt.option_count)" in program
    (folder / "bot.py").write_text(program.replace("randrange(prompt.option_count)", at))
    return folder


def played(
    folder: Path,
    *,
    forges: bool,
    remote: Sequence[str] = (),
    signer: Signer | None = None,
    asks_key: bool = True,
    hashed: str = "randrange(prompt.option_count)",
) -> Path:
    """Play a tournament with the arena's own runner; a forger starts another program behind a hash.

    Remote bots run here as well, where their author has them; with a key they sign their own answers, unless an
    organiser who plays for them does not ask for it.
    """
    for name in BOTS:
        written_bot(folder / "bots" / name, name, at=hashed if name == CHEAT else "randrange(prompt.option_count)")
    strong = read_bot(written_bot(folder / "other" / CHEAT, CHEAT, at="randrange((prompt.option_count + 1) // 2)"))
    signed_by = "" if signer is None else str(signer.public_key)
    if signer is not None and asks_key:
        for name in remote:
            let_sign(folder / "bots" / name, signer)
    elsewhere = {name: read_bot(folder / "bots" / name) for name in remote}

    async def start(bot: Bot, address: str, ticket: str, level: Level) -> RunningBot:
        is_forged = forges and bot.manifest.name == CHEAT
        program = elsewhere.get(bot.manifest.name, bot)
        return await start_here(strong if is_forged else program, address, ticket, level)

    def find(key: str, name: str) -> Sequence[Bot]:
        if Path(name).name not in remote:
            return beside(folder)(key, name)
        bot = remote_bot(Path(name).name, (), 1, signed_by)
        return (bot if asks_key else replace(bot, public_key=""),)

    plain = {
        "name": "cup", "game": "toy", "seed": 7, "rounds": 1, "seats": 3, "options": {},
        "bots": [f"bots/{name}" for name in BOTS], "time_control": {"join_ms": 60_000},
    }  # fmt: skip
    database = folder / "arena.db"
    store = open_store(database, create=True)
    runner = Runner(parse_plan(plain, find), store, Silent(), local_now, start_bot=start)
    runner.enter()
    trio.run(runner.run)
    store.close()
    return database


def let_sign(folder: Path, signer: Signer) -> None:
    """Let a bot sign its answers with its author's key."""
    program = folder / "bot.py"
    text = program.read_text()
    assert "answers.append(" in text
    imports = (
        "from referee.keys import Signer\nfrom referee.signed_choice import prompt_digest, sign_choice\n"
        f"AUTHOR = Signer({signer.name!r}, {signer.seed!r})\n"
    )
    signs = "sign_choice(answer, prompt_digest(prompt.game), AUTHOR)\n" + " " * 20
    program.write_text(
        text.replace("answers.append(", f"{signs}answers.append(").replace("Choose = ", f"{imports}Choose = ", 1)
    )


@cache
def _kept(*, forges: bool) -> Path:
    return played(kept_folder("arena-forged" if forges else "arena-honest"), forges=forges)


def database_of(folder: Path, *, forges: bool) -> Path:
    """Return a copy of a database with its bots, in a folder of its own."""
    kept = _kept(forges=forges)
    database = Path(shutil.copy(kept, folder / "arena.db"))
    shutil.copy(heads_file(kept), heads_file(database))
    return database


def entered(database: Path) -> list[dict[str, Any]]:
    store = open_to_read(database)
    found = [json.loads(payload) for _seq, payload in store.evidence.entered()]
    store.close()
    return found


def forge(database: Path, key: str, change: dict[str, Any]) -> None:
    """Change an entry and reseal the chain, as somebody would who knows the format."""
    with sqlite3.connect(database, isolation_level=None) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        prev = bytes(32)
        rows = connection.execute("SELECT seq, key, payload FROM entry ORDER BY seq").fetchall()
        for seq, its_key, payload in rows:
            text = canonical_json(json.loads(payload) | change) if its_key == key else payload
            sealed = entry_hash(prev, text)
            values = (text, prev, sealed, seq)
            connection.execute("UPDATE entry SET payload = ?, prev = ?, hash = ? WHERE seq = ?", values)
            prev = sealed
    connection.close()


def test_T22_3_an_honest_tournament_comes_out_again_to_the_last_choice(
    command_line: CommandLine, tmp_path: Path
) -> None:
    database = database_of(tmp_path, forges=False)
    matches = entered(database)
    told = command_line("ledger", "reproduce", "arena.db", "--sample", "100%", "--seed", "5", "--json")
    assert (told.code, told.err) == (0, "")
    data = told.data
    assert (data["reproduced"], data["differences"], data["not_reproducible"]) == (len(matches), [], {})
    assert data["sample"] == [body["match"] for body in matches]
    head = command_line("ledger", "verify", "--json").data["head"]
    assert (data["head"], data["matches_entered"], data["sample_seed"]) == (head, len(matches), 5)


def test_T22_3_matches_of_a_test_are_played_again_with_the_settings_of_its_entry(
    command_line: CommandLine, tmp_path: Path
) -> None:
    new, old = (str(written_bot(tmp_path / name, name)) for name in ("new", "old"))
    tested = command_line("test", new, "--against", old, "--game", "toy", "--max-blocks", "2", "--seats", "2")
    assert tested.code == 3, "inconclusive after so few blocks"
    told = command_line("ledger", "reproduce", "--sample", "100%", "--json")
    assert (told.code, told.data["reproduced"], told.data["not_reproducible"]) == (0, 4, {})


def test_T22_4_a_tournament_that_never_was_verifies_and_is_exposed(command_line: CommandLine, tmp_path: Path) -> None:
    """The arena's own runner played it with another program behind the hash of one bot."""
    database = database_of(tmp_path, forges=True)
    verified = command_line("ledger", "verify", "--replay")
    assert verified.code == 0
    assert "no faults" in verified.out, "replay proves that the rules were kept, not who chose"
    told = command_line("ledger", "reproduce", "--sample", "100%", "--json")
    assert told.code == 1
    found = told.data["differences"]
    assert len(found) > len(entered(database)) // 2
    assert {each["bot"].partition("@")[0] for each in found} == {CHEAT}, "the one whose program it was not"
    seatings = {body["match"]: body["seating"] for body in entered(database)}
    for each in found:
        assert each["step"] >= 1
        assert seatings[each["match"]][each["seat"]] == each["bot"]
    one = command_line("ledger", "reproduce", "--match", found[0]["match"][:16])
    assert one.code == 1
    where = f"step {found[0]['step']}, seat {found[0]['seat']}, {found[0]['bot']}: the record has "
    assert f"match {found[0]['match']} differs: {where}" in one.out
    assert "1 of 3 matches:\n  reproduced        0\n  different         1\n" in one.out


def test_T22_3_settings_that_were_changed_in_the_ledger_differ_from_the_record(
    command_line: CommandLine, tmp_path: Path
) -> None:
    database = database_of(tmp_path, forges=False)
    store = open_to_read(database)
    entry = store.evidence.entry("tournament:cup")
    store.close()
    assert entry is not None
    settings = entry.body["settings"]
    changed = settings | {"time_control": settings["time_control"] | {"bank_ms": 59_000}}
    forge(database, "tournament:cup", {"settings": changed})
    told = command_line("ledger", "reproduce", "--match", entered(database)[0]["match"])
    assert told.code == 1
    assert "differs: the record says time_control {" in told.out


def test_T22_4_bots_are_found_by_the_hash_of_their_files_wherever_they_are(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = database_of(tmp_path, forges=False)
    kept = _kept(forges=False).parent / "bots"
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE bot_version SET path = '/gone/' || name")
    connection.close()
    match = entered(database)[0]
    missing = command_line("ledger", "reproduce", "--match", match["match"])
    assert missing.code == 0, "nothing differs"
    assert f"was not reproduced: {Hindrance.MISSING} ({match['seating'][0]}, {match['bot_hashes'][0]})" in missing.out
    assert f"not reproducible  1\n    {Hindrance.MISSING}: 1\n" in missing.out
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE bot_version SET path = ?", (str(kept),))
    connection.close()
    above = command_line("ledger", "reproduce", "--match", match["match"])
    assert f"{Hindrance.MISSING}: 1\n" in above.out, "a database from elsewhere has no folder of ours searched"
    shelf = tmp_path / "shelf" / "deep"
    shelf.mkdir(parents=True)
    shutil.copytree(kept / "ann", shelf / "anything")
    (shelf / "bob.tar.gz").write_bytes(pack(kept / "bob"))
    (shelf / "no-bot.zip").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "cat.tgz").write_bytes(pack(kept / "cat"))
    found = command_line(
        "ledger", "reproduce", "--match", match["match"], "--bots", "shelf", "--bots", "cat.tgz", "--json"
    )
    assert (found.code, found.data["reproduced"]) == (0, 1)


@pytest.mark.parametrize("why", [Hindrance.UNUSABLE, Hindrance.TIMED, Hindrance.RULES])
def test_T22_4_what_cannot_be_reproduced_is_counted_by_its_reason(
    command_line: CommandLine, tmp_path: Path, why: Hindrance
) -> None:
    database = database_of(tmp_path, forges=False)
    match = entered(database)[0]
    if why is Hindrance.RULES:
        forge(database, f"match:{match['match']}", {"pool": "toy:99"})
    with sqlite3.connect(database) as connection:
        if why is Hindrance.UNUSABLE:
            linked = tmp_path / "linked"
            shutil.copytree(_kept(forges=False).parent / "bots" / "cat", linked)
            (linked / "brewer.py").rename(tmp_path / "brewer.py")
            (linked / "brewer.py").symlink_to(tmp_path / "brewer.py")
            connection.execute("UPDATE bot_version SET path = ? WHERE name = 'cat'", (str(linked),))
        elif why is Hindrance.TIMED:
            (packed,) = connection.execute("SELECT content FROM record WHERE match = ?", (match["match"],)).fetchone()
            late = zlib.decompress(packed).replace(b'"how":"answered"', b'"how":"late"', 1)
            values = (zlib.compress(late), match["match"])
            connection.execute("UPDATE record SET content = ? WHERE match = ?", values)
    connection.close()
    told = command_line("ledger", "reproduce", "--match", match["match"])
    assert told.code == 0
    assert f"match {match['match']} was not reproduced: {why}" in told.out
    assert f"  reproduced        0\n  different         0\n  not reproducible  1\n    {why}: 1\n" in told.out


@pytest.mark.parametrize("is_signed", [False, True])
def test_T22_4_beside_a_remote_bot_the_others_are_asked_again(
    command_line: CommandLine, tmp_path: Path, is_signed: bool
) -> None:
    """A stand-in repeats what the record says of the remote bot, with its signatures."""
    signer = make_signer("cat.example") if is_signed else None
    played(tmp_path, forges=False, remote=("cat",), signer=signer)
    assert command_line("ledger", "verify", "--replay").code == 0
    told = command_line("ledger", "reproduce", "--sample", "100%", "--json")
    why = Hindrance.SIGNED if is_signed else Hindrance.REMOTE
    assert (told.code, told.data["differences"], told.data["not_reproducible"]) == (0, [], {why.value: 3})


def test_T22_4_nobody_hides_a_forged_program_behind_a_remote_opponent(
    command_line: CommandLine, tmp_path: Path
) -> None:
    played(tmp_path, forges=True, remote=("cat",))
    assert command_line("ledger", "verify", "--replay").code == 0
    told = command_line("ledger", "reproduce", "--sample", "100%", "--json")
    assert told.code == 1
    assert {each["bot"].partition("@")[0] for each in told.data["differences"]} == {CHEAT}


@pytest.mark.parametrize(
    ("hashed", "is_difference"),
    [("randrange(0)", False), ("choice(range(prompt.option_count)) if prompt.prompt_id < 3 else -1", True)],
)
def test_T22_4_a_hashed_program_that_forfeits_is_not_called_slow(
    command_line: CommandLine, tmp_path: Path, hashed: str, is_difference: bool
) -> None:
    """It crashes, which may be the fault of this machine, or its answers are illegal, which is nobody else's."""
    played(tmp_path, forges=True, hashed=hashed)
    told = command_line("ledger", "reproduce", "--sample", "100%", "--json").data
    assert told["reproduced"] == 0
    assert set(told["not_reproducible"]) <= {Hindrance.CRASHED.value}
    named = told["differences"] if is_difference else told["hindered"]
    assert len(named) == 3
    assert all(CHEAT in (each["bot"] if is_difference else each["detail"]) for each in named)


def test_T22_9_nobody_plays_unsigned_for_a_bot_that_was_entered_with_a_key(
    command_line: CommandLine, tmp_path: Path
) -> None:
    """The organiser lets another program play under the label of a bot with a key, and asks for no signatures."""
    signer = make_signer("cat.example")
    database = played(tmp_path, forges=False, remote=("cat",), signer=signer, asks_key=False)
    with sqlite3.connect(database) as connection:
        connection.execute(
            "UPDATE bot_version SET manifest = json_set(manifest, '$.public_key', ?) WHERE name = 'cat'",
            (str(signer.public_key),),
        )
    connection.close()
    assert command_line("ledger", "verify").code == 0, "entries and rows agree"
    told = command_line("ledger", "verify", "--replay")
    assert (told.code, "the record says keys ['', '', ''], but the entry says" in told.out) == (1, True)
    again = command_line("ledger", "reproduce", "--sample", "100%")
    assert (again.code, again.out.count("differs: its record names the keys ['', '', ''], its bots")) == (1, 3)


def test_T22_4_nobody_makes_a_hosted_bot_a_remote_one_afterwards(command_line: CommandLine, tmp_path: Path) -> None:
    database = database_of(tmp_path, forges=True)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE bot_version SET path = '' WHERE name = ?", (CHEAT,))
    connection.close()
    verified = command_line("ledger", "verify")
    assert (verified.code, "is not the hash of what its author declared" in verified.out) == (1, True)
    told = command_line("ledger", "reproduce", "--match", entered(database)[0]["match"])
    assert f"{Hindrance.MISSING}: 1\n" in told.out


def test_T22_4_a_forfeit_is_not_played_again(command_line: CommandLine, tmp_path: Path) -> None:
    forfeited = next(body for body in entered(small_database(tmp_path)) if body["forfeits"])
    told = command_line("ledger", "reproduce", "--match", forfeited["match"])
    assert (told.code, f"{Hindrance.FORFEITED}: 1\n" in told.out) == (0, True)
    named = command_line("ledger", "reproduce", "--match", forfeited["match"], "--json").data["hindered"]
    assert named == [{"match": forfeited["match"], "why": Hindrance.FORFEITED, "detail": forfeited["ending"]}]


def test_T22_4_what_this_machine_cannot_play_is_no_difference(tmp_path: Path) -> None:
    store = open_to_read(database_of(tmp_path, forges=False))
    body = json.loads(next(iter(store.evidence.entered()))[1])
    order = MatchToPlay(body["match"], "toy", {}, (), body["seed"])
    played = MatchResult(body["match"], Ending.COMPLETED, "", (), (), (), 0, 0, '"how":"late"', digest="another")
    for result, why in [
        (played, Hindrance.SLOW),
        (replace(played, ending=Ending.VOIDED, reason="no room"), Hindrance.NOT_PLAYED),
        (replace(played, record='{"told_ids":"by name"}\n'), Hindrance.TOLD),
    ]:
        outcome = _outcome(store, body, order, result)
        assert isinstance(outcome, Hindered)
        assert outcome.why is why
    store.close()


@pytest.mark.parametrize("tries", [False, True])
def test_T22_4_an_undeclared_bot_is_played_only_if_asked_for(
    command_line: CommandLine, tmp_path: Path, tries: bool
) -> None:
    database = database_of(tmp_path, forges=False)
    plain = written_bot(tmp_path / "undeclared", "ann", is_declared=False)
    match = entered(database)[0]
    seat = [label.partition("@")[0] for label in match["seating"]].index("ann")
    label = f"ann@{content_version(plain)[:12]}"
    hashes, seating = list(match["bot_hashes"]), list(match["seating"])
    hashes[seat], seating[seat] = content_version(plain), label
    forge(database, f"match:{match['match']}", {"bot_hashes": hashes, "seating": seating})
    more = ("--undeclared",) if tries else ()
    told = command_line("ledger", "reproduce", "--match", match["match"], "--bots", "undeclared", *more)
    assert told.code == 0, "what an undeclared bot does otherwise proves nothing"
    detail = f"{label}; it came out differently" if tries else label
    assert f"{Hindrance.UNDECLARED} ({detail})" in told.out


def test_T22_2_a_sample_is_drawn_by_its_seed_alone() -> None:
    matches = [{"match": f"{number:064x}"} for number in range(200)]
    one = draw_sample(matches, 0.05, 1)
    assert [body["match"][-2:] for body in one] == ["42", "79", "7a", "7d", "83", "87", "9e", "a5", "b7", "b9"]
    assert draw_sample(matches[::-1], 0.05, 1) == one[::-1]
    assert draw_sample(matches, 0.05, 2) != one
    assert len(draw_sample(matches[:3], 0.001, 1)) == 1
    assert draw_sample(matches, 1.0, 9) == matches


def test_a_record_that_says_something_else_of_the_result_or_the_length_differs(tmp_path: Path) -> None:
    database = database_of(tmp_path, forges=False)
    match_id = entered(database)[0]["match"]
    store = open_to_read(database)
    record = store.matches.record(match_id)
    store.close()
    assert compare_records(match_id, record, record) is None
    lines = [json.loads(line) for line in record.rstrip("\n").split("\n")]
    lines[0]["software"], lines[1]["times_us"] = "0.0.1", []
    assert compare_records(match_id, _text(lines), record) is None, "neither software nor times count"
    shorter = compare_records(match_id, _text([*lines[:-2], lines[-1]]), record)
    assert shorter is not None
    assert "was recorded with" in shorter.what
    lines[-1]["result"]["scores"][0] += 1
    other = compare_records(match_id, _text(lines), record)
    assert other is not None
    assert (other.step, other.what[:47]) == (None, "every choice is the same, and the result differs"[:47])


def _text(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_T22_5_a_statement_is_signed_and_bound_to_the_ledger(command_line: CommandLine, tmp_path: Path) -> None:
    database = database_of(tmp_path, forges=True)
    public, other = (
        command_line("ledger", "key", "examiner", "--output", file).out.strip()
        for file in ("examiner.key", "other.key")
    )
    words = ("--match", entered(database)[0]["match"], "--statement", "cup.statement", "--key", "examiner.key")
    made = command_line("ledger", "reproduce", *words, "--json")
    assert made.code == 1
    told = command_line("ledger", "check-statement", "cup.statement", "--key", public, "--db", "arena.db", "--json")
    assert (told.code, told.data) == (0, {"is_valid": True, "faults": [], "statement": made.data})
    assert command_line("ledger", "check-statement", "cup.statement", "--key", other).code == 1
    text = (tmp_path / "cup.statement").read_text()
    (tmp_path / "forged").write_text(text.replace('"reproduced":0', '"reproduced":1'))
    refused = command_line("ledger", "check-statement", "forged", "--key", public)
    assert (refused.code, f"forged: it bears no valid signature of {public}" in refused.out) == (1, True)
    ids = [body["match"] for body in entered(database)]
    seed = next(seed for seed in range(99) if drawn_ids(ids, 1, seed) != made.data["sample"])
    for change, fault in [
        ({"matches_entered": 4}, "3 matches were entered, the statement says 4"),
        ({"sample_seed": seed}, f"the sample is not the one that seed {seed} draws"),
        ({"sample": ["f" * 64]}, f"match {'f' * 64} of the sample was never entered"),
    ]:
        signed = signed_statement(made.data | change, tmp_path / "examiner.key")
        (tmp_path / "picked").write_text(str(signed))
        picked = command_line("ledger", "check-statement", "picked", "--key", public, "--db", "arena.db")
        assert (picked.code, fault in picked.out) == (1, True), "signed by the examiner, and untrue"
    (tmp_path / "uncounted").write_text(str(signed_statement(made.data | {"reproduced": 1}, tmp_path / "examiner.key")))
    uncounted = command_line("ledger", "check-statement", "uncounted", "--key", public)
    assert (uncounted.code, "its counts, 1, 1 and 0, do not add up to its sample" in uncounted.out) == (1, True)
    forge(database, "tournament:cup", {"extra": 1})
    moved = command_line("ledger", "check-statement", "cup.statement", "--key", public, "--db", "arena.db")
    assert (moved.code, "the statement says" in moved.out) == (1, True)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--sample", "0%"), "--sample: '0%' is not a share; expected a percentage above 0 such as 5%"),
        (("--sample", "many"), "--sample: 'many' is not a share"),
        (("--sample", "101%"), "--sample: '101%' is not a share"),
        (("--match", "ffff"), "match: 'ffff' is not in this database"),
        (("--bots", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(
    command_line: CommandLine, tmp_path: Path, words: tuple[str, ...], line: str
) -> None:
    database_of(tmp_path, forges=False)
    told = command_line("ledger", "reproduce", *words)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert line in told.err


def test_a_database_without_matches_has_nothing_to_reproduce(command_line: CommandLine, tmp_path: Path) -> None:
    open_store(tmp_path / "arena.db", create=True).close()
    told = command_line("ledger", "reproduce")
    assert (told.code, told.err) == (2, "arena: DB: no match has been entered in arena.db\n")
