"""The only door from the screen to the core: threads, lanes, interruption and typed answers.

Every method is awaited on the event loop and works in a thread. What is asked of the core is in ``questions.py``.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from tfmem_tui.core.errors import StoreUnavailable
from tfmem_tui.tui.answers import Answer, Done, Failed, Stale, Why, failure

if TYPE_CHECKING:
    from tfmem_tui.core.store import Store

T = TypeVar("T")
Job = Callable[["Store"], T]
OpenStore = Callable[[], "Store"]


class Lane:
    """Jobs over one store object, in threads of their own; answers in the order of asking where one thread serves."""

    def __init__(self, name: str, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"tfmem-{name}")
        self.store: Store | None = None

    async def run(self, job: Job[T], unless: Callable[[], bool] = lambda: False) -> Answer[T]:
        """Runs the job, or answers ``Stale`` where ``unless`` holds when its turn comes or when it is done."""

        def work() -> Answer[T]:
            if unless():
                return Stale()
            if self.store is None:
                return Failed(Why.UNAVAILABLE, "the store is not open")
            begun = time.perf_counter()
            try:
                value = job(self.store)
            except Exception as error:  # any fault becomes an answer: the screen outlives it
                return failure(error)
            return Done(value, (time.perf_counter() - begun) * 1000)

        try:
            answer = await asyncio.wrap_future(self._submit(work))
        except RuntimeError:  # the lane was closed while the screen goes down
            return Stale()
        return Stale() if unless() else answer

    def _submit(self, work: Callable[[], Answer[T]]) -> Future[Answer[T]]:
        return self._pool.submit(work)

    def stop(self) -> None:
        """Takes no more jobs, drops those that wait, and returns when the running ones are done."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class Gateway:
    """Asks the core, never on the event loop. Errors come back as answers."""

    def __init__(self, open_store: OpenStore) -> None:
        self._open_store = open_store
        self._reads = Lane("read", 2)
        self._searches = Lane("search", 1)
        self._writes = Lane("write", 1)
        self._polls = Lane("poll", 1)
        self._long = Lane("long", 1)
        self._newest_search = 0
        self._own_search_store = False
        self._adopted: list[Store] = []
        self.closed = False

    async def open(self) -> Answer[Store]:
        """Opens the store, and a second object on the same file whose reads can be interrupted by themselves."""
        answer = await asyncio.to_thread(self._open)
        if isinstance(answer, Done):
            store, searched = answer.value
            if self.closed:  # the person left meanwhile
                for one in (store, searched):
                    await asyncio.to_thread(one.close)
                return Stale()
            self._reads.store = self._writes.store = self._polls.store = self._long.store = store
            self._searches.store = searched
            self._own_search_store = searched is not store
            return Done(store, answer.milliseconds)
        return answer

    def _open(self) -> Answer[tuple[Store, Store]]:
        try:
            store = self._open_store()
            return Done((store, store if store.path is None else self._open_store()))
        except Exception as error:  # as in a lane
            return failure(error)

    async def read(self, job: Job[T]) -> Answer[T]:
        """Runs a short read."""
        return await self._reads.run(job)

    async def write(self, job: Job[T]) -> Answer[T]:
        """Runs an act that changes something, after those that were asked before it."""
        return await self._writes.run(job)

    async def long(self, job: Job[T]) -> Answer[T]:
        """Runs an act that may take long; reads and short acts go on meanwhile."""
        return await self._long.run(job)

    async def search(self, job: Job[T]) -> Answer[T]:
        """Runs a read that the next one interrupts: of several, only the newest is answered."""
        self._newest_search += 1
        mine = self._newest_search
        if self._own_search_store and self._searches.store is not None:
            self._searches.store.interrupt()
        return await self._searches.run(job, unless=lambda: mine != self._newest_search)

    async def poll(self, job: Job[T]) -> Answer[T]:
        """Runs the read that asks whether anything has changed; it also notices that the file is gone."""

        def checked(store: Store) -> T:
            if store.path is not None and not store.path.exists():
                raise FileGone
            return job(store)

        answer = await self._polls.run(checked)
        if isinstance(answer, Failed) and answer.message == FileGone.words:
            return Failed(Why.LOST, FileGone.words)
        return answer

    def adopt(self, store: Store) -> None:
        """Takes a snapshot into care: it is closed with the gateway, or by ``give_up``."""
        self._adopted.append(store)

    async def give_up(self, store: Store) -> None:
        """Closes a snapshot after the acts that were asked for on it."""
        if store in self._adopted:
            self._adopted.remove(store)
            await self.write(lambda _: store.close())

    async def close(self) -> None:
        """Ends the running reads, waits for what is being written, and closes every store."""
        if not self.closed:
            self.closed = True
            await asyncio.to_thread(self._close)

    def _close(self) -> None:
        lanes = (self._reads, self._searches, self._writes, self._polls, self._long)
        stores = {id(store): store for store in (*(lane.store for lane in lanes), *self._adopted) if store is not None}
        for store in stores.values():
            store.interrupt()
        for lane in lanes:  # a connection must not be closed under a statement that runs
            lane.stop()
        for store in stores.values():
            store.close()


class FileGone(StoreUnavailable):
    """The store's file was removed or moved while it is open."""

    words = "the store's file is gone; what is shown is the last state that was read"

    def __init__(self) -> None:
        super().__init__(self.words)
