"""docs/reference/server.md says of the server what is so."""

from __future__ import annotations

import tomllib

import grpc

from arena.bots.archive import LIMITS
from arena.plan import timetable
from arena.server import admission, bridge, build_queue, doorkeeper, service, submissions, tests, tournaments
from arena.server.limits import Rate
from arena.server.service import METHODS, STATUS_OF
from arena.store.tokens import Role
from arena.v1 import arena_pb2 as pb
from tools.documents import blocks, prose, rows
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
    after = f"{rate.a_second:.0f} a second" if rate.a_second >= 1 else f"one every {1 / rate.a_second:.0f} seconds"
    return f"{rate.at_once} at once, {after} after that"


def together(budget: admission.Budget) -> str:
    return f"{budget.of_one:,} of one address, {budget.together:,} together"


def test_every_limit_has_its_value() -> None:
    described = {cells[0]: cells[1] for cells in rows(PAGE, "Limit")}
    options = dict(bridge.OPTIONS)
    idle, silent = (options[f"grpc.{key}_ms"] // 1000 for key in ("max_connection_idle", "server_handshake_timeout"))
    assert described == {
        "connections open at once": "half of the descriptors that the process may have (ulimit -Hn)",
        "a connection without a call on it": f"{idle} seconds; {silent} seconds if it says nothing at all",
        "one message": f"{bridge.LARGEST_MESSAGE >> 20} MiB",
        "one chunk of an archive": f"{service.LARGEST_CHUNK >> 10} KiB",
        "one archive, packed": f"{LIMITS.packed_bytes >> 20} MiB",
        "requests of one token": said(service.REQUESTS),
        "submissions of one token": said(service.SUBMISSIONS),
        "calls of one token open at once": f"{service.MAX_CALLS}",
        "remote bots of one token connected at once": f"{admission.BOTS.of_one:,}, and half of all connections",
        "connections over which no bot plays": f"half of all, and {doorkeeper.ENOUGH_GUESTS:,}",
        "probes of health and reflection open at once": together(admission.PROBES),
        "time that a probe may keep its stream": f"{admission.PROBE_SECONDS:.0f} seconds",
        "calls whose token is being looked up": together(admission.UNKNOWN_CALLERS),
        "streams of bots that have not said hello": together(admission.UNKNOWN_BOTS),
        "submissions of one author that wait or are being built": f"{build_queue.MAX_OF_ONE}",
        "room for all versions of one author": f"{submissions.QUOTA_BYTES >> 20} MiB",
        "bots of one author": f"{submissions.QUOTA_NAMES:,}",
        "submissions of everybody open at once": f"{service.MAX_UPLOADS}",
        "time for a whole archive": f"{service.UPLOAD_SECONDS:.0f} seconds",
        "calls without a valid token, of one address": said(service.FAILURES),
        "silence in a stream of a client": f"{service.PATIENCE_SECONDS:.0f} seconds",
        "tournaments running at once": f"{tournaments.MAX_RUNNING}",
        "tests of one author that wait or are being played": f"{tests.MAX_OF_ONE}",
        "games of tests of one author within a day": f"{tests.QUOTA_GAMES:,}, or as --test-games says",
        "tests being played at once": f"{tests.MAX_PLAYING}",
        "a smoke match": f"{submissions.SMOKE_SECONDS:.0f} seconds",
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
