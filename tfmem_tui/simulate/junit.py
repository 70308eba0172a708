"""The outcome of scenarios as JUnit XML, as CI systems read it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from tfmem_tui.simulate.runner import Played
from tfmem_tui.simulate.scenario import Scenario


def junit_xml(outcomes: Sequence[tuple[str, Scenario, Sequence[Played]]]) -> str:
    """One suite for each scenario, one case for each step; only what XML can hold."""
    root = ET.Element("testsuites")
    for path, scenario, played in outcomes:
        failures = sum(not one.passed for one in played)
        suite = ET.SubElement(
            root, "testsuite", name=_legal(scenario.name), file=path, tests=str(len(played)), failures=str(failures)
        )
        for one in played:
            what = one.step.note or one.step.call or one.step.kind
            case = ET.SubElement(
                suite, "testcase", classname=_legal(scenario.name), name=f"{one.number} {_legal(what)}"
            )
            if not one.passed:
                text = _legal("\n".join(one.failures))
                ET.SubElement(case, "failure", message=text.split("\n", 1)[0]).text = text
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _legal(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return "".join(char if _may_be(char) else "?" for char in text)


def _may_be(char: str) -> bool:
    return char in "\n\t" or (char >= " " and not 0xD800 <= ord(char) <= 0xDFFF and char not in "\ufffe\uffff")
