"""The pages as any client gets them: complete, escaped, without anything from elsewhere, and only reading."""

from __future__ import annotations

import html
import itertools
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urlencode

import pytest

from arena.reports.compare import compare_bots
from arena.reports.reader import Reader
from arena.store.database import open_to_read
from arena.web.links import ServerLinks
from arena.web.pages import comparisons, leaderboards, tournaments
from arena.web.pages.listing import ListQuery, asked_by, listed
from arena.web.rendering import CONTENT_POLICY, render
from ratings.sequential.claims import foot
from tests.arena.command_line import CommandLine
from tests.arena.small_tournament import BOTS as PLAYED
from tests.arena.small_tournament import QUITTER as FORFEITING
from tests.arena.small_tournament import play, small_database, small_plan
from tests.arena.web.browser import served
from tests.arena.web.fetching import get
from tests.arena.web.filled_database import (
    BOTS,
    GAME_SLUGS,
    HOSTILE,
    QUITTER,
    RUNNING,
    SLASHED,
    filled_database,
    fixture_left,
    go_on,
    stored_pair,
)

PAGES = (
    "/", "/overall", "/bots", "/tournaments", "/matches", "/games/toy", "/games/toy?all=1&sort=elo&order=desc",
    "/games/nuremberg:1", f"/tournaments/{RUNNING}", f"/tournaments/{RUNNING}/live", f"/tournaments/{RUNNING}/rounds/2",
    "/tournaments/cup-toy/cross-table", "/compare", f"/compare?{urlencode({'a': BOTS[0], 'b': BOTS[1]})}",
    *(f"/bots/{quote(name, safe='')}" for name in BOTS),
)  # fmt: skip


def matches_of(database: Path) -> dict[str, str]:
    """One match of every game."""
    store = open_to_read(database)
    found = {slug: store.matches.of(f"cup-{slug}")[0].id for slug in GAME_SLUGS}
    store.close()
    return found


