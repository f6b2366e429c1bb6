"""The account of a layer: what was done to how many of its features, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterable

ChangeAction = Literal["dropped", "repaired", "assumed", "kept"]
"""What was done to them."""

Unit = Literal["feature", "tag", "m"]
"""What is counted."""


class Change(TypedDict):
    """One line, as `manifest.Change` takes it: the reason in pt-BR, the count above zero."""

    action: ChangeAction
    reason: str
    count: int
    unit: NotRequired[Unit]
    examples: NotRequired[tuple[str, ...]]


def changes(lines: Iterable[tuple[ChangeAction, str, int]]) -> list[Change]:
    """Return those of the lines (action, reason, count) that count anything."""
    return [{"action": action, "reason": reason, "count": count} for action, reason, count in lines if count]
