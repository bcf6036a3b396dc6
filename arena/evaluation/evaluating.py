"""Evaluating: a bot loads, keeps the protocol, plays one block, and then as many as the budget allows.

Every stage costs more than the one before, and a bot that fails one is not asked further. Opponents are the rungs of
the game's ladder, drawn where the bot's rating may be, or bots that were given; seeds are secret and drawn for every
evaluation, so that nothing can be learnt from the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from arena.analysis.judge import judge
from arena.analysis.judgement import Worlds
from arena.bots.directory import BotDirectory
from arena.bots.rungs import Ladder, rung_bot
from arena.conformance.check import check
from arena.conformance.report import StepResult
from arena.evaluation.journal import BlockJournal
from arena.ladder.climbing import CONFIDENCE, NAT, Climb
from arena.ladder.playing import places_by_entry, rotated
from arena.plan.seeding import single_match_id, single_match_seed
from arena.play.local_pool import LocalPool, open_pool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import play_all
from arena.play.verifier import Verifier, open_verifier
from arena.sandbox.levels import SandboxPolicy
from ratings.points.points import UNIT
from ratings.sequential.compare import GRID, interval_at_any_look, watched_half_width
from referee.game import AnyGame
from referee.mistakes import UserError
from referee.order import Ending, MatchResult, TimeControl

PATIENCE = 5.0  # seconds for an answer in the protocol check
MAX_FAULTS, MAX_PRINTED = 3, 600
SHOWN_DECISIONS = 3
JUDGE_EFFORT = 1
STAGES = ("loads", "conforms", "one block", "budget")


@dataclass(frozen=True, slots=True)
class Request:
    """What to evaluate: a bot at one game, against opponents or the ladder, within a budget of games or seconds."""

    game: AnyGame
    bot: BotDirectory
    ladder: Ladder | None
    opponents: tuple[BotDirectory, ...]
    """One table's; empty where the ladder draws them."""
    games: int
    seconds: float | None
    """The bots' thinking time, as the referees measure it; None where games are counted."""
    control: TimeControl
    sandbox: SandboxPolicy
    judged: int
    """Games that are judged for costly decisions, the worst first."""

    @property
    def seats(self) -> int:
        """Return the number of seats at every table."""
        if self.ladder is None:
            return len(self.opponents) + 1
        return self.ladder.seats or self.game.preferred_seats

    def header(self, seed: int) -> dict[str, Any]:
        """Return the first line of a journal."""
        return {
            "bot": self.bot.label,
            "game": self.game.slug,
            "opponents": [bot.label for bot in self.opponents] or ["ladder"],
            "time_control": self.control.to_plain(),
            "seed": seed,
        }


@dataclass(slots=True)
class EvaluatedBot:
    """The answer, as far as it is known."""

    request: Request
    journal: BlockJournal
    stage: str = STAGES[0]
    """The last stage that was reached."""
    failure: str = ""
    """Why it went no further; empty if all stages were passed."""
    details: list[str] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def games(self) -> list[dict[str, Any]]:
        """Return the games that count, in the order of play."""
        return [game for line in self.journal.lines for game in line["games"] if game["places"]]

    @property
    def climb(self) -> Climb:
        """Return what the games say of the bot's rating; only on a ladder."""
        ladder = self.request.ladder
        assert ladder is not None  # asked only then
        climb = Climb(ladder.ratings, self.request.seats)
        for line in self.journal.lines:
            for game in line["games"]:
                if game["places"]:
                    climb.add(line["levels"], game["places"])
        return climb

    def shares(self) -> list[Fraction]:
        """Return for every block the share of opponents that the bot was placed before, a tie counting half."""
        found = []
        for line in self.journal.lines:
            if played := [share_of(game["places"]) for game in line["games"] if game["places"]]:
                found.append(sum(played, Fraction()) / len(played))
        return found


def share_of(places: Sequence[int]) -> Fraction:
    """Return the share of opponents that the first entry is placed before."""
    mine, others = places[0], places[1:]
    return Fraction(sum(2 * (other > mine) + (other == mine) for other in others), 2 * len(others))


def score_interval(shares: Sequence[Fraction]) -> tuple[float, float]:
    """T15.3: return the shares that are not ruled out, at whatever look.

    A block's share, moved to -1 to 1, is the mean difference of a block of two games between two bots.
    """
    moved = [int((2 * share - 1) * 2 * UNIT) for share in shares]
    found = interval_at_any_look(moved, 2)
    return (found.lower / GRID + 1) / 2, (found.upper / GRID + 1) / 2


async def evaluate(request: Request, journal: BlockJournal, told: Callable[[str, int], None]) -> EvaluatedBot:
    """Run all stages; `told` hears of each, and of the games played."""
    found = EvaluatedBot(request, journal)
    found.stage = STAGES[1]
    told(found.stage, 0)
    if not journal.lines:
        await _conform(found)
        if found.failure:
            return found
    await _play(found, told)
    found.decisions = list(costliest(found))
    return found


async def _conform(found: EvaluatedBot) -> None:
    request = found.request
    report = await check(request.bot, [request.game], PATIENCE, request.sandbox, lambda _verdict: None)
    failed = [verdict for verdict in report.verdicts if verdict.result is StepResult.FAILED]
    if failed:
        found.failure = f"fails {len(failed)} steps of the protocol: {', '.join(each.step for each in failed)}"
        found.details = [
            f"{each.step}: sent {each.sent}; came back: {each.came_back}; expected: {each.expected}"
            + (f"; it printed: {each.printed}" if each.printed else "")
            for each in failed[:MAX_FAULTS]
        ]


