"""Link previews: how a link to a page is shown elsewhere, in words and as a picture.

Both show only what every spectator may see. A board is drawn only for a match whose round is closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.bots.label import name_of
from arena.reports.bot import BotReport, RatingReport
from arena.reports.closed_rounds import standings
from arena.reports.latest import LatestTournament, drama_of, latest_tournament
from arena.reports.reader import Reader
from arena.reports.standings import StandingLine
from arena.reports.tournament import TournamentSummary, match_line, summary
from arena.store.rows import StoredMatch
from arena.web.pages.bots import bot_page
from arena.web.rendering import game_title, score_of
from arena.web.replays import Eyes, Replays
from ratings.fit.shown import shown_rating
from referee.boards.standalone import CardLine, card
from referee.drawing import Drawing
from referee.mistakes import UserError

HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
ADDRESS = re.compile(rf"https?://{HOST.pattern}(?:/[A-Za-z0-9._~/-]*)?")
ABOUT = (
    "Board-game bots play each other, fairly and reproducibly: leaderboards, tournaments, and every match on its board."
)
MAX_TITLE, MAX_DESCRIPTION = 120, 300
PODIUM = 3
RECENT = 20  # a bot's matches to search for one with a board


@dataclass(frozen=True, slots=True)
class Preview:
    """A page's title, description and picture for link previews."""

    title: str
    description: str
    address: str  # of the page, with the site's own address if that is known
    picture: str


def read_address(text: str, option: str) -> str:
    """Return a site's address, checked and without a trailing slash; a UserError says what is wrong."""
    if ADDRESS.fullmatch(text) is None:
        raise UserError(f"{option}: {text!r} is not an address; expected one such as https://arena.example")
    return text.rstrip("/")


def preview(site: str | None, title: str, description: str, page: str, picture: str) -> Preview:
    """Return a preview; addresses are relative where the site's is not configured, never the host of a request."""
    where = site or ""
    return Preview(_cut(title, MAX_TITLE), _cut(description, MAX_DESCRIPTION), where + page, where + picture)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


# In words.


def words_of_match(match: StoredMatch) -> tuple[str, str]:
    """Say how a match ended."""
    title, line = game_title(match.game), match_line(match)
    places = [
        f"{seat.place}. {name_of(seat.bot)} ({score_of(match.game, seat.score)})" for seat in line.seats if seat.place
    ]
    winners = [name_of(seat.bot) for seat in line.seats if seat.place == 1]
    won = f"{title}: {' and '.join(winners)} won" if winners else title
    return won, f"{', '.join(places) or line.ending}. Watch it step by step."


def words_of_live(title: str, bots: Sequence[str]) -> tuple[str, str]:
    """Say who is playing, without the course of the match."""
    return f"{title}, live", f"{', '.join(map(name_of, bots))} are playing now. Watch them at the board."


def words_of_latest(latest: LatestTournament | None) -> tuple[str, str]:
    """Say who won the latest tournament."""
    if latest is None or not latest.podium:
        return "Meistersinger", ABOUT
    games = ", ".join(map(game_title, latest.games))
    return (
        f"{name_of(latest.podium[0].bot)} won {latest.tournament}",
        f"{latest.bots} bots, {latest.matches:,} matches of {games}. {ABOUT}",
    )


def words_of_tournament(reader: Reader, name: str) -> tuple[str, str]:
    """Say who leads a tournament, or has won it."""
    stored = reader.tournament(name)
    found: TournamentSummary = summary(reader.store, stored)
    first = [f"{line.place}. {name_of(line.bot)} ({line.points:.2f})" for line in standings(reader, stored)[:PODIUM]]
    about = f"{', '.join(map(game_title, found.games))}: {found.bots} bots, {found.matches:,} matches, {found.state}."
    return found.tournament, f"{about} {', '.join(first)}".strip()


def words_of_bot(bot: BotReport) -> tuple[str, str]:
    """Summarise a bot's results."""
    said = [
        f"{title}: Elo {shown_rating(rating.elo)} after {rating.matches:,} matches"
        for title, rating in _newest_ratings(bot)
    ]
    author = f"by {bot.author}. " if bot.author else ""
    return bot.name, f"{author}{'; '.join(said) or 'No rated matches yet'}."


def _newest_ratings(bot: BotReport) -> list[tuple[str, RatingReport]]:
    newest = {rating.pool: rating for rating in reversed(bot.ratings)}
    return [(game_title(pool.rpartition(":")[0]), rating) for pool, rating in newest.items()]


# As pictures, each with its cache key.

Card = tuple[object, Callable[[], str]]


def board_of(reader: Reader, replays: Replays, match: StoredMatch | None) -> Drawing | None:
    """Return a match as spectators saw its end; None while its round is open, or if it cannot be drawn."""
    if match is None or not reader.is_settled(match):
        return None
    try:
        replay = replays.get(match)
    except UserError:
        return None
    return replay.moment(replay.steps, Eyes.SPECTATOR).drawing


def _card(
    kind: str, reader: Reader, replays: Replays, title: str, match: StoredMatch | None, lines: Sequence[CardLine]
) -> Card:
    shown = None if match is None else (match.id, reader.is_settled(match))
    return (kind, title, shown, tuple(lines)), lambda: card(board_of(reader, replays, match), title, lines)


def _first_places(lines: Sequence[StandingLine]) -> list[CardLine]:
    return [CardLine(f"{line.place}. {name_of(line.bot)}", f"{line.points:.2f}") for line in lines[:PODIUM]]


def card_of_match(reader: Reader, replays: Replays, wanted: str) -> Card:
    """A match's board with the places."""
    match = reader.match(wanted)
    has_result = bool(match.places)
    places, names = match.shown_places, [name_of(bot) for bot in match.seating]
    order = sorted(range(len(names)), key=lambda seat: (places[seat] or len(names) + 1, seat))
    lines = [
        CardLine(
            names[seat] if places[seat] is None else f"{places[seat]}. {names[seat]}",
            score_of(match.game, match.scores[seat]).partition(",")[0] if has_result else "",
            seat,
        )
        for seat in order
    ]
    return _card("match", reader, replays, game_title(match.game), match, lines)


def card_of_tournament(reader: Reader, replays: Replays, name: str) -> Card:
    """The board of a tournament's most dramatic match with its first places."""
    stored = reader.tournament(name)
    drama = drama_of(reader, stored)
    match = None if drama is None else drama.match
    return _card("tournament", reader, replays, name, match, _first_places(standings(reader, stored)))


def card_of_bot(reader: Reader, replays: Replays, name: str) -> Card:
    """The board of a bot's last match that may be shown, with its ratings."""
    bot: BotReport = bot_page(reader, name)["bot"]
    lines = [CardLine(title, shown_rating(rating.elo)) for title, rating in _newest_ratings(bot)[:6]]
    match = reader.last_settled([line.match for line in bot.recent[:RECENT]])
    return _card("bot", reader, replays, bot.name, match, lines)


def card_of_site(reader: Reader, replays: Replays) -> Card:
    """The latest tournament's most dramatic match with its first places."""
    latest = latest_tournament(reader)
    match = None if latest is None or latest.drama is None else latest.drama.match
    lines = [] if latest is None else _first_places(latest.podium)
    return _card("site", reader, replays, words_of_latest(latest)[0], match, lines)
