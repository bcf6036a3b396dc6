"""The answer of an evaluation: plain data, one screen of text, Markdown for a summary, and JUnit for a CI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from arena.evaluation.evaluating import STAGES, EvaluatedBot, rating_interval, score_interval


def to_plain(found: EvaluatedBot) -> dict[str, Any]:
    """Return the answer as plain data: the same for the same games, whenever they were played."""
    request, journal = found.request, found.journal
    shares = found.shares()
    plain: dict[str, Any] = {
        "bot": request.bot.label,
        "game": request.game.slug,
        "opponents": journal.header["opponents"],
        "seed": journal.header["seed"],
        "is_passed": not found.failure,
        "stage": found.stage,
        "failure": found.failure,
        "details": [_printable(each) for each in found.details],
        "games": len(found.games),
        "forfeits": sum(game["is_forfeit"] for game in found.games),
        "void_matches": sum(not game["places"] for line in journal.lines for game in line["games"]),
        "score": None,
        "score_kind": "share of opponents beaten" if request.ladder is None else "Elo above random play",
        "lower": None,
        "upper": None,
        "level": None,
        "decisions": found.decisions,
        "records": [path for game in found.games if game["record"] and (path := journal.path(game["record"]))],
    }
    if not shares:
        return plain
    if request.ladder is None:
        lower, upper = score_interval(shares)
        score = float(sum(shares) / len(shares))
        return plain | {"score": round(score, 4), "lower": round(lower, 4), "upper": round(upper, 4)}
    climb = found.climb
    lower, upper = rating_interval(climb)
    return plain | {
        "score": round(climb.rating), "lower": round(lower), "upper": round(upper), "level": climb.level
    }  # fmt: skip


def as_lines(plain: dict[str, Any]) -> Iterator[str]:
    """Yield the answer in words."""
    if plain["failure"]:
        yield f"{plain['bot']} fails at the stage “{plain['stage']}”: it {plain['failure']}."
    if plain["score"] is not None:
        yield (
            f"{plain['bot']}, {plain['game']}: {plain['score']} ({plain['lower']} to {plain['upper']} at any look),"
            f" {plain['score_kind']}, after {plain['games']} games"
        )
    if plain["level"] is not None:
        yield f"rung reached: level {plain['level']}" if plain["level"] else "rung reached: none yet"
    if plain["forfeits"]:
        yield f"it forfeited {plain['forfeits']} of {plain['games']} games"
    if plain["void_matches"]:
        yield f"{plain['void_matches']} matches were void through no fault of a bot"
    yield from (f"    {each}" for each in plain["details"])
    for each in plain["decisions"]:
        cost = f"{each['cost']:.0f} ± {each['error']:.0f} of 100 points"
        yield f"costly: {each['kind']} ({each['clause']}), step {each['step']} of match {each['match'][:12]}: {cost}"
        yield f"    chose  {each['chosen']}"
        yield f"    better {each['better']}"
    if plain["records"]:
        yield f"records: {plain['records'][0]} and {len(plain['records']) - 1} more"


def as_markdown(plain: dict[str, Any]) -> str:
    """Return the answer as a section of Markdown; what a bot has printed cannot leave its block of code."""
    verdict = "failed" if plain["failure"] else "passed"
    body = "\n".join(as_lines(plain)).replace("```", "'''")
    return f"### arena evaluate: {verdict}\n\n```text\n{body}\n```\n"


def as_junit(plain: dict[str, Any]) -> str:
    """Return the stages as test cases of a JUnit file."""
    reached = STAGES.index(plain["stage"])
    suite = ElementTree.Element("testsuite", name=f"arena evaluate {plain['game']}", tests=str(len(STAGES)))
    suite.set("failures", str(int(bool(plain["failure"]))))
    suite.set("skipped", str(len(STAGES) - 1 - reached if plain["failure"] else 0))
    for number, stage in enumerate(STAGES):
        case = ElementTree.SubElement(suite, "testcase", classname=plain["bot"], name=stage)
        if plain["failure"] and number == reached:
            failure = ElementTree.SubElement(case, "failure", message=plain["failure"])
            failure.text = "\n".join(plain["details"])
        elif plain["failure"] and number > reached:
            ElementTree.SubElement(case, "skipped")
    ElementTree.SubElement(suite, "system-out").text = "\n".join(as_lines(plain))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """Return text that a terminal, XML and Markdown can hold: no control characters but line breaks and tabs."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in text)
