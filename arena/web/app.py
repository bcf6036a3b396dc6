"""The web page as an ASGI application: routes, headers and errors; `arena.web.pages` fills the pages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote_from_bytes, urlsplit, urlunsplit

import anyio
import anyio.to_thread
import resvg_py
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.play.live import LiveTournaments
from arena.reports.faults import MayRead, authors_of, faults_of, nobody_may
from arena.reports.reader import Reader
from arena.store.rows import StoredMatch
from arena.store.tokens import Token
from arena.web import previews
from arena.web.judging import JudgesOnDemand, is_this_machine
from arena.web.links import EmbedLinks, ServerLinks
from arena.web.live import LiveMatch, LiveMatches
from arena.web.pages import bots, comparisons, leaderboards, matches, overview, tournaments
from arena.web.pages.listing import asked_by, number_in
from arena.web.recent import Recent
from arena.web.rendering import CONTENT_POLICY, EMBED_POLICY, render
from arena.web.replays import Replays
from arena.web.rulebook import rule_page
from arena.web.visitors import MAX_FORM, Visitors, comes_from_elsewhere, is_encrypted, is_near, reader_of
from referee.boards import STYLE as BOARD_STYLE
from referee.logs import log
from referee.mistakes import UserError

STATIC = Path(__file__).parent / "static"
POLL_SECONDS = 0.5
HEARTBEAT_SECONDS = 15.0
"""Proxies cut streams that stay silent for longer, and writing detects clients that disconnected."""

MAX_STREAMS = 256
MAX_STREAMS_OF_ONE = 64  # per address, where it is known
FORM_SECONDS = 10.0  # for a complete form

HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
}


MAX_PICTURES = 128  # cached pictures, about 100 KB each; drawing one takes about a quarter of a second
MAX_AWAITED = 32  # queued pictures: more would take longer than anyone would wait
FRAMING = ("content-security-policy", "x-frame-options")  # the headers that control framing

HEARTBEAT = ": still here\n\n"
PRIVATE = {"cache-control": "no-store"}
Handler: TypeAlias = Callable[[Request], Any]


def event_text(name: str, data: object) -> str:
    """Return a server-sent event."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class EventStream(StreamingResponse):
    """An event stream, counted when it is granted, so that simultaneous requests cannot exceed the limit."""

    def __init__(self, events: AsyncIterator[str], counted: Counter[str], reader: str) -> None:
        super().__init__(
            _with_retry(events),
            media_type="text/event-stream",
            headers=PRIVATE | {"x-accel-buffering": "no"},
        )
        self._counted, self._reader = counted, reader
        counted[reader] += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until they end or the reader disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._counted[self._reader] -= 1
            if not self._counted[self._reader]:
                del self._counted[self._reader]  # drops zero counts


async def _with_retry(events: AsyncIterator[str]) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"  # milliseconds until a disconnected reader reconnects
    async for event in events:
        yield event


async def _changes(look: Callable[[], Awaitable[str | None]]) -> AsyncIterator[str]:
    """Yield each new event that `look` returns, and heartbeats in between, until it returns None."""
    seen, silent = "", 0.0
    while (event := await look()) is not None:
        if event != seen:
            seen, silent = event, 0.0
            yield event
        if silent >= HEARTBEAT_SECONDS:
            silent = 0.0
            yield HEARTBEAT
        await anyio.sleep(POLL_SECONDS)
        silent += POLL_SECONDS


