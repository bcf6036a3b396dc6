"""Bots that attack, each a real program in the sandbox: it gets nothing, and the others' match stays whole."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import socket
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from arena.bots.directory import BotDirectory
from arena.bots.process import KEPT_OUTPUT, BotProcess
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import RunningBot
from arena.sandbox import cgroups
from arena.sandbox.levels import FIRST_UID, SandboxPolicy
from arena.sandbox.processes import family, read_process
from referee.order import Ending, MatchResult, TimeControl
from referee.record import How, verify
from tests import parts
from tests.control_groups import lent_groups
from tests.journeys.attackers import FLOODS, honest_bot, hostile_bot, without_the_attack
from tests.journeys.honest_bot import CHOICES
from tests.patience import patience

pytestmark = pytest.mark.long
QUICK = TimeControl(bank_ms=60_000, increment_ms=0, cap_ms=5_000, strike_limit=0, grace_ms=60_000, join_ms=60_000)
PATIENT = dataclasses.replace(QUICK, bank_ms=120_000, cap_ms=60_000)
IMPATIENT = dataclasses.replace(QUICK, join_ms=2_500)  # for a bot that never comes: the others already exist
SECONDS = patience(12)
ENDED = (Ending.FORFEIT_CRASH, Ending.FORFEIT_DISCONNECT)  # by which of the two signs its end was noticed first
LARGEST_REFEREE = 256 << 20  # bytes; without an attack it has forty million
LOOK_SECONDS = 0.02
BECOME_SUBREAPER = 36

Attack = Callable[..., "Report"]
Watch = Callable[[LocalPool], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of an attack."""

    ending: Ending
    output: str

    def lines(self, start: str) -> list[str]:
        return [line for line in self.output.splitlines() if line.startswith(start)]


@pytest.fixture(autouse=True)
def _needs_a_sandbox() -> None:
    parts.sandbox_for_untrusted_bots()


def open_files() -> Counter[str]:
    """Count what the descriptors of this process stand for, but for the one that lists them."""
    names: Counter[str] = Counter()
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            names[os.readlink(f"/proc/self/fd/{number}")] += 1
    return names


