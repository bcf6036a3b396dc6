"""The views for analysts: exact numbers under plain names, for any tool that reads SQLite."""

from __future__ import annotations


def counting_place(seat: str) -> str:
    """T13.12, T13.15: return the expression for the place of a seat that counts now: later forfeits and strikes
    may have changed it; 0 for a seat that was struck.
    """
    return f"""coalesce((SELECT json_extract(f.payload, '$.places[' || {seat}.seat || ']') FROM entry f
        WHERE f.key >= 'forfeit:' || {seat}.match || ':' AND f.key < 'forfeit:' || {seat}.match || ';'
            OR f.key >= 'strike:' || {seat}.match || ':' AND f.key < 'strike:' || {seat}.match || ';'
        ORDER BY f.seq DESC LIMIT 1), {seat}.place)"""


VIEWS = {
    "leaderboard": """SELECT a.pool, v.name, a.bot AS label, v.label = b.newest AS is_newest, b.is_retired,
    fitted.rating, fitted.error,
    a.rating / 1000.0 AS elo, a.matches, a.wins, a.shared_wins, 1.0 * a.place_sum / a.matches AS mean_place,
    a.points / 1440.0 / a.matches AS points_share, a.forfeits, a.is_anchor, fitted.matches AS fitted_matches
FROM standing a JOIN bot_version v ON v.label = a.bot JOIN bot b ON b.name = v.name
    LEFT JOIN (SELECT f.pool, f.matches, json_extract(line.value, '$[0]') AS label,
        json_extract(line.value, '$[1]') AS rating, json_extract(line.value, '$[2]') AS error
        FROM fit_cache f, json_each(f.ratings) line) fitted ON fitted.pool = a.pool AND fitted.label = a.bot
ORDER BY a.pool, fitted.rating DESC, elo DESC""",
    "results": f"""SELECT m.id AS match, m.tournament, m.round, m.table_number, m.game_number, m.attempt, m.game,
    s.seat, v.name, s.bot AS label, nullif({counting_place("s")}, 0) AS place, s.score, s.ending, m.stored_at,
    EXISTS (SELECT 1 FROM entry e WHERE e.key = 'match:' || m.id)
        AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.key = 'void:' || m.id)
        AND NOT EXISTS (SELECT 1 FROM entry e WHERE e.key = 'strike:' || m.id || ':' || s.bot) AS counts
FROM match m JOIN seat s ON s.match = m.id JOIN bot_version v ON v.label = s.bot
ORDER BY m.tournament, m.round, m.table_number, m.game_number, m.attempt, s.seat""",
    "head_to_head": """SELECT ours.game, ours.name, theirs.name AS opponent, count(*) AS matches,
    sum(ours.place < theirs.place) AS wins, sum(ours.place = theirs.place) AS ties,
    sum(ours.place > theirs.place) AS losses,
    avg(CASE WHEN ours.place < theirs.place THEN 1.0 WHEN ours.place = theirs.place THEN 0.5 ELSE 0.0 END) AS score
FROM results ours JOIN results theirs ON theirs.match = ours.match AND theirs.seat <> ours.seat
WHERE ours.counts AND theirs.counts
GROUP BY ours.game, ours.name, theirs.name ORDER BY ours.game, ours.name, opponent""",
    "ratings_over_time": """SELECT c.pool, v.name, c.bot AS label, c.seq AS entry, nullif(c.match_id, '') AS match,
    m.tournament, m.round, m.stored_at, c.delta / 1000.0 AS change, c.after / 1000.0 AS elo
FROM rating_change c JOIN bot_version v ON v.label = c.bot LEFT JOIN match m ON m.id = c.match_id
ORDER BY c.pool, c.bot, c.seq""",
}
"""By name, in order of creation: a view may use earlier ones."""
