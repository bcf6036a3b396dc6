"""Prove OpenSpiel's games again, and write the shipped list: python -m arena_openspiel.prove

Every game is played in a process of its own, which native code may crash. First all games are looked at and listed as
unproven; then each goes through every promise of the game contract, and the first one it breaks is its fault.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version

from arena_openspiel.listed import FILE, Catalogue, catalogue, listed_from, written

LOOK_SECONDS, PROVE_SECONDS = 300, 900
MAX_FAULT = 160  # characters
UNTRIED = "not tried yet"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m arena_openspiel.prove", description=__doc__)
    parser.add_argument("names", nargs="*", help="games to prove again; all by default")
    parser.add_argument("--look", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--imagine", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--promises", metavar="NAME", help=argparse.SUPPRESS)
    parser.add_argument("--known", action="store_true", help="keep what the shipped list says beside the faults")
    asked = parser.parse_args(arguments)
    if asked.look is not None:
        _tell(look(asked.look))
    elif asked.imagine is not None:
        from arena_openspiel.proof import imagines

        _tell({"imagines": imagines(asked.imagine)})
    elif asked.promises is not None:
        _tell({"fault": broken_promise(asked.promises)})
    else:
        if not asked.known:
            look_at(asked.names)
            catalogue.cache_clear()
        prove(asked.names)


def look_at(names: Sequence[str]) -> None:
    """Find out about these games, or all, and write the list with what the shipped one says of the others."""
    from arena_openspiel.setting import names as all_names

    known = catalogue() if names else Catalogue(version("open_spiel"), {}, {})
    games, unsuitable = dict(known.games), dict(known.unsuitable)
    for name in names or all_names():
        games.pop(name, None)
        unsuitable.pop(name, None)
        seen = _asked("--look", name, LOOK_SECONDS)
        if why := seen.get("unsuitable") or seen.get("fault"):
            unsuitable[name] = str(why)
            _say(f"{name}: {why}")
        else:
            if seen["has_secrets"]:
                seen["imagines"] = _asked("--imagine", name, LOOK_SECONDS).get("imagines", False)
            games[name] = listed_from({**seen, "fault": UNTRIED})
            _say(f"{name}: {games[name]}")
        FILE.write_text(written(Catalogue(known.open_spiel, games, unsuitable)), encoding="utf-8")


def prove(names: Sequence[str]) -> None:
    """Put these games of the shipped list, or all, to every promise, and write what came of it."""
    known = catalogue()
    games = dict(known.games)
    for name in names or list(games):
        if name in games:
            fault = str(_asked("--promises", name, PROVE_SECONDS)["fault"])
            games[name] = dataclasses.replace(games[name], fault=fault)
            _say(f"{name}: {fault or 'proven'}")
            FILE.write_text(written(Catalogue(known.open_spiel, games, known.unsuitable)), encoding="utf-8")


def look(name: str) -> dict[str, object]:
    """Return what is found out about a game, as plain data."""
    from arena_openspiel.proof import UnsuitableError, found_out

    try:
        facts = dataclasses.asdict(found_out(name))
    except UnsuitableError as error:
        return {"unsuitable": str(error)}
    del facts["fault"]
    return facts


def broken_promise(name: str) -> str:
    """Return the first promise of the contract that a game breaks, and how; empty if it keeps all."""
    import pytest
    from arena_openspiel.game import made_from
    from arena_openspiel.proof import case_of

    from referee.contract.promises import ONCE, PROMISES

    # As it would be if it were proven: an unproven game refuses its standard options. In a process of its own a promise
    # finds it as the list has it now, and so has to ask for it.
    listed = catalogue().games[name]
    game = made_from(name, dataclasses.replace(listed, fault=""))
    case = case_of(game, unproven=not listed.is_proven)
    for promise in PROMISES:
        for configuration in case.configurations[:1] if promise in ONCE else case.configurations:
            try:
                promise(case, configuration)
            except pytest.skip.Exception:
                continue  # it makes no such promise
            except Exception as error:  # whatever the game raises
                said = " ".join(str(error).split()) or type(error).__name__
                sentence = promise.__name__.removeprefix("test_").replace("_", " ")
                return f"with {configuration.seats} seats it breaks: {sentence}: {said}"[:MAX_FAULT]
    return ""


def _asked(question: str, name: str, seconds: float) -> dict[str, object]:
    """Ask a process of its own about a game."""
    command = [sys.executable, "-m", "arena_openspiel.prove", question, name]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env={**os.environ}, check=False)
    except subprocess.TimeoutExpired:
        return {"fault": f"it takes more than {seconds:g} seconds"}
    if run.returncode:
        said = " ".join((run.stderr.strip().splitlines() or ["no word"])[-1].split())
        how = f"signal {-run.returncode}" if run.returncode < 0 else f"code {run.returncode}"
        return {"fault": f"its process ended with {how}: {said}"[:MAX_FAULT]}
    answer: dict[str, object] = json.loads(run.stdout.splitlines()[-1])
    return answer


def _tell(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    main()