class Site:
    """The pages of one database."""

    def __init__(
        self, path: Path, live: LiveTournaments, prefix: str, address: str | None, is_serving: Callable[[], bool]
    ) -> None:
        self.reader = Reader(path)
        self.is_serving = is_serving
        self.address = address
        self.pictures: Recent[bytes] = Recent(MAX_PICTURES)
        self.drawing = anyio.CapacityLimiter(1)
        self.awaited = 0  # pictures being drawn or queued
        self.replays = Replays(self.reader.record)
        self.live_matches = LiveMatches(live)
        self.judges = JudgesOnDemand(path)
        self.links = ServerLinks(prefix)
        self.embed_links = EmbedLinks(prefix)
        self.visitors = Visitors(self.reader, prefix)
        self.streams: Counter[str] = Counter()  # open streams, by the reader's address

    def page(
        self,
        template: str,
        status: int = 200,
        links: ServerLinks | None = None,
        headers: Mapping[str, str] | None = None,
        **context: Any,
    ) -> HTMLResponse:
        """Return a page or a part of one."""
        return HTMLResponse(render(template, links or self.links, **context), status, headers)

    def listed(self, template: str, context: Callable[..., dict[str, Any]]) -> Handler:
        """Return the handler of a page with a list; the path and the query supply its arguments."""

        def answer(request: Request) -> Response:
            asked = asked_by(request.query_params)
            return self.page(template, **context(self.reader, *request.path_params.values(), asked))

        return answer

    def _preview(self, words: tuple[str, str], page: str, picture: str) -> previews.Preview:
        return previews.preview(self.address, *words, page, picture)

    def picture(self, card: Callable[..., previews.Card]) -> Handler:
        """Return the handler of a picture; drawing it delays no other page."""

        async def answer(request: Request) -> Response:
            def drawn() -> bytes:
                key, draw = card(self.reader, self.replays, *request.path_params.values())
                return self.pictures.get(key, lambda: bytes(resvg_py.svg_to_bytes(svg_string=draw())))

            if self.awaited >= MAX_AWAITED:
                raise HTTPException(503, "Too many pictures are being drawn; try again in a moment.")
            self.awaited += 1
            try:
                data = await anyio.to_thread.run_sync(drawn, limiter=self.drawing)
            finally:
                self.awaited -= 1
            # A link's preview changes rarely.
            return Response(data, media_type="image/png", headers={"cache-control": "public, max-age=600"})

        return answer

    # Leaderboards and bots.

    def home(self, request: Request) -> Response:
        """The first page."""
        context = overview.home_page(self.reader, self.live_matches)
        preview = self._preview(
            previews.words_of_latest(context["latest"]), self.links.home(), self.links.picture("site")
        )
        return self.page("home.html", preview=preview, **context)

    def bot(self, request: Request) -> Response:
        """A bot's page, with its output for readers who may see it."""
        visitor = self.visitors.of(request)
        context = bots.bot_page(self.reader, request.path_params["name"])
        bot = context["bot"]
        preview = self._preview(
            previews.words_of_bot(bot), self.links.bot(bot.name), self.links.picture("bots", bot.name)
        )
        shows_output = visitor is not None and visitor.speaks_for(bot.author)
        return self.page(
            "bot.html",
            headers=PRIVATE if shows_output else None,
            **context | {"visitor": visitor, "preview": preview, "shows_output": shows_output},
        )

    def compare(self, request: Request) -> Response:
        """Two bots side by side."""
        a, b = (request.query_params.get(key, "")[:200].strip() for key in ("a", "b"))
        return self.page("compare.html", **comparisons.compare_page(self.reader, a, b))

    # Visitors.

    def sign_in_form(self, request: Request) -> Response:
        """The sign-in form."""
        return self.page("sign_in.html", visitor=self.visitors.of(request), reason="")

    async def sign_in(self, request: Request) -> Response:
        """Take a token from a form, never from a URL."""
        form = await _body(request, MAX_FORM)
        if comes_from_elsewhere(request, self.address):
            raise HTTPException(403, "The form was sent by another site.")
        if not (is_near(request) or is_encrypted(request)):
            raise HTTPException(403, "Sign-in requires HTTPS.")
        response = RedirectResponse(self.links.home(), status_code=303)
        if await anyio.to_thread.run_sync(self.visitors.sign_in, request, form, response) is None:
            return self.page("sign_in.html", 403, reason="This token is unknown or revoked.")
        return response

    async def sign_out(self, request: Request) -> Response:
        """End a session."""
        response = RedirectResponse(self.links.home(), status_code=303)
        self.visitors.sign_out(request, response)
        return response

    # Tournaments.

    def _live(self, request: Request, context: Callable[..., dict[str, Any]]) -> dict[str, Any]:
        """Return a context that shows the live matches of a tournament."""
        live_tables = self.live_matches.tables(request.path_params["name"])
        return context(self.reader, *request.path_params.values(), asked_by(request.query_params), live_tables)

    def tournament(self, request: Request) -> Response:
        """A tournament's page."""
        name = request.path_params["name"]
        context = self._live(request, tournaments.tournament_page)
        words = previews.words_of_tournament(self.reader, name)
        preview = self._preview(words, self.links.tournament(name), self.links.picture("tournaments", name))
        return self.page("tournament.html", preview=preview, **context)

    def live(self, request: Request) -> Response:
        """The live part of a tournament's page."""
        return self.page("tournament_live.html", **self._live(request, tournaments.live_part))

    def round(self, request: Request) -> Response:
        """A round's page."""
        return self.page("round.html", **self._live(request, tournaments.round_page))

    async def events(self, request: Request) -> Response:
        """An event stream of changes to a tournament's page."""
        name: str = request.path_params["name"]
        await anyio.to_thread.run_sync(self.reader.tournament, name)
        stored, version = "", -1

        async def look() -> str:
            nonlocal stored, version
            now = await anyio.to_thread.run_sync(self.reader.version)
            if now != version:
                version = now
                stored = await anyio.to_thread.run_sync(self.reader.etag, name)
            return event_text("changed", {"head": tournaments.live_head(stored, self.live_matches.tables(name))})

        return self._stream(request, _changes(look))

    def _stream(self, request: Request, events: AsyncIterator[str]) -> Response:
        reader = reader_of(request)
        if self.streams.total() >= MAX_STREAMS:
            raise HTTPException(503, "Too many readers are following matches; reload the page instead.")
        if reader and self.streams[reader] >= MAX_STREAMS_OF_ONE:
            raise HTTPException(
                429, "Too many readers are following matches from your address; reload the page instead."
            )
        return EventStream(events, self.streams, reader)

    # Matches.

    def matches(self, request: Request) -> Response:
        """The list of matches."""
        before = number_in(request.query_params.get("before", ""), 17)
        return self.page("matches.html", **matches.list_page(self.reader, before))

    async def match(self, request: Request) -> Response:
        """A match's replay, or its live page while it is being played."""
        live_match = self.live_matches.find(request.path_params["match"])
        if live_match is None:
            return await anyio.to_thread.run_sync(self._replay, request)
        await live_match.catch_up()
        step = request.query_params.get("step", "last")
        page, picture = self.links.match(live_match.fixture.match_id), self.links.picture("site")

        def made() -> Response:
            context = matches.live_page(live_match, step)
            words = previews.words_of_live(context["title"], context["bots"])
            return self.page("live_match.html", preview=self._preview(words, page, picture), **context)

        return await anyio.to_thread.run_sync(made)

    async def match_events(self, request: Request) -> Response:
        """An event stream of a match's progress and end."""
        wanted: str = request.path_params["match"]
        live_match = self.live_matches.find(wanted)
        if live_match is None:
            stored = await anyio.to_thread.run_sync(self.reader.match, wanted)
            return self._stream(request, self._ended(stored.id))
        return self._stream(request, self._progress(live_match))

    async def _ended(self, match_id: str) -> AsyncIterator[str]:
        is_stored = await anyio.to_thread.run_sync(self.reader.has_match, match_id)
        yield event_text("ended", {"stored": is_stored})

    async def _progress(self, live_match: LiveMatch) -> AsyncIterator[str]:
        async def look() -> str | None:
            if live_match.is_over:
                return None
            await live_match.catch_up()
            return event_text("step", {"begun": live_match.course is not None, "steps": live_match.steps})

        async for event in _changes(look):
            yield event
        async for event in self._ended(live_match.fixture.match_id):
            yield event

    def _replay(self, request: Request) -> Response:
        """A replay; with `find`, a redirect to the next matching decision."""
        if "find" in request.query_params:
            return self._find(request, self.links)
        visitor, may_read = self._reads(request)
        context = self._match_context(request, self.links, may_read)
        context["may_judge"] = visitor is not None or is_this_machine(request, self.address)
        return self.page("match.html", headers=PRIVATE if visitor else None, visitor=visitor, **context)

    async def judge(self, request: Request) -> Response:
        """Judge a match now, for somebody signed in or on this machine, and lead back to it."""
        visitor = await anyio.to_thread.run_sync(self.visitors.of, request)
        if comes_from_elsewhere(request, self.address) or not (visitor or is_this_machine(request, self.address)):
            raise HTTPException(403, "Sign in to have a match judged.")
        match = await anyio.to_thread.run_sync(self.reader.match, request.path_params["match"])
        if not self.reader.is_settled(match):
            raise HTTPException(403, matches.UNSETTLED)
        if not await anyio.to_thread.run_sync(matches.is_judged, self.reader, match):
            record = await anyio.to_thread.run_sync(self.reader.record_text, match.id)
            await self.judges.judge(match, record)
        return RedirectResponse(self.links.match(match.id), status_code=303)

    def _match_context(self, request: Request, links: ServerLinks, may_read: MayRead = nobody_may) -> dict[str, Any]:
        query = request.query_params
        context = matches.match_page(
            self.reader, self.replays, request.path_params["match"], query.get("step", ""), query.get("seat", ""),
            links.face_up, may_read,
        )  # fmt: skip
        match: StoredMatch = context["match"]
        page, picture = self.links.match(match.id), self.links.picture("matches", match.id)
        preview = self._preview(previews.words_of_match(match), page, picture)
        return context | {"preview": preview, "is_nothing_found": query.get("found") == "0"}

    def embed(self, request: Request) -> Response:
        """A stored match to embed in any page, as the public sees it."""
        if "find" in request.query_params:
            return self._find(request, self.embed_links)
        context = self._match_context(request, self.embed_links)
        headers = {"content-security-policy": EMBED_POLICY}
        return self.page("embed.html", links=self.embed_links, headers=headers, **context)

    def embed_step(self, request: Request) -> Response:
        """One step of an embedded match."""
        return self._step_of(request, nobody_may, self.embed_links)

    def _reads(self, request: Request) -> tuple[Token | None, MayRead]:
        """Return the visitor, and the bots of a match whose output they may see."""
        visitor = self.visitors.of(request)
        if visitor is None:
            return None, nobody_may
        authors = authors_of(self.reader.store, self.reader.match(request.path_params["match"]))
        return visitor, lambda label: visitor.speaks_for(authors[label])

    def _find(self, request: Request, links: ServerLinks) -> Response:
        query = request.query_params
        match = self.reader.match(request.path_params["match"])
        replay = self.replays.get(match)
        viewer = matches.allowed_viewer(self.reader, match, query.get("seat", ""))
        after = matches.step_of(query.get("step", ""), replay.steps, 0)
        seat = number_in(query.get("who", ""), 3)
        is_fault = query.get("fault") == "1"
        found = replay.find(after, seat, query.get("kind") or None, viewer, is_fault=is_fault)
        missing = {"found": 0} if found is None else {}
        step, seen_by = after if found is None else found, matches.viewer_name(viewer)
        return RedirectResponse(links.step(match.id, step=step, seat=seen_by, **missing), status_code=303)

    async def step(self, request: Request) -> Response:
        """One step of a match, without the surrounding page."""
        live_match = self.live_matches.find(request.path_params["match"])
        if live_match is None:
            return await anyio.to_thread.run_sync(self._replay_step, request)
        await live_match.catch_up()
        step = request.query_params.get("step", "last")
        return await anyio.to_thread.run_sync(
            lambda: self.page("match_step.html", headers=PRIVATE, **matches.live_part(live_match, step))
        )

    def _replay_step(self, request: Request) -> Response:
        visitor, may_read = self._reads(request)
        response = self._step_of(request, may_read, self.links)
        if visitor is not None:
            response.headers.update(PRIVATE)
        return response

    def _step_of(self, request: Request, may_read: MayRead, links: ServerLinks) -> Response:
        match = self.reader.match(request.path_params["match"])
        replay = self.replays.get(match)
        query = request.query_params
        viewer = matches.allowed_viewer(self.reader, match, query.get("seat", ""))
        step = matches.step_of(query.get("step", ""), replay.steps, 0)
        faults = faults_of(self.reader.store, match, replay.record.result, may_read)
        # A settled match no longer changes, so a reader who steps back need not request it again.
        headers = {"cache-control": "private, max-age=600"} if self.reader.is_settled(match) else None
        advice = matches.advice_of(self.reader, match)
        context = matches.moment_part(match, replay, step, viewer, faults, advice)
        return self.page("match_step.html", links=links, headers=headers, **context)

    def moves(self, request: Request) -> Response:
        """The list of a match's moves; with `part`, without the surrounding page."""
        return self._moves(request, self.links)

    def embed_moves(self, request: Request) -> Response:
        """The list of moves of an embedded match."""
        response = self._moves(request, self.embed_links)
        response.headers["content-security-policy"] = EMBED_POLICY
        return response

    def _moves(self, request: Request, links: ServerLinks) -> Response:
        query = request.query_params
        template = "match_move_list.html" if query.get("part") == "1" else "match_moves.html"
        context = matches.moves_page(self.reader, self.replays, request.path_params["match"], query.get("seat", ""))
        return self.page(template, links=links, **context)

    def record(self, request: Request) -> Response:
        """The record of a match as JSON Lines."""
        match = self.reader.match(request.path_params["match"])
        if not self.reader.is_settled(match):
            raise HTTPException(403, matches.UNSETTLED)
        return PlainTextResponse(
            self.reader.record_text(match.id),
            media_type="application/jsonl",
            headers={"content-disposition": f'attachment; filename="{match.id[:16]}.jsonl"'},
        )

    # Rules.

    def rules(self, request: Request) -> Response:
        """A rule page."""
        return self.page("rules.html", page=rule_page(request.path_params["name"]))

    def clause(self, request: Request) -> Response:
        """Redirect a clause to its place on the rule page."""
        name = request.path_params["name"]
        anchor = rule_page(name).anchor(request.path_params["clause"])
        return RedirectResponse(self.links.rules(name) + (f"#{anchor}" if anchor else ""), status_code=303)

    # Errors.

    def not_found(self, request: Request, error: Exception) -> Response:
        """Answer with status 404 and the reason."""
        return self.page("error.html", 404, title="Not found", reason=str(error))

    def refused(self, request: Request, error: Exception) -> Response:
        """Answer with the status of an HTTPException."""
        assert isinstance(error, HTTPException)
        if error.status_code == 404:
            return self.not_found(request, LookupError("There is no page at this address."))
        return self.page("error.html", error.status_code, title="Request failed", reason=str(error.detail))

    async def health(self, _request: Request) -> Response:
        """Answer a supervisor whether the whole server is serving, not only this page."""
        text, status = ("serving\n", 200) if self.is_serving() else ("gRPC is not served\n", 503)
        return PlainTextResponse(text, status, PRIVATE)


