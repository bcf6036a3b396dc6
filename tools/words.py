"""Finds words to avoid, each with its replacement: `python -m tools.words`, part of `make lint`.

The words are those of CONTRIBUTING.md, "English". Rulebooks keep their own nouns.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSTEAD = {
    r"gamblers?|betting": "evidence, e-value",
    r"whims?|whimsical": "noisy rollout policy",
    r"pages? of strategy": "heuristic",
    r"trials?|\w*_trials?|trial_\w*|Trial\w+": "test",
    r"(last |this |one |a |the )nights?": "tournament, latest tournament",
    r"doorkeepers?|turnstiles?|doors?|guests?": "connection limit, client",
    r"strangers?": "untrusted, anonymous, client",
    r"performers?": "bot",
    r"luck ?= ?\W?(own|shared)\W?|(own|shared) luck": "seeding = per_game/per_block",
    r"at_once|--at-once": "concurrency",
    r"least_\w+|most_(?!common|exciting)\w+|--(least|most)-\w+": "min_, max_",
    r"Demands|Venues?|Intakes?|Book": "PoolConfig, Provenance, MatchWriter, Accounts",
    r"anew|once more|gone on with": "again, re-…, resumed",
    r"so many": "the number, up to N",
    r"whoever|whomever": "the noun",
    r"rubbish": "garbage, GC",
    r"Tell whether": "Return whether",
    r"an UserError": "a UserError",
    r"at once": "concurrently, immediately, together",
    r"(stood|stands?|standing) still": "stalled, blocked",
    r"(faults?|bugs?|mistakes?|process|processes) of ours": "our own fault, our own bug",
    r"(is|are|was|were) (there|here) already": "already exists",
    r"made void": "voided",
}
WORDS = {
    re.compile(rf"(?<![\w-])(?:{words})(?![\w])", re.NOFLAG if words[0].isupper() else re.IGNORECASE): said
    for words, said in INSTEAD.items()
}
OWN_WORDS = re.compile(
    r"CHANGELOG\.md|tools/words\.py|constraints\.txt|docs/rules/(?!tournaments)|docs/explanation/tournaments/"
    r"|(proto/|tests/)?(referee|rules)/games/|tests/rules/|tests/golden/|tests/fuzz/corpus/|sample_bots/\w+/package-lock"
    r"|.*_pb2|.*\.(png|jsonl|svg|xz|binpb)$"
)


def texts() -> Iterator[Path]:
    """Yield the hand-written files that git tracks."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if not OWN_WORDS.match(name) and (ROOT / name).is_file():
            yield ROOT / name


def found_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the word and its replacement."""
    for number, line in enumerate(text.splitlines(), start=1):
        for word, said in WORDS.items():
            for hit in word.finditer(line):
                yield number, hit[0], said


def main() -> int:
    """Print every hit; end with 1 if there is one."""
    hits = [
        f"{file.relative_to(ROOT)}:{number}: {word!r}: say {said}"
        for file in texts()
        for number, word, said in found_in(file.read_text(encoding="utf-8", errors="replace"))
    ]
    if hits:
        print("\n".join(hits))
    return int(bool(hits))


if __name__ == "__main__":
    sys.exit(main())
