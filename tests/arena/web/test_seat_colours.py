"""Seats are told apart by colour-blind eyes too: CIEDE2000 between any two as protans, deutans, tritans see them."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

MIN_DIFFERENCE = 15.0
MIN_CONTRAST = 3.0  # that WCAG asks of graphics, to the ground of a board
MIN_TEXT_CONTRAST = 4.5  # of the number of a seat, to its piece
SEATS = 5
ROOT = Path(__file__).parents[3]
Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

EYES: dict[str, Matrix] = {
    # Machado, Oliveira and Fernandes (2009), of full severity, on linear RGB.
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041),
)  # fmt: skip
WHITE = (0.95047, 1.0, 1.08883)


def colours(scheme: str) -> dict[str, str]:
    sheets = (ROOT / "referee/boards/boards.css", ROOT / "arena/web/static/style.css")
    blocks = re.findall(r":root \{(.*?)\}", "".join(sheet.read_text(encoding="utf-8") for sheet in sheets), re.DOTALL)
    found: dict[str, str] = {}
    for block in blocks if scheme == "dark" else blocks[:-1]:
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    return found


def linear(colour: str) -> Triple:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def times(matrix: Matrix, value: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, value, strict=True)) for row in matrix)
    return one, two, three


def lab(value: Triple) -> Triple:
    x, y, z = (part / white for part, white in zip(times(TO_XYZ, value), WHITE, strict=True))
    x, y, z = (max(0.0, part) for part in (x, y, z))
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Triple, other: Triple) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    middle = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 1 + 0.5 * (1 - math.sqrt(middle**7 / (middle**7 + 25**7)))
    c1, c2 = math.hypot(a1 * grey, b1), math.hypot(a2 * grey, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * grey)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        angle = h1 + h2
    elif abs(h1 - h2) <= 180:
        angle = (h1 + h2) / 2
    else:
        angle = (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
    t = (
        1 - 0.17 * math.cos(math.radians(angle - 30)) + 0.24 * math.cos(math.radians(2 * angle))
        + 0.32 * math.cos(math.radians(3 * angle + 6)) - 0.2 * math.cos(math.radians(4 * angle - 63))
    )  # fmt: skip
    rotation = -math.sin(math.radians(60 * math.exp(-(((angle - 275) / 25) ** 2))))
    rotation *= 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    in_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    in_chroma, in_hue = (c2 - c1) / (1 + 0.045 * chroma), hue / (1 + 0.015 * chroma * t)
    return math.sqrt(in_light**2 + in_chroma**2 + in_hue**2 + rotation * in_chroma * in_hue)


def contrast(one: str, other: str) -> float:
    low, high = sorted(times(TO_XYZ, linear(colour))[1] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_the_difference_is_that_of_the_published_pairs() -> None:
    """Sharma, Wu and Dalal (2005), table 1."""
    for one, other, expected in (
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ):
        assert difference(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("eyes", EYES)
def test_any_two_seats_are_told_apart(eyes: str, scheme: str) -> None:
    found = colours(scheme)
    seen = []
    for seat in range(SEATS):
        red, green, blue = (min(1.0, max(0.0, part)) for part in times(EYES[eyes], linear(found[f"seat-{seat}"])))
        seen.append(lab((red, green, blue)))
    near = {
        (one, other): round(difference(seen[one], seen[other]), 1)
        for one, other in combinations(range(SEATS), 2)
        if difference(seen[one], seen[other]) < MIN_DIFFERENCE
    }
    assert near == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_seats_stand_out_from_the_ground_and_their_numbers_from_them(scheme: str) -> None:
    found = colours(scheme)
    for seat in range(SEATS):
        assert contrast(found[f"seat-{seat}"], found["sheet"]) >= MIN_CONTRAST, seat
        assert contrast(found[f"seat-{seat}"], found[f"seat-{seat}-ink"]) >= MIN_TEXT_CONTRAST, seat