def children_but(known: list[int]) -> set[int]:
    """Return the processes below this one that are not known, those that have ended taken off the list."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass  # what had lost its parent and has ended
    return set(family(os.getpid())) - set(known)


@pytest.fixture(autouse=True)
def _nothing_is_left(temporary: Path, _needs_a_sandbox: None) -> Iterator[None]:
    """Compare processes, open files and temporary files before and after; orphans become our children."""
    ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)
    processes, files = family(os.getpid()), open_files()
    yield
    deadline = time.monotonic() + SECONDS
    while (orphans := children_but(processes)) and time.monotonic() < deadline:
        time.sleep(0.05)  # what was killed leaves the list a moment later
    assert not orphans
    while (left := open_files() - files) and time.monotonic() < deadline:
        time.sleep(0.05)  # threads of gRPC that earlier tests have left open and close files at any time
    assert not left
    assert list(temporary.iterdir()) == []
    ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 0, 0, 0, 0)


@pytest.fixture
def attack(tmp_path: Path) -> Attack:
    """Return a way to seat a hostile bot, with its targets, among honest ones."""

    def run(
        program: str,
        control: TimeControl = QUICK,
        memory_mb: int = 512,
        others: tuple[str, str] = ("seated", "reconnecting"),
        watch: Watch | None = None,
        **targets: object,
    ) -> Report:
        bad = hostile_bot(tmp_path, program, memory_mb, targets)
        (report,) = trio.run(attacked_by, (bad,), tmp_path, control, others, watch)
        return report

    return run


async def attacked_by(
    hostile: Sequence[BotDirectory],
    folder: Path,
    control: TimeControl = QUICK,
    others: tuple[str, str] = ("seated", "reconnecting"),
    watch: Watch | None = None,
) -> list[Report]:
    """Seat hostile bots, one after the other, and see what each does to honest bots of three kinds.

    The seated one is connected before any attacker is started, a joining one is started once the attack is under way,
    and the reconnecting one hangs up on every question, before, during and after.
    """
    honest = {name: honest_bot(folder, name) for name in {*others, "joining", "reconnecting"}}
    first, second = (honest[name] for name in others)
    newcomers = honest["joining"], honest["reconnecting"]
    endings = []
    async with open_pool(concurrency=4, sandbox=SandboxPolicy.REQUIRED) as pool, trio.open_nursery() as watching:
        with trio.fail_after(SECONDS):
            before = MatchToPlay("before", "toy", {"rounds": 1}, (first, second), 4, QUICK)
            check_honest_seats(before, await pool.play(before), "")
        watching.start_soon(stay_small, pool)
        if watch is not None:
            watching.start_soon(watch, pool)
        for number, bad in enumerate(hostile):
            attacked = MatchToPlay(f"attacked-{number}", "toy", {}, (first, bad, second), 5 + number, control)
            joined = MatchToPlay(f"joined-{number}", "toy", {}, newcomers, 6 + number, QUICK)
            with trio.fail_after(SECONDS):
                endings.append(await endure(pool, bad, attacked, joined))
            # The next attack has the referee to itself, and a newcomer of its own.
            for client in [*pool.referees[0].clients.values()]:
                if len(hostile) > 1 and client.bot in (bad, honest["joining"]) and client.process is not None:
                    await client.process.stop()
                    await client.ended.wait()
        watching.cancel_scope.cancel()
    reports = [Report(ending, pool.output_of(bad.label)) for bad, ending in zip(hostile, endings, strict=True)]
    for report in reports:
        assert "BREACH" not in report.output, report.output
    return reports


async def endure(pool: LocalPool, bad: BotDirectory, attacked: MatchToPlay, joined: MatchToPlay) -> Ending:
    """Play a match with a hostile bot, and one of newcomers as soon as it attacks; return how the bot ended."""
    results: dict[str, MatchResult] = {}

    async def one(match: MatchToPlay) -> None:
        results[match.match_id] = await pool.play(match)

    async with trio.open_nursery() as playing:
        playing.start_soon(one, attacked)
        while "attacking" not in pool.output_of(bad.label):
            assert attacked.match_id not in results, f"no attack: {pool.output_of(bad.label)}"
            await trio.sleep(LOOK_SECONDS)
        playing.start_soon(one, joined)
    for match in (attacked, joined):
        check_honest_seats(match, results[match.match_id], pool.output_of(bad.label))
    return results[attacked.match_id].seat_endings[attacked.bots.index(bad)]


async def stay_small(pool: LocalPool) -> None:
    """Fail as soon as a referee takes much memory: it is outside every limit."""
    while True:
        for referee in pool.referees:
            process = read_process(referee.process.pid)
            assert process is None or process.resident <= LARGEST_REFEREE, "the referee has grown"
        await trio.sleep(LOOK_SECONDS)


def check_honest_seats(match: MatchToPlay, result: MatchResult, output: str) -> None:
    """Compare a match with the same one without an attack."""
    names = [bot.manifest.name for bot in match.bots]
    honest = [seat for seat, name in enumerate(names) if name in CHOICES]
    assert len(honest) >= 2
    assert {result.seat_endings[seat] for seat in honest} == {Ending.COMPLETED}, f"{result.seat_endings}\n{output}"
    record = verify(result.record)
    how = {choice.how for step in record.steps for choice in step.choices if choice.seat in honest}
    assert how <= {How.ANSWERED, How.FORCED}, "the others played by their own choice"
    assert (result.scores, result.ranks) == without_the_attack(record, names)


def test_a_fork_bomb_stops_at_the_limit_and_dies_as_a_whole(attack: Attack) -> None:
    report = attack("fork_bomb", control=PATIENT)
    assert report.ending in ENDED
    (told,) = report.lines("held: forks stopped at")
    assert 20 < int(told.split()[4].rstrip(":")) <= 128 + 2


def test_a_memory_bomb_hits_the_limit_of_its_manifest_and_the_bot_plays_on(attack: Attack) -> None:
    report = attack("memory_bomb", control=PATIENT, memory_mb=384)
    assert report.ending is Ending.COMPLETED
    (told,) = report.lines("held: memory stopped at")
    assert int(told.split()[4]) < 384


def test_shared_memory_of_many_processes_is_counted_together(attack: Attack) -> None:
    report = attack("shared_memory_bomb", control=PATIENT, memory_mb=384)
    assert report.ending in ENDED
    assert "killed this bot: it used more than its 384 MiB of memory" in report.output


KERNEL_MEMORY = [
    ("page_tables", {"max_mb": 1_000}),
    ("socket_buffers", {"max_mb": 1_000}),
    ("empty_files", {"max_files": 800_000}),
]
"""What no limit of a process counts, and how much each attack takes as fast as it can, and keeps."""
SOON = dataclasses.replace(QUICK, cap_ms=round(patience(3) * 1000))  # half of it to take the memory


@pytest.mark.parametrize(("name", "targets"), KERNEL_MEMORY)
def test_memory_that_the_kernel_holds_for_a_bot_counts_as_its_own(
    attack: Attack, name: str, targets: dict[str, object]
) -> None:
    if name == "empty_files":
        parts.root()
    report = attack(name, control=SOON, memory_mb=192, **targets)
    assert report.ending in ENDED, "it was ended before its time for an answer was over"
    assert "killed this bot: it used more than its 192 MiB of memory" in report.output
    assert report.lines("holding"), "the attack had begun"


@pytest.mark.parametrize(("name", "targets"), KERNEL_MEMORY[:2])
def test_with_a_control_group_the_kernel_counts_its_own_memory(
    attack: Attack, held: dict[str, tuple[int, int]], name: str, targets: dict[str, object]
) -> None:
    report = attack(name, memory_mb=192, **targets)
    assert report.ending in (*ENDED, Ending.FORFEIT_TIMEOUT)
    (own,) = [peak for limit, peak in held.values() if limit == 192]
    assert own <= 192


@pytest.fixture
def lent() -> Iterator[Path]:
    """Lend the arena control groups made for this test, and return the one that counts memory."""
    with lent_groups() as groups:
        yield groups[0]


@pytest.fixture
def held(lent: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, int]]:
    """Take down the limit and the peak of every bot's memory in MiB, as the kernel has them, before a group goes."""
    seen: dict[str, tuple[int, int]] = {}
    close = cgroups.close

    def look_and_close(groups: Sequence[Path]) -> bool:
        for limit, peak in (("memory.limit_in_bytes", "memory.max_usage_in_bytes"), ("memory.max", "memory.peak")):
            for group in groups:
                if (group / peak).exists():
                    seen[group.name] = int((group / limit).read_text()) >> 20, int((group / peak).read_text()) >> 20
        return close(groups)

    monkeypatch.setattr(cgroups, "close", look_and_close)
    return seen


