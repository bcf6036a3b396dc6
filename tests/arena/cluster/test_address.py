"""Where a cluster may be: beyond this machine only behind certificates."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from arena.bots.directory import read_bot
from arena.cluster.address import check_listen, scheduler_address
from arena.cluster.engine import check_answers, is_listened_on
from arena.cluster.pool import check_bots
from referee.mistakes import UserError


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://localhost:1", "tcp://localhost:1"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
    ],
)
def test_plain_tcp_is_for_this_machine(given: str, address: str) -> None:
    assert scheduler_address(given, "cluster") == address


@pytest.mark.parametrize("given", ["10.0.0.1:8786", "tcp://0.0.0.0:1", "tcp://example.org:8786", "tcp://[::]:8786"])
def test_plain_tcp_beyond_this_machine_is_refused(given: str) -> None:
    with pytest.raises(UserError, match="is plain TCP beyond this machine"):
        scheduler_address(given, "cluster")


@pytest.mark.parametrize("given", ["", "nowhere", "tcp://", "tcp://127.0.0.1", "127.0.0.1:99999", "a b:1", "\0:1"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(UserError, match="is not the address of a scheduler"):
        scheduler_address(given, "cluster")


@pytest.mark.parametrize("scheme", ["ucx", "ws", "inproc", "http"])
def test_other_protocols_are_refused(scheme: str) -> None:
    with pytest.raises(UserError, match="is not allowed; expected tls"):
        scheduler_address(f"{scheme}://127.0.0.1:1", "cluster")


def test_tls_without_certificates_is_refused() -> None:
    with pytest.raises(UserError, match="tls:// needs certificates"):
        scheduler_address("tls://10.0.0.1:8786", "cluster")


def test_the_address_in_a_scheduler_file_is_held_to_the_same(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps({"address": "tcp://127.0.0.1:4711"}))
    assert scheduler_address(str(file), "cluster") == "tcp://127.0.0.1:4711"
    file.write_text(json.dumps({"address": "tcp://192.168.0.9:4711"}))
    with pytest.raises(UserError, match="plain TCP beyond"):
        scheduler_address(str(file), "cluster")
    for text in ("", "[]", "{}", "not json", "[" * 5000):
        file.write_text(text)
        with pytest.raises(UserError, match="is not a file that a Dask scheduler has written"):
            scheduler_address(str(file), "cluster")


def test_a_worker_listens_beyond_this_machine_only_behind_tls() -> None:
    check_listen("tcp://127.0.0.1:1", "127.0.0.1")
    check_listen("tls://10.0.0.1:1", "10.0.0.7")
    with pytest.raises(UserError, match=r"^listen: 10\.0\.0\.7 can be reached by others"):
        check_listen("tcp://127.0.0.1:1", "10.0.0.7")


def test_a_scheduler_that_is_not_there_is_one_clear_line_without_asking_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask would try for five seconds what the system refuses in none."""
    monkeypatch.setattr("arena.cluster.engine.open_engine", None)
    with socket.socket() as deaf:  # it has the port and does not listen
        deaf.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(UserError) as caught:
            check_answers(address, "cluster")
    assert str(caught.value) == f"cluster: the scheduler cannot be reached: tcp://{address}: Connection refused"


def test_a_scheduler_that_listens_may_be_busy_and_one_that_does_not_is_gone() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))  # so that nobody else takes the port
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert not is_listened_on(address, "cluster")
        server.listen()
        assert is_listened_on(address, "cluster")


def test_a_bot_that_cannot_be_sent_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "ann"\ncommand = ["python3", "bot.py"]\n')
    (tmp_path / "bot.py").symlink_to("/etc/hostname")
    with pytest.raises(UserError, match=r"bots: ann@.* cannot be sent to a cluster: bot\.py: is a link"):
        check_bots([read_bot(tmp_path)])
