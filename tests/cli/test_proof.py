"""``tfmem audit verify --since`` and ``tfmem purge --searches``: what was kept elsewhere tells, and texts can go."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.cli.test_commands import Run, answer, run, save

__all__ = ["run"]


def test_heads_that_were_kept_find_a_tail_that_is_gone(run: Run, tmp_path: Path) -> None:
    save(run, "k", "falcon", "INTERNAL")
    kept = tmp_path / "heads.jsonl"
    kept.write_text(run("audit", "head", "--json", "--taint", "INTERNAL").stdout)
    assert run("audit", "verify", "--since", str(kept), "--taint", "INTERNAL").returncode == 0
    head = answer(run("audit", "head", "--json", "--taint", "INTERNAL"))[1]
    (file,) = (tmp_path / "home" / "agents").glob("*.db")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM audit_event WHERE level = 2 AND seq = 2")
        connection.execute("DELETE FROM memory WHERE level = 2")
    assert run("audit", "verify", "--taint", "INTERNAL").returncode == 0
    cut = run("audit", "verify", "--since", str(kept), "--taint", "INTERNAL")
    assert cut.returncode == 1
    assert "ends before event 2" in cut.stdout
    by_text = f"INTERNAL:{head['seq']}:{head['hash']}"
    assert run("audit", "verify", "--since", by_text, "--taint", "INTERNAL").returncode == 1
    assert run("audit", "verify", "--since", by_text).returncode == 0  # of a level above, nothing is told
    for bad in ("INTERNAL:x:y", "SECRET:1:" + "0" * 64, str(tmp_path / "none.jsonl"), str(file)):
        assert run("audit", "verify", "--since", bad).returncode == 2


def test_old_search_texts_are_purged_from_the_audit(run: Run) -> None:
    run("call", "memory_search", '{"query": "xylophone"}')
    assert answer(run("purge", "--older-than", "0s", "--searches", "--dry-run", "--json")) == {"PUBLIC": 1}
    assert run("purge", "--older-than", "0s", "--searches").returncode == 2  # no terminal to ask on, and no --yes
    done = run("purge", "--older-than", "0s", "--searches", "--yes", "--json")
    assert answer(done) == {"purged": 1, "wiped": True}
    assert "xylophone" not in run("audit", "list", "--json").stdout
    assert run("audit", "verify", "--taint", "RESTRICTED").returncode == 0
