"""Faults that Triggerfish's own store was found to have, each shown to be absent here."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import HandClock, fresh_store, session_at, viewer_at
from tfmem_tui.core.errors import NotFound
from tfmem_tui.core.home import agent_path
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Filters
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]


def test_g3_a_tag_filter_never_brings_up_a_shadowed_version() -> None:
    store = fresh_store()
    session_at(store, Level.PUBLIC).save("plan", "stale", ["project"])
    upper = session_at(store, Level.INTERNAL)
    upper.save("plan", "current", ["other"])
    assert upper.list("project").memories == ()
    assert upper.page(filters=Filters(tags=("project",))).rows == ()
    assert {one.tag for one in upper.tags()} == {"other"}


def test_g3_a_search_never_brings_up_a_shadowed_version() -> None:
    store = fresh_store()
    session_at(store, Level.PUBLIC).save("plan", "the falcon flies")
    upper = session_at(store, Level.INTERNAL)
    upper.save("plan", "nothing of the kind")
    assert upper.search("falcon").memories == ()
    assert len(upper.find("falcon")) == 0


@pytest.mark.parametrize("max_results", [3, 10])
def test_g2_the_limit_counts_only_what_the_gate_lets_through(max_results: int) -> None:
    store = fresh_store()
    restricted, public = session_at(store, Level.RESTRICTED), session_at(store, Level.PUBLIC)
    for number in range(40):
        restricted.save(f"secret-{number:02}", "falcon falcon falcon")
    for number in range(12):
        public.save(f"note-{number:02}", "a falcon among many other words")
    assert len(public.search("falcon", max_results).memories) == max_results
    assert len(public.search("falcon", 100).memories) == 12


def test_g2_hidden_memories_do_not_change_the_rank_of_visible_ones() -> None:
    def order(with_secrets: bool) -> list[str]:
        store = fresh_store()
        public = session_at(store, Level.PUBLIC)
        public.save("a", "falcon harbor harbor")
        public.save("b", "falcon violet")
        public.save("c", "violet harbor meadow")
        if with_secrets:
            restricted = session_at(store, Level.RESTRICTED)
            for number in range(60):
                restricted.save(f"s{number}", "violet")
        return [row.key for row in public.search("falcon violet harbor").memories]

    assert order(with_secrets=False) == order(with_secrets=True)


@pytest.mark.parametrize("level", [Level.PUBLIC, Level.RESTRICTED])
def test_a_memory_is_not_found_by_the_name_of_its_level(level: Level) -> None:
    store = fresh_store()
    memories = session_at(store, level)
    memories.save("note", "the ferry leaves at noon", ["ferry"])
    for word in ("public", "restricted", "internal", "PUBLIC", "classification"):
        assert memories.search(word, 100).memories == ()


def test_g5_saving_again_after_a_delete_keeps_the_tombstone() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    public = session_at(store, Level.PUBLIC)
    first = public.save("note", "first life")
    clock.tick()
    public.delete("note")
    clock.tick()
    second = public.save("note", "second life")
    assert [one.content for one in public.tombstones()] == ["first life"]
    assert second.created_at == first.created_at
    assert [one.content for one in public.versions("note")] == ["second life", "first life"]


def test_g4_a_second_delete_is_not_found() -> None:
    public = session_at(fresh_store(), Level.PUBLIC)
    public.save("note", "text")
    public.delete("note")
    with pytest.raises(NotFound):
        public.delete("note")


def test_g4_above_never_and_already_deleted_get_one_answer_and_leave_one_event() -> None:
    store = fresh_store()
    session_at(store, Level.RESTRICTED).save("above", "text")
    public = session_at(store, Level.PUBLIC)
    public.save("gone", "text")
    public.delete("gone")
    answers = set()
    for key in ("above", "never", "gone"):
        with pytest.raises(NotFound) as caught:
            public.delete(key)
        answers.add((caught.value.code, caught.value.message))
    assert len(answers) == 1
    events = store.audit(store.operator().viewer(Level.PUBLIC)).events(limit=3)
    assert len({(event.action, event.outcome, str(event.detail), event.content_hash) for event in events}) == 1


def test_g4_a_version_below_is_not_deleted_by_a_higher_session() -> None:
    store = fresh_store()
    session_at(store, Level.PUBLIC).save("note", "text")
    with pytest.raises(NotFound, match="PUBLIC"):
        session_at(store, Level.INTERNAL).delete("note")
    assert viewer_at(store, Level.INTERNAL).get("note") is not None


@pytest.mark.parametrize("key", ["a:b", "PUBLIC:x", "100%", "under_score", "a/b:c", "%", "_", "*", "key with spaces"])
def test_keys_with_separators_and_wildcards_are_kept_apart(key: str) -> None:
    public = session_at(fresh_store(), Level.PUBLIC)
    public.save(key, "the one")
    public.save(key + "x", "another")
    found = public.get(key)
    assert found is not None
    assert found.content == "the one"
    public.delete(key)
    assert public.get(key + "x") is not None


def test_g8_agents_whose_names_look_alike_have_files_of_their_own(tmp_path: Path) -> None:
    names = ["john_doe", "john-doe", "John_Doe", "%", "a/b:c", "a/b", "a%2fb", "..", "Ünal", "ünal", "con"]
    paths = {str(agent_path(tmp_path, name)).lower() for name in names}
    assert len(paths) == len(names)
    for name in names:
        with Store.open(agent_path(tmp_path, name), agent=name) as store:
            session_at(store, Level.PUBLIC).save("me", name)
    for name in names:
        with Store.open(agent_path(tmp_path, name), agent=name, create=False) as store:
            assert [row.content for row in viewer_at(store, Level.RESTRICTED).list().memories] == [name]


def test_expiry_is_enforced_on_every_read_and_uncovers_the_lower_version() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    session_at(store, Level.PUBLIC).save("code", "lower falcon", ["old"])
    upper = session_at(store, Level.INTERNAL)
    upper.save("code", "upper harbor", ["new"], expires_at=clock.now + timedelta(seconds=10))
    clock.tick(9)
    assert [row.content for row in upper.list().memories] == ["upper harbor"]
    clock.tick(1)
    got = upper.get("code")
    assert got is not None
    assert got.content == "lower falcon"
    assert [row.content for row in upper.list("old").memories] == ["lower falcon"]
    assert upper.list("new").memories == ()
    assert upper.search("harbor").memories == ()
    assert [row.content for row in upper.search("falcon").memories] == ["lower falcon"]
    assert upper.totals().effective == 1
    assert {one.tag for one in upper.tags()} == {"old"}
    with pytest.raises(NotFound):
        upper.delete("code")


def test_a_screen_is_told_when_something_it_shows_runs_out() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    session_at(store, Level.PUBLIC).save("code", "falcon", expires_at=clock.now + timedelta(seconds=10))
    session_at(store, Level.RESTRICTED).save("other", "falcon", expires_at=clock.now + timedelta(seconds=5))
    public = viewer_at(store, Level.PUBLIC)
    token = public.change_token()
    clock.tick(9)
    assert public.change_token() == token
    clock.tick(1)
    assert public.change_token() != token


KILLED_IN_A_DELETE = """
import os, signal, sys
from pathlib import Path
from tfmem_tui.core import memory
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

