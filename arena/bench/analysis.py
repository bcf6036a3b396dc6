"""How well the judge judges: planted blunders found, flagged ones remeasured, bots told apart, the unexplained rest.

    python -m arena.bench.analysis
    python -m arena.bench.analysis --game norenberc --judge tuned --plants 10 --matches 3 --json

Everything is played in this process and judged from real records of three seats, by the judge as it is and by one that
plays on by the default weights.

- Plants: seats play by the tuned heuristic, and one of them once takes the option that it rates lowest. Its cost is
  measured in new worlds with noisy rollouts to the end; only plants that cost at least 10 points and more than two
  standard errors count. The benchmark measures whether the plant is among the first three decisions that the judge
  names, and the CPU time per seat. Where it comes later, it and the decisions before it are remeasured: a correct
  judge names the costlier ones first.
- Flags: decisions shown as costly, in these and in the next matches, remeasured in the same way.
- Bots: matches of random, greedy and search; the gain of each one's choices, and the root mean square of the
  unexplained rest.

Ends with exit code 1 if a game falls short anywhere.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean, variance
from typing import Any

from arena.analysis.judge import judge
from arena.analysis.judgement import DEFAULT_EFFORT, EFFORTS, JudgedDecision, Judgement, Opinion, Worlds
from arena.analysis.moments import JudgedMoment, course_of
from arena.analysis.playing_on import default_policy_for, dice_for, play_on, policy_for
from arena.analysis.race import WorldSource
from arena.bench.figures import Figures, Value, save
from arena.bench.recorded_match import Chooser, bot_chooser, record_match
from referee.game import AnyGame, Decision, Seat
from referee.games import BUILT_IN, GAMES
from referee.heuristic import TO_THE_END, liked
from referee.order import MatchOrder, SeatOrder
from referee.record import How, Record, read
from referee.rng import Rng, seeded

SEATS = 3
SEARCH_NODES = 40
GAPS = {"carcassonne_city": 4.0, "furstenfeld": 5.0, "norenberc": 1.0, "nuremberg": 0.8}
"""How much worse than the best the heuristic must rate a planted option, in points of the game."""
TRUE_COST, TRUE_ERRORS = 10.0, 2.0
FIRST_LOOK, SECOND_LOOK, FLAG_LOOK = 12, 96, 48
TOP = 3
LOOKED_AT = 8
"""A plant named later than this is missed, whatever comes before it."""
FRESH = 10_000_000
"""Worlds from here on are used by no judge."""
JUDGES = {"tuned": policy_for, "default": default_policy_for}
"""What judges play on by."""
FOUND, TRUE_FLAGS, MAX_SECONDS, APART, LARGEST_REST = 0.9, 0.9, 10.0, 3.0, 15.0
"""The targets."""


@dataclass
class Score:
    """The results of one game."""

    game: str
    effort: int
    worlds: str
    judge: str
    """What it plays on by."""
    tries: int = 0
    plants: int = 0
    found: int = 0
    first: int = 0
    outranked: int = 0
    """Not found, but behind three or more that really cost more: a perfect judge would not name it sooner."""
    seconds_a_seat: float = 0.0
    flags: int = 0
    true_flags: int = 0
    agreed: int = 0
    true_agreed: int = 0
    disagreed: int = 0
    true_disagreed: int = 0
    """Blunders with which the second judge disagrees, but that do cost points: there it is wrong."""
    matches: int = 0
    random: float = 0.0
    greedy: float = 0.0
    search: float = 0.0
    greedy_above_random_errors: float = 0.0
    search_above_greedy_errors: float = 0.0
    unexplained: float = 0.0
    unexplained_error: float = 0.0
    judged_error: float = 0.0
    """How much of the unexplained rest the worlds of the judge may have put there, by its own word."""
    first_match: int = 0

    def shortfalls(self) -> list[str]:
        """Return the missed targets in words."""
        short = []
        if self.plants and self.found < FOUND * self.plants:
            behind = f", {self.outranked} more behind what truly costs more" if self.outranked else ""
            short.append(f"finds {self.found} of {self.plants} plants{behind}")
        if self.seconds_a_seat > MAX_SECONDS:
            short.append(f"takes {self.seconds_a_seat:.0f} CPU-s per seat")
        if self.flags and self.true_flags < TRUE_FLAGS * self.flags:
            short.append(f"{self.true_flags} of {self.flags} flagged decisions cost points when remeasured")
        if self.matches and self.greedy_above_random_errors < APART:
            short.append(f"tells greedy from random by {self.greedy_above_random_errors:.1f} standard errors")
        if self.matches and self.search_above_greedy_errors < -TRUE_ERRORS:
            short.append("puts search below greedy")
        return short


def play(game: AnyGame, seed: int, names: Sequence[str], choosers: Sequence[Chooser]) -> str:
    """Play a match in this process and return its record; forced moves are not asked."""

    def choose(state: Any, decision: Decision, options: Sequence[Any]) -> int:
        is_forced = len(options) == 1 and not decision.open_ended
        return 0 if is_forced else choosers[decision.seat](state, decision, options)

    order = MatchOrder(f"bench-{seed}", game.slug, {}, tuple(SeatOrder(name, "") for name in names), seed)
    return record_match(order, choose).record


def tuned(game: AnyGame) -> Chooser:
    """Return a seat that plays by the tuned heuristic."""
    return bot_chooser(game, SEATS, "bench", "tuned", "--no-trades")  # the judge plays on without trades too


def greedy(game: AnyGame) -> Chooser:
    """Return a greedy seat."""
    return bot_chooser(game, SEATS, "bench", "greedy")


def at_random(seed: int) -> Chooser:
    """Return a seat that plays at random."""
    rng = seeded(seed).fork("random seat")
    return lambda _state, _decision, options: rng.index(len(options))


def searching(game: AnyGame, seed: int) -> Chooser:
    """Return a seat that looks ahead with a small budget of nodes."""
    return bot_chooser(game, SEATS, f"bench-{seed}", "search", "--nodes", str(SEARCH_NODES))


class Blunderer:
    """A tuned seat that once takes its heuristic's worst option, from its n-th decision on if it differs enough."""

    def __init__(self, game: AnyGame, after: int) -> None:
        self.game, self.after = game, after
        self.asked = 0
        self.planted: Decision | None = None
        self.planted_at = 0

    def __call__(self, state: Any, decision: Decision, options: Sequence[Any]) -> int:
        """Choose; the blunder is noted by how many decisions came before it."""
        self.asked += 1
        world = self.game.imagine(self.game.observe(state, decision.seat), decision.seat, Rng(0))
        heuristic = self.game.tuned_heuristic(SEATS)
        assert heuristic is not None, "every game of ours has one"
        ratings = heuristic.rate(world, decision.seat, options)
        order = liked(ratings)
        is_plain = ratings[order[0]] - ratings[order[-1]] > GAPS.get(self.game.slug, 1.0) and len(order) > 2
        if self.planted is None and self.asked > self.after and is_plain:
            self.planted, self.planted_at = decision, self.asked
            return order[-1]
        return order[0]


