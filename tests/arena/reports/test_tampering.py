"""T13.9: every change to a stored value is found, column by column; exceptions are listed with a reason."""

from __future__ import annotations

import json
import pickle
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import trio

from arena.analysis.judgement import JUDGE, Worlds
from arena.bots.directory import read_bot
from arena.cli.watching import Silent
from arena.fitting.fits import read_fit
from arena.plan import tournament_file
from arena.plan.correcting import disqualify_bot, mend_fits, void_matches
from arena.plan.entrants import enter_bot, withdraw_bot
from arena.plan.settings import RunSettings
from arena.plan.swiss import pairing
from arena.plan.swiss.tables import anneal
from arena.plan.tournament_file import beside, parse_plan
from arena.play.runner import Runner
from arena.play.test_runner import TestRunner
from arena.reports import audit as audit_of_records
from arena.reports.audit import Examiner, replay_records
from arena.reports.row_audit import head_faults, head_notes, row_faults
from arena.store.database import open_store, open_to_read
from arena.store.heads import heads_file, read_heads
from arena.store.judgements import JudgementKey
from arena.store.local_time import local_now
from arena.store.rows import Results
from arena.store.tournaments import payload_digest
from ratings.fit import refit
from ratings.fit.refit import refit_fault
from ratings.ledger import derived_tables, posting
from ratings.ledger.audit import Fault, Finding, audit
from ratings.ledger.chain import FIRST_PREVIOUS, Kind, canonical_json, entry_hash
from referee.mistakes import UserError
from referee.record import RecordError, verify
from tests.arena.play.test_sequential_test import planned_test
from tests.arena.small_tournament import QUITTER, ROOT, play, small_database, small_plan, unfitted_database

FREE = {
    "bot.author": "Who may submit versions of a bot is the server's business.",
    "bot.is_retired": "Whether a bot enters further tournaments changes no result.",
    "bot_output.output": "Text that a bot printed.",
    "bot_output.seat": "Which bot printed it.",
    "bot_version.added_at": "A time of day; the chain has the order.",
    "bot_version.manifest": "How the bot is started; its files are named by the version hash.",
    "bot_version.path": "Where its files are on this machine; they are named by the version hash.",
    "fit_cache.software": "A kept fit of other software is not used.",
    "forecast.budget": "An estimate, made again at every close.",
    "forecast.games": "An estimate, made again at every close.",
    "forecast.neighbours": "An estimate, made again at every close.",
    "forecast.open_neighbours": "An estimate, made again at every close.",
    "forecast.seconds": "An estimate, made again at every close.",
    "judgement.content": "It can be made again from the record.",
    "judgement.effort": "A judgement of another effort is made again.",
    "judgement.judge": "A judgement by another judge is not used.",
    "judgement.record_digest": "A judgement of no record is never asked for.",
    "judgement.worlds": "A judgement of other worlds is made again.",
    "lease.holder": "Who runs a tournament right now.",
    "lease.tournament": "Who runs a tournament right now.",
    "lease.until": "Who runs a tournament right now.",
    "match.asked": "How many questions were sent, repeated ones included: a count for reports.",
    "match.sandbox": "Which sandbox was in force; no record can show it.",
    "match.stored_at": "A time of day; the chain has the order.",
    "played_on.calibration": "How fast that machine was; clocks are never scaled by it.",
    "played_on.worker": "Which machine played.",
    "recheck.checked_at": "A time of day.",
    "recheck.worker": "Which machine played again.",
    "round.seconds": "How long it took; only a deadline depends on it.",
    "served_tournament.is_wanted": "Whether the server resumes a tournament.",
    "served_tournament.organiser": "Who started it on the server.",
    "strike.clause": "What a bot was told, for its author.",
    "strike.number": "What a bot was told, for its author.",
    "strike.reason": "What a bot was told, for its author.",
    "strike.seat": "What a bot was told, for its author.",
    "strike.step": "What a bot was told, for its author.",
    "token.created_at": "Who may do what on the server; no result depends on it.",
    "token.id": "Who may do what on the server; no result depends on it.",
    "token.name": "Who may do what on the server; no result depends on it.",
    "token.revoked_at": "Who may do what on the server; no result depends on it.",
    "token.role": "Who may do what on the server; no result depends on it.",
    "token.secret_hash": "Who may do what on the server; no result depends on it.",
    "tournament.changed_at": "A time of day.",
    "tournament.is_stop_requested": "A request to the runner.",
    "tournament.running": "How the tournament is run on this machine.",
    "tournament.started_at": "A time of day.",
}
"""The columns that may change unnoticed, and why that is harmless; the page of proofs has the same list."""

