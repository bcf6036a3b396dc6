"""The system call filter of sandboxed bots, assembled by hand: without a library, and fully visible here.

By default it allows what ordinary programs use, refuses what only attacks on the kernel, on other
processes or on the limits need, and answers ENOSYS to calls newer than the table below.
"""

from __future__ import annotations

import errno
import platform
import struct

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NEWEST_KNOWN = 456  # futex_requeue, the same number everywhere; programs fall back when a newer call is missing
X32_BIT = 0x4000_0000

# name: (x86_64, aarch64); None where the architecture has no such call
FORBIDDEN: dict[str, tuple[int, int | None]] = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    # parts of the kernel with a long history of vulnerabilities
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "modify_ldt": (154, None), "lookup_dcookie": (212, 18),
    # the machine
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "syslog": (103, 116), "quotactl": (179, 60), "quotactl_fd": (443, 443), "vhangup": (153, 58),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "iopl": (172, None), "ioperm": (173, None), "nfsservctl": (180, 42),
    # memory that no limit counts
    "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190),
    "mbind": (237, 235), "migrate_pages": (256, 238), "move_pages": (279, 239), "set_mempolicy": (238, 237),
}  # fmt: skip
"""Refused with EPERM."""

UNKNOWN: dict[str, tuple[int, int | None]] = {
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "clone3": (435, 435),  # its flags are behind a pointer that a filter cannot follow; C libraries use clone
    "memfd_create": (319, 279), "memfd_secret": (447, 447),  # memory that no limit counts
}  # fmt: skip
"""Answered with ENOSYS, as by an older kernel, so that programs fall back."""

LEAVING_THE_SESSION: dict[str, tuple[int, int | None]] = {"setsid": (112, 157), "setpgid": (109, 154)}
"""Refused where no process namespace contains a bot's children: its session is then all there is to kill."""

OWN_SESSIONS: dict[str, tuple[int, int | None]] = {"setsid": LEAVING_THE_SESSION["setsid"]}
"""Succeeds without effect in a process namespace: the kernel shares CPUs by session, so every session of a bot would
get the share of a whole bot."""

CLONE, SOCKET, SOCKETPAIR, IOCTL, SETSOCKOPT = (56, 220), (41, 198), (53, 199), (16, 29), (54, 208)
NEW_NAMESPACES = 0x7E02_0000  # CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET
AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
SOL_SOCKET = 1
SIZES_OF_BUFFERS = (7, 8, 32, 33)  # SO_SNDBUF, SO_RCVBUF and their FORCE: memory that no limit counts
PUSHING_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: typing into the terminal of the arena

LOAD, EQUAL, ABOVE, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
ALLOW, KILL = 0x7FFF_0000, 0x8000_0000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data


def is_supported() -> bool:
    """Return whether the filter knows this machine's system calls."""
    return platform.machine() in AUDIT_ARCH


def assemble(*, inet: bool, own_session: bool, machine: str | None = None) -> bytes:
    """Return the filter as the kernel reads it.

    `inet` lets a bot open internet sockets, for the loopback of its own network; `own_session` lets it believe
    that it leaves its session, for where a process namespace is killed as a whole.
    """
    machine = machine or platform.machine()
    column = 0 if machine == "x86_64" else 1
    program = [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, AUDIT_ARCH[machine], 1, 0),
        _step(RETURN, KILL),
        _step(LOAD, NUMBER),
    ]
    if machine == "x86_64":
        program += [_step(AT_LEAST, X32_BIT, 0, 1), _refuse(errno.ENOSYS)]
    program += [_step(ABOVE, NEWEST_KNOWN, 0, 1), _refuse(errno.ENOSYS)]
    sessions = (OWN_SESSIONS, 0) if own_session else (LEAVING_THE_SESSION, errno.EPERM)
    for table, answer in ((FORBIDDEN, errno.EPERM), (UNKNOWN, errno.ENOSYS), sessions):
        for numbers in table.values():
            number = numbers[column]
            if number is not None:
                program += [_step(EQUAL, number, 0, 1), _refuse(answer)]
    families = (AF_UNIX, AF_INET, AF_INET6) if inet else (AF_UNIX,)
    program += _when(CLONE[column], _argument(0), [_step(ANY_BIT, NEW_NAMESPACES, 0, 1), _refuse(errno.EPERM)], ALLOW)
    program += _when(SOCKET[column], _argument(0), _allowed(families), _errno(errno.EAFNOSUPPORT))
    program += _when(SOCKETPAIR[column], _argument(0), _allowed((AF_UNIX,)), _errno(errno.EAFNOSUPPORT))
    pushing = [step for request in PUSHING_INPUT for step in (_step(EQUAL, request, 0, 1), _refuse(errno.EPERM))]
    program += _when(IOCTL[column], _argument(1), pushing, ALLOW)
    # Answered with success, because a size is only a request.
    sizes = [step for option in SIZES_OF_BUFFERS for step in (_step(EQUAL, option, 0, 1), _refuse(0))]
    of_sockets = [_step(EQUAL, SOL_SOCKET, 1, 0), _step(RETURN, ALLOW), _argument(2)]
    program += _when(SETSOCKOPT[column], _argument(1), [*of_sockets, *sizes], ALLOW)
    program.append(_step(RETURN, ALLOW))
    return b"".join(program)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _errno(number: int) -> int:
    return 0x0005_0000 | number


def _refuse(number: int) -> bytes:
    return _step(RETURN, _errno(number))


def _argument(index: int) -> bytes:
    """Load the low half of an argument; every argument checked here is a 32-bit value."""
    return _step(LOAD, ARGUMENTS + 8 * index)


def _allowed(values: tuple[int, ...]) -> list[bytes]:
    return [step for value in values for step in (_step(EQUAL, value, 0, 1), _step(RETURN, ALLOW))]


def _when(number: int, load: bytes, tests: list[bytes], otherwise: int) -> list[bytes]:
    """Decide one system call by an argument: each test returns or falls through, and `otherwise` comes last."""
    body = [load, *tests, _step(RETURN, otherwise)]
    return [_step(EQUAL, number, 0, len(body)), *body]
