"""Cheats in one file each: what each tries before its first answer, and whether it may play on.

Every `cheat()` returns what it gained, or nothing. `SECRET` is the opponent's file, `OUTSIDE` a folder that everybody
may write to, `SOURCE` the folder of the rules, `DATABASE` the organiser's.
"""

from __future__ import annotations

from dataclasses import dataclass

FRAME = """
import glob, os, socket, subprocess, sys, time
SECRET, OUTSIDE, SOURCE, DATABASE = {paths!r}
TRIES = []

{cheat}

def attempt(view, options):
    try:
        gained = cheat(view, options)
    except Exception as error:
        print("REFUSED", type(error).__name__, flush=True)
    else:
        print("GAINED" if gained else "NOTHING", repr(gained)[:200], flush=True)

def choose(view, options):
    if not TRIES:
        TRIES.append(True)
        attempt(view, options)
    return {answer}
"""


@dataclass(frozen=True, slots=True)
class Cheat:
    """A program, what it answers, and whether it must forfeit."""

    body: str
    answer: str = "0"
    forfeits: bool = False

    def source(self, *paths: str) -> str:
        lines = "\n".join(f"    {line}" for line in self.body.strip().splitlines())
        return FRAME.format(paths=paths, cheat=f"def cheat(view, options):\n{lines}", answer=self.answer)


CHEATS = {
    "reads the opponent's file": Cheat("return open(SECRET).read()"),
    "lists the opponent's folder": Cheat("return os.listdir(os.path.dirname(SECRET))"),
    "finds copies of other bots": Cheat(r"""
return [name for name in glob.glob("/tmp/**", recursive=True) if name.endswith((".py", ".toml"))]
"""),
    "reads the organiser's database": Cheat('return open(DATABASE, "rb").read()'),
    "reads records beside it": Cheat('return glob.glob(os.path.join(OUTSIDE, "**"), recursive=True)[1:]'),
    "writes outside": Cheat('return open(os.path.join(OUTSIDE, "loot"), "w").write("x")'),
    "keeps loot at home": Cheat(r"""
kept = os.path.expanduser("~/loot")
if os.path.exists(kept):
    return True
open(kept, "w").write("x")
return False
"""),
    "rewrites itself": Cheat('return open(__file__, "a").write("x")'),
    "patches the rules on disk": Cheat(r"""
return open(os.path.join(SOURCE, "referee/games/norenberc/scoring.py"), "a").write("# patched")
"""),
    "patches the runner on disk": Cheat(r"""
import referee.one_file
return open(referee.one_file.__file__, "a").write("#")
"""),
    "plants a module": Cheat('return open(os.path.join(SOURCE, "sitecustomize.py"), "w").write("print(1)")'),
    "reads the referee's memory": Cheat(r"""
return open(f"/proc/{os.getppid()}/mem", "rb").read(1) if os.getppid() else 0
"""),
    "sees other processes": Cheat(r"""
seen = [int(name) for name in os.listdir('/proc') if name.isdigit()]
lines = [open(f'/proc/{pid}/cmdline').read() for pid in seen]
return [line for line in lines if 'referee\0' in line or 'opponent' in line]
"""),
    "kills everybody": Cheat(r"""
os.kill(-1, 0)
return len([n for n in os.listdir('/proc') if n.isdigit()]) > 10
"""),
    "kills its parent's group": Cheat(r"""
import signal
os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)
return False
"""),
    "forks and lets the child play on": Cheat(r"""
pid = os.fork()
if pid == 0:
    while True:
        open(os.path.join(OUTSIDE, "loot"), "a").write("x")
return False
"""),
    "forks without end": Cheat(r"""
count = 0
while count < 5000:
    if os.fork() == 0:
        time.sleep(600)
    count += 1
return count
"""),
    "phones home": Cheat(r"""
return socket.create_connection(("127.0.0.1", 22), 1) or socket.create_connection(("1.1.1.1", 53), 1)
"""),
    "opens a mailbox for an accomplice": Cheat(r"""
mail = "/tmp/mailbox"
if os.path.exists(mail):
    return open(mail).read()
open(mail, "w").write("my hand")
return False
"""),
    "whispers on an abstract socket": Cheat(r"""
other = socket.socket(socket.AF_UNIX)
try:
    other.connect('\0accomplice')
    return True
except ConnectionRefusedError:
    other.bind('\0accomplice')
    other.listen()
    TRIES.append(other)
    return False
"""),
    "looks for other tickets": Cheat(r"""
return [key for key in os.environ if 'TOKEN' in key or 'SECRET' in key or 'SEED' in key or 'KEY' in key]
"""),
    "takes the opponent's seat": Cheat(r"""
import grpc
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub
hello = pb.PlayRequest(messages=[pb.BotMessage(hello=pb.Hello(ticket='a' * 32, protocol_version=1))])
with grpc.insecure_channel(os.environ['ARENA_ADDRESS']) as channel:
    return next(iter(RefereeServiceStub(channel).Play(iter([hello])))).ListFields()
"""),
    "patches the judge in memory": Cheat(r"""
from referee.games import GAMES
from referee.game import Outcome
GAMES['norenberc'].__class__.outcome = lambda self, state: Outcome((1, 2), (99, 0), 'patched')
return False
"""),
    "rewrites its view and options": Cheat(r"""
for name in view.__slots__:
    try:
        object.__setattr__(view, name, 99)
    except Exception:
        pass
options[:] = options * 3
return False
"""),
    "remembers the last deck on disk": Cheat(r"""
kept = "/var/tmp/deck"
if os.path.exists(kept):
    return open(kept).read() == repr(view)
open(kept, "w").write(repr(view))
return False
"""),
    "predicts chance": Cheat(r"""
import gc
from referee.rng import Rng
return [each for each in gc.get_objects() if isinstance(each, Rng)]
"""),
    "chooses what is not there": Cheat("return False", "len(options) + 5", forfeits=True),
    "answers with a text": Cheat("return False", "'the best one'", forfeits=True),
    "leaves when asked": Cheat("return False", "sys.exit(0)", forfeits=True),
    "eats all memory": Cheat(r"""
hoard = bytearray(b'x' * (4 << 30))
return len(hoard)
"""),
    "fills the disk": Cheat(r"""
open("/tmp/fill", "wb").write(b"x" * (1 << 30))
return True
"""),
    "becomes root": Cheat(r"""
os.setuid(0)
return True
"""),
    "traces its parent": Cheat(r"""
import ctypes
return ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0
"""),
}  # fmt: skip
