"""Text that looks like a credential is flagged in the audit by the name of its form, and kept as it is."""

from __future__ import annotations

import pytest

from tests.support import HandClock, fresh_store, session_at
from tfmem_tui.core.credentials import FORMS, looks_like
from tfmem_tui.core.importing import ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.validation import MAX_TAG_CHARACTERS

# Made up, and cut in two so that no scanner of repositories takes them for real ones.
SAMPLES = {
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIE",
    "AWS access key": "the key is AKIA" + "IOSFODNN7EXAMPLE.",
    "GitHub token": "ghp_" + "a1B2" * 9,
    "GitLab token": "glpat-" + "x" * 20,
    "Slack token": "xoxb-" + "1234567890-abc",
    "Google API key": "AIza" + "B" * 35,
    "Anthropic key": "sk-ant-" + "api03-" + "z" * 24,
    "OpenAI key": "sk-" + "proj-" + "k" * 30,
    "Hugging Face token": "hf_" + "Q" * 34,
    "SendGrid key": "SG." + "s" * 22 + "." + "t" * 43,
    "DigitalOcean token": "dop_v1_" + "0a" * 32,
    "Telegram bot token": "123456789:" + "AA" + "h" * 33,
    "Azure storage key": "AccountKey=" + "k" * 86 + "==",
    "password in an address": "postgres://sam:" + "hunter2@db.example/orders",
    "Stripe key": "sk_live_" + "9" * 20,
    "npm token": "npm_" + "n" * 36,
    "PyPI token": "pypi-" + "AgE" + "p" * 60,
    "JSON web token": "eyJ" + "hbGciOiJI.eyJ" + "zdWIiOiIx.abcdefghij",
}


def test_there_is_a_sample_of_every_form() -> None:
    assert set(SAMPLES) == set(FORMS)


@pytest.mark.parametrize("form", SAMPLES)
def test_a_credential_is_flagged_by_its_form_and_saved_unchanged(form: str) -> None:
    store = fresh_store()
    memories = session_at(store, Level.PUBLIC)
    memories.save("note", SAMPLES[form])
    (event,) = store.audit(store.operator().viewer(Level.PUBLIC)).events(limit=1)
    assert event.detail == {"looks_like": [form]}
    assert SAMPLES[form] not in repr(event)
    got = memories.get("note")
    assert got is not None
    assert got.content == SAMPLES[form]


@pytest.mark.parametrize("form", SAMPLES)
def test_a_credential_in_a_key_or_a_tag_or_an_import_or_a_restore_is_flagged_too(form: str) -> None:
    clock = HandClock()
    store = fresh_store(clock)
    session = store.operator().start(Level.PUBLIC)
    memories, trail = store.memories(session), store.audit(store.operator().viewer(Level.PUBLIC))
    line = SAMPLES[form].replace("\n", " ")
    if len(line) <= MAX_TAG_CHARACTERS:
        memories.save("note", "text", [line])
        assert trail.events(limit=1)[0].detail == {"looks_like": [form]}
    memories.save(f"for {line}", "text")
    assert trail.events(limit=1)[0].detail == {"looks_like": [form]}
    now = clock()
    store.operator().importer().add(
        ImportedMemory(key, Level.PUBLIC, content, (), now, now, "elsewhere")
        for key, content in (("a", SAMPLES[form]), ("b", SAMPLES[form]), ("c", "ordinary"))
    )
    assert trail.events(limit=1)[0].detail["looks_like"] == {form: 2}
    clock.tick()
    memories.delete("a")
    store.operator().restore(session, memories.tombstones()[0].ref)
    assert trail.events(limit=1)[0].detail["looks_like"] == [form]


ORDINARY = """
sk-8 boards|AKIA|eyJ|a ghp_ prefix|PRIVATE KEY|skills-based|Asia|sk-learn-compatible-estimators-and-pipelines
task-force-on-annual-reporting|https://example.com/a:b@c|mailto:sam@example.com|git@github.com:sam/repo.git
ssh://sam@host:22/x|12:AA|hf_hub|SG.1.2|disk-usage-report-for-2026-and-more-words|the time is 10:30@noon
postgres://db.example:5432/orders|the AccountKey= setting|npm_config_registry|do_v1_0a
"""


@pytest.mark.parametrize("text", ["", *ORDINARY.strip().replace("\n", "|").split("|")])
def test_ordinary_text_is_not_flagged(text: str) -> None:
    assert looks_like(text) == ()