QUERY = "%!$&'()*+,;=:@/?-._~[]|"
"""What may stand in a query as it is."""


class Headers:
    """Adds the common headers to every response, and renders an error page for exceptions."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the application, with the headers added."""
        has_begun = False

        async def with_headers(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                # Only embeddable pages bring their own policy.
                is_framed = headers.get("content-security-policy") == EMBED_POLICY
                if "location" in headers:
                    headers["location"] = _on_this_site(headers["location"])
                for name, value in HEADERS.items():
                    if not (is_framed and name in FRAMING):
                        headers[name] = value
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-cache"
            await send(message)

        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        # Starlette fails on a query that is not UTF-8 where it redirects; escaped, any bytes are fine.
        scope = {**scope, "query_string": quote_from_bytes(scope["query_string"], QUERY).encode()}
        try:
            await self.app(scope, receive, with_headers)
        except ClientDisconnect:
            return
        except Exception as error:
            log.exception("page.failed", path=scope["path"], error=repr(error))
            if not has_begun:
                page = self.site.page("error.html", 500, title="Internal error", reason="See the server log.")
                await page(scope, receive, with_headers)


def _on_this_site(location: str) -> str:
    """Return a redirect's address without its host, which the framework takes from the request."""
    parts = urlsplit(location)
    return urlunsplit(("", "", f"/{parts.path.lstrip('/')}", parts.query, parts.fragment))


async def _body(request: Request, most: int) -> bytes:
    body = b""
    with anyio.move_on_after(FORM_SECONDS) as patience:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise HTTPException(413, f"The form exceeds {most} bytes.")
    if patience.cancelled_caught:
        raise HTTPException(408, f"The form did not arrive within {FORM_SECONDS:.0f} seconds.")
    return body


class RoundNumber(IntegerConvertor):
    """The number of a round in an address; without a bound Python refuses to read more than 4,300 digits."""

    regex = "[0-9]{1,100}"


register_url_convertor("round_number", RoundNumber())


def routes_of(site: Site) -> list[Route | Mount]:
    """Return the routes of a site."""
    plain: list[tuple[str, Handler]] = [
        ("/", site.home),
        ("/overall", site.listed("overall.html", leaderboards.overall_page)),
        ("/games/{pool}", site.listed("leaderboard.html", leaderboards.game_page)),
        ("/bots", site.listed("bots.html", bots.list_page)),
        # A bot's name may contain anything, even a slash.
        ("/bots/{name:path}", site.bot),
        ("/compare", site.compare),
        ("/tournaments", site.listed("tournaments.html", tournaments.list_page)),
        ("/tournaments/{name}", site.tournament),
        ("/tournaments/{name}/live", site.live),
        ("/tournaments/{name}/events", site.events),
        ("/tournaments/{name}/rounds/{number:round_number}", site.round),
        ("/tournaments/{name}/cross-table", site.listed("cross.html", tournaments.cross_page)),
        ("/rules/{name}", site.rules),
        ("/rules/{name}/{clause}", site.clause),
        ("/matches", site.matches),
        ("/matches/{match}", site.match),
        ("/matches/{match}/step", site.step),
        ("/matches/{match}/moves", site.moves),
        ("/matches/{match}/events", site.match_events),
        ("/matches/{match}/record", site.record),
        ("/matches/{match}/embed", site.embed),
        ("/matches/{match}/embed/step", site.embed_step),
        ("/matches/{match}/embed/moves", site.embed_moves),
        ("/health", site.health),
        ("/pictures/site.png", site.picture(previews.card_of_site)),
        ("/pictures/matches/{match}.png", site.picture(previews.card_of_match)),
        ("/pictures/tournaments/{name}.png", site.picture(previews.card_of_tournament)),
        ("/pictures/bots/{name:path}.png", site.picture(previews.card_of_bot)),
    ]
    return [
        *(Route(path, answer, methods=["GET"]) for path, answer in plain),
        Route("/sign-in", site.sign_in_form, methods=["GET"]),
        Route("/sign-in", site.sign_in, methods=["POST"]),
        Route("/sign-out", site.sign_out, methods=["POST"]),
        Route("/matches/{match}/judge", site.judge, methods=["POST"]),
        Route("/static/boards.css", _board_style, methods=["GET"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]


async def _board_style(_request: Request) -> Response:
    return FileResponse(BOARD_STYLE)


def create_app(
    db_path: Path,
    *,
    live: LiveTournaments | None = None,
    prefix: str = "",
    address: str | None = None,
    is_serving: Callable[[], bool] = lambda: True,
) -> Starlette:
    """Return a database's web page as a read-only ASGI application; a UserError if it cannot be read.

    `live` has the tournaments that this process runs; `prefix` is where the application is mounted in a larger one,
    such as `/web`. `address` is the site's public address, such as `https://arena.example`; without it, addresses in
    link previews are relative. `is_serving` says, for `/health`, whether the rest of the server is serving.
    """
    site = Site(db_path, LiveTournaments() if live is None else live, prefix, address, is_serving)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        site.reader.close()

    app = Starlette(
        routes=routes_of(site),
        middleware=[Middleware(Headers, site), Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
        exception_handlers={UserError: site.not_found, HTTPException: site.refused},
        lifespan=lifespan,
    )
    app.state.site = site
    return app
