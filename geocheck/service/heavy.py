"""A bounded pool for what takes long (maps, cards, batches): when too many wait, the next is told to wait."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from geocheck.service.problems import ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable

_Made = TypeVar("_Made")

RETRY_AFTER_S: Final = 2


class Heavy:
    """Runs long work in few threads, beside the loop that answers checks."""

    def __init__(self, threads: int, waiting: int) -> None:
        """Open the pool.

        Args:
            threads: that work at once.
            waiting: works that may wait for one.
        """
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="geocheck")
        self._most = threads + waiting
        self._held = 0

    async def run(self, work: Callable[[], _Made]) -> _Made:
        """Do some work.

        Raises:
            ServiceError: too many are waiting already (503).
        """
        if self._held >= self._most:
            detail = f"muitos mapas e lotes de uma vez; tente de novo em {RETRY_AFTER_S} s"
            raise ServiceError(503, detail, {"Retry-After": str(RETRY_AFTER_S)})
        return await self.run_on(work)

    async def run_on(self, work: Callable[[], _Made]) -> _Made:
        """Do some more work for a request that was let in before, however many wait."""
        self._held += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._held -= 1

    def close(self) -> None:
        """Let running work end; nothing new begins."""
        self._pool.shutdown(wait=True, cancel_futures=True)
