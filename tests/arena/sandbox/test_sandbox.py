"""The sandbox: which level is in force and who may run in it, what a program sees there, and when it ends."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import trio

from arena.bots.directory import read_bot
from arena.bots.process import BotProcess, BotStartError
from arena.sandbox import cgroups, runtimes, seccomp
from arena.sandbox import levels as sandbox
from arena.sandbox.child import Child
from arena.sandbox.levels import (
    Level,
    Limits,
    SandboxError,
    SandboxPolicy,
    choose,
    detect,
    launch,
    runtime_environment,
)
from arena.sandbox.processes import family
from tests import parts
from tests.patience import patience

USUAL = Limits()
ARENA = str(Path(sys.executable).parent / "arena")
SECONDS = patience(12)
"""Of patience with a busy machine."""


@pytest.fixture
def level() -> Level:
    return parts.sandbox_for_untrusted_bots()


@pytest.fixture
def without_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine where bubblewrap is not installed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    detect.cache_clear()
    sandbox._say_unconfined.cache_clear()
    yield
    detect.cache_clear()
    sandbox._say_unconfined.cache_clear()


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("raise SystemExit('at first\\nwhy it failed')  # %s", "why it failed"),
        ("raise SystemExit(7)  # %s", "a probe ended with exit code 7"),
        ("import time; time.sleep(10_000)  # %s", "a probe did not end within 0.5 seconds"),
    ],
)
def test_a_level_whose_probe_fails_says_why(
    program: str, reason: str, level: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "PROBE", program)
    monkeypatch.setattr(sandbox, "PROBE_SECONDS", 0.5 if "sleep" in program else SECONDS)
    assert sandbox._probe(level) == reason


def test_a_level_that_holds_gives_no_reason_against_it(level: Level) -> None:
    assert sandbox._probe(level) == ""


SEEN_WHERE_IT_HOLDS = {"seccomp": "2", "no_new_privs": "1", "caps": 0, "writes": [], "network": ["lo"], "pid": 2}


@pytest.mark.parametrize(
    ("seen", "reason", "level"),
    [
        ({}, "", Level.DEFAULT),
        ({"network": []}, "", Level.FULL),
        ({"seccomp": "0"}, "the system call filter is not in force", Level.DEFAULT),
        ({"no_new_privs": "0"}, "the system call filter is not in force", Level.LANDLOCK),
        ({"caps": 1}, "a probe kept rights: capabilities 1, writes to []", Level.DEFAULT),
        ({"writes": ["/usr"]}, "a probe kept rights: capabilities 0, writes to ['/usr']", Level.LANDLOCK),
        ({"network": ["eth0", "lo"]}, "a probe saw the network or other processes", Level.DEFAULT),
        ({"pid": 10}, "", Level.FULL),
        ({"pid": 11}, "a probe saw the network or other processes", Level.FULL),
        ({"network": ["eth0", "lo"], "pid": 4000}, "", Level.LANDLOCK),
    ],
)
def test_what_a_probe_saw_decides_whether_a_level_holds(seen: Mapping[str, object], reason: str, level: Level) -> None:
    assert sandbox._judge(level, {**SEEN_WHERE_IT_HOLDS, **seen}) == reason


def readable(folder: Path) -> Path:
    """Make a directory that a uid of a bot's own may read."""
    directory = folder / "bot"
    directory.mkdir()
    directory.chmod(0o755)
    return directory


