"""The exception tree: what can be wrong with what a user hands in, each with a pt-BR message.

```
GeocheckError
├── InputError            a request's field is wrong, missing or contradictory
│   └── UnknownNameError  a city, rulebook or rule that does not exist (with the nearest known name)
├── DataFileError         one or more problems in a file (rulebook, city sheet, request file)
└── DownloadError         a place that cannot be downloaded: no network, a server's answer, no such place
```

No HTTP and no exit codes here: the service and the command line map these to theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_FEW = 12
"""Up to so many names are all listed; of more only the nearest is named."""


class GeocheckError(Exception):
    """Base of every error that geocheck raises for a user's mistake; `str()` is a pt-BR sentence."""


class InputError(GeocheckError):
    """A field of a request is wrong.

    Args:
        field: name of the field as the user writes it (`"length_m"`, `"measured.gap_m"`).
        message: pt-BR, saying what is wrong and how to mend it.
    """

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        self.message = message
        super().__init__(f"{field}: {message}")


class UnknownNameError(InputError):
    """A name that is not in a closed list.

    Args:
        field: what the name was given for (`"city"`, `"rulebook"`, …).
        name: the name as given.
        known: the names that exist.
    """

    def __init__(self, field: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        listed = f"; há: {', '.join(names)}" if len(names) <= _FEW else ""
        super().__init__(field, f"“{name}” não existe{did_you_mean(name, names)}{listed}")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file.

    Attributes:
        file: the file's name.
        where: the rule, table or row (`"GYN-11"`, `"sanctions"`, `"linha 3"`); empty for the file itself.
        key: dotted path of the key below `where`; empty when the whole of it is meant.
        message: pt-BR, what is wrong and how to mend it.
    """

    file: str
    where: str
    key: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.key, self.message) if part)


class DataFileError(GeocheckError):
    """A file with problems; all of them are listed, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class DownloadError(GeocheckError):
    """A download that came to nothing.

    Args:
        subject: the server or the place it is about.
        message: pt-BR, what happened and what to do.
    """

    def __init__(self, subject: str, message: str) -> None:
        self.subject = subject
        self.message = message
        super().__init__(f"{subject}: {message}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a pt-BR hint naming the nearest known word, or an empty string when none is near."""
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; quis dizer “{near[0]}”?" if near else ""
