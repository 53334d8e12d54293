"""The base of all models: snake case here, camel case on the wire, `Decimal` for every fraction.

Answers may have more fields than these; a field that this version does not know is ignored.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PrivateAttr

from .. import html
from ..text import camel


def _unset(value: object) -> object:
    return None if value == "" else value


OptionalMoment = Annotated[datetime | None, BeforeValidator(_unset)]
"""A time; unset times arrive as an empty string."""


class Model(BaseModel):
    """Something that the exchange sent."""

    model_config = ConfigDict(alias_generator=camel, populate_by_name=True, extra="ignore")

    _as_of: int | None = PrivateAttr(default=None)
    shown: ClassVar[tuple[str, ...]] = ()
    """Fields of the notebook's table; all of them if empty."""

    def model_post_init(self, context: Any) -> None:
        """Takes the sequence of the answer from the context of the validation."""
        if isinstance(context, dict):
            self._as_of = context.get("as_of")

    @property
    def as_of(self) -> int | None:
        """The sequence of the exchange's state that this was read from; None if the answer had none."""
        return self._as_of

    def caption(self) -> str:
        """The first line of the notebook's table."""
        return type(self).__name__

    def _take(self, other: Model) -> None:
        """Takes over the fields of a newer answer."""
        for name in type(self).model_fields:
            setattr(self, name, getattr(other, name))
        self._as_of = other.as_of

    def _repr_html_(self) -> str:
        names = self.shown or tuple(type(self).model_fields)
        return html.fields(self.caption(), [(name, getattr(self, name)) for name in names])