def test_with_a_control_group_the_kernel_holds_memory_as_a_whole(
    attack: Attack, held: dict[str, tuple[int, int]]
) -> None:
    """It wants 1600 MiB in four processes, and has no more than its 384 at any moment."""
    report = attack("shared_memory_bomb", control=dataclasses.replace(QUICK, cap_ms=10_000), memory_mb=384)
    assert report.ending in (*ENDED, Ending.FORFEIT_TIMEOUT)
    (own,) = [peak for limit, peak in held.values() if limit == 384]
    assert 300 < own <= 384


def test_with_a_control_group_a_memory_bomb_is_held_too(attack: Attack, held: dict[str, tuple[int, int]]) -> None:
    report = attack("memory_bomb", control=PATIENT, memory_mb=384)
    assert report.ending in (Ending.COMPLETED, *ENDED)  # refused an allocation, or ended by the kernel
    (own,) = [peak for limit, peak in held.values() if limit == 384]
    assert 300 < own <= 384


def test_disks_cannot_be_filled(attack: Attack) -> None:
    report = attack("disk_fill")
    assert report.ending is Ending.COMPLETED
    (told,) = report.lines("filled ")
    assert 60 <= int(told.split()[1]) <= 130, f"its own /tmp and shared memory alone: {report.output}"
    assert {line.split()[1] for line in report.lines("held: ")} >= {"/:", "/dev:", "/bot:", "/referee:"}


