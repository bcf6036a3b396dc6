"""What a program that writes bots has to know, as one text: the workflow, the values of a game, and its rules."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from arena.reports.rules import rule_pages
from referee.game import AnyGame
from referee.message_names import is_enum
from referee.order import find_game
from referee.ranges import Declared, fields_of, union_members
from referee.values import is_value_type

MAX_CHARACTERS = 80_000
"""Well within what a language model reads at one time."""
CUT = "\n\n(The rest of the rules is left out here; the rule page has it.)\n"
WORKFLOW = """\
# How to write and improve a bot

A bot answers questions: each has a view (what its seat may know) and a list of options; the answer is an index.
It never sees hidden information, runs in a sandbox without a network, and keeps nothing between matches.
For a late or illegal answer the referee plays the safe default and counts a strike; a crash forfeits the seat.

## Commands

    arena new-bot python {bot} --one-file           # a bot in one file, which plays at random
    arena check-bot {bot} --game {game}             # does it keep the protocol? fix what it names
    arena evaluate {bot} --game {game} --budget 40  # how good is it? score, interval, rung, costliest decisions
    arena evaluate {bot} --game {game} --budget 40 --opponent level:6 --json
    arena test {bot} other.py --game {game}         # is it better? a sequential test, right at any look
    arena play {game} --bot {bot} --bot {bot} --records records
    arena analyse records/FILE.jsonl                # which decisions cost most
    arena tune {game}                               # better weights for the heuristic

Every command has --help, and --json where it answers. Exit code 0 is success, 1 a bot that fails, 2 a wrong call.

## How to measure

1. Begin with the cheapest: `arena evaluate` with a budget of one block finds crashes and illegal answers.
2. Change one thing, evaluate again, and keep it only if the interval moved; two intervals that overlap decide nothing.
3. Before you call a change better, let `arena test` decide: it may be stopped at any time, and is right in 95 %.
4. Read the costliest decisions of the answer: they name the clause, what was chosen and what was better.
5. Seeds are new every time. Do not tune to one seed, and never trust fewer than 40 games.

## One file

    def choose(view, options, question):
        return 0                       # the index of an option

`question.game` is the game with its rules, `question.seat`, `question.seats`, `question.kind` the decision's name.
`question.game.describe(options[i])` says an option in words, `question.game.text_board(view)` draws the view.
A class with `choose(self, view, options)` keeps state; its `reset()` is called before every match.
`question.game.heuristic()` rates options, where the game has one:

    from referee.rng import Rng

    def choose(view, options, question):
        world = question.imagine(Rng(0))     # a state that the seat cannot tell from the real one
        ratings = question.game.heuristic().rate(world, question.seat, options)
        return ratings.index(max(ratings))

Everything can be tried in a copy, `game.clone(world)`: `game.legal_actions(copy, seat)`, `game.apply(copy, choices)`
with an action for every seat of `game.pending(copy)`, and `game.outcome(copy)` at the end.

## Protocol

A bot in another language opens one gRPC stream, `referee.v1.RefereeService/Play`, on ARENA_ADDRESS.
It sends Hello with ARENA_TICKET and protocol_version 1, then for every Prompt an Answer with its match_id, prompt_id
and an option_index, until Goodbye. `arena games proto` prints the messages.
"""


def workflow(game: str, bot: str = "my_bot.py") -> str:
    """Return how to write and improve a bot of a game."""
    return WORKFLOW.format(game=game, bot=bot)


def for_agents(slug: str) -> str:
    """Return all that is needed to write a bot of a game; a UserError if there is no such game."""
    game = find_game(slug)
    text = "\n".join([workflow(slug), f"# {game.title}\n\n{game.summary}\n", *_values(game), *_rules(slug)])
    if len(text) <= MAX_CHARACTERS:
        return text
    return text[: text.rfind("\n", 0, MAX_CHARACTERS - len(CUT))] + CUT


def agents_page(name: str) -> str:
    """Return the AGENTS.md of a new bot."""
    return (
        f"# {name}: a bot of the arena\n\n"
        "The rules, views and options of a game, and all that stands here, as one text:\n\n"
        "    arena games                          # the games\n"
        "    arena docs --for agents norenberc    # and so on for each\n\n"
        "This directory is the bot, and `bot.toml` says how it is started; what is said of one file is for others.\n\n"
        + workflow("norenberc", ".").replace(
            "    arena new-bot python . --one-file           # a bot in one file, which plays at random\n", ""
        )
    )


def _rules(slug: str) -> Iterator[str]:
    page = rule_pages().get(slug)
    if page is not None:
        yield "# Rules, by clause\n"
        yield page.read_text(encoding="utf-8")


def _values(game: AnyGame) -> Iterator[str]:
    """Yield the declared types of views and actions, in Python."""
    yield "# Views and options, as Python sees them\n"
    seen: dict[str, str] = {}
    for kind in (game.types.view, *union_members(game.types.action)):
        _declare(kind, seen)
    actions = " | ".join(kind.__name__ for kind in union_members(game.types.action))
    yield f"    options: list of {actions}\n"
    yield from (f"    {line}" for line in seen.values())
    yield ""


def _declare(kind: Any, seen: dict[str, str]) -> None:
    if kind.__name__ in seen:
        return
    if is_enum(kind):
        members = ", ".join(f"{each.name}={each.value!r}" for each in kind if isinstance(each, Enum))
        seen[kind.__name__] = f"enum {kind.__name__}: {members}"
        return
    fields = fields_of(kind)
    seen[kind.__name__] = f"{kind.__name__}({', '.join(f'{name}: {_named(field)}' for name, field in fields)})"
    for _name, field in fields:
        for inner in union_members(field.value):
            if is_enum(inner) or is_value_type(inner):
                _declare(inner, seen)


def _named(field: Declared) -> str:
    name = " | ".join(each.__name__ for each in union_members(field.value))
    if field.is_list:
        return f"tuple[{name}, ...]"
    return f"{name} | None" if field.is_optional else name
