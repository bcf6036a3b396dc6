"""Matches watched while they are played: nothing hidden is sent, the delay is kept, and the end is a replay."""

from __future__ import annotations

import gzip
import html
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.plan.tournament_file import Plan, beside, parse_plan
from arena.play.live import LiveTournaments
from arena.play.pool import Pool
from arena.store.database import open_to_read
from arena.v1 import arena_pb2 as pb
from arena.web.live import LiveMatch
from arena.web.pages.matches import live_part
from arena.web.replays import LiveCourse
from ratings.points.result import Fixture
from referee.mistakes import UserError
from referee.record import How, Record, RecordError, read, replay
from tests.arena.server.running_server import NO_HURRY, bot_archive, enter_patient_bot, running
from tests.arena.web.fetching import unpointed
from tests.arena.web.live_tournament import NAME, RANDOM_BOT, LiveTournament, live_tournament, patient_bot
from tests.patience import patience

GOLDEN = Path(__file__).parents[2] / "golden"
PATIENCE = patience(30)


def get(address: str) -> tuple[int, bytes]:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            body = answer.read()
            return answer.status, gzip.decompress(body) if answer.headers["content-encoding"] == "gzip" else body
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def until(found: Callable[[], str | None]) -> str:
    """Ask again until there is an answer."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        text = found()
        if text is not None:
            return text
        time.sleep(0.05)
    raise AssertionError("it did not come to pass in time")


def watched_match(live: LiveTournament) -> str:
    """Follow the link of the tournament's page to the match that is being played."""

    def look() -> str | None:
        page = get(f"{live.address}/tournaments/{NAME}")[1].decode()
        link = re.search(r'href="(/matches/[0-9a-f]{64})">Watch table 1<', page)
        return link[1] if link else None

    return live.address + until(look)


def events_of(address: str) -> Iterator[tuple[str, dict[str, object], bytes]]:
    """Yield the events of a stream: name, data and bytes."""
    with urllib.request.urlopen(address, timeout=PATIENCE) as stream:
        raw = b""
        for line in stream:
            raw += line
            if line.startswith(b"data: "):
                name = raw.rpartition(b"event: ")[2].split(b"\n")[0].decode()
                yield name, json.loads(line.removeprefix(b"data: ")), raw
                raw = b""


ANSWERS = 12
"""That either bot may give before everything that is sent is looked at."""


@pytest.mark.parametrize(("game", "delay"), [("furstenfeld", 0), ("norenberc", 3)])
def test_nothing_hidden_and_nothing_too_early_is_in_the_bytes_of_a_live_match(
    tmp_path: Path, game: str, delay: int
) -> None:
    """Everything that is sent of a match that is on is searched for what only some seats came to know."""
    with live_tournament(tmp_path, game, delay) as live:
        match = watched_match(live)
        sent: list[bytes] = []
        stream = events_of(f"{match}/events")
        live.allow(ANSWERS)
        for _name, data, raw in stream:
            sent.append(raw)
            if int(str(data["steps"])) >= ANSWERS - delay:
                break
        for query in ("", "?seat=open", "?seat=0", "?step=0&seat=1"):
            status, body = get(f"{match}{query}")
            assert (status, b">live<" in body, b"hidden-fact" in body) == (200, True, False)
            sent.append(body)
        shown = max(int(found) for body in sent for found in re.findall(rb'data-steps="(\d+)"', body))
        for number in range(shown + 5):
            sent += [get(f"{match}/step?step={number}&seat={seat}")[1] for seat in ("open", "1")]
        shown = max(int(found) for body in sent for found in re.findall(rb'data-step="(\d+)"', body))
        assert get(f"{match}/record")[0] == 404
        tournament = get(f"{live.address}/tournaments/{NAME}")[1]
        assert b"seed" not in tournament, "who knows the seed knows every card"
        sent.append(tournament)
        live.finish()
        assert any(name == "ended" and data["stored"] for name, data, _raw in stream)

        store = open_to_read(live.database)
        record = read(store.matches.record(match.rpartition("/")[2]))
        store.close()
        assert 0 < shown <= held_at(record) - delay
        described, witnessed = set(), set()
        for step, _state, events in replay(record):
            if step.number <= held_at(record):
                described |= {record.game.describe(choice.action) for choice in step.choices}
                described |= {record.game.describe(event) for event in events}
                seen = (record.game.witness(event, None) for event in events)
                witnessed |= {record.game.describe(event) for event in seen if event is not None}
        hidden = {html.escape(text).encode() for text in described - witnessed if len(text) > 5}
        assert len(hidden) > 5, "nothing was hidden, so nothing was tested"
        everything = unpointed(b"\n".join(sent).decode()).encode()
        assert [text for text in hidden if text in everything] == []


def held_at(record: Record) -> int:
    """Return the last step before either bot had to give an answer that it was not allowed yet."""
    answers: Counter[int] = Counter()
    for step in record.steps:
        answers.update(choice.seat for choice in step.choices if choice.how is How.ANSWERED)
        if max(answers.values(), default=0) > ANSWERS:
            return step.number - 1
    raise AssertionError("the match was never held up")


@dataclass
class Played:
    """A tournament on the air without a referee."""

    plan: Plan
    unfinished: dict[str, Fixture]
    pool: Pool | None = None


