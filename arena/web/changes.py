"""What a step changed, from two drawings of the same viewer: pieces to ring, and amounts gained and lost.

Both drawings show only what that viewer may know, so their difference does too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from xml.etree import ElementTree

from markupsafe import Markup, escape

from referee.drawing import Drawing, Figure, Panel
from referee.markup import tag

PIECE = re.compile(r'<g id="(piece-[^"]+)"')
AMOUNT = re.compile(r"(\d+) ([^\d,;]+)")


def with_rings(before: Drawing | None, after: Drawing) -> Drawing:
    """Return a drawing whose new and changed pieces are marked; nothing is before the first step."""
    if before is None:
        return after
    known = {name: shape for figure in before.figures for name, shape in pieces_of(figure).items()}
    figures = []
    for figure in after.figures:
        changed = [name for name, shape in pieces_of(figure).items() if known.get(name) != shape]
        figures.append(replace(figure, body=marked(figure.body, changed, "changed")))
    return replace(after, figures=tuple(figures))


def with_advice(before: Drawing, actual: Drawing, better: Drawing) -> Drawing:
    """Return the actual drawing that also shows what a better choice would have put on the board.

    What it would have added or changed is drawn as a ghost over it; what the actual choice changed is marked as chosen.
    """
    known = {name: shape for figure in before.figures for name, shape in pieces_of(figure).items()}
    figures = []
    for here, there in zip(actual.figures, better.figures, strict=False):
        now, then = pieces_of(here), pieces_of(there)
        ghosts = [
            re.sub(r' id="piece-[^"]*"', "", shape)
            for name, shape in then.items()
            if shape not in (now.get(name), known.get(name))
        ]
        wrong = [name for name, shape in now.items() if shape not in (then.get(name), known.get(name))]
        body = marked(here.body, wrong, "chosen")
        if ghosts:
            drawn = "".join(ghosts).replace(NAMESPACE, "")
            inside = str(body).removesuffix("</svg>") + f'<g class="advice">{drawn}</g></svg>'
            body = Markup(VIEW_BOX.sub(_both_views(here, there), inside, count=1))  # of our own boards
        figures.append(replace(here, body=body))
    return replace(actual, figures=(*figures, *actual.figures[len(figures) :]))


def _both_views(one: Figure, other: Figure) -> str:
    """Return the view box that shows all of two figures with the same coordinates."""
    boxes = [
        [float(part) for part in found[1].split()] for found in map(VIEW_BOX.search, (one.body, other.body)) if found
    ]
    left, top = (min(box[side] for box in boxes) for side in (0, 1))
    right, bottom = (max(box[side] + box[side + 2] for box in boxes) for side in (0, 1))
    return f'viewBox="{left:g} {top:g} {right - left:g} {bottom - top:g}"'


VIEW_BOX = re.compile(r'viewBox="([^"]*)"')
NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")


def _is_same_view(one: Figure, other: Figure) -> bool:
    """Return whether coordinates mean the same in two figures: always, unless it is a table."""
    return bool(VIEW_BOX.search(str(one.body)) and VIEW_BOX.search(str(other.body)))


def pieces_of(figure: Figure) -> dict[str, str]:
    """Return the pieces of a figure as text, by their names; none of a table."""
    body = str(figure.body)
    if not PIECE.search(body):
        return {}
    tree = ElementTree.fromstring(body)  # written by our own boards a moment ago
    return {
        each.attrib["id"]: ElementTree.tostring(each, encoding="unicode")
        for each in tree.iter()
        if each.attrib.get("id", "").startswith("piece-")
    }


def marked(body: Markup, names: Iterable[str], mark: str) -> Markup:
    """Return a figure's body with an attribute at some of its pieces."""
    text = str(body)
    for name in names:
        text = text.replace(f'<g id="{name}"', f'<g id="{name}" data-{mark}=""', 1)
    return Markup(text)  # the body was markup, and names are in it


def gains(before: Panel, after: Panel) -> tuple[tuple[str, str], ...]:
    """Return what a seat gained and lost, by the label of the fact: `+2 ore`, `-1`."""
    found = []
    known = dict((*before.facts, *before.hidden))
    for label, value in (*after.facts, *after.hidden):
        if label in known and known[label] != value and (said := _difference(known[label], value)):
            found.append((label, said))
    return tuple(found)


def _difference(old: str, new: str) -> str:
    if _is_number(old) and _is_number(new):
        return f"{int(new) - int(old):+d}".replace("-", "\N{MINUS SIGN}")
    if not (_is_list(old) and _is_list(new)):
        return ""
    had, has = _amounts(old), _amounts(new)
    changes = [
        (has.get(kind, (0, ""))[0] - had.get(kind, (0, ""))[0], (has.get(kind) or had[kind])[1])
        for kind in dict.fromkeys((*has, *had))
    ]
    return ", ".join(f"{change:+d} {name}".replace("-", "\N{MINUS SIGN}", 1) for change, name in changes if change)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,9}", text) is not None


def _is_list(text: str) -> bool:
    return text == "none" or re.fullmatch(rf"{AMOUNT.pattern}(?:, {AMOUNT.pattern})*", text) is not None


def _amounts(text: str) -> Mapping[str, tuple[int, str]]:
    """Return amounts with their names, by kind: `1 card` and `2 cards` are of one."""
    return {name.removesuffix("s"): (int(count), name) for count, name in AMOUNT.findall(text)}


PLACES = re.compile(r'data-place="([^"]+)"')


def with_places(text: str, drawing: Drawing) -> Markup:
    """Return words in which the places on the board can be pointed at; the text is escaped."""
    names = {
        name for figure in drawing.figures for names in PLACES.findall(str(figure.body)) for name in names.split("|")
    }
    said = str(escape(text))
    if not names:
        return Markup(said)  # escaped above
    either = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pointed = re.sub(
        rf"(?<![\w(])(?:{either})(?![\w-])",
        lambda found: tag("button", Markup(found[0]), type="button", cls="spot", data_spot=found[0]),
        said,
    )
    return Markup(pointed)  # of escaped text and our own tags