class Elements(HTMLParser):
    """Collects the elements of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def pages(address: str, database: Path) -> dict[str, str]:
    found = {}
    replays = [f"/matches/{match}?step=last" for match in matches_of(database).values()]
    for path in (*PAGES, *replays):
        status, text, headers = get(address + path)
        assert status == 200, path
        assert headers["content-security-policy"] == CONTENT_POLICY
        assert headers["x-content-type-options"] == "nosniff"
        found[path] = text
    return found


def test_the_content_policy_lets_nothing_in_from_elsewhere_and_nothing_inline() -> None:
    rules = dict(rule.split(" ", 1) for rule in CONTENT_POLICY.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert "unsafe" not in CONTENT_POLICY


def test_pages_have_no_inline_code_and_load_nothing_from_elsewhere(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        for tag, attributes in Elements(text).found:
            assert "style" not in attributes, path
            assert not [name for name in attributes if name.startswith("on")], path
            if tag == "script":
                assert (attributes["src"] or "").startswith("/static/"), path
            assert tag not in ("style", "iframe", "object", "base"), path
            for name in ("src", "href", "action"):
                assert not re.match(r"[a-z]+:|//", attributes.get(name) or "/"), f"{path}: {attributes}"


def test_names_and_last_words_of_bots_are_escaped_wherever_they_appear(pages: dict[str, str]) -> None:
    assert all(HOSTILE not in text for text in pages.values())
    shown = [path for path, text in pages.items() if html.escape(HOSTILE) in text]
    assert {"/", "/bots", "/games/toy", f"/tournaments/{RUNNING}"} <= set(shown)


def test_every_link_of_every_page_leads_to_a_page(pages: dict[str, str], address: str) -> None:
    links = set()
    for path, text in pages.items():
        for _, attributes in Elements(text).found:
            link = attributes.get("href")
            if link and not link.startswith("#"):
                links.add(path.partition("?")[0] + link if link.startswith("?") else link)
    assert len(links) > 50
    broken = [link for link in sorted(links) if get(address + link)[0] != 200]
    assert broken == []


def test_pages_are_labelled_for_those_who_do_not_see_them(pages: dict[str, str]) -> None:
    for path, text in pages.items():
        if path.endswith("/live"):
            continue
        assert '<html lang="en">' in text, path
        assert text.count("<h1") == 1, path
        assert text.count("<table") == text.count("<caption"), path
        fields = [
            each for each in Elements(text).found if each[0] in ("input", "select") and each[1].get("type") != "hidden"
        ]
        labelled = text.count("<label")
        assert labelled >= len(fields), path
        for tag, attributes in Elements(text).found:
            # A curve with blunders that lead to their steps is a group of links, every other drawing an image.
            if attributes.get("aria-hidden") == "true":
                continue  # an icon beside its word
            has_links = "track" in (attributes.get("class") or "") and 'class="blunder-link"' in text
            assert tag != "svg" or attributes.get("role") in (("img", "group") if has_links else ("img",)), path
        hidden = sum(
            attributes.get("aria-hidden") == "true" for tag, attributes in Elements(text).found if tag == "svg"
        )
        assert text.count("<svg") - hidden <= text.count("<title") - 1, path


def test_forfeits_are_shown_with_their_reason(pages: dict[str, str]) -> None:
    page = pages[f"/bots/{QUITTER}"]
    assert "<h2>Forfeits</h2>" in page
    assert "crash" in page


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nowhere", "There is no page at this address."),
        ("/bots/nobody", "is not in this database"),
        ("/games/halma", "has no matches here; expected one of: "),
        ("/tournaments/none", "is not in this database"),
        ("/tournaments/none/events", "is not in this database"),
        (f"/tournaments/{RUNNING}/rounds/9", "has no round 9"),
        (f"/tournaments/{RUNNING}/rounds/{10**30}", f"has no round {10**30}"),
        (f"/tournaments/{RUNNING}/rounds/{'9' * 5_000}", "There is no page at this address."),
        ("/matches/ffff", "is not in this database"),
        ("/static/../app.py", "There is no page"),
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(address: str, path: str, reason: str) -> None:
    status, text, headers = get(address + path)
    assert status == 404
    assert reason in html.unescape(text)
    assert "Traceback" not in text
    assert headers["content-security-policy"] == CONTENT_POLICY


def test_a_wrong_query_never_breaks_a_page(address: str, database: Path) -> None:
    match = matches_of(database)["toy"]
    for query in (
        "step=-1",
        "step=x",
        "step=99999999999999999999",
        "step=1e3",
        "step=%C2%B2",
        "find=1&step=x&who=x&kind=%00",
    ):
        assert get(f"{address}/matches/{match}?{query}")[0] == 200, query
    for query in ("page=0", "page=x", "page=99999999", "sort=drop&order=up", "q=%00%27%22", "page=%C2%B2"):
        assert get(f"{address}/games/toy?{query}")[0] == 200, query
    assert get(f"{address}/matches?before=x")[0] == 200
    for seat in ("9", "x", "-1"):
        assert get(f"{address}/matches/{match}?seat={seat}")[0] == 404, seat


def names_on(text: str) -> list[str]:
    return [html.unescape(name) for name in re.findall(r'<tr data-name="([^"@]*)@', text)]


def test_without_a_script_the_address_sorts_and_searches(address: str) -> None:
    by_rating = names_on(get(f"{address}/games/toy")[1])
    by_name = names_on(get(f"{address}/games/toy?sort=bot")[1])
    assert sorted(BOTS) == sorted(by_rating)
    assert by_name == sorted(BOTS, key=str.casefold) != by_rating
    assert names_on(get(f"{address}/games/toy?sort=bot&order=desc")[1]) == by_name[::-1]
    assert names_on(get(f"{address}/games/toy?q=E")[1]) == [name for name in by_rating if "e" in label_of(name)]
    assert names_on(get(f"{address}/games/toy?q=nobody")[1]) == []


def label_of(name: str) -> str:
    return f"{name}@0123456789ab"


def test_long_lists_are_cut_into_pages() -> None:
    rows = list(range(250))
    first = listed(rows, ListQuery(), str, {})
    last = listed(rows, asked_by({"page": "9", "sort": "size", "order": "desc"}), str, {"size": lambda row: row})
    assert (len(first.rows), first.pages, first.is_whole) == (100, 3, False)
    assert (last.page, last.rows[0], last.rows[-1]) == (3, 49, 0)
    found = listed(rows, asked_by({"q": "24"}), str, {"odd": lambda row: row if row % 2 else None})
    assert found.rows[:2] == (24, 124)
    assert found.asked.address(page=2) == "?q=24&page=2"


def test_a_search_is_put_back_into_its_field(address: str) -> None:
    text = get(f"{address}/games/toy?q={quote(HOSTILE)}")[1]
    assert HOSTILE not in text
    assert names_on(text) == [HOSTILE]


def test_decisions_are_found_and_it_is_said_when_none_fits(address: str, database: Path) -> None:
    match = matches_of(database)["norenberc"]
    found = get(f"{address}/matches/{match}?find=1&step=1&who=2&kind=PLAN&seat=open")[1]
    assert re.search(r"<b>Seat 2</b>.*PLAN", found)
    assert "No later decision matches." not in found
    nothing = get(f"{address}/matches/{match}?find=1&step=3&fault=1&seat=open")[1]
    assert "No later decision matches." in nothing
    assert 'data-step="3"' in nothing


def test_records_can_be_fetched(address: str, database: Path) -> None:
    match = matches_of(database)["toy"]
    status, text, headers = get(f"{address}/matches/{match}/record")
    store = open_to_read(database)
    assert (status, text) == (200, store.matches.record(match))
    store.close()
    assert headers["content-disposition"].startswith("attachment")


def test_while_a_round_is_on_its_matches_are_shown_as_spectators_saw_them(tmp_path: Path) -> None:
    """Other games of the table may still be played with the same seed: its cards are nobody's to read until then."""
    path = filled_database(tmp_path)
    cup = go_on(path)
    (match,) = cup.store.matches.of(RUNNING, 2)
    with served(path) as address:
        page = f"{address}/matches/{match.id}"
        for step in (1, 5, "last"):
            spectator = get(f"{page}/step?step={step}&seat=spectator")[1]
            for seat in ("", "open", "0", "1"):
                assert get(f"{page}/step?step={step}&seat={seat}")[1] == spectator
        assert "hidden-fact" not in get(f"{page}?step=5&seat=open")[1]
        status, text, _headers = get(f"{page}/record")
        assert (status, "once the round is closed" in text) == (403, True)
        fixture = fixture_left(cup)
        result = cup.play(fixture)
        cup.close(2, [stored_pair(cup, match), (fixture, result)])
        cup.store.close()
        assert get(f"{page}/record")[0] == 200
        assert "chosen" in get(f"{page}/step?step=5&seat=open")[1]
        assert "chosen" not in spectator


