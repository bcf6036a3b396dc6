"""Self-play: opponents drawn from the policies that were saved while training."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from referee.policy import BUILT_IN, Policy, Question

MAX_MATCHES = 1_000  # seats whose opponent is remembered


class SelfPlay:
    """An opponent that is another saved policy in every match.

    For every match and seat one of the `newest` files of a directory is drawn, by the id of the match, and `load`
    makes a policy of it; the policy `first` plays until there is one. In other processes, such as those of
    `vector_env`, it reads the same directory, so a policy that was added plays there from the next match on.
    """

    def __init__(
        self, folder: Path | str, load: Callable[[Path], Policy], *, first: Policy | str = "random", newest: int = 20
    ) -> None:
        if newest < 1:
            raise ValueError(f"newest: {newest} is not allowed; expected 1 or more")
        if isinstance(first, str) and first not in BUILT_IN:
            raise ValueError(f"first: {first!r} is unknown; expected a function or one of: {', '.join(BUILT_IN)}")
        self._folder, self._load, self._newest = Path(folder), load, newest
        self._first = first
        self._loaded: dict[Path, Policy] = {}
        self._playing: dict[str, Policy] = {}

    def add(self, name: str, save: Callable[[Path], object]) -> None:
        """Let `save` write a policy to a file of this name; names in alphabetical order are old to new.

        The file gets its name when it is complete, so that no other process reads half of one.
        """
        if not name or Path(name).name != name or name.startswith("."):
            raise ValueError(f"name: {name!r} is not allowed; expected a file name")
        self._folder.mkdir(parents=True, exist_ok=True)
        unfinished = self._folder / f".{name}"
        save(unfinished)
        unfinished.rename(self._folder / name)
        self._loaded.pop(self._folder / name, None)

    def saved(self) -> list[Path]:
        """Return the files that are drawn from, the newest last."""
        if not self._folder.is_dir():
            return []
        names = sorted(each for each in self._folder.iterdir() if not each.name.startswith("."))
        return names[-self._newest :]

    def __call__(self, question: Question) -> int:
        """Answer as the policy that was drawn for this match and seat."""
        if question.prompt_id == 1 or question.match_id not in self._playing:
            if len(self._playing) >= MAX_MATCHES:
                self._playing.clear()
            self._playing[question.match_id] = self._drawn(question.match_id)
        return self._playing[question.match_id](question)

    def _drawn(self, match_id: str) -> Policy:
        """Return the policy for a match; ids differ from seat to seat."""
        files = self.saved()
        if not files:
            return BUILT_IN[self._first] if isinstance(self._first, str) else self._first
        draw = int.from_bytes(blake2b(match_id.encode(), digest_size=8).digest(), "big")
        file = files[draw % len(files)]
        if file not in self._loaded:
            self._loaded = {each: policy for each, policy in self._loaded.items() if each in files}
            self._loaded[file] = self._load(file)
        return self._loaded[file]

    def __getstate__(self) -> dict[str, object]:
        """Leave out the loaded policies, which another process loads for itself."""
        return vars(self) | {"_loaded": {}, "_playing": {}}