def test_a_live_match_stays_behind_by_the_organisers_delay(tmp_path: Path) -> None:
    lines = (GOLDEN / "furstenfeld.jsonl").read_text().splitlines()
    bots = [{"path": str(RANDOM_BOT), "name": name} for name in ("ann", "bob")]
    plan = parse_plan({"name": "cup", "game": "furstenfeld", "bot": bots, "spectator_delay": 4}, beside(tmp_path))
    live_match = LiveMatch(
        LiveTournaments(), Played(plan, {}), Fixture("cup", 1, 1, 0, ("ann", "bob", "cat", "dan"), 5)
    )
    with pytest.raises(UserError, match="has not begun"):
        live_part(live_match, "last")
    live_match.course = LiveCourse(lines[0])
    live_match.course.add(lines[1:4])
    assert live_match.steps == 0
    live_match.course.add(lines[4:11])
    assert (live_match.course.steps, live_match.steps) == (10, 6)
    assert [live_part(live_match, step)["moment"].step for step in ("3", "6", "7", "10", "last", "")] == [
        3,
        6,
        6,
        6,
        6,
        6,
    ]


def at_least(page: Page, steps: int) -> None:
    """Wait until the board has come so far."""
    page.wait_for_function("least => Number(document.querySelector('.moment').dataset.step) >= least", arg=steps)


def test_a_match_is_watched_live_and_its_page_becomes_the_replay(page: Page, tmp_path: Path) -> None:
    with live_tournament(tmp_path, "norenberc") as live:
        watched_match(live)  # it has begun
        page.goto(live.address)
        expect(page.locator(".now")).to_contain_text("Round 1 of")
        page.get_by_role("link", name="Watch table 1").click()
        page.locator("#controls").or_(page.locator("#waiting")).wait_for(state="attached")
        expect(page.locator(".moment")).to_have_attribute("data-step", "0")
        page.evaluate("window.hasStayed = true")
        live.allow(4)
        at_least(page, 4)
        expect(page.locator("figure svg").first).to_be_visible()
        # A spectator who steps back stays there while the match goes on, and comes back with a key.
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#follow")).to_have_attribute("aria-pressed", "false")
        expect(page.locator(".moment")).to_have_attribute("data-step", "1")
        known = int(page.locator("#steps").inner_text())
        live.allow(9)
        page.wait_for_function("known => Number(document.getElementById('steps').textContent) > known", arg=known)
        expect(page.locator(".moment")).to_have_attribute("data-step", "1")
        page.keyboard.press("f")
        expect(page.locator("#follow")).to_have_attribute("aria-pressed", "true")
        at_least(page, known + 1)
        assert page.evaluate("window.hasStayed"), "the page was reloaded"
        live.finish()
        expect(page.locator(".over")).to_be_visible()
        expect(page.get_by_role("heading", name="Result")).to_be_visible()
        expect(page.locator("#live-note")).to_have_count(0)
        match = page.url.rpartition("/")[2].partition("?")[0]
        store = open_to_read(live.database)
        shown = page.eval_on_selector_all(".final", "all => all.map(each => Number(each.dataset.score))")
        assert shown == list(store.matches.find(match).scores)
        store.close()
        page.goto("about:blank")


def test_a_live_course_refuses_lines_of_another_match() -> None:
    """A match replayed through our own fault starts again; its lines do not follow from those before."""
    texts = [(GOLDEN / f"{game}.jsonl").read_text() for game in ("toy", "norenberc")]
    toy, other = (text.splitlines() for text in texts)
    course = LiveCourse(toy[0])
    course.add(toy[1:3])
    assert course.steps == 2
    with pytest.raises(RecordError, match="another match"):
        course.add(other[3:4])
    with pytest.raises(RecordError, match="another match"):
        LiveCourse(toy[0]).add(toy[2:3])


def test_a_tournament_on_this_machine_is_watched_on_its_own_page(tmp_path: Path) -> None:
    gate = patient_bot(tmp_path)
    file = tmp_path / "cup.toml"
    bots = "".join(f'[[bot]]\npath = "patient"\nname = "{name}"\n' for name in ("ann", "bob"))
    slow = "{ bank_ms = 3600000, cap_ms = 3600000, join_ms = 300000 }"
    file.write_text(f'name = "{NAME}"\ngame = "toy"\nrounds = 1\nblock = false\ntime_control = {slow}\n{bots}')
    words = ("tournament", "run", str(file), "--db", str(tmp_path / "arena.db"), "--web", "127.0.0.1:0")
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words, "--json", "--log-level", "error"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    told = next((found[0] for line in process.stderr if (found := re.findall(r"http://[0-9.:]+", line))), "")
    live = LiveTournament(told, tmp_path / "arena.db", gate)
    try:
        assert live.address, "it does not say where its page is"
        match = watched_match(live)
        assert b"live-note" in get(match)[1]
    finally:
        live.finish()
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert json.loads(out)["state"] == "finished"


def test_a_server_that_runs_a_tournament_shows_its_matches_live(tmp_path: Path) -> None:
    with running(tmp_path / "arena", "--web", "127.0.0.1:0") as server:
        author, organiser = server.token("ann"), server.token("olga", "organiser")
        server.submit("one", bot_archive(tmp_path / "bots", "one", games='["toy", "furstenfeld"]'), author)
        enter_patient_bot(server.db, tmp_path / "bots", matches=0, games='["furstenfeld"]')
        text = f'name = "cup"\ngame = "furstenfeld"\nbots = ["*"]\nrounds = 1\n{NO_HURRY}'
        server.call("StartTournament", pb.StartTournamentRequest(toml=text), organiser)
        address = server.web[0]

        def look() -> str | None:
            page = get(f"{address}/tournaments/cup")[1].decode()
            for link in re.findall(r'href="(/matches/[0-9a-f]{64})">Watch table \d+<', page):
                found = get(f"{address}{link}")[1].decode()
                if 'id="live-note"' in found and 'class="moment"' in found:
                    return found
            return None

        assert "hidden-fact" not in until(look)
