"""The service: requests about worlds, answered one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial, wraps
from typing import Any, TypeVar

import grpc

from referee.codec import ProtocolError, codec_for
from referee.game import MAX_OPTIONS, AnyGame, IllegalActionError, Seat
from referee.lookahead.playing import Choose, Rating, Rules
from referee.lookahead.v1 import lookahead_pb2 as pb
from referee.lookahead.v1 import lookahead_pb2_grpc
from referee.lookahead.worlds import NoSuchWorldError, TooManyWorldsError, World, WorldTree
from referee.order import OrderError, find_game
from referee.ranges import out_of_range
from referee.rng import Rng, seeded
from referee.search.budget import SearchBudget
from referee.search.engine import Search
from referee.v1 import play_pb2
from referee.wire import unpack, wire_for

MAX_PLAYOUTS = 10_000  # in one call
MAX_NODES = 100_000  # in one call
LARGEST_MESSAGE = 1 << 20

OPTIONS = (
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
)

R = TypeVar("R")
T = TypeVar("T")


class WrongRequestError(Exception):
    """An invalid request; the message names the field and what was expected."""


@cache
def rules_of(slug: str) -> Rules:
    """Return the rules of a game by its slug; an OrderError lists the known games."""
    return Rules(find_game(slug))


def _answered(answer: Callable[[Any, R, Any], T]) -> Callable[[Any, R, Any], T]:
    """Make a method abort its call with the status that matches an error."""

    @wraps(answer)
    def answered(service: Any, request: R, context: Any) -> T:
        try:
            return answer(service, request, context)
        except (OrderError, WrongRequestError, ProtocolError, IllegalActionError) as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, str(error))
        except NoSuchWorldError as error:
            context.abort(grpc.StatusCode.NOT_FOUND, str(error))
        except TooManyWorldsError as error:
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        raise AssertionError("abort never returns")

    return answered


class Lookahead(lookahead_pb2_grpc.LookaheadServiceServicer):
    """Answers requests about one bot's worlds."""

    def __init__(self) -> None:
        self.worlds = WorldTree()

    @_answered
    def Imagine(self, request: pb.ImagineRequest, _context: Any) -> pb.ImagineResponse:
        """Draw determinizations of a prompt's view."""
        rules = rules_of(request.game)
        count = _counted("count", request.count, 1)
        self.worlds.check_room(count)
        view = view_of(rules.game, request.prompt)
        rng = seeded(request.seed)
        states = [_imagined(rules, view, request.seat, rng.fork(f"world {number}")) for number in range(count)]
        seats = _seats(rules, states[0])
        tree = self.worlds.plant()
        return pb.ImagineResponse(
            tree=tree, worlds=[self.worlds.add(World(rules, state, seats), tree) for state in states]
        )

    @_answered
    def Options(self, request: pb.OptionsRequest, _context: Any) -> pb.OptionsResponse:
        """List options."""
        worlds = [self.worlds.get(handle) for handle in request.worlds]
        return pb.OptionsResponse(
            worlds=[
                pb.WorldOptions(
                    decisions=[
                        _open_decision(world, decision, request) for decision in world.rules.game.pending(world.state)
                    ]
                )
                for world in worlds
            ]
        )

    @_answered
    def Apply(self, request: pb.ApplyRequest, _context: Any) -> pb.ApplyResponse:
        """Play moves, each into a new world."""
        self.worlds.check_room(len(request.moves))
        rng = seeded(request.seed)
        made = []
        for number, move in enumerate(request.moves):
            world = self.worlds.get(move.world)
            chosen, state = _chosen(world, move.choices), world.rules.game.clone(world.state)
            if not world.rules.game.pending(state):
                raise WrongRequestError(f"moves: the game is over in world {move.world}")
            others = _policy(world.rules, request.others)
            world.rules.move(state, chosen, others, rng.fork(f"move {number}"))
            made.append((World(world.rules, state, world.seats), move.world))
        return pb.ApplyResponse(worlds=[self.worlds.add(world, parent) for world, parent in made])

    @_answered
    def Playout(self, request: pb.PlayoutRequest, context: Any) -> pb.PlayoutResponse:
        """Play worlds out and evaluate the final positions."""
        begun = time.monotonic()
        limit = _limit(request)
        count = _counted("count", request.count, 1)
        horizon = _counted("horizon", request.horizon, 0)
        if count * len(request.starts) > MAX_PLAYOUTS:
            raise WrongRequestError(
                f"count: {count} playouts of {len(request.starts)} starts are too many; expected at most"
                f" {MAX_PLAYOUTS} in total"
            )
        starts = [
            (world, _chosen(world, move.choices), _policy(world.rules, request.policy))
            for move in request.starts
            for world in (self.worlds.get(move.world),)
        ]
        results = [pb.StartResult(value_totals=[0.0] * world.seats) for world, _, _ in starts]
        rng = seeded(request.seed)
        for number in range(count):
            chance, dice = rng.fork(f"chance {number}"), rng.fork(f"dice {number}")
            for (world, chosen, choose), result in zip(starts, results, strict=True):
                if (limit is not None and time.monotonic() - begun >= limit) or not context.is_active():
                    return pb.PlayoutResponse(starts=results)
                rating = _played_on(world, chosen, choose, horizon, number, chance, dice)
                result.count += 1
                result.value_totals[:] = map(float.__add__, result.value_totals, rating.values)
                if not request.only_totals:
                    result.playouts.append(_position(rating))
        return pb.PlayoutResponse(starts=results)

    @_answered
    def Evaluate(self, request: pb.EvaluateRequest, _context: Any) -> pb.EvaluateResponse:
        """Evaluate worlds as they are."""
        worlds = [self.worlds.get(handle) for handle in request.worlds]
        return pb.EvaluateResponse(
            positions=[_position(world.rules.rate(world.state, world.seats)) for world in worlds]
        )

    @_answered
    def Search(self, request: pb.SearchRequest, _context: Any) -> pb.SearchResponse:
        """Search for the best option of a prompt."""
        seconds = _limit(request)
        nodes = _counted("nodes", request.nodes, 0) or None
        if nodes is None and seconds is None:
            raise WrongRequestError("nodes: a search needs a number of nodes, a time_limit or both")
        if nodes is not None and nodes > MAX_NODES:
            raise WrongRequestError(f"nodes: {nodes} are too many; expected at most {MAX_NODES}")
        budget = SearchBudget(nodes or MAX_NODES, seconds)
        rules = rules_of(request.game)
        game, seat, rng = rules.game, request.seat, seeded(request.seed)
        view = view_of(game, request.prompt)
        start = _imagined(rules, view, seat, rng.fork("options"))
        options = game.legal_actions(start, seat)[:MAX_OPTIONS]
        if len(options) == 1:
            return pb.SearchResponse(value=0.5)
        heuristic, imagine = game.tuned_heuristic(_seats(rules, start)), partial(game.imagine, view, seat)
        search = Search(game, imagine, seat, options, rng, None, heuristic, trades=request.with_trades)
        search.run(budget)
        return pb.SearchResponse(option_index=search.best(), value=search.value(), node_count=budget.spent)

    def Free(self, request: pb.FreeRequest, _context: Any) -> pb.FreeResponse:
        """Free worlds."""
        self.worlds.free(request.handles)
        return pb.FreeResponse(world_count=self.worlds.count)


