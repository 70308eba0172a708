"""Text that looks like a credential is flagged in the audit by the name of its form, and kept as it is."""

from __future__ import annotations

import pytest

from tests.support import fresh_store, session_at
from tfmem_tui.core.credentials import FORMS, looks_like
from tfmem_tui.core.level import Level

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


@pytest.mark.parametrize(
    "text", ["", "sk-8 boards", "AKIA", "eyJ", "a ghp_ prefix", "PRIVATE KEY", "skills-based", "Asia"]
)
def test_ordinary_text_is_not_flagged(text: str) -> None:
    assert looks_like(text) == ()