store = Store.open(Path(sys.argv[1]))
repository = store.memories(store.operator().start(Level.PUBLIC))
memory.append = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # the last write of the act never comes
getattr(repository, sys.argv[2])(*sys.argv[3:])
"""


@pytest.mark.parametrize("act", [("delete", "note"), ("save", "note", "violet")])
def test_g9_a_kill_in_the_midst_of_an_act_leaves_nothing_of_it(tmp_path: Path, act: tuple[str, ...]) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        session_at(store, Level.PUBLIC).save("note", "falcon", ["bird"])
    child = subprocess.run([sys.executable, "-c", KILLED_IN_A_DELETE, str(path), *act], cwd=ROOT, check=False)
    assert child.returncode == -signal.SIGKILL
    with Store.open(path, create=False) as store:
        public = viewer_at(store, Level.PUBLIC)
        assert [row.content for row in public.search("falcon").memories] == ["falcon"]
        assert public.search("violet").memories == ()
        assert [row.key for row in public.list("bird").memories] == ["note"]
        assert all(report.ok for report in store.audit(store.operator().viewer(Level.RESTRICTED)).verify())


RAISED_ELSEWHERE = """
import sys
from pathlib import Path
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

Store.open(Path(sys.argv[1])).operator().escalate(sys.argv[2], Level.CONFIDENTIAL)
"""


def test_g6_a_session_raised_in_another_process_writes_at_the_new_level_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        session = store.operator().start(Level.INTERNAL)
        memories = store.memories(session)
        assert memories.save("before", "text").level is Level.INTERNAL
        subprocess.run([sys.executable, "-c", RAISED_ELSEWHERE, str(path), session.id], cwd=ROOT, check=True)
        assert memories.save("after", "text").level is Level.CONFIDENTIAL
        assert memories.taint() is Level.CONFIDENTIAL


def test_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = agent_path(tmp_path / "home", "main")
    with Store.open(path) as store:
        session_at(store, Level.PUBLIC).save("note", "text")
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}, modes
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.name in modes
