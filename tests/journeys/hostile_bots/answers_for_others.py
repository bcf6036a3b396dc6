"""Answers the questions of other seats, and of a match at which it does not sit."""

from player import begin, play

from referee.v1 import play_pb2 as pb


def for_others(prompt: pb.Prompt) -> list[pb.BotMessage]:
    numbers = [number for number in range(1, prompt.prompt_id + 20) if number != prompt.prompt_id]
    asked = [(prompt.match_id, number) for number in numbers] + [("beside", number) for number in range(1, 20)]
    answers = [pb.Answer(match_id=match_id, prompt_id=number, option_index=0) for match_id, number in asked]
    if prompt.prompt_id == 1:
        begin()
    print(f"answered {len(answers)} times for others", flush=True)
    return [pb.BotMessage(answer=answer) for answer in answers]


play(before=for_others)
