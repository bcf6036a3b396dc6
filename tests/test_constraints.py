"""A fresh machine gets the packages that were tested."""

from __future__ import annotations

import re
from importlib.metadata import distribution

from tools.stubs import ROOT

PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==[0-9][0-9A-Za-z.]*")  # no address, no path, no build of one machine


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> set[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [PIN.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(pins)
    return {canonical(pin["name"]) for pin in pins if pin is not None}


def required(name: str, extras: frozenset[str]) -> set[str]:
    """Return the names that a package of ours requires by itself and with these extras."""
    wanted = set()
    for line in distribution(name).requires or ():
        extra = re.search(r"extra == ['\"](\w+)['\"]", line)
        if extra is None or extra[1] in extras:
            wanted.add(canonical(re.split(r"[^\w.-]", line, maxsplit=1)[0]))
    return wanted


def test_every_direct_dependency_is_pinned_and_none_of_ours() -> None:
    extras = frozenset({"cluster", "contract", "dev", "lab", "parquet"})
    assert required("meistersinger", extras) - {"meistersinger"} <= pinned()
    assert pinned().isdisjoint({"meistersinger", "arena-toy", "pip"})


def test_make_installs_by_the_constraints() -> None:
    assert "-c constraints.txt" in (ROOT / "Makefile").read_text(encoding="utf-8")
