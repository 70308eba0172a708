"""Random histories for the gate's property tests: acts, how they are played, and what a viewer observes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from hypothesis import strategies as st

from tests.support import HandClock, fresh_store
from tfmem_tui.core.errors import TfmemError
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.records import Filters, Order
from tfmem_tui.core.store import Store

KEYS = ("alpha", "beta", "gamma-ray", "Δέλτα")
TAGS = ("project", "rule", "x")
WORDS = ("falcon", "harbor", "violet", "copper", "meadow", "東京", "🐟")
SLOTS = (0, 1, 2)


@dataclass(frozen=True)
class Act:
    """One step: who (a slot that holds a session), what, with what."""

    kind: str
    slot: int
    key: str = KEYS[0]
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    level: Level = Level.PUBLIC
    seconds: int = 1
    expires_in: int | None = None


def _texts(most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=most).map(tuple)


slots = st.sampled_from(SLOTS)
keys = st.sampled_from(KEYS)
tags = st.lists(st.sampled_from(TAGS), max_size=3).map(tuple)
levels = st.sampled_from(ALL_LEVELS)
saves = st.builds(
    Act,
    st.just("save"),
    slots,
    key=keys,
    words=_texts(4),
    tags=tags,
    expires_in=st.one_of(st.none(), st.integers(1, 8)),
)
escalations = st.builds(Act, st.just("escalate"), slots, level=levels)
acts = st.one_of(
    saves,
    saves,
    saves,
    st.builds(Act, st.just("delete"), slots, key=keys),
    st.builds(Act, st.just("get"), slots, key=keys),
    st.builds(Act, st.just("search"), slots, words=_texts(2)),
    st.builds(Act, st.just("list"), slots, tags=tags),
    escalations,
    st.builds(Act, st.just("reset"), slots),
    st.builds(Act, st.just("restore"), slots),
    st.builds(Act, st.just("invalid"), slots),
    st.builds(Act, st.just("wait"), slots, seconds=st.integers(0, 5)),
)


def _then_deleted(save: Act) -> list[Act]:
    return [save, Act("delete", save.slot, key=save.key)]


def _strung(parts: list[list[Act]]) -> list[Act]:
    return [act for part in parts for act in part]


# Left to chance alone, next to no history would hold a deleted memory above a viewer: raises come first, and some
# saves are deleted again by the session that made them.
histories = st.builds(
    lambda raises, parts: [*raises, *_strung(parts)],
    st.lists(escalations, max_size=3),
    st.lists(st.one_of(acts.map(lambda act: [act]), saves.map(_then_deleted)), min_size=4, max_size=30),
)


@dataclass
class Player:
    """Plays acts on a store. With a ceiling, every act above it is left out."""

    ceiling: Level = Level.RESTRICTED
    clock: HandClock = field(default_factory=HandClock)
    answers: list[tuple[Level, str]] = field(default_factory=list)
    taints: dict[int, Level] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = fresh_store(self.clock)
        for slot in SLOTS:
            self._start(slot)

    def _start(self, slot: int) -> None:
        self.ids[slot] = self.store.operator().start(Level.PUBLIC, label=f"slot-{slot}").id
        self.taints[slot] = Level.PUBLIC

    def play(self, history: list[Act]) -> Player:
        for act in history:
            self.clock.tick(act.seconds)
            self._step(act)
        return self

    def _step(self, act: Act) -> None:
        taint = self.taints[act.slot]
        if act.kind == "wait":
            return
        if act.kind == "escalate":
            self.taints[act.slot] = max(taint, act.level)
            if act.level <= self.ceiling and taint <= self.ceiling:
                self.store.operator().escalate(self.ids[act.slot], act.level)
            return
        if act.kind == "reset":
            # the end of a session is an act at its taint, the fresh start one at PUBLIC
            if taint <= self.ceiling:
                self.ids[act.slot] = self.store.operator().reset(self.ids[act.slot]).id
                self.taints[act.slot] = Level.PUBLIC
            else:
                self._start(act.slot)
            return
        if taint <= self.ceiling:
            self.answers.append((taint, self._answer(act)))

    def _answer(self, act: Act) -> str:
        session = self.store.session(self.ids[act.slot])
        memories = self.store.memories(session)
        try:
            if act.kind == "save":
                expiry = None if act.expires_in is None else self.clock.now + timedelta(seconds=act.expires_in)
                return repr(memories.save(act.key, " ".join(act.words), act.tags, expires_at=expiry))
            if act.kind == "delete":
                return repr(memories.delete(act.key))
            if act.kind == "get":
                return repr(memories.get(act.key))
            if act.kind == "search":
                return repr(memories.search(" ".join(act.words), 3))
            if act.kind == "list":
                return repr(memories.list(act.tags[0] if act.tags else None))
            if act.kind == "restore":
                # an act at the tombstone's level: below its own taint, a session restores nothing in these histories
                own = [one for one in memories.tombstones() if one.level == self.taints[act.slot]]
                return repr(self.store.operator().restore(session, own[0].ref)) if own else "nothing"
            return repr(memories.save("", "no key"))
        except TfmemError as error:
            return f"{error.code}: {error.message}"


def observe(store: Store, taint: Level) -> list[str]:
    """Everything that a viewer at ``taint`` can get out of a store, as text."""
    viewer = store.operator().viewer(taint)
    memories, audit = store.memories(viewer), store.audit(viewer)
    seen: list[object] = [memories.taint(), memories.list(), memories.totals(), memories.tags(), memories.count()]
    seen += [memories.list(tag) for tag in TAGS]
    seen += [memories.search(word, limit) for word in (*WORDS, "falcon copper", "x") for limit in (1, 100)]
    for word in (*WORDS, "har"):
        found = memories.find(word, prefix_last=True)
        seen += [found.places, found.scores, found.complete, memories.rows(found, 0, 100)]
    for order in Order:
        for descending in (True, False):
            page = memories.page(order, descending=descending, limit=3)
            seen += [page, [memories.position(cursor, order, descending=descending) for cursor in page.cursors]]
    seen += [memories.page(filters=Filters(tags=("x",))), memories.count(Filters(tags=("x", "rule")))]
    for key in KEYS:
        seen += [memories.get(key), memories.versions(key), memories.ladder(key)]
    seen += [memories.tombstones(), memories.change_token()]
    seen += [audit.events(limit=10_000), audit.count(), audit.heads(), audit.verify()]
    return [repr(one) for one in seen]