def test_a_tournament_that_runs_in_another_process_says_that_it_cannot_be_watched(address: str) -> None:
    text = get(f"{address}/tournaments/{RUNNING}")[1]
    assert "Another process plays this tournament" in text
    assert "Watch table" not in text
    assert "seed" not in text, "who knows the seed of a tournament that runs knows every card"
    finished = get(f"{address}/tournaments/cup-toy")[1]
    assert "Another process plays this tournament" not in finished
    assert "seed 5" in finished


def test_reading_every_page_does_not_change_the_file(tmp_path: Path) -> None:
    path = filled_database(tmp_path)
    before = path.read_bytes()
    with served(path) as address:
        for page in PAGES:
            assert get(address + page)[0] == 200
    assert path.read_bytes() == before


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    return CommandLine(monkeypatch, capsys, tmp_path)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--listen", "8080"), "expected HOST:PORT"),
        (("--listen", "127.0.0.1:99999"), "expected HOST:PORT"),
        (("--db", "nowhere.db"), "does not exist"),
    ],
)
def test_a_wrong_address_or_file_is_refused_in_one_line(
    run: CommandLine, tmp_path: Path, words: tuple[str, str], reason: str
) -> None:
    database = () if "--db" in words else ("--db", str(filled_database(tmp_path)))
    done = run("web", *words, *database)
    assert done.code == 2
    assert done.out == ""
    assert reason in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_an_address_that_cannot_be_had_is_refused_in_one_line(tmp_path: Path) -> None:
    words = ("web", "--listen", "192.0.2.1:8080", "--db", str(filled_database(tmp_path)))
    done = subprocess.run([sys.executable, "-m", "arena", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot listen on" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def links_of_site(folder: Path) -> dict[Path, list[str]]:
    found = {}
    for file in folder.rglob("*.html"):
        elements = Elements(file.read_text(encoding="utf-8")).found
        found[file] = [
            link
            for _, attributes in elements
            for name in ("href", "src")
            if (link := attributes.get(name)) and link[0] != "#"
        ]
    return found


@pytest.mark.parametrize(
    ("words", "least"),
    [(("leaderboard",), 14), (("tournament", "export", "cup-toy"), 14), (("leaderboard", "--game", "toy"), 10)],
)
def test_a_static_site_is_whole_and_all_its_links_lead_to_its_own_files(
    run: CommandLine, tmp_path: Path, words: tuple[str, ...], least: int
) -> None:
    site = tmp_path / "site"
    done = run(*words, "--html", str(site), "--db", str(filled_database(tmp_path)))
    assert done.code == 0, done.err
    links = links_of_site(site)
    assert len(links) >= least
    assert [
        f"{file.name}: {link}"
        for file, all_links in links.items()
        for link in all_links
        if not (file.parent / unquote(link)).is_file()
    ] == []
    for file in links:
        text = file.read_text(encoding="utf-8")
        assert HOSTILE not in text
        assert 'http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;' in text
    assert (site / "static" / "style.css").is_file()
    assert (site / "static" / "boards.css").is_file()


def test_a_static_tournament_has_every_match_as_it_ended(run: CommandLine, tmp_path: Path) -> None:
    site, database = tmp_path / "site", filled_database(tmp_path)
    assert run("tournament", "export", "cup-norenberc", "--html", str(site), "--db", str(database)).code == 0
    store = open_to_read(database)
    for match in store.matches.of("cup-norenberc"):
        text = (site / "matches" / f"{match.id}.html").read_text(encoding="utf-8")
        assert [int(score) for score in re.findall(r'data-score="(-?\d+)"', text)] == list(match.scores)
        assert "<svg" in text
    store.close()


def test_publishing_refuses_what_it_cannot_do(run: CommandLine, tmp_path: Path) -> None:
    database = str(filled_database(tmp_path))
    file = tmp_path / "file"
    file.touch()
    (tmp_path / "folder.html").mkdir()
    for words in (
        ("leaderboard", "--html", str(file)),
        ("leaderboard", "--html", "folder.html"),
        ("leaderboard", "--html", "site", "--csv"),
        ("tournament", "export", "cup-toy"),
    ):
        done = run(*words, "--db", database)
        assert done.code == 2, words
        assert "--html" in done.err
        assert len(done.err.strip().splitlines()) == 1


def test_one_file_is_said_to_be_one(run: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(filled_database(tmp_path)))
    assert run("leaderboard", "--html", "board.html", *database).out == "Wrote board.html; it is self-contained.\n"
    assert run("tournament", "export", "cup-toy", "--html", "toy.htm", *database, "--json").data == {"file": "toy.htm"}
    assert (tmp_path / "board.html").is_file()
    assert (tmp_path / "toy.htm").is_file()


def test_T15_two_bots_are_compared_on_a_page(tmp_path: Path) -> None:
    """By the same figures as on the command line; who has never met is said to have not."""
    reader = Reader(small_database(tmp_path))
    met = 0
    for a, b in itertools.combinations(PLAYED, 2):
        report = compare_bots(reader.store, a, b, (), Decimal("0.05"))
        shown = html.unescape(render("compare.html", ServerLinks(), **comparisons.compare_page(reader, a, b)))
        assert ("have never met" in shown) == (not report.pools)
        for pair in report.pools:
            for table in pair.tables:
                met += 1
                assert f"<p>{table.line}</p>" in shown
                assert f"{table.a_ahead:,}-{table.level:,}-{table.a_behind:,}" in table.line
                assert f": {table.verdict}</h3>" in shown
                assert shown.count('class="curve') >= 2
                assert ("span-chart" in shown) == any(each.any_look for each in pair.tables)
                assert not table.any_look or f"A less B, {table.any_look}<" in shown
                assert "LOS" not in shown, "the line answers the question, once"
    assert met
    reader.close()


def test_a_comparison_that_cannot_be_is_refused_on_its_page(address: str) -> None:
    for query, said in (("a=nobody&b=ann", "'nobody'"), ("a=ann&b=ann", "is given twice"), ("a=ann", "")):
        status, text = get(f"{address}/compare?{query}")[:2]
        assert status == 200
        assert said in html.unescape(text)


def test_T16_4_the_page_of_a_tournament_has_the_rating_order_with_its_claims(tmp_path: Path) -> None:
    """Of two bots one forfeits every game, which is claimed after nine blocks."""
    plain = small_plan(tmp_path)
    plain["bot"] = [bot for bot in plain["bot"] if bot["name"] in ("ann", FORFEITING)]
    changes = {"seats": 2, "max_seats": 2, "rounds": 1, "rating_rounds": 50, "withdraw_after": 1000}
    play(tmp_path / "arena.db", plain | changes)
    reader = Reader(tmp_path / "arena.db")
    links = ServerLinks()
    text = html.unescape(render("tournament.html", links, **tournaments.tournament_page(reader, "cup", ListQuery())))
    assert "Rating order" in text
    assert foot() in text
    assert re.search(r'title="better than the next"><span aria-hidden="true">></span>', text)
    listed_there = html.unescape(
        render("leaderboard.html", links, **leaderboards.game_page(reader, "toy", ListQuery()))
    )
    assert f"The claims between neighbours are those of cup. {foot()}" in listed_there
    assert re.search(r'data-value=">">></td>', listed_there)
    reader.close()


def test_T13_10_every_export_has_the_head_of_the_ledger(run: CommandLine, tmp_path: Path) -> None:
    database = ("--db", str(filled_database(tmp_path)))
    head = run("ledger", "verify", "--no-pairings", "--json", *database).data["head"]
    for words in (("leaderboard",), ("tournament", "export", "cup-toy")):
        for target in ("page.html", "site"):
            assert run(*words, "--html", target, *database).code == 0
            written = [tmp_path / target, *(tmp_path / target).rglob("*.html")]
            assert any(head in file.read_text(encoding="utf-8") for file in written if file.is_file()), (words, target)
        shutil.rmtree(tmp_path / "site")


def test_a_name_with_a_slash_has_its_page(address: str) -> None:
    text = get(f"{address}/bots/{quote(SLASHED, safe='')}")[1]
    assert f"<h1>{html.escape(SLASHED)}</h1>" in text


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: int) -> None:
    """The contrast that WCAG asks of text, 4.5 to 1, in both colour schemes."""
    root = Path(__file__).parents[3]
    sheets = (root / "referee/boards/boards.css", root / "arena/web/static/style.css")
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    colours: dict[str, str] = {}
    for block in blocks if scheme else blocks[:-1]:
        colours |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for text in ("ink", "quiet", "accent", "good", "bad"):
        for ground in ("paper", "sheet"):
            one, other = sorted((luminance(colours[text]), luminance(colours[ground])))
            assert (other + 0.05) / (one + 0.05) >= 4.5, f"{text} on {ground}"
