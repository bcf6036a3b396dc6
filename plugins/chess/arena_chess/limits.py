"""How long an engine thinks: fixed limits, or the clocks of the match."""

from __future__ import annotations

from dataclasses import dataclass

from referee.mistakes import UserError

FIXED = ("nodes", "depth", "movetime")
CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the clocks show before a move, in milliseconds, White's first."""

    left: tuple[int, int]
    increment: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The words after `go`: fixed ones, and the clocks if they count."""

    fixed: tuple[tuple[str, int], ...] = ()
    uses_clocks: bool = True

    @property
    def is_deterministic(self) -> bool:
        """Return whether they depend on no clock."""
        return not self.uses_clocks and all(name != "movetime" for name, _ in self.fixed)

    def words(self, clocks: Clocks) -> str:
        """Return what `go` is told."""
        told = [f"{name} {value}" for name, value in self.fixed]
        if self.uses_clocks:
            white, black = (max(1, left) for left in clocks.left)
            told.append(f"wtime {white} btime {black} winc {clocks.increment} binc {clocks.increment}")
        return " ".join(told)


def read_limits(texts: tuple[str, ...] | list[str]) -> Limits:
    """Return the limits of `nodes=N`, `depth=N`, `movetime=MS` and `clock`; without any the clocks count."""
    fixed: dict[str, int] = {}
    for text in texts:
        if text == CLOCK:
            continue
        name, _, value = text.partition("=")
        if name not in FIXED or not value.isascii() or not value.isdigit() or not 0 < int(value) < 1 << 53:
            raise UserError(f"--limit: {text!r} is not allowed; expected nodes=N, depth=N, movetime=MS or clock")
        fixed[name] = int(value)
    return Limits(tuple(fixed.items()), CLOCK in texts or not fixed)
