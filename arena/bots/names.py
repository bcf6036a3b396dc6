"""Bot names: one rule for all, and no two that a reader could confuse.

A name has 1 to 64 characters: visible letters and digits of one script, with at most two combining marks on each, and
between them single spaces and `.` `_` `-` `+`. It begins with a letter or a digit. Two names look alike if they differ
only by case, or if their characters are confusable by Unicode's tables (UTS #39), such as Latin and Cyrillic `a`, or
only by separators between letters and by digits for letters, such as `5.tar` for `Star`. Separators between two digits
count: version 1.1 is not version 11.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

LONGEST = 64
BETWEEN = " ._-+"
EXPECTED = f"1 to {LONGEST} letters and digits of one script, with single spaces, '.', '_', '-' and '+' between them"
INVISIBLE = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0}).union(
    range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)
)
"""Invisible letters and marks (Default_Ignorable_Code_Point); all other ignorable characters are neither."""
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
MAX_MARKS = 2
"""Combining marks on one letter: more of them would overflow the line."""
ASCII_PROTOTYPES = {'"': "''", "%": "º/₀", "0": "O", "1": "l", "I": "l", "`": "'", "m": "rn", "|": "l"}
"""Unicode's confusables within ASCII, so that the slow tables need not be loaded for most names."""
DIGITS_FOR_LETTERS = str.maketrans("01234578", "olzeastb")
"""Each stands for one letter, so that numbered names stay apart from each other."""
HOUSE_NAMES = (
    "random", "noisy", "greedy", "tuned", "search", "champion", "brewer", "house",
    "python", "node", "cpp", "go", "java", "rust",
    "random-node", "random-cpp", "random-go", "random-java", "random-rust",
)  # fmt: skip
"""Sample bots and built-in policies: on a server only its operator enters bots under such a name.

The language bot is not among them: everybody connects their own, with their own model.
"""
BETWEEN_DIGITS = re.compile(rf"(?<=[0-9])[{re.escape(BETWEEN)}]+(?=[0-9])")
WRITTEN_TOGETHER = frozenset(("HAN", "HIRAGANA", "KATAKANA"))  # Japanese is written in all three


def fault_of(name: object) -> str:
    """Return the fault of a name, with what was expected; empty if there is none."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST:
        return f"{name!r} is not allowed; expected {EXPECTED}"
    strange = [sign for sign in name if not _is_word_sign(sign) and sign not in BETWEEN]
    if strange:
        shown = ascii(strange[0]) if ord(strange[0]) in INVISIBLE else repr(strange[0])
        return f"{shown} is not allowed in a name; expected {EXPECTED}"
    if unicodedata.category(name[0])[0] not in "LN" or name[-1] == " " or "  " in name:
        return f"{name!r} is not allowed; expected {EXPECTED}"
    if not unicodedata.is_normalized("NFC", name):
        return f"{name!r} is not in Unicode's composed form (NFC)"
    apart = unicodedata.normalize("NFD", name)
    if any(all(map(_is_mark, apart[at : at + MAX_MARKS + 1])) for at in range(len(apart) - MAX_MARKS)):
        return f"{name!r} has more than {MAX_MARKS} marks on one letter"
    scripts = set() if name.isascii() else _scripts(name)  # ASCII has Latin letters only
    if len(scripts) > 1 and not scripts <= WRITTEN_TOGETHER:
        return f"{name!r} mixes the scripts {' and '.join(sorted(map(str.capitalize, scripts)))}; expected one"
    return ""


def lookalike(name: str, others: Iterable[str]) -> str | None:
    """Return the first other name that could be mistaken for this one; None if there is none."""
    keys = _keys(name)
    return next((other for other in others if other != name and not keys.isdisjoint(_keys(other))), None)


def first_alike(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first of several different names that could be mistaken for an earlier one, with that one."""
    seen: dict[str, str] = {}
    for name in names:
        for key in _keys(name):
            if seen.setdefault(key, name) != name:
                return name, seen[key]
    return None


def _is_word_sign(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LMN" and ord(sign) not in INVISIBLE


def _scripts(name: str) -> set[str]:
    from confusable_homoglyphs import categories

    return set(categories.unique_aliases(name)) - {"COMMON", "INHERITED"}


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M"


@lru_cache(maxsize=1 << 15)  # untrusted clients may offer any number of names
def _keys(name: str) -> frozenset[str]:
    """Return the keys that lookalike names share: the case-folded form, and the confusable skeletons of all of it and
    of its letters alone."""
    folded = _folded(name)
    return frozenset((f"folded {folded}", f"skeleton {_skeleton(name)}", f"letters {_skeleton(_letters(folded))}"))


def _letters(folded: str) -> str:
    """Return a name without separators, except one kind between two digits, and with letters for digits."""
    parts = BETWEEN_DIGITS.split(folded)
    return ".".join(re.sub(f"[{re.escape(BETWEEN)}]", "", part) for part in parts).translate(DIGITS_FOR_LETTERS)


def _folded(name: str) -> str:
    return "".join(map(_without_small_capital, unicodedata.normalize("NFKC", name).casefold()))


def _without_small_capital(sign: str) -> str:
    """Return the letter that a phonetic small capital stands for; Unicode's tables keep the two apart."""
    letter = unicodedata.name(sign, "").removeprefix(SMALL_CAPITAL)
    return letter.lower() if len(letter) == 1 else sign


def _skeleton(name: str) -> str:
    seen = "".join(_prototype(sign) for sign in unicodedata.normalize("NFD", name))
    return "".join(_prototype(sign) for sign in unicodedata.normalize("NFD", seen.casefold()))


@cache
def _prototype(sign: str) -> str:
    """UTS #39: the character, or short sequence, that stands for all its lookalikes.

    The tables list all lookalikes for a prototype, and only the prototype for any other character.
    """
    return ASCII_PROTOTYPES.get(sign, sign) if sign.isascii() else _listed_prototype(sign)


def _listed_prototype(sign: str) -> str:
    alike = _alike(sign)
    if len(alike) != 1:
        return sign
    (other,) = alike
    is_mutual = _alike(other) == [sign]
    return min(sign, other) if is_mutual else other


def _alike(signs: str) -> list[str]:
    from confusable_homoglyphs import confusables

    # Some table entries are wrapped in direction marks.
    return [entry["c"].strip("\N{LEFT-TO-RIGHT MARK}") for entry in confusables.confusables_data.get(signs, ())]