def run(level: Level, command: list[str], directory: Path, limits: Limits = USUAL) -> subprocess.CompletedProcess[str]:
    with launch(level, command, directory, runtime_environment(level), limits) as ready:
        done = subprocess.run(
            ready.argv, env=dict(ready.environment), cwd=ready.directory, pass_fds=ready.descriptors,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        ready.tidy()
    return done


# --- which level, and for whom


def test_without_bubblewrap_untrusted_bots_are_refused_and_the_reason_is_told(without_bubblewrap: None) -> None:
    assert not detect().level.holds_untrusted_bots
    with pytest.raises(SandboxError, match="needs bwrap"):
        choose(SandboxPolicy.REQUIRED)


def test_without_bubblewrap_the_operators_own_bots_run_and_plain_ones_are_announced_once(
    without_bubblewrap: None, capsys: pytest.CaptureFixture[str]
) -> None:
    levels = {choose(SandboxPolicy.AUTO), choose(SandboxPolicy.AUTO)}
    assert levels <= {Level.LANDLOCK, Level.NONE}
    said = capsys.readouterr()
    assert (said.out + said.err).count("sandbox.unavailable") == (1 if levels == {Level.NONE} else 0)


def test_off_is_off() -> None:
    assert choose(SandboxPolicy.OFF) is Level.NONE


def test_untrusted_bots_are_held_by_namespaces_only() -> None:
    assert [level for level in Level if level.holds_untrusted_bots] == [Level.FULL, Level.DEFAULT]


def test_the_doctor_reports_the_level_in_force(level: Level) -> None:
    done = subprocess.run([ARENA, "doctor", "--json"], capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert report["sandbox"] == level
    assert report["holds_untrusted_bots"] is True
    found = {finding["name"]: finding for finding in report["findings"]}
    assert found["Python bots"]["is_good"], "the stubs can be imported in the sandbox"
    assert {"Python", "SQLite", "unix sockets", "user", "bubblewrap", "packages"} <= set(found)


def test_the_doctor_names_the_one_command_that_fixes_it_on_one_screen(tmp_path: Path) -> None:
    """A machine with apt-get, and nothing else on the search path."""
    (tmp_path / "apt-get").symlink_to("/bin/true")
    environment = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run([ARENA, "doctor"], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert sum(1 + len(line) // 80 for line in lines) <= 24, done.stdout
    assert [line for line in lines if line.startswith("MISSING sandbox: ")]
    assert lines[-2].startswith("Missing: sandbox")
    as_root = "" if os.getuid() == 0 else "sudo "
    assert lines[-1].startswith(f"    {as_root}apt-get install -y bubblewrap")


# --- what a program sees


SEEN = """
import json, os, resource, socket
print(json.dumps({
    "environment": sorted(os.environ), "here": os.getcwd(), "top": sorted(os.listdir("/")),
    "host": socket.gethostname(),
    "limits": {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
               for name in ("DATA", "NPROC", "NOFILE", "FSIZE", "CPU", "CORE")},
    "uid": os.getuid(), "user": __import__("pwd").getpwuid(os.getuid()).pw_name, "groups": os.getgroups(),
    "tmp": os.statvfs("/tmp").f_blocks * os.statvfs("/tmp").f_frsize, "files": sorted(os.listdir()),
}))
"""


def test_a_program_sees_its_directory_a_read_only_system_and_its_limits(level: Level, tmp_path: Path) -> None:
    directory = readable(tmp_path)
    (directory / "own.txt").write_text("x")
    limits = Limits(memory_mb=300, processes=50, open_files=99, file_mb=7, tmp_mb=9, cpu_seconds=33)
    done = run(level, [sys.executable, "-S", "-c", SEEN], directory, limits)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert set(seen["environment"]) <= {
        "HOME",
        "LANG",
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONPATH",
        "TMPDIR",
        "PWD",
    }
    assert (seen["here"], seen["files"], seen["host"], seen["user"]) == ("/bot", ["own.txt"], "bot", "bot")
    to_python = {path.parts[1] for path in runtimes.python_view().paths}  # the first name on the way to it
    assert not {"home", "var", "run", "sys", "srv", "mnt", "media", "boot"} & (set(seen["top"]) - to_python)
    assert seen["tmp"] == 9 << 20
    assert seen["groups"] in ([], [seen["uid"]], [65534])
    assert seen["limits"] == {
        "DATA": 300 << 20, "NPROC": 50, "NOFILE": 99, "FSIZE": 7 << 20, "CPU": 33, "CORE": 0,
    }  # fmt: skip


def test_the_project_and_its_database_are_not_in_view(level: Level, tmp_path: Path) -> None:
    project = Path(sandbox.__file__).parents[1]
    names = ("arena", "tests/arena", "sample_bots", "pyproject.toml", ".git", "arena.db")
    script = "\n".join(f"test ! -e {project / name} || echo {name}" for name in names)
    if runtimes.is_system(project) or project.name == "site-packages":
        pytest.skip("the arena is installed, not a working tree: nothing of it is private")
    done = run(level, ["/bin/sh", "-c", script], tmp_path)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_way_to_python_leads_through_directories_that_cannot_be_listed(level: Level, tmp_path: Path) -> None:
    """Where the interpreter lies in somebody's home, a bot learns no name there but those on the way."""
    view = runtimes.python_view()
    above = {parent for path in view.paths for parent in path.parents} - {Path("/"), *view.search}
    scratch = Path("/tmp")  # a bot's own, which it may list: of what lies there outside, only the way is in it
    script = "\n".join(
        f"ls {parent} 2>/dev/null && echo BREACH" for parent in above - {scratch} if not runtimes.is_system(parent)
    )
    done = run(level, ["/bin/sh", "-c", f"{script}\ntrue"], tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    on_the_way = {parent.name for parent in above.union(view.paths, view.search) if parent.parent == scratch}
    assert set(run(level, ["/bin/ls", str(scratch)], tmp_path).stdout.split()) <= on_the_way


def test_a_runtime_outside_the_system_is_named_and_can_be_let_in(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime, directory = tmp_path / "runtime" / "bin", tmp_path / "bot"
    runtime.mkdir(parents=True)
    directory.mkdir()
    (runtime / "odd-language").write_text("#!/bin/sh\necho I run from $0\n")
    (runtime / "odd-language").chmod(0o755)
    (directory / "bot.toml").write_text('name = "odd"\ncommand = ["odd-language"]\n')
    monkeypatch.setenv("PATH", f"{runtime}:{os.environ['PATH']}")

    async def start() -> str:
        bot = await BotProcess.start(read_bot(directory), f"unix:{tmp_path}/none", "ticket", level)
        detail = await bot.watch()
        await bot.stop()
        return f"{detail} {bot.output.text()}"

    with pytest.raises(
        BotStartError, match=f"it is at {runtime}/odd-language, outside the sandbox; ARENA_SANDBOX_READ"
    ):
        trio.run(start)
    monkeypatch.setenv(runtimes.READ_TOO, str(runtime.parent))
    assert trio.run(start) == f"exit code 0 I run from {runtime}/odd-language\n"


def test_a_directory_that_bots_may_not_read_is_refused_with_advice(level: Level, tmp_path: Path) -> None:
    parts.root()  # bots with uids of their own may lack the right to read
    directory = tmp_path / "private"
    directory.mkdir(mode=0o700)
    (directory / "bot.toml").write_text('name = "private"\ncommand = ["python3"]\n')
    with pytest.raises(BotStartError, match=r"chmod -R a\+rX"):
        trio.run(BotProcess.start, read_bot(directory), "unix:/tmp/none", "ticket", level)


def test_a_sandboxed_bot_cannot_be_sent_over_the_network(level: Level, tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('name = "far"\ncommand = ["python3"]\n')
    tmp_path.chmod(0o755)
    with pytest.raises(BotStartError, match="expected a unix socket, not 127"):
        trio.run(BotProcess.start, read_bot(tmp_path), "127.0.0.1:5000", "ticket", level)


# --- processors


def test_a_bot_that_uses_more_than_its_processors_gets_what_others_leave(level: Level, tmp_path: Path) -> None:
    """Its threads come last, and its session too where the kernel shares processors out by session."""

    def standing(pid: int) -> tuple[int, str]:
        group = Path(f"/proc/{pid}/autogroup")
        said = group.read_text().split() if group.exists() else []  # nothing where sessions do not count
        return os.getpriority(os.PRIO_PROCESS, pid), said[-1] if said else "19"

    directory = readable(tmp_path)
    os.mkfifo(directory / "go")  # it uses no processor until somebody opens the other end

    async def journey() -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        command = ["/bin/sh", "-c", "read go < go; while :; do :; done"]
        limits = dataclasses.replace(USUAL, processors=0.02)  # so little that it has more even where many compete
        with launch(level, command, directory, runtime_environment(level), limits) as ready:
            child = Child(ready)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(child.watch, bytes)
            with trio.fail_after(SECONDS):
                while len(family(child.pid)) < 3:  # noqa: ASYNC110
                    await trio.sleep(0.01)
                pids = family(child.pid)
                before = [standing(pid) for pid in pids]
                await trio.to_thread.run_sync((directory / "go").write_text, "now\n", abandon_on_cancel=True)
                while standing(pids[-1]) != (19, "19"):  # noqa: ASYNC110
                    await trio.sleep(0.05)
            after = [standing(pid) for pid in pids]
            await child.stop()
        return before, after

    before, after = trio.run(journey)
    assert {nice for nice, _ in before} == {os.getpriority(os.PRIO_PROCESS, 0)}
    assert set(after) == {(19, "19")}


def test_many_sessions_of_a_bot_give_it_no_larger_share(level: Level, tmp_path: Path) -> None:
    """A bot that starts ten sessions believes it has them, and the kernel knows of none but its own."""
    program = """
import os, time
for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        print("in a session", flush=True)
        time.sleep(1000)
time.sleep(1000)
"""

    async def journey() -> tuple[int, set[int]]:
        with launch(level, ["python3", "-c", program], readable(tmp_path), runtime_environment(level), USUAL) as ready:
            child = Child(ready)
        heard = bytearray()
        begun = trio.Event()

        def keep(chunk: bytes) -> None:
            heard.extend(chunk)
            if heard.count(b"in a session") == 10:
                begun.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(child.watch, keep)
            with trio.fail_after(SECONDS):
                await begun.wait()
            pids = family(child.pid)
            sessions = {os.getsid(pid) for pid in pids}
            await child.stop()
        return len(pids), sessions

    count, sessions = trio.run(journey)
    assert count == 2 + 1 + 10
    assert len(sessions) <= 3, "bubblewrap's, its namespace's, and the bot's"


# --- how it ends


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_bots_end_with_an_arena_that_is_killed(level: Level, tmp_path: Path) -> None:
    """kill -9 on the arena leaves it no time for anything, and yet nothing stays."""
    program = f"""
import time
from pathlib import Path
from arena.sandbox.child import Child
from arena.sandbox.processes import family
from arena.sandbox.levels import Level, Limits, launch, runtime_environment
import trio
async def main():
    level = Level({level.value!r})
    command = ["/bin/sh", "-c", "sleep 1000 & sleep 1000"]
    with launch(level, command, Path("/usr"), runtime_environment(level), Limits()) as ready:
        child = Child(ready)
    while len(family(child.pid)) < 5:
        await trio.sleep(0.01)
    print(*family(child.pid), flush=True)
    await trio.sleep(100)
trio.run(main)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        pids = [int(word) for word in arena.stdout.readline().split()]
        assert len(pids) == 5
        assert all(map(is_alive, pids))
        arena.kill()
    deadline = time.monotonic() + SECONDS
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_alive, pids))


def test_a_bot_is_asked_before_it_is_killed(level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.child.STOP_SECONDS", SECONDS)  # a busy machine may need more than one to answer
    script = "trap 'echo farewell; exit 3' TERM; echo ready; while :; do sleep 0.05; done"

    async def journey() -> tuple[str, list[int]]:
        with launch(level, ["/bin/sh", "-c", script], tmp_path, runtime_environment(level), Limits()) as ready:
            child = Child(ready)
        heard = bytearray()
        ready_to_go = trio.Event()

        def keep(chunk: bytes) -> None:
            heard.extend(chunk)
            ready_to_go.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(child.watch, keep)
            with trio.fail_after(SECONDS):
                await ready_to_go.wait()
                while resource.prlimit(family(child.pid)[1], resource.RLIMIT_NPROC)[1] != USUAL.processes:  # noqa: ASYNC110
                    await trio.sleep(0.005)  # the first process of its namespace is bounded as well, a moment later
            pids = family(child.pid)
            await child.stop()
        return heard.decode(), pids

    heard, pids = trio.run(journey)
    assert heard == "ready\nfarewell\n"
    assert len(pids) >= 3
    assert not any(map(is_alive, pids))


def test_a_bot_that_is_stopped_while_it_starts_is_gone(level: Level, tmp_path: Path) -> None:
    async def journey() -> list[int]:
        pids = []
        for pause in (number / 2000 for number in range(24)):  # what has begun by then differs
            with launch(level, ["/bin/sleep", "1000"], tmp_path, runtime_environment(level), Limits()) as ready:
                child = Child(ready)
            await trio.sleep(pause)
            pids += family(child.pid)
            with trio.fail_after(SECONDS):
                await child.stop()
        return pids

    assert not any(map(is_alive, trio.run(journey)))


# --- the system call filter, on both architectures


def verdict(program: bytes, machine: str, number: int, *arguments: int) -> int:
    """Run a filter on one system call, as the kernel does."""
    data = number.to_bytes(4, "little") + seccomp.AUDIT_ARCH[machine].to_bytes(4, "little") + bytes(8)
    data += b"".join(argument.to_bytes(8, "little") for argument in (*arguments, *[0] * 6)[:6])
    steps = [program[start : start + 8] for start in range(0, len(program), 8)]
    at = accumulator = 0
    while True:
        code, if_true, if_false = int.from_bytes(steps[at][:2], "little"), steps[at][2], steps[at][3]
        value = int.from_bytes(steps[at][4:], "little")
        at += 1
        if code == seccomp.RETURN:
            return value
        if code == seccomp.LOAD:
            accumulator = int.from_bytes(data[value : value + 4], "little")
            continue
        tests = {
            seccomp.EQUAL: accumulator == value, seccomp.ABOVE: accumulator > value,
            seccomp.AT_LEAST: accumulator >= value, seccomp.ANY_BIT: bool(accumulator & value),
        }  # fmt: skip
        at += if_true if tests[code] else if_false


def refused(number: int) -> int:
    return 0x0005_0000 | number


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("is_boxed", [True, False])
def test_the_filter_decides_every_call_as_its_tables_say(machine: str, is_boxed: bool) -> None:
    column = ["x86_64", "aarch64"].index(machine)
    program = seccomp.assemble(inet=is_boxed, own_session=is_boxed, machine=machine)
    special: dict[int, object] = {}
    tables: list[tuple[Mapping[str, tuple[int, int | None]], int]] = [
        (seccomp.FORBIDDEN, errno.EPERM), (seccomp.UNKNOWN, errno.ENOSYS),
        (seccomp.OWN_SESSIONS, 0) if is_boxed else (seccomp.LEAVING_THE_SESSION, errno.EPERM),
    ]  # fmt: skip
    for table, answer in tables:
        for name, numbers in table.items():
            number = numbers[column]
            if number is not None:
                special[number] = name
                assert verdict(program, machine, number) == refused(answer), name
    by_argument = (seccomp.CLONE, seccomp.SOCKET, seccomp.SOCKETPAIR, seccomp.IOCTL, seccomp.SETSOCKOPT)
    decided_by_argument = {call[column] for call in by_argument}
    for number in set(range(seccomp.NEWEST_KNOWN + 1)) - set(special) - decided_by_argument:
        assert verdict(program, machine, number) == seccomp.ALLOW, number
    assert verdict(program, machine, seccomp.NEWEST_KNOWN + 1) == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_looks_at_arguments(machine: str) -> None:
    column = ["x86_64", "aarch64"].index(machine)
    program = seccomp.assemble(inet=True, own_session=True, machine=machine)
    plain = seccomp.assemble(inet=False, own_session=False, machine=machine)
    send_buffer, keep_alive, of_tcp = 7, 9, 6
    assert verdict(program, machine, seccomp.SETSOCKOPT[column], 3, 1, send_buffer) == refused(0), "as if it were done"
    assert verdict(program, machine, seccomp.SETSOCKOPT[column], 3, 1, keep_alive) == seccomp.ALLOW
    assert verdict(program, machine, seccomp.SETSOCKOPT[column], 3, of_tcp, send_buffer) == seccomp.ALLOW
    new_thread, new_user = 0x3D0F00, 0x10000011
    assert verdict(program, machine, seccomp.CLONE[column], new_thread) == seccomp.ALLOW
    assert verdict(program, machine, seccomp.CLONE[column], new_user) == refused(errno.EPERM)
    for family_number, boxed, unboxed in (
        (1, True, True),
        (2, True, False),
        (10, True, False),
        (16, False, False),
        (40, False, False),
    ):
        for filtered, is_allowed in ((program, boxed), (plain, unboxed)):
            expected = seccomp.ALLOW if is_allowed else refused(errno.EAFNOSUPPORT)
            assert verdict(filtered, machine, seccomp.SOCKET[column], family_number) == expected
    assert verdict(program, machine, seccomp.SOCKETPAIR[column], 2) == refused(errno.EAFNOSUPPORT)
    assert verdict(program, machine, seccomp.IOCTL[column], 0, 0x5412) == refused(errno.EPERM)
    assert verdict(program, machine, seccomp.IOCTL[column], 0, 0x5401) == seccomp.ALLOW


def test_calls_in_another_architectures_clothes_are_killed() -> None:
    program = seccomp.assemble(inet=True, own_session=True, machine="x86_64")
    assert verdict(program, "aarch64", 0) == seccomp.KILL
    assert verdict(program, "x86_64", seccomp.X32_BIT | 1) == refused(errno.ENOSYS)


# --- landlock and control groups


def test_landlock_keeps_files_networks_signals_and_the_session(tmp_path: Path) -> None:
    parts.landlock()
    secret = tmp_path / "secret"
    secret.write_text("secret")
    directory = readable(tmp_path)
    (directory / "own").write_text("own")
    script = f"""
cat own
cat {secret} && echo BREACH
echo x > own && echo BREACH
kill -0 {os.getpid()} && echo BREACH
setsid true && echo BREACH
(exec 3<>/dev/tcp/127.0.0.1/1) 2>&1 | grep -q refused && echo BREACH
ulimit -c
"""
    done = run(Level.LANDLOCK, ["/bin/bash", "-c", script], directory)
    assert done.stdout == "own0\n", done.stderr
    assert done.stderr.count("ermission") + done.stderr.count("No such file") >= 2


def test_landlock_works_where_only_root_may_enter(tmp_path: Path) -> None:
    """The bot and its interpreter are in reach, and nothing that lies beside them; what is closed stays so outside."""
    parts.landlock()
    parts.root()
    closed = tmp_path / "closed"
    directory = closed / "deep" / "bot"
    directory.mkdir(parents=True)
    closed.chmod(0o700)
    (directory / "bot.py").write_text("import os, sys; print(sys.executable, os.getcwd(), os.getuid() > 0)")
    (closed / "secret").write_text("secret")
    (closed / "python").symlink_to(sys.executable)
    environment = runtime_environment(Level.LANDLOCK)
    for command, said in (
        ([sys.executable, "bot.py"], f"{sys.executable} {directory} True\n"),
        (["/bin/sh", "-c", f"ls {closed} {closed}/deep; cat {closed}/secret; touch {closed}/new; ls"], "bot.py\n"),
        ([sys.executable, "-c", "import grpc, referee.v1.play_pb2; print('imported')"], "imported\n"),
    ):
        with launch(Level.LANDLOCK, command, directory, environment, USUAL) as ready:
            done = subprocess.run(
                ready.argv, env=dict(environment), cwd=directory, capture_output=True, text=True, check=False
            )
        assert done.stdout == said, done.stderr
    assert closed.stat().st_mode & 0o777 == 0o700
    assert sorted(file.name for file in closed.iterdir()) == ["deep", "python", "secret"]


def test_at_landlock_processes_are_counted_as_a_whole(tmp_path: Path) -> None:
    """An ordinary user's bots share the user's uid, whose processes the kernel would count together."""
    parts.landlock()

    async def journey() -> Child:
        command = ["/bin/sh", "-c", "for n in 1 2 3 4 5 6; do sleep 1000 & done; wait"]
        with launch(Level.LANDLOCK, command, tmp_path, runtime_environment(Level.LANDLOCK), USUAL) as ready:
            child = Child(dataclasses.replace(ready, limits=dataclasses.replace(USUAL, processes=4)))
        with trio.fail_after(SECONDS):
            await child.watch(bytes)
            await child.stop()
        return child

    child = trio.run(journey)
    assert child.verdict == "had more than its 4 processes and threads"
    assert not is_alive(child.pid)


def test_a_process_enters_its_control_groups_before_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("memory", "pids"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv(cgroups.VARIABLE, f"{tmp_path / 'memory'}:{tmp_path / 'pids'}")
    groups = cgroups.open_group(64, 16, 1.0)
    assert [group.parent.name for group in groups] == ["memory", "pids"]
    done = subprocess.run(
        cgroups.enter(groups, ["/bin/echo", "in", "-- order"]), capture_output=True, text=True, check=True
    )
    assert done.stdout == "in -- order\n"
    assert [(group / "cgroup.procs").read_text() for group in groups] == ["0\n", "0\n"]


def test_groups_of_a_killed_arena_are_swept_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cgroups.VARIABLE, str(tmp_path))
    (mine,) = cgroups.open_group(64, 16, 1.0)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, foreign = tmp_path / mine.name.replace(str(os.getpid()), str(ended.pid)), tmp_path / "bot-of-somebody"
    for group in (left, foreign):
        group.mkdir()
    cgroups.sweep()
    assert sorted(tmp_path.iterdir()) == sorted((mine, foreign))


def test_a_control_group_without_memory_is_not_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cgroups.VARIABLE, str(tmp_path))
    assert cgroups.missing() == f"{cgroups.VARIABLE}: its groups have no memory controller"
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(cgroups.VARIABLE, str(tmp_path / "nowhere"))
    assert "No such file" in cgroups.missing()
