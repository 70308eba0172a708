"""Records that cannot be read: named with a reason, skipped, and no harm to the others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.exchange.triggerfish_file import OMIT, TriggerfishFile, memories, memory_json, skipped
from tfmem_tui.exchange.triggerfish_records import SkippedRecord

BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "missing content": ({"content": OMIT}, "content is missing"),
    "null content": ({"content": None}, "content is missing"),
    "content no text": ({"content": 7}, "content is not text"),
    "lone surrogate in content": ({"content": "\ud83d"}, "content holds a lone surrogate"),
    "NUL in content": ({"content": "a\0b"}, "content holds a NUL character"),
    "too much content": ({"content": "x" * (1024 * 1024 + 1)}, "content is too long"),
    "blank key": ({"key": "  "}, "key is empty or blank"),
    "too long key": ({"key": "k" * 257}, "key is too long"),
    "control character in key": ({"key": "a\nb"}, "key holds a control character"),
    "lone surrogate in key": ({"key": "\udc00"}, "key holds a lone surrogate"),
    "tags no list": ({"tags": "persona"}, "tags must be a list"),
    "tag no text": ({"tags": ["a", 1]}, "a tag must be text"),
    "too many tags": ({"tags": [str(n) for n in range(33)]}, "too many tags"),
    "too long tag": ({"tags": ["t" * 65]}, "a tag is too long"),
    "missing tags": ({"tags": OMIT}, "tags is missing"),
    "unknown level": ({"classification": "SECRET"}, "classification is not a level"),
    "level in small letters": ({"classification": "public"}, "classification is not a level"),
    "bad time": ({"updatedAt": "yesterday"}, "updatedAt is not a time"),
    "time without zone": ({"updatedAt": "2026-03-01T08:00:00"}, "updatedAt has no time zone"),
    "time as number": ({"createdAt": 1772352000}, "createdAt is not text"),
    "time beyond the calendar": ({"createdAt": "9999-12-31T23:59:59-12:00"}, "createdAt is not a time"),
    "bad expiry": ({"expiresAt": "never"}, "expiresAt is not a time"),
    "expired no flag": ({"expired": 1}, "expired is neither true nor false"),
    "blank agent": ({"agentId": " "}, "the agent's name is empty"),
    "agent no text": ({"agentId": ["a"]}, "agentId is not text"),
    "too long agent": ({"agentId": "a" * 300}, "the agent's name is too long"),
    "missing session": ({"sourceSessionId": OMIT}, "sourceSessionId is missing"),
    "escape in session": ({"sourceSessionId": "\x1b[2J"}, "sourceSessionId holds a control character"),
    "lineage id no text": ({"lineageId": 5}, "lineageId is not text"),
}


@pytest.mark.parametrize(("fields", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_record_is_named_with_its_reason_and_the_others_are_read(
    file: TriggerfishFile, fields: dict[str, Any], reason: str
) -> None:
    record = memory_json(**fields)
    agent, level = record["agentId"], record["classification"]
    file.raw(f"memory:{agent}:{level}:broken", json.dumps(record))
    file.memory(agentId="main-session", key="whole")
    path = file.rest()

    [refused] = skipped(path)

    assert refused.row.startswith(f"memory:{agent}:{level}"[:50])
    assert reason in refused.reason
    assert [memory.key for _, memory in memories(path)] == ["whole"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("{not json", "the value is not JSON"),
        ("[" * 100_000, "the value is not JSON"),
        ("[1, 2]", "the value is not a JSON object"),
        (b"\xff\xfe{}", "the value is not UTF-8 text"),
        (12, "the value is not a JSON object"),
        ("", "the value is not JSON"),
    ],
    ids=["no JSON", "deeply nested", "a list", "no UTF-8", "a number", "empty"],
)
def test_a_value_that_is_no_json_object_is_named(file: TriggerfishFile, value: object, reason: str) -> None:
    file.raw("memory:main-session:PUBLIC:x", value)

    [refused] = skipped(file.rest())

    assert refused == SkippedRecord("memory:main-session:PUBLIC:x", reason)


def test_a_text_value_that_is_no_utf_8_does_not_end_the_read(file: TriggerfishFile) -> None:
    file.connection.execute("INSERT INTO kv VALUES ('memory:main-session:PUBLIC:a', CAST(x'7b22ff227d' AS TEXT))")
    file.memory(key="whole")
    path = file.rest()

    assert [refused.reason for refused in skipped(path)] == ["the value is not UTF-8 text"]
    assert [memory.key for _, memory in memories(path)] == ["whole"]


def test_a_value_far_beyond_any_memory_is_named_without_being_loaded(file: TriggerfishFile) -> None:
    file.connection.execute("INSERT INTO kv VALUES ('memory:main-session:PUBLIC:big', printf('%.*c', 17000000, 'x'))")

    [refused] = skipped(file.rest())

    assert refused.reason.startswith("the value is longer than")


@pytest.mark.parametrize(
    "fields",
    [{"classification": "PUBLIC"}, {"classification": "RESTRICTED", "agentId": "other"}],
    ids=["a forged level", "another agent"],
)
def test_a_value_that_contradicts_its_row_key_does_not_slip_in(file: TriggerfishFile, fields: dict[str, str]) -> None:
    file.memory("memory:main-session:RESTRICTED:plans", **{"key": "plans", **fields})

    [refused] = skipped(file.rest())

    assert refused.row == "memory:main-session:RESTRICTED:plans"
    assert refused.reason == "agentId and classification contradict the row key"


def test_the_row_key_of_a_refused_record_is_safe_for_a_terminal(file: TriggerfishFile) -> None:
    file.raw("memory:main-session:PUBLIC:\x1b]0;owned\x07\u202e" + "x" * 500, "{")

    [refused] = skipped(file.rest())

    assert refused.row.isprintable()
    assert len(refused.row) < 160


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda row: row.update(sessionId=None), "sessionId is missing"),
        (lambda row: row["origin"].update(accessed_at="then"), "origin.accessed_at is not a time"),
        (lambda row: row["classification"].update(level="TOP"), "classification.level is not a level"),
        (lambda row: row["origin"].update(accessed_by="a\x00"), "origin.accessed_by holds a NUL character"),
        (lambda row: row["origin"].update(source_name=""), "key is empty or blank"),
        (lambda row: row.update(origin="memory_save"), "origin is not an object"),
        (lambda row: row.update(lineage_id="another"), "lineage_id contradicts the row key"),
    ],
)
def test_a_broken_lineage_row_is_named_with_its_reason(file: TriggerfishFile, change: Any, reason: str) -> None:
    ident = file.lineage()
    row = json.loads(file.connection.execute("SELECT value FROM kv WHERE key = ?", (f"lineage:{ident}",)).fetchone()[0])
    change(row)
    file.raw(f"lineage:{ident}", json.dumps(row))

    [refused] = skipped(file.rest())

    assert refused == SkippedRecord(f"lineage:{ident}", reason)


def test_reasons_never_repeat_stored_text(file: TriggerfishFile) -> None:
    hidden = "the-hidden-word"
    for number, fields in enumerate(
        [{"updatedAt": hidden}, {"content": f"{hidden}\0"}, {"tags": [hidden * 9]}, {"sourceSessionId": f"{hidden}\n"}]
    ):
        file.raw(f"memory:main-session:PUBLIC:{number}", json.dumps(memory_json(**fields)))

    refused = skipped(file.rest())

    assert len(refused) == 4
    assert hidden not in repr(refused)
