"""Reads rulebooks from TOML, listing everything wrong in a file at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from geocheck.errors import DataFileError, Problem, UnknownNameError
from geocheck.files import data_folder
from geocheck.law.consistency import inconsistencies
from geocheck.law.kinds import ALL_KINDS
from geocheck.law.rulebook import Rulebook
from geocheck.toml_files import model_keys, problems_of, read_toml, validated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from geocheck.toml_files import Loc

KNOWN_KEYS: Final = model_keys(Rulebook)

_RULE_FIELD: Final = 2
"""Place of a rule's field in a location: (`rule`, its number, the field, …)."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadedRulebook:
    """A rulebook and the hash of the file it was read from.

    Attributes:
        book: the rulebook.
        sha256: hex digest of the file's bytes.
    """

    book: Rulebook
    sha256: str

    @property
    def id(self) -> str:
        """The rulebook's id."""
        return self.book.id


def rulebook_ids() -> tuple[str, ...]:
    """Return the ids of the rulebooks that come with geocheck."""
    return tuple(sorted(path.stem for path in (data_folder() / "rulebooks").glob("*.toml")))


@lru_cache(maxsize=64)
def load_rulebook(rulebook_id: str) -> LoadedRulebook:
    """Load one of geocheck's own rulebooks.

    Raises:
        UnknownNameError: there is none of that id.
        DataFileError: the file has problems.
    """
    if rulebook_id not in rulebook_ids():
        raise UnknownNameError("rulebook", rulebook_id, rulebook_ids())
    return read_rulebook(data_folder() / "rulebooks" / f"{rulebook_id}.toml")


def read_rulebook(path: Path) -> LoadedRulebook:
    """Read and check a rulebook file.

    Raises:
        DataFileError: with every problem found.
    """
    raw = read_toml(path)
    try:
        book = validated(Rulebook, raw)
    except ValidationError as error:
        locate = _locator(raw)
        problems = problems_of(error, path.name, locate, KNOWN_KEYS)
        raise DataFileError([*problems, *_between_the_good(raw, error, path.name)]) from None
    problems = inconsistencies(book, path.name, {rule.id for rule in book.rule})
    if problems:
        raise DataFileError(problems)
    return LoadedRulebook(book, hashlib.sha256(path.read_bytes()).hexdigest())


def _between_the_good(raw: dict[str, Any], error: ValidationError, file: str) -> list[Problem]:
    """Return the inconsistencies among the rules that are valid on their own, when the rest is."""
    rules, locs = raw.get("rule"), [details["loc"] for details in error.errors(include_url=False)]
    # A rule whose very name is wrong leaves the others pointing at nothing: said once is enough.
    named = all(len(loc) > _RULE_FIELD and loc[0] == "rule" and loc[_RULE_FIELD] != "id" for loc in locs)
    if not isinstance(rules, list) or not named:
        return []
    bad = {loc[1] for loc in locs}
    good = {**raw, "rule": [rule for number, rule in enumerate(rules) if number not in bad]}
    try:
        return inconsistencies(validated(Rulebook, good), file, {rule["id"] for rule in rules})
    except ValidationError:
        return []


def lint(path: Path) -> tuple[Problem, ...]:
    """Return every problem of a rulebook file; none means that it can be used."""
    try:
        read_rulebook(path)
    except DataFileError as error:
        return error.problems
    return ()


def _locator(raw: dict[str, Any]) -> Callable[[Loc], tuple[str, str]]:
    """Return the function that names rule and key for a pydantic location."""

    def locate(loc: Loc) -> tuple[str, str]:
        if len(loc) > 1 and loc[0] == "rule" and isinstance(loc[1], int):
            return _rule_name(raw, loc[1]), _dotted(loc[2:])
        return (str(loc[0]), _dotted(loc[1:])) if loc else ("", "")

    return locate


def _rule_name(raw: dict[str, Any], number: int) -> str:
    rule = raw["rule"][number]
    name = rule.get("id") if isinstance(rule, dict) else None
    return name if isinstance(name, str) and name.strip() else f"rule[{number}]"


def _dotted(loc: Loc) -> str:
    """Join a location, list positions in brackets, leaving out the tags of the union of kinds."""
    text = ""
    for before, step in zip((None, *loc), loc, strict=False):
        if isinstance(step, int):
            text += f"[{step}]"
        elif not (isinstance(before, int) and step in ALL_KINDS):
            text += f".{step}" if text else step
    return text
