"""Play every game at every table size from fixed seeds and print what happened, one line a step.

python -m tests.compiled.played
"""

from __future__ import annotations

import sys
from hashlib import blake2b

from referee.games import BUILT_IN, GAMES
from referee.heuristic import with_weights
from referee.native import running
from referee.record import verify
from referee.rng import seeded
from referee.wire import wire_for
from tools.golden import GOLDENS

MATCHES = 4  # of each game at each table size


def play(slug: str, seats: int, seed: int) -> None:
    """Play one match, one seat by its heuristic, and print what every step offered, led to and showed."""
    game, heuristic, rng, wire = GAMES[slug], GAMES[slug].heuristic(), seeded(seed), wire_for(GAMES[slug])
    assert heuristic is not None
    state, events = game.begin(seats, seed, game.options({}))
    step = 0
    while pending := game.pending(state):
        options = {decision.seat: game.legal_actions(state, decision.seat) for decision in pending}
        choices = {}
        for decision in pending:
            listed = options[decision.seat]
            game.check(state, decision.seat, listed[-1])
            choice = listed[rng.index(len(listed))]
            if decision.seat == 0 and len(listed) > 1 and step % 3 == 0:
                rated = heuristic.rate(state, 0, listed)
                choice = listed[max(range(len(listed)), key=lambda at: rated[at])]
            choices[decision.seat] = choice
        views = [game.observe(state, seat) for seat in (None, pending[0].seat)]
        asked = wire.prompt("0" * 32, step, pending[0], views[1], (), options[pending[0].seat], 10**9, 10**9)
        twin = game.clone(state)
        defaults = {decision.seat: game.default_action(twin, decision.seat) for decision in pending}
        after_defaults = (game.apply_checked(twin, defaults), game.digest(twin))
        events = game.apply_checked(state, choices)
        seen = [game.witness(event, seats - 1) for event in events]
        told = repr((pending, options, choices, views, asked, after_defaults, events, seen))
        step += 1
        print(slug, seats, seed, step, game.digest(state), blake2b(told.encode(), digest_size=8).hexdigest())
    print(slug, seats, seed, game.outcome(state), heuristic.worths(state))
    play_tuned(slug, seats, seed)


def play_tuned(slug: str, seats: int, seed: int) -> None:
    """Play one match with weights at both ends of their ranges and tuned ones in turn, and print how it ended."""
    game = GAMES[slug]
    known, tuned = game.heuristic(), game.tuned_heuristic(seats)
    assert known is not None
    assert tuned is not None
    least = with_weights(known, {name: weight.least for name, weight in known.weights.items()})
    most = with_weights(known, {name: weight.most for name, weight in known.weights.items()})
    heuristics = [(tuned, least, most)[(seat + seed) % 3] for seat in range(seats)]
    state = game.new(seats, seed, game.options({}))
    worths: list[list[float]] = []
    while game.pending(state):
        game.playout_by_heuristics(state, [seeded(seed)] * seats, heuristics, 5, noisy=True)
        worths += [heuristic.worths(state) for heuristic in heuristics]
    print(slug, seats, seed, game.digest(state), blake2b(repr(worths).encode(), digest_size=8).hexdigest())


def main() -> None:
    """Play, and verify the golden records."""
    print(running().value, file=sys.stderr)
    for slug in BUILT_IN:
        for seed, seats in enumerate([*GAMES[slug].table_sizes] * MATCHES):
            play(slug, seats, seed)
    for golden in GOLDENS:
        print(golden.name, verify(golden.record_file.read_text(encoding="ascii")).result_digest)


if __name__ == "__main__":
    main()