async def _play(found: EvaluatedBot, told: Callable[[str, int], None]) -> None:
    request = found.request
    async with (
        open_verifier() as verifier,
        open_pool(referees=1, fresh_process=True, log_level="error", sandbox=request.sandbox) as pool,
    ):
        while not found.journal.lines or _may_go_on(found):
            found.stage = STAGES[3] if found.journal.lines else STAGES[2]
            told(found.stage, len(found.games))
            await _block(found, pool, verifier)
    if not found.failure:
        found.stage = STAGES[3]
    found.details = list(faults(found))


def _may_go_on(found: EvaluatedBot) -> bool:
    """Return whether another block fits into the budget, and is worth it."""
    request, lines = found.request, found.journal.lines
    first = [game for game in lines[0]["games"] if game["places"]]
    if first and all(game["is_forfeit"] for game in first):
        found.stage, found.failure = STAGES[2], "forfeits every game of its first block"
        return False
    if request.seconds is not None:
        spent: int = sum(line["thinking_us"] for line in lines)
        return spent < request.seconds * 1e6
    return sum(len(line["games"]) for line in lines) + request.seats <= request.games


async def _block(found: EvaluatedBot, pool: LocalPool, verifier: Verifier) -> None:
    request, seed = found.request, int(found.journal.header["seed"])
    if request.ladder is None:
        levels: tuple[int, ...] = ()
        entries = (request.bot, *request.opponents)
    else:
        levels = found.climb.next_levels()
        entries = (request.bot, *(rung_bot(request.ladder, level) for level in levels))
    first = sum(len(line["games"]) for line in found.journal.lines)
    fixtures = []
    for game in range(len(entries)):
        seated = tuple(entries[entry] for entry in rotated(len(entries), game))
        match_id = single_match_id(request.game.slug, {}, [bot.label for bot in seated], seed, first + game)
        match_seed = single_match_seed(seed, first + game)
        fixtures.append(MatchToPlay(match_id, request.game.slug, {}, seated, match_seed, request.control))
    results: dict[int, MatchResult] = {}
    printed: dict[int, str] = {}

    async def keep(number: int, result: MatchResult) -> None:
        results[number] = result
        printed[number] = pool.output_of(request.bot.label)
        if result.record and (fault := await verifier.check(result.record)):
            raise UserError(f"match {result.match_id}: its record was refused: {fault}")

    await play_all(pool, fixtures, pool.capacity, keep)
    games, records, thinking_us = [], dict[str, str](), 0
    for number, result in sorted(results.items()):
        name = f"{first + number + 1:05}-{result.match_id[:12]}.jsonl"
        is_void = result.ending is Ending.VOIDED
        seat = number % len(entries)
        ending = result.seat_endings[seat] if result.seat_endings else result.ending
        is_forfeit = not is_void and ending is not Ending.COMPLETED
        if result.record:
            records[name] = result.record
            thinking_us += _thinking_us(result.record)
        games.append(
            {
                "match": result.match_id,
                "record": name if result.record else None,
                "places": [] if is_void else places_by_entry(result.ranks, number),
                "seat": seat,
                "ending": str(ending),
                "is_forfeit": is_forfeit,
                "refusals": [
                    f"step {step}: {clause or 'protocol'}: {why}"
                    for step, at, clause, why in result.strikes
                    if at == seat
                ],
                "printed": printed[number][-MAX_PRINTED:] if is_forfeit else "",
            }
        )  # fmt: skip
    if not any(game["places"] for game in games):
        raise UserError(f"evaluate: no match could be played: {results[0].reason}")
    found.journal.add({"levels": list(levels), "games": games, "thinking_us": thinking_us}, records)


def _thinking_us(record: str) -> int:
    from referee.record import read

    return sum(choice.times_us[0] for step in read(record).steps for choice in step.choices)


def faults(found: EvaluatedBot) -> Iterator[str]:
    """Yield what went wrong in games that were played, the first few."""
    told = 0
    for game in found.games:
        if told == MAX_FAULTS:
            return
        if game["is_forfeit"] or game["refusals"]:
            told += 1
            text = f"match {game['match'][:12]}: {game['ending']}"
            text += "".join(f"; {each}" for each in game["refusals"][:1])
            yield text + (f"; it printed: {game['printed'].strip()}" if game["printed"].strip() else "")


def costliest(found: EvaluatedBot) -> Iterator[dict[str, Any]]:
    """Yield the decisions that cost most in the worst games that were played to the end."""
    whole = [game for game in found.games if not game["is_forfeit"] and game["record"]]
    worst = sorted(whole, key=lambda game: share_of(game["places"]))[: found.request.judged]
    blunders = []
    for game in worst:
        judged = judge(found.journal.record(game["record"]), Worlds.KNEW, JUDGE_EFFORT, [game["seat"]])
        blunders += [(blunder, game) for blunder in judged.blunders(game["seat"])]
    blunders.sort(key=lambda each: (-each[0].gain, each[1]["match"], each[0].step))
    for blunder, game in blunders[:SHOWN_DECISIONS]:
        yield {
            "match": game["match"],
            "step": blunder.step,
            "kind": blunder.kind,
            "clause": blunder.clause,
            "chosen": blunder.chosen,
            "better": blunder.better,
            "cost": blunder.gain,
            "error": blunder.error,
        }


def rating_interval(climb: Climb) -> tuple[float, float]:
    """T15.5: return the ratings that are not ruled out at any look, by the model, in Elo."""
    half = watched_half_width(climb.error / CONFIDENCE * NAT) / NAT
    return climb.rating - half, climb.rating + half
