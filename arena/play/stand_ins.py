"""T22.4: bots that sit in for those that run elsewhere, and repeat what the records say of them.

The others at the table are asked again, so that nobody can hide a forged program behind a remote opponent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.bots.directory import MANIFEST, BotDirectory, RemoteBot, read_bot
from arena.play.local_pool import start_here
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import RunningBot, StartBot
from arena.sandbox.levels import Level
from referee.keys import in_base64
from referee.order import told_id
from referee.record import How, Record
from referee.v1 import play_pb2 as pb
from referee.wire import wire_for

ANSWERS = "answers.json"
PROGRAM = f'name = "stand-in"\ncommand = ["python3", "-m", "referee.stand_in", "{ANSWERS}"]\n'
Answers = dict[str, str]
"""By prompt, an Answer in base64."""


def recorded_answers(record: Record, seat: int) -> Answers:
    """Return what a seat answered, with its signatures; what was refused is refused again."""
    answers: Answers = {}
    wire = wire_for(record.game)
    for step in record.steps:
        for choice in step.choices:
            if choice.seat != seat or choice.how not in (How.ANSWERED, How.REFUSED):
                continue
            answer = pb.Answer(option_index=-1)
            if choice.how is How.ANSWERED:
                answer = pb.Answer(action=wire.wrapped(pb.GameAction, wire.codec.action.encode(choice.action)))
            if (signed := record.signatures.get((step.number, seat))) is not None:
                statement = pb.ChoiceStatement.FromString(signed[0])
                is_index = statement.WhichOneof("choice") == "option_index"
                if is_index:
                    answer.option_index = statement.option_index
                else:
                    answer.action.CopyFrom(statement.action)
                answer.signed_choice.statement, answer.signed_choice.signature = signed
            answers[str(len(answers) + 1)] = in_base64(answer.SerializeToString())
    return answers


def with_stand_ins(matches: Iterable[tuple[MatchToPlay, Record]], folder: Path) -> StartBot:
    """Return what starts hosted bots as ever, and a stand-in for every remote one of these matches."""
    answers: dict[str, dict[str, Answers]] = {}
    for order, record in matches:
        for seat, bot in enumerate(order.bots):
            if isinstance(bot, RemoteBot):
                told = told_id(order.seed, order.match_id, seat)
                answers.setdefault(bot.label, {})[told] = recorded_answers(record, seat)
    made = {label: _written(folder / f"stand-in-{number}", answers[label]) for number, label in enumerate(answers)}

    async def start(bot: BotDirectory | RemoteBot, address: str, ticket: str, level: Level) -> RunningBot:
        return await start_here(made.get(bot.label, bot), address, ticket, level)

    return start


def _written(folder: Path, answers: Mapping[str, Answers]) -> BotDirectory:
    folder.mkdir()
    (folder / MANIFEST).write_text(PROGRAM)
    (folder / ANSWERS).write_text(json.dumps(answers))
    return read_bot(folder)