def cost(record: Record, moment: JudgedMoment, better: Any, worlds: int, first: int) -> tuple[float, float]:
    """Return an option's gain over the chosen one, with its standard error, by noisy rollouts to the end."""
    game = record.game
    policy, rng = policy_for(game, record.seats), seeded(int(record.result_digest, 16))
    table = WorldSource(game, Worlds.LUCK, rng, record.seats, len(record.steps))
    apply, found = game.apply_checked, []
    for number in range(first, first + worlds):
        world = table.open_world(moment, number)
        dice = dice_for(record.seats, table.rng.fork(f"dice {moment.step} {number}"))
        values = []
        for option in (moment.options[0], better):
            state = game.clone(world)
            apply(state, {**moment.choices, moment.seat: option})
            play_on(game, policy, state, dice, TO_THE_END)
            values.append(policy.rated(state, 0)[moment.seat] / 100)
        found.append(values[1] - values[0])
    return fmean(found), sqrt(variance(found) / worlds)


def moments_of(record: Record, seat: Seat, judge_by: str = "tuned") -> dict[int, JudgedMoment]:
    """Return the decisions of a seat by their step."""
    policy = JUDGES[judge_by](record.game, record.seats)
    course = course_of(record, policy, [seat], seeded(int(record.result_digest, 16)))
    return {moment.step: moment for moment in course.moments}


def plant(game: AnyGame, number: int) -> tuple[Record, str, Seat, int] | None:
    """Play a match with a blunder; return its record, the seat and the step, or None if there was no blunder."""
    seed, seat = 50_000 + number, number % SEATS
    share = 0.05 + 0.9 * (number * 7 % 31) / 31
    counting = Blunderer(game, 1_000_000)
    play(game, seed, ["tuned"] * SEATS, [counting if at == seat else tuned(game) for at in range(SEATS)])
    blunderer = Blunderer(game, int(share * counting.asked))
    text = play(game, seed, ["tuned"] * SEATS, [blunderer if at == seat else tuned(game) for at in range(SEATS)])
    if blunderer.planted is None:
        return None
    record = read(text)
    own = [step.number for step in record.steps for c in step.choices if c.seat == seat and c.how is How.ANSWERED]
    step = own[blunderer.planted_at - 1]
    moment = moments_of(record, seat).get(step)
    if moment is None:
        return None
    best = moment.options[max(range(1, len(moment.options)), key=moment.usual.__getitem__)]
    if cost(record, moment, best, FIRST_LOOK, FRESH)[0] < TRUE_COST / 2:
        return None
    gain, error = cost(record, moment, best, SECOND_LOOK, 2 * FRESH)  # fresh: the first look has chosen it
    return (record, text, seat, step) if gain >= TRUE_COST and gain > TRUE_ERRORS * error else None


