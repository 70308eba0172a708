"""Text that looks like a credential, by well-known public forms: flagged, never blocked and never changed.

The names of the forms go into the audit and onto the screen; the text that matched goes nowhere.
"""

from __future__ import annotations

import re

FORMS: dict[str, re.Pattern[str]] = {
    "private key": re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    "AWS access key": re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    "GitHub token": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b"),
    "GitLab token": re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}"),
    "Slack token": re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    "Google API key": re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b"),
    "Anthropic key": re.compile(r"\bsk-ant-[A-Za-z0-9_-]{20,}"),
    "OpenAI key": re.compile(r"\bsk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,}\b)"),
    "Hugging Face token": re.compile(r"\bhf_[A-Za-z0-9]{34,}\b"),
    "SendGrid key": re.compile(r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}"),
    "DigitalOcean token": re.compile(r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    "Telegram bot token": re.compile(r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b"),
    "Azure storage key": re.compile(r"\bAccountKey=[A-Za-z0-9+/]{86}=="),
    "password in an address": re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,64}:[^\s/@]{3,128}@[^\s/@]"),
    "Stripe key": re.compile(r"\b[rs]k_live_[A-Za-z0-9]{16,}"),
    "npm token": re.compile(r"\bnpm_[A-Za-z0-9]{36}\b"),
    "PyPI token": re.compile(r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
    "JSON web token": re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
}
# What every form holds somewhere: nearly all texts hold none of it, and are done with after one look.
HINT = re.compile(
    r"PRIVATE KEY|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|AIza|sk-|k_live_|npm_|pypi-|eyJ"
    r"|hf_|SG\.|_v1_|:AA|AccountKey=|://"
)


def looks_like(*texts: str) -> tuple[str, ...]:
    """The names of the credential forms that any of the texts holds, in a fixed order; mostly none."""
    suspects = [text for text in texts if HINT.search(text)]
    if not suspects:
        return ()
    return tuple(name for name, form in FORMS.items() if any(form.search(text) for text in suspects))
