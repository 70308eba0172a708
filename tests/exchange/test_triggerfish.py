"""Reading a Triggerfish database: what its rows become."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.exchange.triggerfish_file import SESSION, T0, T1, T2, T3, TriggerfishFile, events, memories
from tfmem_tui.core.importing import ImportedEvent, ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.exchange.triggerfish import OtherRow, count_rows, read_triggerfish

EIGHT, NINE, TEN = (datetime(2026, 3, 1, hour, tzinfo=UTC) for hour in (8, 9, 10))


def test_a_memory_comes_with_every_field_and_its_own_times(file: TriggerfishFile) -> None:
    file.memory(
        key="colour",
        classification="CONFIDENTIAL",
        content="dark teal 🐟",
        tags=["a,b", "a,b", "🐟"],
        createdAt="2026-03-01T08:00:00.123Z",
        updatedAt=T1,
        expiresAt="2099-01-01T00:00:00.000Z",
    )

    assert memories(file.rest()) == [
        (
            "main-session",
            ImportedMemory(
                key="colour",
                level=Level.CONFIDENTIAL,
                content="dark teal 🐟",
                tags=("a,b", "a,b", "🐟"),
                created_at=datetime(2026, 3, 1, 8, 0, 0, 123000, tzinfo=UTC),
                saved_at=NINE,
                saved_by=SESSION,
                expires_at=datetime(2099, 1, 1, tzinfo=UTC),
                deleted_at=None,
            ),
        )
    ]


@pytest.mark.parametrize("agent", ["a:b", "a/b:c", "100%", "john_doe", "Übung", "x:PUBLIC:y"])
@pytest.mark.parametrize("key", ["trigger:run", "a/b:c", "100%_sure", "key with spaces/and:colons", "PUBLIC:x"])
def test_agents_and_keys_are_taken_from_the_json_whatever_they_hold(
    file: TriggerfishFile, agent: str, key: str
) -> None:
    file.memory(agentId=agent, key=key)

    [(found, memory)] = memories(file.rest())

    assert (found, memory.key) == (agent, key)


def test_an_expired_record_is_a_soft_delete_at_its_last_update(file: TriggerfishFile) -> None:
    file.memory(expired=True, createdAt=T0, updatedAt=T2)

    [(_, memory)] = memories(file.rest())

    assert (memory.deleted_at, memory.saved_at, memory.created_at) == (TEN, EIGHT, EIGHT)


def test_a_soft_deleted_record_was_saved_when_its_lineage_says(file: TriggerfishFile) -> None:
    ident = file.lineage(at=T1)
    file.memory(expired=True, createdAt=T0, updatedAt=T2, lineageId=ident)

    [(_, memory)] = memories(file.rest())

    assert memory.saved_at == NINE


@pytest.mark.parametrize(
    "other",
    [{"level": "RESTRICTED"}, {"key": "other"}, {"method": "memory_get"}, {"at": T3}, {"at": "soon"}],
    ids=["of a higher level", "of another key", "of a read", "after the delete", "unreadable"],
)
def test_a_lineage_row_that_proves_nothing_leaves_the_creation_as_time_of_the_save(
    file: TriggerfishFile, other: dict[str, str]
) -> None:
    ident = file.lineage(**{"at": T1, **other})
    file.memory(expired=True, createdAt=T0, updatedAt=T2, lineageId=ident)

    [(_, memory)] = memories(file.rest())

    assert memory.saved_at == EIGHT


def test_an_act_of_the_memory_tools_becomes_an_event_of_the_agent_that_acted(file: TriggerfishFile) -> None:
    ident = file.lineage(agent="cron:1", level="INTERNAL", at=T1, key="a:b")

    [(agent, event)] = events(file.rest())

    assert agent == "cron:1"
    assert event == ImportedEvent(
        source_id=ident,
        level=Level.INTERNAL,
        at=NINE,
        session=SESSION,
        user="cron:1",
        action="memory_save",
        key="a:b",
        detail={"imported": "Triggerfish"},
    )


def test_what_was_searched_for_is_detail_and_no_key(file: TriggerfishFile) -> None:
    file.lineage(method="memory_search", key="kestrel\nship date", reason="Memory read: kestrel")

    [(_, event)] = events(file.rest())

    assert event.key is None
    assert event.detail["query"] == "kestrel\nship date"


def test_the_text_kept_in_a_lineage_row_does_not_enter_the_audit(file: TriggerfishFile) -> None:
    file.lineage()

    [(_, event)] = events(file.rest())

    assert "the stored text" not in repr(event)


DISPATCHED = {"key": "memory_list", "method": "memory_list", "reason": "Tool call: memory_list", "agent": "owner"}


def test_a_call_recorded_under_a_user_goes_to_the_one_agent_of_its_session(file: TriggerfishFile) -> None:
    file.memory(agentId="cron", sourceSessionId="of-cron")
    file.lineage(**DISPATCHED, session="of-cron")

    [(agent, event)] = events(file.rest())

    assert (agent, event.user, event.key) == ("cron", "owner", None)


@pytest.mark.parametrize("others", [[], ["cron", "main-session"]], ids=["no agent", "two agents"])
def test_a_call_whose_session_names_no_single_agent_goes_to_the_owners_agent(
    file: TriggerfishFile, others: list[str]
) -> None:
    for agent in others:
        file.memory(agentId=agent)
    file.lineage(**DISPATCHED)

    [(agent, _)] = events(file.rest())

    assert agent == "main-session"


def test_lineage_of_other_tools_is_left_aside_and_is_no_fault(file: TriggerfishFile) -> None:
    file.lineage(source_type="web_request", method="web_fetch", key="web_fetch", reason="Tool call: web_fetch")

    [item] = read_triggerfish(file.rest())

    assert isinstance(item, OtherRow)


def test_rows_of_other_kinds_and_lineage_indexes_are_not_read(file: TriggerfishFile) -> None:
    file.raw("session:main", "{}")
    file.raw("memoryx", "{}")
    file.raw("memory", "{}")
    file.lineage()
    file.memory()
    path = file.rest()

    assert len(list(read_triggerfish(path))) == count_rows(path) == 2