def view_of(game: AnyGame, prompt: play_pb2.GamePrompt) -> Any:
    """Return a prompt's view; a ProtocolError says why it is not one of this game."""
    codec = codec_for(game)
    name = prompt.WhichOneof("game")
    if name == "plug_in":
        message = codec.prompt()
        if not unpack(prompt.plug_in, message):
            raise ProtocolError(f"prompt: it is not a packed {message.DESCRIPTOR.full_name}")
    elif name != game.slug:
        raise ProtocolError(f"prompt: it is for {name or 'no game'}; expected {game.slug}")
    else:
        message = getattr(prompt, name)
    return codec.view.decode(message.view)


def _imagined(rules: Rules, view: Any, seat: Seat, rng: Rng) -> Any:
    try:
        for fault in out_of_range(view, rules.game.table_sizes[-1]):
            raise ValueError(fault)
        state = rules.game.imagine(view, seat, rng)
        # Forged views fail here, not in the middle of a playout.
        seen = rules.game.observe(state, seat)
    except Exception as error:
        raise WrongRequestError(f"prompt: seat {seat} cannot have seen this view: {error}") from None
    if seen != view:
        raise WrongRequestError(f"prompt: seat {seat} cannot have seen this view")
    return state


def _seats(rules: Rules, state: Any) -> int:
    """Return the number of seats that can observe a world."""
    seats = 0
    for seat in range(rules.game.table_sizes[-1]):
        try:
            rules.game.observe(state, seat)
        except ValueError:
            break
        seats += 1
    return seats


