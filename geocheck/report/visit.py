"""What is pending as one short visit: a look around the skip, a walk along the block, the tape, the facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from geocheck.report import wording

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from geocheck.model.report import Pending, PendingGroup

_TITLES: Final[dict[PendingGroup, str]] = {
    "around": "Um olhar em volta da caçamba",
    "block": "Uma caminhada pela quadra",
    "tape": "Com a trena",
    "facts": "Perguntar ou informar",
}


class Errand(NamedTuple):
    """One thing to do on the visit: its kind and title, what it answers, and the rules that wait for it."""

    group: PendingGroup
    title: str
    items: tuple[str, ...]
    rules: tuple[str, ...]


def visit(pending: Sequence[Pending]) -> list[Errand]:
    """Join what is answered at once, each question once."""
    found = []
    for group, title in _TITLES.items():
        entries = [entry for entry in pending if (entry.group or "block") == group]
        if entries:
            rules = tuple(dict.fromkeys(entry.rule for entry in entries))
            found.append(Errand(group, title, tuple(_items(entries)), rules))
    return found


def _items(entries: Sequence[Pending]) -> Iterable[str]:
    """Return the questions; of those that differ only in the thing looked for, one that names them all."""
    joined: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        name = wording.LAYERS.get(entry.layer or "", "")
        text = entry.text.removeprefix("medir ").removeprefix("informar ")
        alike = entry.action == "look" and entry.key is None and name and text.count(name) == 1
        before, _, after = text.partition(name) if alike else (text, "", "")
        before = before.replace(" fica sobre ", " fica sobre ou diante de ").replace(
            " fica diante de ", " fica sobre ou diante de "
        )
        names = joined.setdefault((before, after), [])
        if alike and name not in names:
            names.append(name)
    for (before, after), names in joined.items():
        yield f"{before}{wording.either(names)}{after}"
