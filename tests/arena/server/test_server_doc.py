"""docs/reference/server.md says of the server what is so."""

from __future__ import annotations

import tomllib

import grpc

from arena.bots.archive import LIMITS
from arena.bots.toml_text import MAX_DOTS, MAX_NESTING
from arena.plan import timetable
from arena.plan.tournament_file import LARGEST_FILE
from arena.server import admission, bridge, build_queue, service, submissions, tests, tournaments
from arena.server.limits import Rate
from arena.server.service import METHODS, STATUS_OF
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from tests.documents import blocks, prose, rows
from tools.reference import FOLDER

PAGE = FOLDER / "server.md"


def test_every_call_is_described_with_its_kind_and_roles() -> None:
    described = {cells[0]: (cells[1], cells[2]) for cells in rows(PAGE, "Call")}
    kinds = {(False, False): "single", (True, False): "client stream", (False, True): "server stream"}
    methods = pb.DESCRIPTOR.services_by_name["ArenaService"].methods
    assert described == {
        each.name: (kinds[each.client_streaming, each.server_streaming], ", ".join(sorted(METHODS[each.name].roles)))
        for each in methods
    }


def test_every_role_and_status_is_described() -> None:
    assert [cells[0] for cells in rows(PAGE, "Role")] == list(Role)
    listed = {cells[0] for cells in rows(PAGE, "Status")}
    assert {code.name for code in STATUS_OF.values()} <= listed
    assert listed <= {code.name for code in grpc.StatusCode}


def said(rate: Rate) -> str:
    after = (
        f"{rate.per_second:.0f} per second" if rate.per_second >= 1 else f"one every {1 / rate.per_second:.0f} seconds"
    )
    return f"a burst of {rate.burst}, then {after}"


def together(budget: admission.Budget) -> str:
    return f"{budget.of_one:,} per address, {budget.together:,} in total"


def test_every_limit_has_its_value() -> None:
    described = {cells[0]: cells[1] for cells in rows(PAGE, "Limit")}
    options = dict(bridge.OPTIONS)
    idle, silent = (options[f"grpc.{key}_ms"] // 1000 for key in ("max_connection_idle", "server_handshake_timeout"))
    assert described == {
        "open connections": (
            f"half of the descriptors that the process may have (ulimit -Hn), at most {admission.ENOUGH_CONNECTIONS:,}"
        ),
        "idle connection": f"{idle} seconds; {silent} seconds without a handshake",
        "message": f"{bridge.LARGEST_MESSAGE >> 20} MiB",
        "tournament file": (
            f"{LARGEST_FILE >> 10} KiB, {MAX_DOTS} dots in a key, {MAX_NESTING} tables and lists inside each other"
        ),
        "archive chunk": f"{service.LARGEST_CHUNK >> 10} KiB",
        "packed archive": f"{LIMITS.packed_bytes >> 20} MiB",
        "requests per token": said(service.REQUESTS),
        "submissions per token": said(service.SUBMISSIONS),
        "open calls per token": f"{service.MAX_CALLS}",
        "connected remote bots per token": f"{admission.BOTS.of_one:,}, at most half of all connections",
        "open health and reflection probes": together(admission.PROBES),
        "duration of a probe": f"{admission.PROBE_SECONDS:.0f} seconds",
        "calls during token lookup": together(admission.UNKNOWN_CALLERS),
        "streams before the hello": together(admission.UNKNOWN_BOTS),
        "queued submissions per author": f"{build_queue.MAX_OF_ONE}",
        "disk quota per author": f"{submissions.QUOTA_BYTES >> 20} MiB",
        "bots per author": f"{submissions.QUOTA_NAMES:,}",
        "uploads in progress, all authors": f"{service.MAX_UPLOADS}",
        "duration of an upload": f"{service.UPLOAD_SECONDS:.0f} seconds",
        "calls without a valid token, per address": said(service.FAILURES),
        "silence in a client stream": f"{service.PATIENCE_SECONDS:.0f} seconds",
        "running tournaments": f"{tournaments.MAX_RUNNING}",
        "queued and running tests per author": f"{tests.MAX_OF_ONE}",
        "test games per author and day": f"{tests.QUOTA_GAMES:,}, or --test-games",
        "fillers named for a test": f"{service.MAX_FILLERS}",
        "running tests": f"{tests.MAX_PLAYING}",
        "duration of a smoke match": f"{submissions.SMOKE_SECONDS:.0f} seconds",
    }
    assert "256 random bits" in prose(PAGE)


def test_every_key_of_the_configuration_is_described() -> None:
    assert [cells[0] for cells in rows(PAGE, "Configuration key")] == list(timetable.KEYS)
    assert [cells[0] for cells in rows(PAGE, "Scheduled key")] == list(timetable.OWN_KEYS)
    assert f"at most {timetable.LONGEST_NAME} characters" in prose(PAGE)
    howto = FOLDER.parent / "howto/schedule_tournaments.md"
    shown = [tomllib.loads(block.code) for block in blocks(howto) if block.language == "toml"]
    assert [scheduled.name for plain in shown for scheduled in timetable.parse_timetable(plain)] == [
        "norenberc",
        "weekend",
    ]
