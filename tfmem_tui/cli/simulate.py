"""``tfmem simulate``: plays scenario files, for a person, for machines, and for CI."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

import click

from tfmem_tui.cli.common import GLYPHS, PATH, Place, emit, json_option, open_store, say, store_options
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.exporting import written_whole
from tfmem_tui.simulate.junit import junit_xml
from tfmem_tui.simulate.runner import Played, Runner, ScenarioClock
from tfmem_tui.simulate.scenario import BadScenario, Scenario, json_schema, read_scenario
from tfmem_tui.text import one_line


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, type=PATH)
@click.option("--shipped", is_flag=True, help="Play the scenarios that come with tfmem: one for each rule G1 to G6.")
@click.option("--on-copy", is_flag=True, help="Play on a copy of the real store, which is never changed.")
@click.option("--junit", type=PATH, metavar="FILE", help="Write the outcome as JUnit XML too.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of scenario files, for editors.")
@store_options
@json_option
@click.pass_context
def simulate(
    context: click.Context,
    files: tuple[Path, ...],
    shipped: bool,
    on_copy: bool,
    junit: Path | None,
    schema: bool,
    place: Place,
    as_json: bool,
) -> None:
    """Play scenario files and hold every expectation; each file on an empty store of its own.

    Exit codes: 0 all held, 1 an expectation failed, 2 a file is wrong (with line and column).

    \b
      tfmem simulate what-if.yaml
      tfmem simulate --shipped
    """
    if schema:
        click.echo(json.dumps(json_schema(), indent=2))
        return
    paths = [*files, *(shipped_scenarios() if shipped else ())]
    if not paths:
        raise click.UsageError("name a scenario file, or give --shipped")
    try:
        scenarios = [(path, read_scenario(path)) for path in paths]
    except BadScenario as error:
        say(str(error))
        context.exit(2)
    outcomes = [(path, scenario, _play(scenario, place, on_copy, as_json)) for path, scenario in scenarios]
    if as_json:
        emit([_data(path, scenario, played) for path, scenario, played in outcomes])
    if junit is not None:
        with written_whole(junit) as file:
            file.write(junit_xml([(str(path), scenario, played) for path, scenario, played in outcomes]))
    context.exit(0 if all(one.passed for _, _, played in outcomes for one in played) else 1)


def shipped_scenarios() -> list[Path]:
    """The scenario files that come with tfmem."""
    folder = resources.files("tfmem_tui.simulate").joinpath("scenarios")
    return sorted(Path(str(one)) for one in folder.iterdir() if one.name.endswith(".yaml"))


@contextmanager
def _stage(place: Place, on_copy: bool) -> Iterator[tuple[Store, ScenarioClock | None]]:
    """An empty store on the scenario's own clock, or a copy of the real one on the real clock."""
    if not on_copy:
        clock = ScenarioClock()
        with Store.in_memory(clock=clock) as store:
            yield store, clock
        return
    with open_store(place, read_only=True) as real, real.snapshot() as copy:
        yield copy, None


def _play(scenario: Scenario, place: Place, on_copy: bool, quiet: bool) -> list[Played]:
    with _stage(place, on_copy) as (store, clock):
        if not quiet:
            click.echo(one_line(scenario.name))
        played = []
        for one in Runner(scenario, store, clock).play():
            played.append(one)
            if not quiet:
                _tell(one)
        return played


def _tell(played: Played) -> None:
    step = played.step
    who = step.session or step.escalate or step.reset or ""
    level = f"{GLYPHS[played.taint]} {played.taint.name}" if played.taint else ""
    act = f"{step.call} {json.dumps(step.args, ensure_ascii=False)}" if step.call else f"{step.kind} {_object(played)}"
    if step.note:
        click.echo(f"     # {one_line(step.note)}")
    click.echo(f"{'ok  ' if played.passed else 'FAIL'} {played.number:>2}  {one_line(who)} {level}  {one_line(act)}")
    if played.stripped:
        click.echo(f"         hook took out {one_line(', '.join(played.stripped))}")
    click.echo(f"         {one_line(json.dumps(played.answer, ensure_ascii=False))}")
    for failure in played.failures:
        click.echo(f"         {one_line(failure)}")


def _object(played: Played) -> str:
    step = played.step
    if step.escalate is not None and step.to is not None:
        return f"to {step.to.name}"
    return str(step.restore or step.purge or step.wait or "")


def _data(path: Path, scenario: Scenario, played: list[Played]) -> dict[str, Any]:
    return {
        "file": str(path),
        "name": scenario.name,
        "passed": all(one.passed for one in played),
        "steps": [
            {
                "number": one.number,
                "act": one.step.kind,
                "session": one.step.session or one.step.escalate or one.step.reset,
                "taint": one.taint and one.taint.name,
                "answer": dict(one.answer),
                "stripped": list(one.stripped),
                "failures": list(one.failures),
            }
            for one in played
        ],
    }
