"""Names of bots follow one rule, and none can be mistaken for another."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.names import (
    HOUSE_NAMES,
    _keys,
    _listed_prototype,
    _prototype,
    _scripts,
    fault_of,
    first_alike,
    lookalike,
)
from referee.policy import BUILT_IN
from tools.stubs import ROOT

GOOD = (
    "Star",
    "star 2",
    "Müller-v2.1",
    "a",
    "x" * 64,
    "Звезда",
    "星",
    "カタカナとひらがなと漢字",
    "3d_bot+",
    "O'Neil"[:1],
)


@pytest.mark.parametrize("name", GOOD)
def test_a_name_of_one_script_is_fine(name: str) -> None:
    assert fault_of(name) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Stаr", "mixes the scripts Cyrillic and Latin"),
        ("Star@f61af8c791f5", "'@' is not allowed in a name"),
        ("*", "'*' is not allowed"),
        ("--help", "'--help' is not allowed"),
        ("../../x", "'/' is not allowed"),
        ("<img src=x>", "'<' is not allowed"),
        ("", "expected 1 to 64"),
        ("x" * 65, "expected 1 to 64"),
        (" x", "is not allowed"),
        ("x ", "is not allowed"),
        ("a  b", "is not allowed"),
        ("a\u200db", "is not allowed in a name"),
        ("a\u202eb", "is not allowed in a name"),
        ("e\u0301", "composed form"),
        ("St\u034far", "'\\u034f' is not allowed in a name"),
        ("Star\ufe0f", "'\\ufe0f' is not allowed in a name"),
        ("별\u3164", "is not allowed in a name"),
        ("별\u115f", "is not allowed in a name"),
        ("q\u0323\u0307\u0304", "has more than 2 marks on one letter"),
        ("à\u0316\u0317", "has more than 2 marks on one letter"),
        (7, "7 is not allowed"),
    ],
)
def test_other_names_are_refused_with_a_reason(name: object, said: str) -> None:
    assert said in fault_of(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Star", "STAR"),
        ("Star", "star"),
        ("cacao", "сасао"),  # the second in Cyrillic
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("bob", "b0b"),
        ("burn", "bum"),
        ("Straße", "STRASSE"),
        ("Star", "ꜱᴛᴀʀ"),  # the second in small capitals
        ("Star", "Ｓｔａｒ"),
        ("Star", "𝐒𝐭𝐚𝐫"),
        ("Star", "ﬅar"),
        ("Star", "Star."),
        ("Star", "Star_"),
        ("Star", "5tar"),
        ("Star", "S t a r"),
        ("Star", "S.t-a+r"),
        ("Star", "574r"),
        ("Звезда", "З.везда"),
        ("bot-1.1", "bot 1_1"),
    ],
)
def test_names_that_look_alike_are_found_both_ways(one: str, other: str) -> None:
    assert lookalike(one, ["far away", other]) == other
    assert lookalike(other, ["far away", one]) == one


def test_numbered_names_do_not_look_alike() -> None:
    names = [
        *(f"bot{number}" for number in range(200)),
        *(f"v{major}.{minor}" for major in (1, 2) for minor in range(30)),
    ]
    assert first_alike(names) is None


def test_the_names_of_the_house_are_those_of_its_sample_bots_and_policies() -> None:
    """All but the language bot, which everybody connects with a model of their own."""
    folders = {folder.parent for folder in (ROOT / "sample_bots").glob("*/bot.toml")}
    names = {tomllib.loads((folder / "bot.toml").read_text())["name"] for folder in folders}
    names |= {folder.name for folder in folders} | set(BUILT_IN) | {"brewer", "house"}
    assert set(HOUSE_NAMES) == names - {"language"}


def test_a_name_does_not_look_like_itself_or_like_others() -> None:
    assert lookalike("Star", ["Star", "Stars", "Moon", "Star 2"]) is None


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Z", "M", "C")), max_size=70)


@given(NAMES)
def test_whatever_is_typed_is_judged_and_a_good_name_is_printable(name: str) -> None:
    if not fault_of(name):
        assert name.isprintable()
        assert not set(name) & set("@*/<>\"'\\`$")
        assert unicodedata.normalize("NFC", name) == name


@given(st.text("abcdIl10Оо rnm", min_size=1, max_size=8), st.text("abcdIl10Оо rnm", min_size=1, max_size=8))
def test_looking_alike_goes_both_ways(one: str, other: str) -> None:
    assert (lookalike(one, [other]) is None) == (lookalike(other, [one]) is None)


def test_names_that_untrusted_clients_offer_are_not_kept_for_ever() -> None:
    for number in range((1 << 15) + 10):
        _keys(f"x{number}")
    assert _keys.cache_info().currsize == 1 << 15
    _keys.cache_clear()


def test_what_is_known_of_ascii_is_what_the_tables_say() -> None:
    for sign in map(chr, range(128)):
        assert _prototype(sign) == _listed_prototype(sign)
        assert _scripts(sign) <= {"LATIN"}


def test_the_tables_are_not_loaded_for_plain_names() -> None:
    code = "import sys; from arena.bots.names import *; fault_of('bot-1'); lookalike('bot-1', ['bot-l']); "
    code += "print('confusable_homoglyphs' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