def measure_flags(score: Score, record: Record, judgement: Judgement, seats: Sequence[Seat], most: int) -> None:
    """Remeasure flagged decisions, in worlds that no judge has seen."""
    for seat in seats:
        moments = moments_of(record, seat, score.judge)
        for flagged in judgement.blunders(seat):
            if score.flags >= most:
                return
            moment = moments[flagged.step]
            better = next(each for each in moment.options[1:] if record.game.describe(each) == flagged.better)
            gain, _ = cost(record, moment, better, FLAG_LOOK, 3 * FRESH)
            score.flags += 1
            score.true_flags += gain > 0
            opinion = None if flagged.second is None else flagged.second.opinion
            score.agreed += opinion is Opinion.AGREES
            score.true_agreed += opinion is Opinion.AGREES and gain > 0
            score.disagreed += opinion is Opinion.DISAGREES
            score.true_disagreed += opinion is Opinion.DISAGREES and gain > 0


def is_outranked(costs: Sequence[float]) -> bool:
    """Return whether, by true costs in the order of naming, three cost more than the last."""
    return sum(cost > costs[-1] for cost in costs[:-1]) >= TOP


def true_costs(record: Record, seat: Seat, decisions: Sequence[JudgedDecision]) -> list[float]:
    """Measure the cost of decisions: the best other option is found in one set of fresh worlds, its gain in another."""
    moments, costs = moments_of(record, seat), []
    for moment in (moments[each.step] for each in decisions):
        gains = [cost(record, moment, option, FLAG_LOOK, 4 * FRESH)[0] for option in moment.options[1:]]
        best = moment.options[1 + gains.index(max(gains))]
        costs.append(cost(record, moment, best, FLAG_LOOK, 5 * FRESH)[0])
    return costs


