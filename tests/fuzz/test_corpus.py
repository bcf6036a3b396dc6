"""What was once found by fuzzing never comes back, and a few new mutations are tried in every run."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.fuzz.__main__ import CORPUS
from tests.fuzz.surfaces import SURFACES

TRIES = {"frames": 40, "words": 12, "addresses": 20}  # of others 30
SEED = 1494


@pytest.mark.parametrize("name", SURFACES)
def test_untrusted_input_is_understood_or_refused(name: str) -> None:
    surface = SURFACES[name]
    corpus = [file.read_bytes() for file in sorted((CORPUS / name).glob("*"))]
    good = [] if name == "frames" else list(surface.seeds())[:3]
    surface.take([*corpus, *good, *islice(surface.inputs(SEED), TRIES.get(name, 30))])


def test_the_corpus_belongs_to_surfaces_that_are_there() -> None:
    assert {folder.name for folder in CORPUS.iterdir() if folder.is_dir()} <= set(SURFACES)
