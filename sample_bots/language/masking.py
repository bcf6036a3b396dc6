"""Masking: every noun of a game renamed by a seeded dictionary, to tell understanding from memory.

Only words change: the same options stand at the same places, and the same match has the same digests.
"""

from __future__ import annotations

import re
from hashlib import sha256

WORD = re.compile(r"[^\W\d_]{3,}")
ROMAN = re.compile(r"[IVX]+")
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
SYLLABLES = 4
KEPT = frozenset(
    re.findall(
        r"\w+",
        """
    about above across add added after again against all along already also although and another answer any are around
    ask asked asks available back became because become becomes been before begin begins behind being below beside best
    better between both bottom brackets bring but buy buys call calls can cannot change changes choose chooses chosen
    close closed come comes continue cost costs count counted counts decide decision dice did digit discard discards do
    does done double draw drawn draws each earlier eight either eleven else empty end ends enough equal even every
    exactly face few fewest fifth final first five follow following for four free from full game games gave get
    gets give given gives goes greater had half hand has have he held her here hers highest him his hold holds how
    instead into is it its keep keeps kept know known largest last later lead least leave leaves left less let like list
    lose loses lost lower lowest made make makes many may more most move moved moves much must name named never new next
    nine no nobody none nor not nothing now number numbers of off old on once one only onto open option options or order
    other others out outside outwards over own pair part pass passes pay pays per phase place placed places plan plans
    play played player players plays point points position possible put puts reach reached read receive receives remain
    remove removed rest return returns reveal right roll rolled round rounds row same score scored scores seat seats
    second secret secretly see seen sell sells set seven shown shows side since six size small some start
    starts states still stop such sum take taken takes ten than that the their them then there these they third this
    those three through time times tie ties to together top total true false null touch touches toward towards
    turn turns twelve two under unless until unused up upon use used uses value values what when where whether which
    while who whole whose wide will win wins with without worth would write written yet you your zero
    action actions build builds built bid bids join joins lay lays lie lies look looks opponent opponents swap trade
    trades hire hires send sends earn earns gain gains refill spend spends sold bought yes decline accept
    refuse propose reject skip finish early late rank ranks reason moves sits empty occupied match matches rules
    """,
    )
)
"""Words that say what is done and how much; every other word of a game is renamed."""


class Mask:
    """A dictionary that grows with the words it meets; the same seed gives the same names."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._names: dict[str, str] = {}
        self._known: dict[str, str] = {}

    def hide(self, text: str) -> str:
        """Return a text with its nouns renamed."""
        return WORD.sub(lambda found: self._renamed(found[0]), text)

    def show(self, text: str) -> str:
        """Return a text with renamed nouns named as they were."""
        return WORD.sub(lambda found: self._restored(found[0]), text)

    def _renamed(self, word: str) -> str:
        if word.lower() in KEPT or ROMAN.fullmatch(word):
            return word
        name = self._names.get(word.lower()) or self._invent(word.lower())
        return _as(word, name)

    def _restored(self, word: str) -> str:
        known = self._known.get(word.lower())
        return word if known is None else _as(word, known)

    def _invent(self, word: str) -> str:
        plural = word.endswith("s") and not word.endswith("ss")
        root, turn = word[:-1] if plural else word, 0
        while True:
            digest = sha256(f"{self._seed}/{turn}/{root}".encode()).digest()
            name = "".join(
                CONSONANTS[digest[2 * each] % len(CONSONANTS)] + VOWELS[digest[2 * each + 1] % len(VOWELS)]
                for each in range(SYLLABLES)
            )
            name += "s" if plural else ""
            if name not in self._known and name not in KEPT:
                break
            turn += 1
        self._names[word], self._known[name] = name, word
        return name


def _as(word: str, name: str) -> str:
    """Return a name in the case of a word."""
    return name.upper() if word.isupper() else name.capitalize() if word[0].isupper() else name