def measure(slug: str, judge_by: str, args: argparse.Namespace) -> Score:
    """Measure one game with one judge."""
    game, worlds = GAMES[slug], Worlds(args.worlds)
    score = Score(slug, args.effort, args.worlds, judge_by, first_match=args.first)
    seconds = 0.0
    while score.plants < args.plants and score.tries < args.tries:
        found = plant(game, args.first + score.tries)
        score.tries += 1
        if found is None:
            continue
        record, text, seat, step = found
        begun = time.process_time()
        judgement = judge(text, worlds, args.effort, [seat], JUDGES[score.judge])
        seconds += time.process_time() - begun
        order = sorted(judgement.decisions, key=lambda each: -each.gain)
        steps = [each.step for each in order]
        place = steps.index(step) if step in steps else len(steps)
        score.plants += 1
        score.found += place < TOP
        score.first += place == 0
        is_near = TOP <= place < LOOKED_AT
        outranked = is_near and is_outranked(true_costs(record, seat, order[: place + 1]))
        score.outranked += outranked
        measure_flags(score, record, judgement, [seat], args.flags // 2)
        print(
            f"{slug}: plant {score.plants} of {args.plants}, match {args.first + score.tries - 1}, step {step}:"
            f" place {place + 1}{', behind what truly costs more' if outranked else ''};"
            f" {score.found} found, {seconds / score.plants:.1f} s a seat, {score.true_flags} of {score.flags} flags",
            file=sys.stderr,
            flush=True,
        )
    score.seconds_a_seat = round(seconds / max(1, score.plants), 1)
    _measure_bots(score, game, args)
    return score


def _measure_bots(score: Score, game: AnyGame, args: argparse.Namespace) -> None:
    own: dict[str, list[float]] = {"random": [], "greedy": [], "search": []}
    rests: list[float] = []
    errors: list[float] = []
    for number in range(args.matches):
        names = [list(own)[(number + at) % SEATS] for at in range(SEATS)]
        seed = 90_000 + args.first + number
        seats = {"random": at_random(seed), "greedy": greedy(game), "search": searching(game, seed)}
        text = play(game, seed, names, [seats[name] for name in names])
        judgement = judge(text, Worlds(args.worlds), args.effort, None, JUDGES[score.judge])
        for each in judgement.seats:
            own[each.bot].append(each.own)
            rests.append(each.unexplained)
            errors.append(each.unexplained_error)
        measure_flags(score, read(text), judgement, range(SEATS), args.flags)
        found = [(each.bot, each.own) for each in judgement.seats]
        print(f"{game.slug}: match {number + 1} of {args.matches}: {found}", file=sys.stderr, flush=True)
    score.matches = args.matches
    if args.matches > 1:
        score.random, score.greedy, score.search = (round(sum(own[name]) / args.matches, 1) for name in own)
        score.greedy_above_random_errors = round(_errors(own["greedy"], own["random"]), 1)
        score.search_above_greedy_errors = round(_errors(own["search"], own["greedy"]), 1)
        score.unexplained, score.unexplained_error = _root_mean_square(rests)
        score.judged_error, _ = _root_mean_square(errors)


def _root_mean_square(values: Sequence[float]) -> tuple[float, float]:
    """Return the root of the mean of squares, with its standard error."""
    squares = [value**2 for value in values]
    root = sqrt(fmean(squares))
    return round(root, 1), round(sqrt(variance(squares) / len(squares)) / (2 * max(0.1, root)), 1)


def _errors(one: Sequence[float], other: Sequence[float]) -> float:
    """Return by how many standard errors the first mean is above the second."""
    squares = sum(variance(values) / len(values) for values in (one, other))
    return (fmean(one) - fmean(other)) / max(0.1, sqrt(squares))


def main() -> int:
    """Measure every game, or one, and print a table."""
    parser = argparse.ArgumentParser(description="How well does the judge judge?")
    parser.add_argument("--game", choices=BUILT_IN, action="append")
    parser.add_argument("--plants", type=int, default=30, help="true blunders to look for")
    parser.add_argument("--first", type=int, default=0, help="number of the first match: others are other seeds")
    parser.add_argument("--tries", type=int, default=1_000, help="maximum number of matches played to find them")
    parser.add_argument("--flags", type=int, default=60, help="maximum number of flagged decisions to remeasure")
    parser.add_argument("--matches", type=int, default=6, help="matches of random, greedy and search")
    parser.add_argument("--effort", type=int, choices=EFFORTS, default=DEFAULT_EFFORT)
    parser.add_argument("--worlds", choices=[each.value for each in Worlds], default=Worlds.LUCK.value)
    parser.add_argument("--judge", choices=JUDGES, action="append", help="only one that plays on by these weights")
    parser.add_argument("--kept", type=Path, help="keep the results of every game in this file, and measure none twice")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    kept = _read(args.kept)
    scores = []
    for slug, judge_by in product(args.game or BUILT_IN, args.judge or JUDGES):
        score = kept.get((slug, judge_by))
        if score is None:
            score = measure(slug, judge_by, args)
            if args.kept is not None:  # a game takes long: finished results are not lost
                with args.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(score)) + "\n")
        scores.append(score)
        if args.json:
            print(json.dumps(asdict(score)), flush=True)
    tables = {"plants": Figures(PLANTS, list(map(plants, scores))), "bots": Figures(BOTS, list(map(bots, scores)))}
    if not args.json:
        for table in tables.values():
            print(table)
        print(f"Luck is shown only for games with at most {LARGEST_REST:.0f} unexplained points.")
    save("analysis", tables)
    return int(any(score.shortfalls() for score in scores))


def _read(file: Path | None) -> dict[tuple[str, str], Score]:
    """Return the results that were kept, by game and judge."""
    if file is None or not file.exists():
        return {}
    scores = [Score(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(score.game, score.judge): score for score in scores}


PLANTS = (
    "Game",
    "Judge plays on by",
    "Plants",
    "Found",
    "Named first",
    "Behind what truly costs more",
    "CPU time per seat",
)
BOTS = (
    "Game", "Judge plays on by", "random, greedy, search", "greedy above random", "search above greedy",
    "Flagged decisions that cost points", "Second judge agrees, disagrees: right", "Unexplained",
    "Of it the judge's own", "Short of",
)  # fmt: skip


def _weights(score: Score) -> str:
    return f"{score.judge} weights"


def plants(score: Score) -> list[Value]:
    """Return how the planted blunders of a game were found."""
    seconds = f"{score.seconds_a_seat} s"
    return [GAMES[score.game].title, _weights(score), score.plants, score.found, score.first, score.outranked, seconds]


def bots(score: Score) -> list[Value]:
    """Return how well bots were told apart, and flagged decisions confirmed."""
    right = score.disagreed - score.true_disagreed
    return [
        GAMES[score.game].title,
        _weights(score),
        f"{score.random:.0f}, {score.greedy:.0f}, {score.search:.0f}",
        f"{score.greedy_above_random_errors} standard errors",
        score.search_above_greedy_errors,
        f"{score.true_flags} of {score.flags}",
        f"{score.true_agreed} of {score.agreed}, {right} of {score.disagreed}",
        f"{score.unexplained:.0f} ± {score.unexplained_error:.0f}",
        round(score.judged_error),
        "; ".join(score.shortfalls()) or "–",
    ]


if __name__ == "__main__":
    sys.exit(main())
