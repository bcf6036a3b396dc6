"""Long lists: searched, sorted and paged by the query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

PAGE_SIZE = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListQuery:
    """A list's query; invalid values are ignored."""

    search: str = ""
    sort: str = ""
    is_descending: bool = False
    page: int = 1
    all_versions: bool = False

    def address(self, **changes: object) -> str:
        """Return the query of the same list with changes."""
        plain: dict[str, object] = {
            "q": self.search,
            "sort": self.sort,
            "order": "desc" if self.is_descending else "",
            "page": self.page if self.page > 1 else "",
            "all": 1 if self.all_versions else "",
        }
        kept = {key: value for key, value in (plain | changes).items() if value != ""}
        return "?" + urlencode(kept)


def number_in(text: str, digits: int) -> int | None:
    """Read a whole number of up to this many digits from a query; None if it is anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def asked_by(query: Mapping[str, str]) -> ListQuery:
    """Read a query."""
    return ListQuery(
        search=query.get("q", "")[:200],
        sort=query.get("sort", "")[:40],
        is_descending=query.get("order") == "desc",
        page=number_in(query.get("page", ""), 8) or 1,
        all_versions=query.get("all") == "1",
    )


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """One page of a list."""

    rows: tuple[T, ...]
    asked: ListQuery
    found: int
    page: int
    pages: int

    @property
    def is_whole(self) -> bool:
        """Whether all rows are on this page, so that a script can sort and filter them."""
        return self.pages == 1 and not self.asked.search


def listed(
    rows: Sequence[T],
    asked: ListQuery,
    name_of: Callable[[T], str],
    sorts: Mapping[str, Callable[[T], Any]],
    *,
    search: Callable[[str], Iterable[str]] | None = None,
    is_whole: bool = False,
) -> Listed[T]:
    """Search by name, sort by one of the `sorts` (rows without a value last), and cut out a page.

    `search` returns the names that contain a text, where the rows need not be searched one by one.
    """
    found = list(rows)
    if asked.search and search is not None:
        names = frozenset(search(asked.search))
        found = [row for row in rows if name_of(row) in names]
    elif asked.search:
        found = [row for row in rows if asked.search.casefold() in name_of(row).casefold()]
    key = sorts.get(asked.sort)
    if key is not None:
        known = [row for row in found if key(row) is not None]
        found = sorted(known, key=key, reverse=asked.is_descending) + [row for row in found if key(row) is None]
    size = max(1, len(found)) if is_whole else PAGE_SIZE
    pages = max(1, -(-len(found) // size))
    page = min(asked.page, pages)
    return Listed(tuple(found[(page - 1) * size : page * size]), asked, len(found), page, pages)