OF_THE_FILE = ("_sqlite_migrations", "sqlite_sequence")
"""Tables of the file itself: which migrations it has been through."""

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "what_can_be_proved.md"


def findings(db: Path, *, with_records: bool = False) -> list[Finding]:
    """Everything that `arena ledger verify --replay` finds; records only if nothing else was found, or if asked to."""
    store = open_to_read(db)
    try:
        with store.reading() as connection:
            examiner = Examiner(store, with_pairings=True)
            report = audit(connection, refit=refit_fault, examine=examiner)
            rows = [*row_faults(store), *head_faults(store, read_heads(heads_file(db)))]
            found = [*report.findings, *examiner.rest(), *rows]
            if with_records or not found:
                found += trio.run(replay_records, store, 1, lambda: None).findings
        return found
    finally:
        store.close()


def first_finding(db: Path) -> Finding | None:
    """The first that `findings` would name: what is cheap is looked at first, and the rest only if nothing is found."""
    store = open_to_read(db)
    try:
        with store.reading() as connection:
            for stage in (
                lambda: audit(connection).findings,
                lambda: audit(connection, examine=Examiner(store, with_pairings=False)).findings,
                lambda: (*row_faults(store), *head_faults(store, read_heads(heads_file(db)))),
                lambda: trio.run(replay_records, store, 1, lambda: None).findings,
                lambda: audit(connection, refit=refit_fault, examine=Examiner(store, with_pairings=True)).findings,
            ):
                if found := stage():
                    return found[0]
        return None
    finally:
        store.close()


