"""Fixtures of the exchange tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.exchange.import_bench import Bench
from tests.exchange.triggerfish_file import TriggerfishFile


@pytest.fixture
def file(tmp_path: Path) -> Iterator[TriggerfishFile]:
    made = TriggerfishFile(tmp_path / "triggerfish.db")
    yield made
    made.connection.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "home", TriggerfishFile(tmp_path / "triggerfish.db"))
    yield made
    made.source.connection.close()
