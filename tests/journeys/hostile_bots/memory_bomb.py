"""Takes memory in one process until there is none, then plays on."""

from player import begin, play


def bomb(number: int) -> None:
    if number != 2:
        return
    begin()
    taken: list[bytearray] = []
    try:
        while len(taken) < 4_096:
            taken.append(bytearray(1 << 20))
        print("BREACH: 4 GiB taken", flush=True)
    except MemoryError:
        size = len(taken)
        taken.clear()
        print(f"held: memory stopped at {size} MiB", flush=True)


play(bomb)
