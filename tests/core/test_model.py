"""The engine against a model of ten lines, written from the rules G2 to G5 and nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.core.histories import KEYS, TAGS, WORDS, levels, tags
from tests.support import HandClock, fresh_store, viewer_at
from tfmem_tui.core.errors import NotFound
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.records import Filters, Status

Entry = tuple[datetime, str, tuple[str, ...], datetime | None]


class Model:
    """Live versions by (level, key); the tombstones; nothing else is needed to say what a session gets."""

    def __init__(self) -> None:
        self.live: dict[tuple[Level, str], Entry] = {}
        self.tombstones: list[tuple[Level, str, str]] = []

    def effective(self, taint: Level, now: datetime) -> dict[str, tuple[Level, Entry]]:
        result: dict[str, tuple[Level, Entry]] = {}
        for (level, key), entry in sorted(self.live.items()):
            if level <= taint and (entry[3] is None or entry[3] > now):
                result[key] = (level, entry)
        return result


class Gate(RuleBasedStateMachine):
    """Saves, deletes, escalations, resets and expiries by three sessions over several keys, tags and levels."""

    @initialize()
    def start(self) -> None:
        self.clock = HandClock()
        self.store = fresh_store(self.clock)
        self.operator = self.store.operator()
        self.sessions = [self.operator.start(Level.PUBLIC) for _ in range(3)]
        self.taints = [Level.PUBLIC] * 3
        self.model = Model()

    @rule(
        slot=st.integers(0, 2),
        key=st.sampled_from(KEYS),
        words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
        labels=tags,
        lifetime=st.one_of(st.none(), st.none(), st.integers(1, 6)),
    )
    def save(self, slot: int, key: str, words: list[str], labels: tuple[str, ...], lifetime: int | None) -> None:
        self.clock.tick()
        expiry = None if lifetime is None else self.clock.now + timedelta(seconds=lifetime)
        saved = self.store.memories(self.sessions[slot]).save(key, " ".join(words), labels, expires_at=expiry)
        assert saved.level == self.taints[slot]  # G1
        self.model.live[self.taints[slot], key] = (self.clock.now, " ".join(words), labels, expiry)

    @rule(slot=st.integers(0, 2), key=st.sampled_from(KEYS))
    def delete(self, slot: int, key: str) -> None:
        self.clock.tick()
        entry = self.model.live.get((self.taints[slot], key))
        alive = entry is not None and (entry[3] is None or entry[3] > self.clock.now)
        try:
            self.store.memories(self.sessions[slot]).delete(key)
            assert alive  # G4
        except NotFound:
            assert not alive
        if entry is not None and alive:
            self.model.tombstones.append((self.taints[slot], key, entry[1]))
            del self.model.live[self.taints[slot], key]

    @rule(slot=st.integers(0, 2), level=levels)
    def escalate(self, slot: int, level: Level) -> None:
        self.operator.escalate(self.sessions[slot].id, level)
        self.taints[slot] = max(self.taints[slot], level)

    @rule(slot=st.integers(0, 2))
    def reset(self, slot: int) -> None:
        self.sessions[slot] = self.operator.reset(self.sessions[slot].id)
        self.taints[slot] = Level.PUBLIC

    @rule(seconds=st.integers(1, 4))
    def wait(self, seconds: int) -> None:
        self.clock.tick(seconds)

    @invariant()
    def g2_g3_every_read_path_gives_the_effective_memories(self) -> None:
        for taint in ALL_LEVELS:
            memories = viewer_at(self.store, taint)
            effective = self.model.effective(taint, self.clock.now)
            newest_first = sorted(effective, key=lambda key: (-effective[key][1][0].timestamp(), key))
            assert [row.key for row in memories.list().memories] == newest_first
            assert [row.key for row in memories.page().rows] == newest_first
            assert memories.totals().effective == memories.count() == len(effective)
            for key in KEYS:
                got = memories.get(key)
                expected = effective.get(key)
                assert (got and (got.level, got.content)) == (expected and (expected[0], expected[1][1]))
            for tag in TAGS:
                tagged = [key for key in newest_first if tag in effective[key][1][2]]
                assert [row.key for row in memories.list(tag).memories] == tagged
                assert memories.count(Filters(tags=(tag,))) == len(tagged)
                assert {one.tag: one.count for one in memories.tags()}.get(tag, 0) == len(tagged)
            for word in WORDS:
                holds = {key for key in effective if word in effective[key][1][1].split()}
                assert {row.key for row in memories.search(word, 100).memories} == holds

    @invariant()
    def g5_no_tombstone_is_ever_lost_or_changed(self) -> None:
        kept = [(one.level, one.key, one.content) for one in viewer_at(self.store, Level.RESTRICTED).tombstones()]
        assert sorted(kept) == sorted(self.model.tombstones)

    @invariant()
    def the_ladder_agrees_with_what_a_session_gets(self) -> None:
        for taint in ALL_LEVELS:
            memories = viewer_at(self.store, taint)
            for key in KEYS:
                ladder = memories.ladder(key)
                assert ladder.effective == memories.effective(key)
                assert [rung.level for rung in ladder.rungs] == [x for x in reversed(ALL_LEVELS) if x <= taint]
                assert sum(rung.status is Status.EFFECTIVE for rung in ladder.rungs) == (ladder.effective is not None)


Gate.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestGate = Gate.TestCase