def _open_decision(world: World, decision: Any, request: pb.OptionsRequest) -> pb.OpenDecision:
    game, state = world.rules.game, world.state
    options, as_action, wire = game.legal_actions(state, decision.seat), codec_for(game).action, wire_for(game)
    listed = options[:MAX_OPTIONS]
    return pb.OpenDecision(
        seat=decision.seat,
        kind=decision.kind,
        clause=decision.clause,
        option_count=len(listed),
        options_truncated=decision.open_ended or len(listed) < len(options),
        actions=[wire.wrapped(play_pb2.GameAction, as_action.encode(action)) for action in listed]
        if request.with_actions
        else (),
        texts=[game.describe(action) for action in listed] if request.with_texts else (),
        ratings=world.rules.ratings(state, decision.seat, listed) if request.with_ratings else (),
    )


def _chosen(world: World, choices: Sequence[pb.SeatChoice]) -> Mapping[Seat, Any]:
    """Return the checked actions of a move."""
    game, state = world.rules.game, world.state
    found: dict[Seat, Any] = {}
    for choice in choices:
        options = game.legal_actions(state, choice.seat)
        # A choice is encoded as in an answer, and decoded by the same function.
        action = wire_for(game).chosen(choice, options)  # type: ignore[arg-type]  # which has the same fields
        if choice.HasField("action"):
            game.check(state, choice.seat, action)
        found[choice.seat] = action
    return found


def _policy(rules: Rules, policy: int) -> Choose:
    if policy in (pb.POLICY_UNSPECIFIED, pb.POLICY_RANDOM):
        return rules.at_random
    if policy == pb.POLICY_GREEDY:
        return rules.greedily
    raise WrongRequestError(f"policy: {policy} is unknown; expected POLICY_RANDOM or POLICY_GREEDY")


def _limit(request: Any) -> float | None:
    """Return the time limit of a request in seconds; None where it has none."""
    return request.time_limit.ToNanoseconds() / 1e9 if request.HasField("time_limit") else None


def _counted(name: str, value: int, default: int) -> int:
    if value < 0:
        raise WrongRequestError(f"{name}: {value} is not allowed; expected 0 or more")
    return value or default


def _played_on(
    world: World, chosen: Mapping[Seat, Any], choose: Choose, horizon: int, number: int, chance: Rng, dice: Rng
) -> Rating:
    """Play a world out once; all playouts but the first redraw its chance."""
    rules = world.rules
    state = rules.game.redraw(world.state, chance.clone()) if number else rules.game.clone(world.state)
    dice = dice.clone()
    if chosen and rules.game.pending(state):
        rules.move(state, chosen, choose, dice)
    rules.play_on(state, choose, horizon, dice)
    return rules.rate(state, world.seats)


def _position(rating: Rating) -> pb.Position:
    outcome = rating.outcome
    if outcome is None:
        return pb.Position(values=rating.values, worths=rating.worths)
    return pb.Position(values=rating.values, is_over=True, ranks=outcome.ranks, scores=outcome.scores)


def start(address: str) -> tuple[grpc.Server, str]:
    """Serve on an address, in a thread, and return the server and the address with the port that was bound.

    A RuntimeError says why the address cannot be bound.
    """
    server = grpc.server(ThreadPoolExecutor(max_workers=1), options=OPTIONS)
    lookahead_pb2_grpc.add_LookaheadServiceServicer_to_server(Lookahead(), server)
    port = server.add_insecure_port(address)
    server.start()
    return server, address if address.startswith("unix:") else f"{address.rpartition(':')[0]}:{port}"