def test_endless_output_is_cut_and_harms_nobody(attack: Attack) -> None:
    report = attack("endless_output")
    assert report.ending in (Ending.COMPLETED, Ending.FORFEIT_TIMEOUT)
    assert "bytes dropped" in report.output
    assert len(report.output) <= 3 * KEPT_OUTPUT


def test_files_processes_and_tickets_of_others_are_out_of_reach(
    attack: Attack, tmp_path: Path, random_bot: BotDirectory
) -> None:
    database = tmp_path / "arena.db"
    with sqlite3.connect(database) as connection:
        connection.execute("create table secrets (word text)")
    connection.close()
    files = [str(database), str(random_bot.path / "bot.py"), str(Path(__file__)), "/var/log/dpkg.log"]
    report = attack("spy", files=files, link=str(database), home=str(Path.home()))
    assert report.ending is Ending.COMPLETED
    assert len(report.lines("held: read")) >= len(files) + 9
    assert "sees ['1', '2'] ['s']" in report.output, "two processes, one socket"
    assert "open files ['0', '1', '2', '3']" in report.output, "none but its own output and the listing itself"


def test_no_network_and_no_socket_but_the_referees(attack: Attack, tmp_path: Path) -> None:
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(tmp_path / "other.sock"))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        name = f"arena-test-{os.getpid()}"
        abstract.bind(f"\0{name}")
        for listener in (unix, abstract):
            listener.listen()
        os.chmod(tmp_path / "other.sock", 0o777)
        ports = {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1]}
        report = attack("network", **ports, unix=str(tmp_path / "other.sock"), abstract=name)
        assert report.ending is Ending.COMPLETED
        assert len(report.lines("held: ")) >= 12
        for listener in (tcp, udp, unix, abstract):
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.recv(100) if listener is udp else listener.accept()


def test_other_processes_cannot_be_signalled_or_traced(attack: Attack) -> None:
    beside = os.fork()
    if beside == 0:
        time.sleep(100)
        os._exit(0)
    try:
        report = attack("killer", processes=[os.getpid(), os.getppid(), beside])
        assert report.ending is Ending.COMPLETED
        assert report.lines("held: signal later processes")
        assert len(report.lines("held: ")) >= 12
        assert os.waitpid(beside, os.WNOHANG) == (0, 0), "it is alive"
    finally:
        os.kill(beside, 9)
        os.waitpid(beside, 0)


def test_the_kernel_gives_no_way_out(attack: Attack) -> None:
    report = attack("escape")
    assert report.ending is Ending.COMPLETED
    assert len(report.lines("held: ")) == 28


def test_a_bot_that_sleeps_forever_forfeits_and_is_ended(attack: Attack) -> None:
    report = attack("sleeper", control=IMPATIENT)
    assert report.ending in (Ending.FORFEIT_DISCONNECT, Ending.FORFEIT_TIMEOUT)


def test_a_bot_that_ignores_every_signal_is_ended(attack: Attack) -> None:
    report = attack("stubborn")
    assert report.ending is Ending.COMPLETED


def test_children_left_behind_end_with_their_bot(attack: Attack) -> None:
    report = attack("leaves_children", control=PATIENT)
    assert report.ending in ENDED
    assert "left children" in report.output


