"""The rules in a few sentences each: enough to know what one plays for."""

from __future__ import annotations

DIGESTS = {
    "carcassonne_city": (
        "Players lay city tiles whose streets, markets and residential areas join up, and may put a follower on a"
        " feature of the tile just laid. Completed streets and markets score at once for whoever has most followers"
        " there, and the followers come home; residents stay to the end. Later the city gets walls, guards that score"
        " what they see along their row, and towers. Most points win."
    ),
    "furstenfeld": (
        "Each player has a farm of six lots that yields hops, barley and water. Every round goods are sold to"
        " breweries, which pay less the more is placed with them, and cards are built from the hand onto lots. Palace"
        " parts cost most and cover what earned money. Six palace parts win; money breaks ties."
    ),
    "norenberc": (
        "Over four rounds players secretly plan which guilds to send agents to, and there sell goods, hire guests from"
        " the lodgings or buy from the storehouse. Artisans, majorities of agents and tiles in guilds, blazons and"
        " prestige give victory points; most of them win, and artisans break ties."
    ),
    "nuremberg": (
        "Players build toll bars and settlements along five roads that lead out of Nuremberg, harvest wood, wool,"
        " grain, brick and ore when the event card shows the number of a landscape, trade, and build workshops,"
        " walls and towers in the city. Whoever has 13 points on his own turn wins; after the last year most points do."
    ),
}


def digest_of(slug: str, title: str) -> str:
    """Return what a player should know of a game; of one that plugs in, only its name."""
    return f"You play {title}. {DIGESTS.get(slug, 'You know its rules only by the options that are listed.')}"
