"""A bar on standard error while a long command works; none where nobody looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

if TYPE_CHECKING:
    from types import TracebackType


class Steps:
    """Shows which of some steps is at work; the bar is gone when the work is done."""

    def __init__(self, total: int) -> None:
        console = Console(stderr=True)
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._progress.add_task("", total=total)
        self._begun = 0

    def __enter__(self) -> Self:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away, so that an error stands alone."""
        self._progress.stop()

    def begin(self, step: str) -> None:
        """Say which step begins; those begun before it are done."""
        self._progress.update(self._task, description=step, completed=self._begun, refresh=True)
        self._begun += 1
