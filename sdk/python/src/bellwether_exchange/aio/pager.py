"""Lists that are longer than a page."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .. import frames, html
from ..models.base import Model
from ..requests.base import Access, read

if TYPE_CHECKING:
    from .client import AsyncClient

Item = TypeVar("Item", bound=Model)


class Pager(Generic[Item]):
    """A list of the exchange, read page by page while you iterate.

    Lists that grow have a cursor, so no row is skipped or repeated. Others have page numbers: there, a row that moved
    to the next page in the meantime is still returned once.
    """

    def __init__(
        self,
        client: AsyncClient,
        item: type[Item],
        path: str,
        key: str,
        params: Mapping[str, object],
        access: Access = Access.PUBLIC,
        size: int = 100,
    ) -> None:
        self._client = client
        self._item = item
        self._path = path
        self._key = key
        self._params = dict(params)
        self._access = access
        self._size = size

    async def pages(self) -> AsyncIterator[list[Item]]:
        """One page after another."""
        place: dict[str, object] = {}
        seen: set[str] = set()
        number = 1
        while True:
            parameters = {**self._params, **place, "size": self._size}
            answer = await self._client.send(read(self._path, parameters, self._access))
            rows = [self._client.build(self._item, row, answer) for row in answer.payload[self._key]]
            cursor = answer.payload.get("nextCursor")
            if not cursor and "after" not in place:
                rows = _unseen(rows, seen)
            yield rows
            number += 1
            if cursor:
                place = {"after": cursor}
            # A list with a cursor has none on its last page, whatever its page numbers say.
            elif "after" not in place and number <= int(answer.payload.get("pagination", {}).get("lastPage", 1)):
                place = {"page": number}
            else:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page:
                yield item

    async def all(self) -> list[Item]:
        """Every row."""
        return [item async for item in self]

    async def first(self, count: int) -> list[Item]:
        """The first rows, at most `count`, without reading further pages."""
        rows: list[Item] = []
        if count < 1:
            return rows
        # A page costs by its rows.
        short = copy.copy(self)
        short._size = min(self._size, count)
        async for item in short:
            rows.append(item)
            if len(rows) == count:
                break
        return rows

    async def to_df(self, library: frames.Library | None = None, decimals: frames.Decimals = "decimal") -> Any:
        """A data frame of every row, by pandas or polars."""
        return frames.to_df(await self.all(), library, decimals)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._item.__name__}: iterate over it, or call all(), first(n), to_df()>"

    def _repr_html_(self) -> str:
        return html.fields(f"A list of {self._item.__name__}", [("path", self._path), *self._params.items()])


def _unseen(rows: list[Item], seen: set[str]) -> list[Item]:
    """The rows that no earlier page had."""
    fresh = [row for row in rows if getattr(row, "id", None) not in seen]
    seen.update(str(row.id) for row in fresh if hasattr(row, "id"))
    return fresh
