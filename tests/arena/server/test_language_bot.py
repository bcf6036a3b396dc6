"""The language bot on a real server, run as its page says: it plays from elsewhere, whatever the endpoint answers."""

from __future__ import annotations

import html
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.store.database import open_to_read
from arena.v1 import arena_pb2 as pb
from referee.record import How, Record, read
from tests.arena.server.running_server import PATIENCE_SECONDS, ROOT, bot_directory, running
from tests.arena.server.test_remote import connected, wait_for_log
from tests.arena.web.fetching import get
from tests.documents import blocks
from tests.lookahead.test_beside_a_bot import LOOKING_BOT
from tests.sample_bots.scripted_endpoint import completion, endpoint

PAGE = ROOT / "docs/howto/let_a_language_model_play.md"
SECONDS = 10
"""That it waits for an answer: far more than a busy machine takes for one that comes immediately."""
REASON = "It is <i>small</i>."
TOKENS = 7
CUP = """
name = "cup"
game = "toy"
options.toy = {rounds = 4}
bots = ["near", "language"]
rounds = 1
time_control = {bank_ms = 1200000, cap_ms = 600000, join_ms = 300000}
"""
SCRIPT = (
    (200, completion(f"2\n{REASON}", TOKENS), 0.0),
    (500, b"out of order", 0.0), (500, b"still", 0.0),  # it asks again until the endpoint works
    (200, completion("Hm, hard to say."), 0.0), (200, completion("All of them."), 0.0),
    (200, completion("1\nToo late."), PATIENCE_SECONDS),  # longer than it waits
    (200, completion(f"1\n{REASON}", TOKENS), 0.0),
)  # fmt: skip


@contextmanager
def as_the_page_says(url: str, server: str, token: str) -> Iterator[subprocess.Popen[str]]:
    """Run the page's own commands, with this machine's addresses in place of those shown."""
    code = next(block.code for block in blocks(PAGE) if "arena connect" in block.code)
    for shown, real in (("http://127.0.0.1:8000/v1/chat/completions", url), ("arena.example.org:7494", server)):
        assert code.count(shown) == 1
        code = code.replace(shown, real)
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "ARENA_TOKEN": token,
        "LANGUAGE_SECONDS": f"{SECONDS}",
    }
    process = subprocess.Popen(
        ["sh", "-c", code], cwd=ROOT, env=environment, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate(timeout=PATIENCE_SECONDS)


def told(record: Record, seat: int) -> list[tuple[int, str]]:
    """Return the comments of a seat with their steps."""
    choices = [(step.number, choice) for step in record.steps for choice in step.choices if choice.seat == seat]
    return [(number, choice.comment) for number, choice in choices if choice.how is not How.FORCED]


def until_told_twice(lines: Iterable[str]) -> str:
    """Return what the bot prints until it has said of two matches what they cost, a moment after their end."""
    printed = ""
    for line in lines:
        printed += line
        if printed.count(" unusable answers") == 2:
            break
    return printed


def test_a_language_model_plays_on_a_server_and_its_reasons_are_shown_when_the_round_is_closed(tmp_path: Path) -> None:
    """The model holds its second match up until the first has been looked at, while the round is open.

    Its rival plays from elsewhere too, with a look-ahead helper beside it.
    """
    seats: list[str] = []
    has_looked = threading.Event()

    def hold_the_second_match(question: dict[str, Any]) -> None:
        seat = re.findall(r"You sit in seat (\d)", question["messages"][0]["content"])[0]
        seats.append(seat)
        if seat != seats[0]:
            has_looked.wait(PATIENCE_SECONDS)

    with (
        running(tmp_path / "arena", "--web", "127.0.0.1:0") as server,
        endpoint(*SCRIPT, before=hold_the_second_match) as (url, asked),
    ):
        ann, olga = server.token("ann"), server.token("olga", "organiser")
        near = bot_directory(tmp_path / "bots", "near", program=LOOKING_BOT)
        with (near / "bot.toml").open("a") as manifest:
            manifest.write("lookahead = true\n")
        with connected(near, server.addresses[0], ann), as_the_page_says(url, server.addresses[0], ann) as language:
            assert language.stdout is not None
            assert language.stderr is not None
            label = language.stdout.readline().split()[0]
            wait_for_log(server, "bot.connected", 2)
            server.call("StartTournament", pb.StartTournamentRequest(toml=CUP), olga)
            store = open_to_read(server.db)
            while not (finished := store.matches.of("cup")):
                time.sleep(0.05)
            record = read(store.matches.record(finished[0].id))
            own = finished[0].seating.index(label)
            comments, rival = told(record, own), told(record, 1 - own)
            store.close()
            first = f"{server.web[0]}/matches/{finished[0].id}"
            pages = [f"{first}?step={step}&seat=open" for step, _ in comments[:2]]
            before = [get(page)[1] for page in pages]
            has_looked.set()
            events = server.call("WatchTournament", pb.WatchTournamentRequest(tournament="cup"), olga)
            after = [get(page)[1] for page in pages]
            endings = server.call("GetBot", pb.GetBotRequest(name="language", last=9), olga).bot.recent
            assert language.poll() is None, "it stays for the next tournament"
            printed = until_told_twice(language.stderr)
            os.killpg(language.pid, signal.SIGTERM)
            language.communicate(timeout=PATIENCE_SECONDS)
    assert events[-1].status.reason == "all rounds are played"
    assert [line.ending for line in endings] == ["completed"] * 2
    assert all(re.fullmatch(r"saw \d futures", comment) for _, comment in rival), "its rival looks ahead from here"
    said = [comment for _, comment in comments]
    assert re.fullmatch(rf"{re.escape(REASON)} \[{TOKENS} tokens, \d+ ms\]", said[0])
    assert re.fullmatch(
        r"default, because That states no option\. Answer with one number from 1 to \d\. It said: All of them\."
        rf" \[unusable, {2 * TOKENS} tokens, \d+ ms\]", said[1]
    )  # fmt: skip
    late = re.fullmatch(rf"{re.escape(REASON)} \[{TOKENS} tokens, (\d+) ms\]", said[2])
    assert late is not None
    assert int(late[1]) >= 1000 * SECONDS, "it waited for the answer that came too late, and asked again"
    reasons = [html.escape(comment) for comment in said[:2]]
    assert not [page for page in before if reasons[0] in page or reasons[1] in page]
    assert all(reason in page for reason, page in zip(reasons, after, strict=True))
    assert REASON not in "".join(after), "it is escaped"
    costs = re.findall(r"match \w+: (\d+) questions, (\d+) tokens, (\d+) unusable answers", printed)
    assert len(costs) == 2
    spent = sum(int(count) for comment in said for count in re.findall(r"(\d+) tokens, \d+ ms\]", comment))
    assert costs[0] == (str(len(said)), str(spent), "1")
    assert len(asked) >= len(said) + 4