@contextmanager
def unguarded(db: Path) -> Iterator[sqlite3.Connection]:
    """A database in the hands of somebody who has the file: without its guards, which are put back afterwards."""
    connection = sqlite3.connect(db, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")  # a copy that nobody keeps
    connection.execute("BEGIN")
    guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _sql in guards:
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    for name, sql in guards:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        connection.execute(sql)
    connection.execute("COMMIT")
    connection.close()


def tamper(db: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Change rows, each statement at least one."""
    with unguarded(db) as connection:
        for statement, values in statements:
            assert connection.execute(statement, values).rowcount, f"{statement} changes nothing"


def reseal(db: Path, change: Callable[[str, dict[str, Any]], bool]) -> None:
    """Change the first entry that a function changes, and reseal the chain from there, as an insider could."""
    connection = sqlite3.connect(db)
    rows = connection.execute("SELECT seq, kind, payload, hash FROM entry ORDER BY seq").fetchall()
    connection.close()
    previous, is_changed, statements = FIRST_PREVIOUS, False, []
    for seq, kind, payload, known in rows:
        body = json.loads(payload)
        if not is_changed:
            is_changed = change(kind, body)
            if not is_changed:
                previous = known
                continue
        elif kind == "CHECKPOINT":
            body["head"] = previous.hex()
        text = canonical_json(body)
        sealed = entry_hash(previous, text)
        statements.append(
            ("UPDATE entry SET payload = ?, prev = ?, hash = ? WHERE seq = ?", (text, previous, sealed, seq))
        )
        previous = sealed
    assert is_changed
    tamper(db, *statements)


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A pure function that works everything out once, however often it is asked."""
    known: dict[bytes, bytes] = {}

    def ask(*args: Any, **named: Any) -> Any:
        question = pickle.dumps((args, named))
        if question not in known:
            known[question] = pickle.dumps(function(*args, **named))
        return pickle.loads(known[question])

    return ask


CHECKED: dict[str, str | None] = {}


class InProcessVerifier:
    """Replays every record once, in this process: most copies of a database have the same records."""

    async def check(self, record: str) -> str | None:
        if record not in CHECKED:
            try:
                verify(record)
                CHECKED[record] = None
            except RecordError as error:
                CHECKED[record] = str(error)
        return CHECKED[record]


@asynccontextmanager
async def remembering_verifier(_processes: int) -> AsyncIterator[InProcessVerifier]:
    yield InProcessVerifier()


@pytest.fixture(scope="module", autouse=True)
def one_draw_and_fit_of_each() -> Iterator[None]:
    """Most copies of a database ask for the same draws and fits: those are most of what an audit costs."""
    with (
        mock.patch.object(audit_of_records, "open_verifier", remembering_verifier),
        mock.patch.object(pairing, "anneal", remembered(anneal)),
        mock.patch.object(refit, "fit_of_record", remembered(refit.fit_of_record)),
    ):
        yield


SECRET = "000102030405060708090a0b0c0d0e0f"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament with a secret seed and a beacon, and a row in every table."""
    folder = tmp_path_factory.mktemp("sound")
    plain = small_plan(folder, beacon="a lottery")
    del plain["seed"]
    db = folder / "arena.db"
    store = open_store(db, create=True)
    with mock.patch.object(tournament_file, "new_secret", return_value=SECRET):
        runner = Runner(parse_plan(plain, beside(folder)), store, Silent(), local_now)
    runner.enter()
    store.tournaments.add_nonce("cup", "beacon", "3 17 22 31 40 44")
    trio.run(runner.run)
    match = store.matches.of("cup")[0]
    store.judgements.add(JudgementKey(match.record_digest, JUDGE, Worlds.KNEW, 1), "{}")
    store.close()
    connection = sqlite3.connect(db)
    with connection:
        connection.execute("INSERT INTO played_on VALUES (?, 'w1', 1000)", (match.id,))
        connection.execute("INSERT INTO strike VALUES (?, 0, 1, 0, 'T4', 'no such card')", (match.id,))
        connection.execute("INSERT INTO recheck VALUES (?, 'w2', ?, 1, 'now')", (match.id, match.record_digest))
        connection.execute("INSERT OR IGNORE INTO forecast VALUES ('cup', 1, 10, 1.0, 1, 1, 1, 1)")
        connection.execute("INSERT OR IGNORE INTO lease VALUES ('cup', 'somebody', 1.0)")
        connection.execute("INSERT INTO token VALUES ('t1', 'olga', 'organiser', 'ab', 'now', NULL)")
        connection.execute("INSERT INTO served_tournament VALUES ('cup', 'olga', 0)")
    connection.close()
    return db


def all_columns(db: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(db)
    listed = connection.execute("PRAGMA main.table_list").fetchall()  # without the indexes of the search by name
    tables = [name for _, name, kind, *_ in listed if kind == "table" and name != "sqlite_schema"]
    found = [
        (table, column)
        for table in sorted(tables)
        if table not in OF_THE_FILE
        for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")
    ]
    connection.close()
    return found


def flipped(value: Any) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, int | float):
        return value + 1
    if value is None:
        return "forged"
    try:
        plain = json.loads(value)
    except ValueError:
        return f"{value}x"
    if isinstance(plain, dict) and plain:
        key = sorted(plain)[0]
        return json.dumps({**plain, key: flipped(plain[key]) if not isinstance(plain[key], list | dict) else "forged"})
    if isinstance(plain, list) and plain and isinstance(plain[0], list):
        plain[0][1] += 900
        return json.dumps(plain)
    return str(flipped(plain)) if isinstance(plain, int | float) else f"{value}x"


def test_T13_9_a_sound_database_has_no_faults(sound: Path) -> None:
    assert findings(sound) == []


def test_T13_9_every_column_is_guarded_by_an_entry_or_free_for_a_reason(sound: Path, tmp_path: Path) -> None:
    """Flip every guarded column once, each alone, and the columns of a table that `FREE` lets go, all together."""
    unseen, seen_though_free = [], []
    columns = all_columns(sound)
    assert set(FREE) <= {f"{table}.{column}" for table, column in columns}
    guarded = [(table, (column,)) for table, column in columns if f"{table}.{column}" not in FREE]
    tables = sorted({table for table, _ in columns})
    free = [(table, tuple(each for of, each in columns if of == table and f"{of}.{each}" in FREE)) for table in tables]
    for table, together in (*guarded, *((table, together) for table, together in free if together)):
        name = f"{table}.{'+'.join(together)}"
        db = Path(shutil.copy(sound, tmp_path / f"{name}.db"))  # a new name: nothing is left of the one before
        statements = [flip(table, *row) for row in rows_to_flip(db, table, together)]
        try:
            tamper(db, *statements)
            found = first_finding(db)
        except (UserError, sqlite3.IntegrityError) as error:
            found = Finding(Fault.STORED, None, str(error))
        if f"{table}.{together[0]}" not in FREE:
            unseen += [] if found else [name]
        elif found:
            seen_though_free.append(f"{name}: {found}")
    assert unseen == []
    assert seen_though_free == []


def rows_to_flip(db: Path, table: str, columns: Sequence[str]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return rows by their keys, with the columns to flip in each: the first row that has a value in the column."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    with closing(sqlite3.connect(db)) as connection:
        key = [each[1] for each in connection.execute(f"PRAGMA table_info({table})") if each[5]]
        for column in columns:
            row = connection.execute(f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL LIMIT 1").fetchone()
            value = row[0] if row else None
            sought = f"SELECT {', '.join(key)} FROM {table} WHERE {column} IS ? LIMIT 1"
            first = connection.execute(sought, (value,)).fetchone()
            assert first is not None, f"{table} has no row: nothing is shown by flipping it"
            found.setdefault(first, {})[column] = flipped(value)
    return [(dict(zip(key, first, strict=True)), changes) for first, changes in found.items()]


def flip(table: str, key: Mapping[str, Any], changes: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Return the statements that change a row, in all columns together: one of them may be part of the key."""
    settings = ", ".join(f"{column} = ?" for column in changes)
    where = " AND ".join(f"{column} IS ?" for column in key)
    return f"UPDATE {table} SET {settings} WHERE {where}", (*changes.values(), *key.values())


SAID_BY_PEOPLE = {
    "GENESIS.name": "The name of the arena.",
    "VOID.reason": "Why somebody made a match void.",
    "VOID.who": "Who did.",
    "FORFEIT.reason": "Why a match counts as forfeited.",
    "FORFEIT.who": "Who decided.",
    "STRIKE.reason": "Why a seat was struck from a match.",
    "STRIKE.who": "Who decided.",
    "DISQUALIFY.reason": "Why a bot was disqualified.",
    "DISQUALIFY.who": "Who decided.",
    "MEND.reason": "Why a fit was missing.",
    "MEND.who": "Who entered it.",
}
"""The fields of entries that nothing else says: only a head that was published guards them."""


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to all values that hold no others; of a list only the first."""
    parts: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value[:1]))
    if not parts:
        yield path
    for name, part in parts:
        yield from leaves(part, (*path, name))


def forged(value: Any) -> Any:
    """Another value of the same kind, further off than fits on two machines may be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 50
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return ["forged"] if value == [] else {"forged": 1} if value == {} else "forged"


@pytest.fixture(scope="module")
def corrected(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sound database with a void match, bots that are disqualified, and an epoch."""
    db = Path(shutil.copy(sound, tmp_path_factory.mktemp("corrected") / "arena.db"))
    store = open_store(db)
    first, second, *_ = store.matches.of("cup")
    void_matches(store, [first.id, second.id], "by mistake", "tester")
    disqualify_bot(store, "cup", "ann", Results.FORFEIT, "collusion", "tester")
    disqualify_bot(store, "cup", "bob", Results.STRIKE, "collusion", "tester")
    assert posting.post_epoch(store.connection, "may", "toy:1", "two void matches", "tester")
    store.close()
    assert findings(db) == []
    return db


@pytest.fixture(scope="module")
def claiming(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with an anchor, a bot that came and one that went, a claim, and a test with its verdict."""
    folder = tmp_path_factory.mktemp("claiming")
    plain = small_plan(folder)
    bots = {bot["name"]: bot for bot in plain["bot"]}
    changes = {"seats": 2, "max_seats": 2, "rounds": 1, "rating_rounds": 50, "withdraw_after": 1000}
    play(folder / "arena.db", plain | changes | {"bot": [bots["ann"], bots[QUITTER]]})
    store = open_store(folder / "arena.db")
    house = {"house_bots": [str(ROOT / "sample_bots" / "python")], "anchors": {"random": 1400}}
    open_cup = plain | house | {"name": "open", "rounds": 1, "rating_rounds": 0, "seats": 2, "max_seats": 2}
    open_cup["bot"] = [bots[name] for name in ("ann", "bob", "cat")]
    runner = Runner(parse_plan(open_cup, beside(folder)), store, Silent(), local_now)
    runner.enter()
    withdraw_bot(store, "open", "cat")
    enter_bot(store, "open", read_bot(Path(bots["dan"]["path"])).renamed("dan"), "2026-01-01T00:00:00+00:00")
    trio.run(runner.run)
    plan = planned_test(folder, max_blocks=1)
    progress = TestRunner(plan, store, local_now, run=RunSettings(1, 4))
    progress.enter()
    trio.run(progress.run)
    store.close()
    assert findings(folder / "arena.db") == []
    return folder / "arena.db"


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a fit that was missing and was entered late."""
    db = unfitted_database(tmp_path_factory.mktemp("mended"))
    store = open_store(db)
    assert len(mend_fits(store, "two arenas", "tester")) == 1
    store.close()
    assert findings(db) == []
    return db


RARE = frozenset({"ANCHOR", "ENTER", "LEAVE", "TEST", "VERDICT", "CLAIM"})
"""Kinds of entries that the database of a plain tournament does not have."""


def test_T13_9_every_field_of_every_kind_that_an_insider_forges_and_reseals_is_found_out(
    corrected: Path, claiming: Path, mended: Path, tmp_path: Path
) -> None:
    """Flip every field of the first entry of every kind; no head has been published, and all later hashes are new."""
    bodies = first_bodies(corrected)
    rare = {kind: body for kind, body in first_bodies(claiming).items() if kind in RARE}
    late = {kind: body for kind, body in first_bodies(mended).items() if kind == Kind.MEND}
    assert {*bodies, *rare, *late} == set(Kind)
    assert unseen_forgeries(corrected, bodies, tmp_path) == sorted(
        name for name in SAID_BY_PEOPLE if name.partition(".")[0] in bodies
    )
    assert unseen_forgeries(claiming, rare, tmp_path) == sorted(
        name for name in SAID_BY_PEOPLE if name.partition(".")[0] in rare
    )
    assert unseen_forgeries(mended, late, tmp_path) == ["MEND.reason", "MEND.who"]


def first_bodies(db: Path) -> dict[str, dict[str, Any]]:
    """The first entry of every kind."""
    found: dict[str, dict[str, Any]] = {}
    connection = sqlite3.connect(db)
    for kind, payload in connection.execute("SELECT kind, payload FROM entry ORDER BY seq"):
        found.setdefault(kind, json.loads(payload))
    connection.close()
    return found


def unseen_forgeries(sealed: Path, bodies: Mapping[str, Mapping[str, Any]], tmp_path: Path) -> list[str]:
    """Forge every field of some entries, each in a copy of its own, and return those that nobody finds out."""
    unseen = []
    for kind, body in bodies.items():
        for path in leaves({name: value for name, value in body.items() if name not in ("seq", "kind", "key")}):
            name = ".".join([kind, *map(str, path)])
            db = Path(shutil.copy(sealed, tmp_path / f"{name.replace('/', '_')}.db"))

            def change(of_kind: str, found: Any, kind: str = kind, path: tuple[str | int, ...] = path) -> bool:
                if of_kind != kind:
                    return False
                for part in path[:-1]:
                    found = found[part]
                found[path[-1]] = forged(found[path[-1]])
                return True

            reseal(db, change)
            if first_finding(db) is None:
                unseen.append(name)
            db.unlink()
    return sorted(unseen)


def forge_everywhere(db: Path, kind: str, path: Sequence[str | int]) -> None:
    """Forge a value of the first entry of a kind, and whatever repeats it: other entries, hashes, rows, derived tables.

    Only the records are left as they were: their digests follow from every choice, and the entries have them.
    """
    with unguarded(db) as connection:
        rows = connection.execute("SELECT seq, kind, payload FROM entry ORDER BY seq").fetchall()
        bodies = [(seq, of, json.loads(payload)) for seq, of, payload in rows]
        found: Any = next(body for _, of, body in bodies if of == kind)
        for part in path[:-1]:
            found = found[part]
        old, new = found[path[-1]], forged(found[path[-1]])
        found[path[-1]] = new
        is_text = isinstance(old, str) and len(old) >= WORTH_REPLACING
        previous = FIRST_PREVIOUS
        for seq, of, body in bodies:
            if of == Kind.CHECKPOINT:
                body["head"] = previous.hex()
            text = canonical_json(body)
            text = text.replace(old, new) if is_text else text
            sealed = entry_hash(previous, text)
            values = (json.loads(text)["key"], text, previous, sealed, seq)
            connection.execute("UPDATE entry SET key = ?, payload = ?, prev = ?, hash = ? WHERE seq = ?", values)
            previous = sealed
            let_rows_follow(connection, of, text)
        for table, column in all_columns(db) if is_text else ():
            if table not in ("entry", "record"):
                connection.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?) WHERE instr({column}, ?)",
                                   (old, new, old))  # fmt: skip
        if kind == Kind.FIT:
            connection.execute("DELETE FROM fit_cache")
        with suppress(Exception):  # entries that contradict each other make no tables
            derived_tables.rebuild(connection)


WORTH_REPLACING = 8
"""Characters from which on a text names one thing, wherever it stands."""


def let_rows_follow(connection: sqlite3.Connection, kind: str, payload: str) -> None:
    """Make the rows behind an entry say what it says."""
    body = json.loads(payload)
    if kind == Kind.TOURNAMENT:
        settings = json.dumps(body["settings"], sort_keys=True)
        connection.execute("UPDATE tournament SET settings = ? WHERE id = ?", (settings, body["tournament"]))
    elif kind == Kind.BOT:
        values = (body["name"], body["version"], body["parent"], body["bot"])
        connection.execute("UPDATE bot_version SET name = ?, version = ?, parent = ? WHERE label = ?", values)
    elif kind == Kind.ROUND:
        connection.execute(
            "UPDATE round SET entry_digest = ? WHERE tournament = ? AND number = ?",
            (payload_digest(payload), body["tournament"], body["round"]),
        )
    elif kind == Kind.MATCH:
        connection.execute(
            """UPDATE match SET tournament = ?, round = ?, table_number = ?, game_number = ?, seed = ?, ending = ?,
                record_digest = ?, software = ? WHERE id = ?""",
            (*(body[name] for name in ("tournament", "round", "table", "game")), str(body["seed"]), body["ending"],
             body["replay"], body["engine"].rpartition("@")[2], body["match"]),
        )  # fmt: skip
        for seat, result in enumerate(zip(body["seating"], body["places"], body["scores"] or [], strict=False)):
            ending = body["ending"] if seat in body["forfeits"] else "completed"
            connection.execute(
                "UPDATE seat SET bot = ?, place = ?, score = ?, ending = ? WHERE match = ? AND seat = ?",
                (*result, ending, body["match"], seat),
            )
    elif kind == Kind.END:
        connection.execute("UPDATE tournament SET reason = ? WHERE id = ?", (body["reason"], body["tournament"]))


FOLLOWED = (Kind.TOURNAMENT, Kind.NONCE, Kind.BOT, Kind.ROUND, Kind.MATCH, Kind.END)
"""The kinds whose fields stand in rows, or in other entries, which an insider can change as well."""


@pytest.mark.nightly
def test_T13_16_a_forgery_that_rows_and_other_entries_follow_is_found_out_by_the_records(
    sound: Path, tmp_path: Path
) -> None:
    """Every field of these kinds again, by an insider who leaves no contradiction outside the records."""
    unseen = []
    bodies = first_bodies(sound)
    for kind in FOLLOWED:
        body = {name: value for name, value in bodies[kind].items() if name not in ("seq", "kind", "key")}
        for path in leaves(body):
            db = Path(shutil.copy(sound, tmp_path / "forged.db"))
            forge_everywhere(db, kind, path)
            if first_finding(db) is None:
                unseen.append(".".join([kind, *map(str, path)]))
            db.unlink()
    assert unseen == []


def test_T13_9_the_page_lists_what_goes_unnoticed_with_the_same_reasons() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    listed = {
        found[1]: found[2] for line in lines if (found := re.fullmatch(r"\| `([\w.]+)` \| (.+) \|", line)) is not None
    }
    assert listed == FREE | SAID_BY_PEOPLE


def test_T13_13_keys_that_an_insider_forges_are_found_out(sound: Path, tmp_path: Path) -> None:
    """The key of every kind follows from its content, GENESIS and POOL included."""
    for kind in first_bodies(sound):
        db = Path(shutil.copy(sound, tmp_path / f"{kind}.db"))
        forge_everywhere(db, kind, ["key"])
        assert first_finding(db) is not None, kind


def test_T13_2_a_trigger_that_the_arena_does_not_know_is_named(sound: Path, tmp_path: Path) -> None:
    """It could put a place right again whenever the audit is over."""
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    connection = sqlite3.connect(db)
    connection.execute("CREATE TRIGGER helper AFTER INSERT ON seat BEGIN UPDATE seat SET place = 1; END")
    connection.execute("DROP TRIGGER bot_ai")
    connection.close()
    assert sorted(str(finding) for finding in findings(db)) == [
        "the chain is not guarded: the trigger bot_ai is missing or changed",
        "the chain is not guarded: the trigger helper is unknown: it could change what is stored",
    ]


@pytest.mark.parametrize("statement", ["UPDATE round SET is_rating = 0", "UPDATE tournament SET reason = 'not better'"])
def test_T17_2_rows_of_a_test_are_guarded_too(claiming: Path, tmp_path: Path, statement: str) -> None:
    db = Path(shutil.copy(claiming, tmp_path / "arena.db"))
    column = "tournament" if " round " in statement else "id"
    tamper(db, (f"{statement} WHERE length({column}) = 64", ()))
    assert Fault.STORED in {finding.fault for finding in findings(db)}


def test_T13_9_a_resealed_chain_without_a_change_has_no_faults(sound: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    reseal(db, lambda _kind, _body: True)
    assert findings(db) == []


def test_T13_10_a_tail_that_was_cut_off_is_betrayed_by_the_published_heads(sound: Path, tmp_path: Path) -> None:
    """Rows and entries of the last round are gone, and all that is left agrees: only the heads know better."""
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    published = [*read_heads(heads_file(sound))]
    assert len(published) == 5, "at the start, for every round, and at the end"
    store = open_to_read(db)
    ((last, _),) = [(each.seq, each.hash) for each in published[-1:]]
    assert store.heads.hash_of(last) == published[-1].hash
    store.close()
    tamper(db, ("DELETE FROM entry WHERE seq > ?", (published[-2].seq,)))
    store = open_to_read(db)
    (finding,) = head_faults(store, published)
    store.close()
    assert (finding.fault, finding.seq) == (Fault.HEAD, last)
    assert finding.message.endswith("but is gone")


def test_T13_10_what_no_published_head_can_prove_is_noted(sound: Path) -> None:
    store = open_to_read(sound)
    published = read_heads(heads_file(sound))
    assert list(head_notes(store, published)) == []
    (none,) = head_notes(store, [])
    assert none.startswith("no head was published beside the database")
    assert list(head_notes(store, published[:-1])) == [], "the end alone has no head"
    (behind,) = head_notes(store, published[:-2])
    assert behind.startswith(f"the last published head is entry {published[-3].seq}, but entry ")
    store.close()


def without_last_fit(db: Path) -> None:
    """Leave out the last FIT entry and the END, as version 0.1.0 could: nothing is left to be resealed."""
    tamper(db, ("DELETE FROM entry WHERE seq >= (SELECT max(seq) FROM entry WHERE kind = 'FIT')", ()),
           ("DELETE FROM fit_cache", ()))  # fmt: skip


def test_T13_7_a_finished_tournament_without_its_last_fit_is_named(tmp_path: Path) -> None:
    """One that is still running may have been stopped between the close and its fit."""
    db = small_database(tmp_path)
    heads_file(db).unlink()
    without_last_fit(db)
    (finding,) = findings(db)
    assert (finding.fault, finding.message) == (
        Fault.FIT, "checkpoint:cup:3 was closed, but no fit of toy:1 follows",
    )  # fmt: skip
    tamper(db, ("UPDATE tournament SET state = 'stopped'", ()))
    assert findings(db) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET payload = x'ff00' WHERE seq = 5",
        "UPDATE entry SET prev = 'text' WHERE seq = 5",
        "UPDATE entry SET hash = 7 WHERE seq = (SELECT max(seq) FROM entry)",
        "UPDATE tournament SET settings = 'nonsense'",
        "UPDATE tournament SET settings = '{}'",
        "UPDATE round SET entry_digest = x'ff00'",
        "UPDATE match SET seed = 'abc'",
        "UPDATE match SET ending = 'nonsense'",
        "UPDATE seat SET ending = 'nonsense' WHERE seat = 1",
        "UPDATE record SET content = 'text'",
        "DELETE FROM match",
    ],
)
def test_T13_9_whatever_a_row_holds_the_audit_goes_on_to_its_end(sound: Path, tmp_path: Path, statement: str) -> None:
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    tamper(db, (statement, ()))
    assert findings(db, with_records=True)


def test_T13_10_a_file_of_heads_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "arena.db.heads"
    assert read_heads(file) == []
    file.write_text(f"12 {'ab' * 32} today\n13 {'cd' * 32} cut sho")
    assert [each.seq for each in read_heads(file)] == [12]
    file.write_text("twelve\n")
    with pytest.raises(UserError, match="line 1: 'twelve' is not a head"):
        read_heads(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="heads: is not a list of heads"):
        read_heads(file)
    with pytest.raises(UserError, match=r"cannot be read: Is a directory$"):
        read_heads(tmp_path)


@pytest.mark.parametrize(
    ("statements", "row"),
    [
        (["INSERT INTO bot_version SELECT 'x@1', name, 'x', NULL, path, manifest, added_at FROM bot_version LIMIT 1"],
         "bot version x@1"),
        (["INSERT INTO tournament SELECT 'ghost', settings, running, state, reason, 0, '', '' FROM tournament LIMIT 1"],
         "tournament ghost"),
        (["INSERT INTO round SELECT tournament, 9, game, is_rating, entry_digest, 'paired', 0 FROM round LIMIT 1"],
         "round cup:9"),
        (["UPDATE match SET id = 'forged' WHERE rowid = (SELECT min(rowid) FROM match)"], "match forged"),
    ],
)  # fmt: skip
def test_T13_9_a_row_that_nobody_entered_is_named(sound: Path, tmp_path: Path, statements: list[str], row: str) -> None:
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    tamper(db, *((statement, ()) for statement in statements))
    messages = [finding.message for finding in findings(db) if finding.fault is Fault.UNENTERED]
    assert [message for message in messages if message.startswith(f"{row} is stored")]


def test_T13_2_a_chain_without_its_triggers_is_named(sound: Path, tmp_path: Path) -> None:
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    connection = sqlite3.connect(db)
    connection.execute("DROP TRIGGER entry_is_never_changed")
    connection.close()
    (finding,) = findings(db)
    assert finding.fault is Fault.GUARD
    assert "entry_is_never_changed" in finding.message


@pytest.mark.parametrize(
    ("column", "at", "forged"), [("lines", 1, 2_400_000), ("ratings", 1, 2400.0), ("ratings", 2, 1.0)]
)
def test_T13_7_the_fit_kept_is_of_record_until_somebody_changes_it(
    sound: Path, tmp_path: Path, column: str, at: int, forged: float
) -> None:
    db = Path(shutil.copy(sound, tmp_path / "arena.db"))
    store = open_to_read(db)
    fitted = read_fit(store, None, "toy:1")
    store.close()
    assert fitted is not None
    assert fitted.is_of_record
    connection = sqlite3.connect(db, isolation_level=None)
    (text,) = connection.execute(f"SELECT {column} FROM fit_cache").fetchone()
    lines = json.loads(text)
    lines[0][at] = forged
    connection.execute(f"UPDATE fit_cache SET {column} = ?", (json.dumps(lines),))
    connection.close()
    store = open_to_read(db)
    changed = read_fit(store, None, "toy:1")
    store.close()
    assert changed is not None
    assert not changed.is_of_record
