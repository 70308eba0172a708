"""Export and import again: the same store, nothing above the taint, broken lines named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.histories import KEYS, TAGS, Act, Player, histories
from tests.support import HandClock, fresh_store, session_at, viewer_at
from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.importing import ImportCounts
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.exporting import export_lines, written_whole
from tfmem_tui.exchange.reading import Origin, add_all, kind_of, read_records

NASTY = [
    "---",
    "a\n---\nb",
    "- x",
    "'q'\"",
    "\u2028\u2029\x85",
    "\ufeff",
    "  lead",
    "trail  ",
    "\ttab",
    "\\u0041",
    "👩‍👩‍👧",
    "~",
    "null",
]


def bring_in(store: Store, path: Path, origin: Origin | None = None) -> tuple[ImportCounts, list[tuple[str, str]]]:
    skipped: list[tuple[str, str]] = []

    def skip(where: str, why: str) -> None:
        skipped.append((where, why))

    records = read_records(path, kind_of(path), origin, skip)
    return add_all(store.operator().importer(), records, skip), skipped


def export(store: Store, path: Path, taint: Level, *, history: bool = True) -> str:
    form = path.suffix[1:]
    text = "".join(export_lines(viewer_at(store, taint), "main", form, history=history))
    path.write_bytes(text.encode())
    return text


def seen(store: Store, taint: Level) -> list[object]:
    memories = viewer_at(store, taint)
    listed = [memories.list(), memories.tombstones(), memories.tags(), memories.totals()]
    by_key = [(memories.get(key), memories.versions(key), memories.ladder(key)) for key in KEYS]
    return [*listed, *by_key, *(memories.list(tag) for tag in TAGS)]


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
@given(history=histories, taint=st.sampled_from(ALL_LEVELS))
@settings(max_examples=25)
def test_an_export_with_history_comes_back_as_the_same_store(
    tmp_path_factory: pytest.TempPathFactory, form: str, history: list[Act], taint: Level
) -> None:
    path = tmp_path_factory.mktemp("export") / f"store.{form}"
    player = Player().play(history)
    export(player.store, path, taint)
    clock = HandClock()
    clock.now = player.clock.now
    copy = fresh_store(clock)
    _, skipped = bring_in(copy, path)
    assert skipped == []
    assert seen(copy, taint) == seen(player.store, taint)
    again, _ = bring_in(copy, path)
    assert (again.memories, again.events) == (0, 0)
    assert seen(copy, taint) == seen(player.store, taint)


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
def test_any_text_survives_an_export(tmp_path: Path, form: str) -> None:
    store = fresh_store()
    memories = session_at(store, Level.PUBLIC)
    for number, text in enumerate(NASTY):
        memories.save(
            f"k{number} {text}".replace("\n", "").replace("\t", "").replace("\x85", ""), text, ["t", f"#{number}"]
        )
    export(store, tmp_path / f"x.{form}", Level.PUBLIC, history=False)
    copy = fresh_store()
    counts, skipped = bring_in(copy, tmp_path / f"x.{form}")
    assert (counts.memories, skipped) == (len(NASTY), [])
    assert viewer_at(copy, Level.PUBLIC).list() == viewer_at(store, Level.PUBLIC).list()


@given(histories, st.sampled_from(ALL_LEVELS[:3]), st.sampled_from(["jsonl", "yaml", "md"]), st.booleans())
@settings(max_examples=40)
def test_g7_an_export_is_byte_for_byte_the_same_without_the_acts_above(
    history: list[Act], taint: Level, form: str, with_history: bool
) -> None:
    whole, below = Player().play(history), Player(ceiling=taint).play(history)
    texts = [
        "".join(export_lines(viewer_at(one.store, taint), "main", form, history=with_history)) for one in (whole, below)
    ]
    assert texts[0] == texts[1]


def test_a_broken_line_is_named_and_the_rest_goes_in(tmp_path: Path) -> None:
    store = fresh_store()
    for key in "abc":
        session_at(store, Level.PUBLIC).save(key, "text")
    path = tmp_path / "x.jsonl"
    lines = export(store, path, Level.PUBLIC, history=False).splitlines()
    broken = json.loads(lines[2]) | {"level": "SECRET"}
    path.write_text("\n".join([lines[0], lines[1], json.dumps(broken), "{", lines[3]]))
    copy = fresh_store()
    counts, skipped = bring_in(copy, path)
    assert counts.memories == 2
    assert [where for where, _ in skipped] == ["line 3", "line 4"]


def test_a_broken_yaml_document_is_lost_alone(tmp_path: Path) -> None:
    store = fresh_store()
    for key in "ab":
        session_at(store, Level.PUBLIC).save(key, "text")
    path = tmp_path / "x.yaml"
    text = export(store, path, Level.PUBLIC, history=False)
    path.write_text(text + "---\n{ broken\n---\ntype: memory\n")
    counts, skipped = bring_in(fresh_store(), path)
    assert counts.memories == 2
    assert len(skipped) == 2


def test_the_reference_servers_file_comes_in_at_the_level_that_the_operator_names(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    entity = {"type": "entity", "name": "Sam", "entityType": "person", "observations": ["likes tea", "lives in Porto"]}
    relation = {"type": "relation", "from": "Sam", "relationType": "works on", "to": "Acme"}
    path.write_text("\n".join(json.dumps(one) for one in (entity, relation, {"type": "entity"})))
    with pytest.raises(InvalidInput, match="--level"):
        bring_in(fresh_store(), path)
    store = fresh_store()
    counts, skipped = bring_in(store, path, Origin(Level.INTERNAL, "mcp"))
    assert (counts.memories, len(skipped)) == (2, 1)
    found = viewer_at(store, Level.INTERNAL).get("Sam")
    assert found is not None
    assert (found.content, found.tags, found.level) == ("likes tea\nlives in Porto", ("person",), Level.INTERNAL)
    assert viewer_at(store, Level.PUBLIC).count() == 0


def test_a_folder_of_notes_comes_in_with_its_front_matter(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "a.md").write_text("---\nkey: user-name\ntags: [persona]\n---\n\nSam, with an é.\n")
    (notes / "deep" / "b.md").write_text("No front matter.")
    (notes / "c.md").write_bytes(b"\xff\xfe")
    store = fresh_store()
    counts, skipped = bring_in(store, notes, Origin(Level.PUBLIC, "notes"))
    assert (counts.memories, [where for where, _ in skipped]) == (2, ["c.md"])
    rows = {row.key: (row.content, row.tags) for row in viewer_at(store, Level.PUBLIC).list().memories}
    assert rows == {"user-name": ("Sam, with an é.", ("persona",)), "deep/b": ("No front matter.", ())}


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "x.jsonl"
    target.write_text("before")

    def fail_midway() -> None:
        with written_whole(target) as file:
            file.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_midway()
    assert target.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["x.jsonl"]
    with written_whole(target) as file:
        file.write("whole")
    assert target.read_text() == "whole"
    assert target.stat().st_mode & 0o777 == 0o600