def processor_seconds(bot: RunningBot | None) -> float:
    """Return what the processes of a bot have used of the processors."""
    total = 0.0
    for pid in family(bot.process.pid) if isinstance(bot, BotProcess) else ():
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def test_burning_every_processor_costs_the_others_no_time(attack: Attack) -> None:
    """Sixteen processes have no more of the processors than one honest bot, and little once they are found out.

    Compared are processor seconds while both others think, so that the rest of the machine does not count. Where that
    leaves the attacker less than it may use, it is not found out.
    """
    thoughts: list[tuple[float, float]] = []  # processor seconds in each, of both others and of the attacker
    burnt: list[tuple[float, float]] = []  # by when, how much

    async def measure(pool: LocalPool) -> None:
        last = (0.0, 0.0)
        while True:
            bots = {client.bot.manifest.name: client.process for client in pool.referees[0].clients.values()}
            thinking = [bots.get("thinking"), bots.get("thinking_too")]
            said = [bot.output.text() if bot is not None else "" for bot in thinking]
            now = sum(map(processor_seconds, thinking)), processor_seconds(bots.get("clock_burner"))
            if all(text.count("thinking\n") > text.count("thought\n") for text in said):
                if min(text.count("thinking\n") for text in said) > len(thoughts):
                    thoughts.append((0.0, 0.0))
                    burnt.append((trio.current_time(), now[1]))
                else:
                    thoughts[-1] = thoughts[-1][0] + now[0] - last[0], thoughts[-1][1] + now[1] - last[1]
            last = now
            await trio.sleep(LOOK_SECONDS)

    report = attack("clock_burner", control=PATIENT, others=("thinking", "thinking_too"), watch=measure)
    assert report.ending is Ending.COMPLETED
    others, own = thoughts[-1]
    assert own <= 0.75 * others, f"more than the share of one bot: {thoughts}"
    (began, first), (ended, last) = burnt[1], burnt[-1]
    if last - first > 1.5 * (ended - began):
        assert own <= others / 4, f"it was to be put last: {thoughts}"


def test_floods_of_its_own_referee_harm_nobody_else(tmp_path: Path) -> None:
    """However each ends itself: compared are the others' seats, and the memory of a referee that has seen them all."""
    hostile = [hostile_bot(tmp_path, program, 512, targets, name) for name, (program, targets) in FLOODS.items()]
    assert len(trio.run(attacked_by, hostile, tmp_path)) == len(FLOODS)


def test_nobody_plays_with_a_ticket_that_is_not_his(attack: Attack) -> None:
    report = attack("impostor")
    assert report.ending is Ending.COMPLETED
    assert len(report.lines("held: ticket")) == 5
    assert "UNAUTHENTICATED" in report.output


def test_nobody_answers_for_another_seat_or_at_another_table(attack: Attack) -> None:
    """Without a strike to spare: had one of the answers counted, its seat's own would have been one too many."""
    report = attack("answers_for_others")
    assert report.ending is Ending.FORFEIT_ILLEGAL
    assert report.lines("answered ")


def test_every_bot_process_has_a_uid_of_its_own(random_bot: BotDirectory) -> None:
    parts.root()

    async def journey() -> set[int]:
        uids: set[int] = set()
        async with open_pool(sandbox=SandboxPolicy.REQUIRED) as pool:
            await pool.play(MatchToPlay("uids", "toy", {}, (random_bot,) * 3, 5, QUICK))
            for client in pool.referees[0].clients.values():
                assert isinstance(client.process, BotProcess)
                for pid in family(client.process.process.pid):
                    uids.add(os.stat(f"/proc/{pid}").st_uid)
                bot = family(client.process.process.pid)[-1]
                assert int(Path(f"/proc/{bot}/oom_score_adj").read_text()) == 1000, "the first to go"  # noqa: ASYNC240
        return uids

    uids = trio.run(journey) - {0}  # bubblewrap itself
    assert len(uids) == 3
    assert all(uid >= FIRST_UID for uid in uids)
