"""Hostile tool arguments: all that a model, or whoever speaks for one, might send to get past the gate."""

from __future__ import annotations

from typing import Any

Call = tuple[str, Any]
SECRET = "zirconium"  # stands in memories above every session that these are played to

LEVEL_NAMES = """
classification level taint clearance Level LEVEL classification_level classificationLevel sensitivity
min_level max_level as_level role scope session session_id sessionId agent agent_id agentId user sudo admin
__class__ __proto__ constructor _level level_ key.level
""".split()  # noqa: SIM905
LEVEL_NAMES += ["level ", "ｌｅｖｅｌ", "clаssification", "level\u200b", "\u202elevel", "le\u0301vel", "level\x00", ""]
LEVEL_VALUES: list[Any] = ["RESTRICTED", "PUBLIC", 4, {"level": "RESTRICTED"}, ["RESTRICTED"], None, True]

STORED_KEYS = (
    r"""
memory:main:RESTRICTED:k|memory:other-agent:PUBLIC:k|RESTRICTED:k|4:k|k@RESTRICTED|../k|agents/other.db|file:k?mode=rw
k' OR '1'='1|k"; DROP TABLE memory; --|k' UNION SELECT content FROM memory --|%|_|*|?|[k]|K|ｋ|к
k |memory_fts_restricted|rowid|NULL|null|undefined|${k}|{{k}}|$(k)|`k`|\k|k\|-k|--level=RESTRICTED
""".strip()
    .replace("\n", "|")
    .split("|")
)
STORED_KEYS += ["k\u200b", "k\u0301", "\u202ek"]

QUERIES = (
    f'"|"k" OR {SECRET}|content:{SECRET}|key:k|level:4|classification:RESTRICTED|*|{SECRET[:4]}*|^{SECRET}'
    f"|{{content}} : {SECRET}|{SECRET} AND k|{SECRET} NOT k|NEAR({SECRET} k, 5)|(((|)))|tag:secret|-{SECRET}"
    f'|x" OR "{SECRET}|{SECRET}\' --|{SECRET}; SELECT * FROM memory|memory_fts_restricted|rank'
    f"|bm25(memory)|{SECRET} + k|ｚｉｒｃｏｎｉｕｍ|{SECRET}\u200b|z\u0336irconium|"
    + "(" * 500
    + "|"
    + "a OR " * 3_000
    + "a"
).split("|")

WRONG: list[Any] = [7, -1, 1.5, True, [], {}, [[]], {"$ne": None}, {"key": "k"}, ["k", "k"], "", " ", "\x00", "\ud800"]
NUMBERS: list[Any] = [0, -1, 101, 10**30, -(10**30), 1e308, float("inf"), float("nan"), "10", "10 OR 1=1", [10], None]


def _deep(depth: int) -> Any:
    made: Any = "RESTRICTED"
    for number in range(depth):
        made = {"level": made} if number % 2 else [made]
    return made


def _forced() -> list[Call]:
    calls: list[Call] = []
    for number, name in enumerate(LEVEL_NAMES):
        value = LEVEL_VALUES[number % len(LEVEL_VALUES)]
        calls.append(("memory_save", {"key": f"new-{number}", "content": "text", name: value}))
        calls.append(("memory_get", {"key": "k", name: value}))
        calls.append(("memory_search", {"query": SECRET, name: value}))
        calls.append(("memory_list", {name: value}))
        calls.append(("memory_delete", {"key": "k", name: value}))
    calls += [("memory_save", {"key": "n", "content": "t", "tags": ["RESTRICTED", "level:4", "classification=4"]})]
    calls += [("memory_save", {"key": "n", "content": {"text": "t", "level": "RESTRICTED"}})]
    calls += [("memory_save", {"key": {"key": "k", "level": "RESTRICTED"}, "content": "t"})]
    calls += [("memory_save", dict.fromkeys(LEVEL_NAMES, "RESTRICTED") | {"key": "n", "content": "t"})]
    return calls


def _confused() -> list[Call]:
    calls: list[Call] = [("memory_search", {"query": SECRET, "max_results": number}) for number in NUMBERS]
    for value in WRONG:
        calls.append(("memory_save", {"key": value, "content": "text"}))
        calls.append(("memory_save", {"key": "n", "content": value}))
        calls.append(("memory_save", {"key": "n", "content": "text", "tags": value}))
        calls.append(("memory_get", {"key": value}))
        calls.append(("memory_search", {"query": value}))
        calls.append(("memory_list", {"tag": value}))
        calls.append(("memory_list", {"cursor": value}))
        calls.append(("memory_delete", {"key": value}))
        calls.append(("memory_get", value))
    calls += [(name, {}) for name in ("memory_save", "memory_get", "memory_search", "memory_delete")]
    calls += [
        (name, {"key": "k"}) for name in ("memory_purge", "memory_save\u200b", "MEMORY_GET", "", "export", "k" * 999)
    ]
    return calls


def _keys_and_queries() -> list[Call]:
    calls: list[Call] = [("memory_search", {"query": query, "max_results": 100}) for query in QUERIES]
    for key in STORED_KEYS:
        calls += [("memory_get", {"key": key}), ("memory_delete", {"key": key})]
        calls += [("memory_save", {"key": key, "content": "text"}), ("memory_list", {"tag": key})]
    return calls


def _huge() -> list[Call]:
    return [
        ("memory_save", {"key": "k" * 1_000_000, "content": "t"}),
        ("memory_save", {"key": "n", "content": "t" * 3_000_000}),
        ("memory_save", {"key": "n", "content": "t", "tags": ["t"] * 100_000}),
        ("memory_save", {"key": "n", "content": "t", "level": "x" * 1_000_000}),
        ("memory_save", {"key": "n", "content": "t", **{f"level{number}": 4 for number in range(5_000)}}),
        ("memory_save", {"key": "n", "content": "t", "x" * 100_000: 4}),
        ("memory_save", {"key": "n", "content": "t", "level": _deep(90)}),
        ("memory_save", {"key": "n", "content": _deep(90)}),
        ("memory_search", {"query": f"{SECRET} " * 50_000}),
        ("memory_list", {"cursor": "W10=" * 50_000}),
    ]


CORPUS: list[Call] = [*_forced(), *_confused(), *_keys_and_queries(), *_huge()]
TOO_DEEP: list[Call] = [
    ("memory_save", {"key": "n", "content": "t", "level": _deep(5_000)}),
    ("memory_save", {"key": "n", "content": _deep(5_000)}),
]
