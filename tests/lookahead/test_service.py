"""The look-ahead service, over real gRPC: worlds from a prompt, moves, playouts, ratings, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from referee.codec import codec_for
from referee.games import GAMES
from referee.lookahead.service import MAX_NODES, start
from referee.lookahead.v1 import lookahead_pb2 as pb
from referee.lookahead.v1.lookahead_pb2_grpc import LookaheadServiceStub
from referee.lookahead.worlds import MAX_WORLDS, NoSuchWorldError, TooManyWorldsError, World, WorldTree
from referee.rng import seeded
from referee.search.budget import SearchBudget
from referee.search.engine import Search
from referee.search.worth import by_lead, by_place
from referee.v1 import play_pb2
from tests.contract.case import load_case
from tests.lookahead.prompts import position, prompt_of
from tests.patience import patience

SLUGS = ("carcassonne_city", "furstenfeld", "norenberc", "nuremberg", "toy")
every_game = pytest.mark.parametrize("slug", SLUGS)
STEPS = {"toy": 2}


@pytest.fixture
def rules() -> Iterator[Any]:
    """A service of its own for every test, whose worlds are counted."""
    with TemporaryDirectory(prefix="look-") as folder:
        server, address = start(f"unix:{Path(folder) / 's'}")
        with grpc.insecure_channel(address) as channel:
            yield LookaheadServiceStub(channel)
        server.stop(0).wait()


def imagined(rules: Any, slug: str, count: int = 3, steps: int | None = None) -> tuple[pb.ImagineResponse, Any, int]:
    """Return worlds of a position, its true state, and the seat that imagined them."""
    game = GAMES[slug]
    state, seat = position(game, STEPS.get(slug, 12) if steps is None else steps)
    request = pb.ImagineRequest(game=slug, seat=seat, prompt=prompt_of(game, state, seat), count=count, seed=7)
    return rules.Imagine(request), state, seat


def refusal(call: Any, request: Any) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as caught:
        call(request)
    error: Any = caught.value
    return error.code(), error.details()


def search_request(slug: str, steps: int | None = None, **more: Any) -> tuple[pb.SearchRequest, Any, int]:
    """Return a request to search a position, with its true state and seat."""
    game = GAMES[slug]
    state, seat = position(game, STEPS.get(slug, 12) if steps is None else steps)
    return pb.SearchRequest(game=slug, seat=seat, prompt=prompt_of(game, state, seat), seed=7, **more), state, seat


@every_game
def test_a_search_finds_what_the_same_search_finds_in_python(rules: Any, slug: str) -> None:
    request, state, seat = search_request(slug, nodes=60)
    found = rules.Search(request)
    game = GAMES[slug]
    imagine, options = partial(game.imagine, game.observe(state, seat), seat), game.legal_actions(state, seat)
    heuristic = game.tuned_heuristic(game.preferred_seats)
    here = Search(game, imagine, seat, options, seeded(7), None, heuristic)
    here.run(SearchBudget(60))
    assert (found.option_index, found.value, found.node_count) == (here.best(), here.value(), 60)


def test_a_search_ends_with_its_time_and_keeps_no_world(rules: Any) -> None:
    request, _, _ = search_request("norenberc", time_limit=Duration(nanos=50_000_000))
    assert 0 < rules.Search(request).node_count < MAX_NODES
    assert rules.Free(pb.FreeRequest()).world_count == 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, "nodes: a search needs a number of nodes, a time_limit or both"),
        ({"nodes": -1}, "nodes: -1 is not allowed; expected 0 or more"),
        ({"nodes": MAX_NODES + 1}, f"nodes: {MAX_NODES + 1} are too many; expected at most {MAX_NODES}"),
    ],
)
def test_a_search_without_a_budget_is_refused(rules: Any, change: dict[str, int], reason: str) -> None:
    assert refusal(rules.Search, search_request("norenberc", **change)[0]) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        reason,
    )


def test_a_search_for_a_seat_that_is_not_asked_is_refused(rules: Any) -> None:
    request, _, seat = search_request("carcassonne_city", nodes=8)
    request.seat = 1 - seat
    code, reason = refusal(rules.Search, request)
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert "has nothing to decide now" in reason or "cannot have seen this view" in reason


@every_game
def test_worlds_have_the_prompts_own_options_in_its_order(rules: Any, slug: str) -> None:
    """An option is named by the index that the prompt gave it."""
    game = GAMES[slug]
    made, state, seat = imagined(rules, slug)
    listed = rules.Options(pb.OptionsRequest(worlds=made.worlds, with_actions=True, with_texts=True, with_ratings=True))
    own = game.legal_actions(state, seat)
    codec = codec_for(game).action
    for world in listed.worlds:
        assert [each.seat for each in world.decisions] == [each.seat for each in game.pending(state)]
        decision = next(each for each in world.decisions if each.seat == seat)
        assert (decision.option_count, len(decision.actions)) == (len(own), len(own))
        assert list(decision.texts) == [game.describe(action) for action in own]
        assert len(decision.ratings) == len(own)
        for message, action in zip(decision.actions, own, strict=True):
            inner = getattr(message, message.WhichOneof("game"))
            if slug == "toy":
                packed, inner = inner, codec.message()
                assert packed.Unpack(inner)
            assert codec.decode(inner) == action
    rules.Free(pb.FreeRequest(handles=[made.tree]))


@every_game
def test_the_same_seed_gives_the_same_worlds_playouts_and_answers(rules: Any, slug: str) -> None:
    answers = []
    for _ in range(2):
        made, _state, _seat = imagined(rules, slug)
        starts = [pb.Move(world=world) for world in made.worlds]
        request = pb.PlayoutRequest(starts=starts, count=2, policy=pb.POLICY_RANDOM, horizon=15, seed=3)
        answers.append(rules.Playout(request))
        assert rules.Free(pb.FreeRequest(handles=[made.tree])).world_count == 0
    assert answers[0] == answers[1]


@every_game
def test_the_helper_is_told_nothing_that_the_seat_cannot_know(slug: str) -> None:
    """Redealing what the seat cannot know changes no byte of a request, which has nothing else."""
    game, case = GAMES[slug], load_case(slug)
    changed = 0
    for steps in (0, 1, 3) if slug == "toy" else (6, 14, 30):
        state, seat = position(game, steps)
        twin = case.scrambled(state, seat, seeded(steps))
        changed += game.digest(twin) != game.digest(state)
        requests = [
            pb.ImagineRequest(game=slug, seat=seat, prompt=prompt_of(game, world, seat), count=2, seed=9)
            for world in (state, twin)
        ]
        one, other = (request.SerializeToString(deterministic=True) for request in requests)
        assert one == other
    assert changed > 0
    assert [field.name for field in pb.ImagineRequest.DESCRIPTOR.fields] == ["game", "seat", "prompt", "count", "seed"]


def test_what_is_hidden_differs_from_world_to_world_and_from_the_truth(rules: Any) -> None:
    """Every seat of the toy holds cards that the others cannot see: the bids they may make are drawn each time."""
    game = GAMES["toy"]
    made, state, seat = imagined(rules, "toy", count=60, steps=0)
    listed = rules.Options(pb.OptionsRequest(worlds=made.worlds, with_texts=True)).worlds
    other = (seat + 1) % game.preferred_seats
    truth = tuple(game.describe(action) for action in game.legal_actions(state, other))
    hands = [tuple(each.texts) for world in listed for each in world.decisions if each.seat == other]
    assert len(hands) == 60
    assert len(set(hands)) > 10
    assert hands.count(truth) <= 5, "no oftener than by chance"
    own = [tuple(each.texts) for world in listed for each in world.decisions if each.seat == seat]
    assert set(own) == {tuple(game.describe(action) for action in game.legal_actions(state, seat))}
    rules.Free(pb.FreeRequest(handles=[made.tree]))


def test_playouts_differ_by_their_luck_and_end_with_places_and_scores(rules: Any) -> None:
    made, _state, _seat = imagined(rules, "toy", count=1)
    request = pb.PlayoutRequest(starts=[pb.Move(world=made.worlds[0])], count=40)
    result = rules.Playout(request).starts[0]
    assert result.count == len(result.playouts) == 40
    assert len({tuple(each.scores) for each in result.playouts}) > 5
    for each in result.playouts:
        assert each.is_over
        assert list(each.values) == by_place(each.ranks)
    sums = [sum(each.values[seat] for each in result.playouts) for seat in range(len(result.value_totals))]
    assert list(result.value_totals) == pytest.approx(sums)
    request.only_totals = True
    short = rules.Playout(request).starts[0]
    assert (short.value_totals, len(short.playouts)) == (result.value_totals, 0)


def test_a_choice_at_the_start_of_a_playout_is_what_is_played(rules: Any) -> None:
    """Applied and then played on, or played on with the choice given: the same."""
    made, _state, seat = imagined(rules, "carcassonne_city", count=1)
    world = made.worlds[0]
    options = rules.Options(pb.OptionsRequest(worlds=[world])).worlds[0].decisions
    count = next(each.option_count for each in options if each.seat == seat)
    found = set()
    for index in range(count):
        move = pb.Move(world=world, choices=[pb.SeatChoice(seat=seat, option_index=index)])
        (after,) = rules.Apply(pb.ApplyRequest(moves=[move])).worlds
        rated = rules.Evaluate(pb.EvaluateRequest(worlds=[after])).positions[0]
        played = rules.Playout(
            pb.PlayoutRequest(starts=[pb.Move(world=after)], horizon=1, policy=pb.POLICY_GREEDY)
        ).starts[0]
        direct = rules.Playout(pb.PlayoutRequest(starts=[move], horizon=1, policy=pb.POLICY_GREEDY)).starts[0]
        assert direct.playouts == played.playouts
        found.add(tuple(rated.worths))
        assert list(rated.values) == by_lead(list(rated.worths), 8.0)
    assert len(found) > 1, "choices lead to different worlds"


def test_seats_that_a_move_does_not_name_choose_by_the_policy(rules: Any) -> None:
    made, _state, seat = imagined(rules, "toy", count=1, steps=0)
    choices = [pb.SeatChoice(seat=seat, option_index=1)]
    moves = [pb.Move(world=made.worlds[0], choices=choices)] * 12
    after = rules.Apply(pb.ApplyRequest(moves=moves, seed=4)).worlds
    listed = rules.Options(pb.OptionsRequest(worlds=after)).worlds
    assert len({tuple(each.seat for each in world.decisions) for world in listed}) > 1, "by what the others bid"


def test_a_handle_is_freed_with_everything_that_was_made_from_it(rules: Any) -> None:
    made, _state, _seat = imagined(rules, "toy", count=2)
    before = rules.Free(pb.FreeRequest()).world_count
    child = rules.Apply(pb.ApplyRequest(moves=[pb.Move(world=made.worlds[0])])).worlds[0]
    grandchild = rules.Apply(pb.ApplyRequest(moves=[pb.Move(world=child)])).worlds[0]
    assert rules.Free(pb.FreeRequest(handles=[child, child, 999_999])).world_count == before
    code, said = refusal(rules.Evaluate, pb.EvaluateRequest(worlds=[grandchild]))
    assert (code, said) == (grpc.StatusCode.NOT_FOUND, f"handle {grandchild} is not a world, or already free")
    assert rules.Evaluate(pb.EvaluateRequest(worlds=[made.worlds[0]])).positions
    assert rules.Free(pb.FreeRequest(handles=[made.tree])).world_count == before - 2
    assert refusal(rules.Evaluate, pb.EvaluateRequest(worlds=made.worlds))[0] is grpc.StatusCode.NOT_FOUND


def test_no_playout_begins_after_its_time(rules: Any) -> None:
    made, _state, _seat = imagined(rules, "norenberc", count=1)
    starts = [pb.Move(world=made.worlds[0])]
    none = rules.Playout(pb.PlayoutRequest(starts=starts, count=10_000, time_limit=Duration()))
    assert none.starts[0].count == 0
    # Where the machine stalls for a moment, the first limit may be over before anything begins.
    for limit in (Duration(nanos=200_000_000), Duration(seconds=2), Duration(seconds=20)):
        some = rules.Playout(pb.PlayoutRequest(starts=starts, count=10_000, time_limit=limit))
        if some.starts[0].count:
            break
    assert 0 < some.starts[0].count < 10_000
    with pytest.raises(grpc.RpcError):  # playouts end when the client hangs up
        rules.Playout(pb.PlayoutRequest(starts=starts, count=10_000), timeout=0.1)
    assert rules.Evaluate(pb.EvaluateRequest(worlds=made.worlds), timeout=patience(6)).positions


def test_what_makes_no_sense_is_refused_with_a_reason(rules: Any) -> None:
    game = GAMES["norenberc"]
    made, state, seat = imagined(rules, "norenberc", count=1)
    world, prompt = made.worlds[0], prompt_of(game, state, seat)
    other = (seat + 1) % game.preferred_seats
    wrong = grpc.StatusCode.INVALID_ARGUMENT
    unknown: Any = 9
    for call, request, reason in (
        (rules.Imagine, pb.ImagineRequest(game="halma", prompt=prompt), "'halma' is unknown"),
        (rules.Imagine, pb.ImagineRequest(game="toy", prompt=prompt), "it is for norenberc; expected toy"),
        (rules.Imagine, pb.ImagineRequest(game="norenberc"), "it is for no game; expected norenberc"),
        (rules.Imagine, pb.ImagineRequest(game="norenberc", seat=other, prompt=prompt), "cannot have seen this view"),
        (rules.Imagine, pb.ImagineRequest(game="norenberc", seat=-1, prompt=prompt), "cannot have seen this view"),
        (rules.Imagine, pb.ImagineRequest(game="norenberc", seat=seat, prompt=prompt, count=-1), "expected 0 or more"),
        (
            rules.Imagine,
            pb.ImagineRequest(game="norenberc", seat=seat, prompt=play_pb2.GamePrompt(norenberc={})),
            "",
        ),
        (
            rules.Apply,
            pb.ApplyRequest(moves=[pb.Move(world=world, choices=[pb.SeatChoice(seat=seat, option_index=99)])]),
            "option_index 99 is out of range",
        ),
        (
            rules.Apply,
            pb.ApplyRequest(moves=[pb.Move(world=world, choices=[pb.SeatChoice(seat=seat)])]),
            "has no choice",
        ),
        (rules.Apply, pb.ApplyRequest(moves=[pb.Move(world=world)], others=unknown), "policy: 9 is unknown"),
        (rules.Playout, pb.PlayoutRequest(starts=[pb.Move(world=world)], count=10_001), "at most 10000"),
        (rules.Playout, pb.PlayoutRequest(starts=[pb.Move(world=world)], horizon=-1), "expected 0 or more"),
    ):
        code, said = refusal(call, request)
        assert code is wrong, said
        assert reason in said
    code, said = refusal(rules.Evaluate, pb.EvaluateRequest(worlds=[made.tree]))
    assert (code, said) == (grpc.StatusCode.NOT_FOUND, f"handle {made.tree} is a tree, not a world")
    many = pb.ImagineRequest(game="norenberc", seat=seat, prompt=prompt, count=MAX_WORLDS + 1)
    code, said = refusal(rules.Imagine, many)
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "free some" in said


def test_worlds_are_counted_and_no_tree_is_left_behind() -> None:
    worlds = WorldTree(3)
    world: Any = World(None, None, 2)  # type: ignore[arg-type]  # what it holds does not matter here
    first, second = worlds.plant(), worlds.plant()
    inner = worlds.add(world, first)
    worlds.add(world, inner)
    worlds.check_room(1)
    with pytest.raises(TooManyWorldsError):
        worlds.check_room(2)
    worlds.free([first, second])
    assert worlds.count == 0
    with pytest.raises(NoSuchWorldError):
        worlds.get(inner)


def test_ties_share_the_value_of_their_places() -> None:
    assert by_place((1, 2, 3)) == [1.0, 0.5, 0.0]
    assert by_place((1, 1, 3, 4)) == [pytest.approx(5 / 6), pytest.approx(5 / 6), pytest.approx(1 / 3), 0.0]
    assert by_place((1, 1)) == [0.5, 0.5]
