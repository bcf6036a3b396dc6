"""Fills every directory it can write to, with as many files as it takes."""

import errno

from player import begin, play

total = 0


def fill(folder: str) -> None:
    global total
    for number in range(100):
        try:
            with open(f"{folder}/fill{number}", "xb", buffering=0) as file:
                while True:
                    total += file.write(bytes(1 << 20))
        except OSError as error:
            if error.errno != errno.EFBIG:  # one file is full: on to the next
                raise


begin()
for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run", "/", "/dev", "/bot", "/referee", "/proc", "/usr"):
    try:
        fill(folder)
    except OSError as error:
        print(f"held: {folder}: {error} after {total >> 20} MiB", flush=True)
print(f"filled {total >> 20} MiB", flush=True)
play()
