"""The simulator's acts on files: writing the calls made as a scenario, and playing one; copying the answer."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import work

from tfmem_tui.core.level import Level
from tfmem_tui.tui import plays
from tfmem_tui.tui.clipboard import Copyable
from tfmem_tui.tui.files import new_file_problem
from tfmem_tui.tui.host import host
from tfmem_tui.tui.screens.ask_file import AskFile
from tfmem_tui.tui.screens.play import PlayScenario
from tfmem_tui.tui.screens.view import View

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer
    from tfmem_tui.simulate.recording import Recorder
    from tfmem_tui.simulate.scenario import Step

SCENARIO_ENDINGS = (".yaml", ".yml")


class ScenarioActs(View):
    """What can be done with the calls that were made; making them is the view's own business."""

    _recorder: Recorder | None
    _last: tuple[str, dict[str, Any], ToolAnswer] | None

    @property
    def recorder(self) -> Recorder:
        """The recording of the calls; begun with the first one."""
        if self._recorder is None:
            from tfmem_tui.simulate.recording import Recorder

            self._recorder = Recorder()
        return self._recorder

    def recorded(self, level: Level) -> list[Step]:
        """The calls made at or below a level."""
        return [] if self._recorder is None else self._recorder.up_to(level)

    @work(group="dialog")
    async def action_write(self) -> None:
        """Writes the calls made so far, and what came of them, as a scenario file."""
        acting = host(self).acting
        count = len(self.recorded(acting.taint)) if acting is not None else 0
        if count:
            check = partial(new_file_problem, endings=SCENARIO_ENDINGS)
            path = await self.app.push_screen_wait(
                AskFile("Write a scenario", f"{count} calls; a new file", "scenario.yaml", check)
            )
            if path is not None:
                await self._write(path)

    def write_to(self, name: str) -> None:
        """Writes the scenario to a file that was named on the command line."""
        path = Path(name).expanduser()
        problem = new_file_problem(path, SCENARIO_ENDINGS)
        if problem is not None:
            self.app.notify(problem, title="not written", severity="error", markup=False)
        else:
            self.run_worker(self._write(path), group="dialog")

    async def _write(self, path: Path) -> None:
        acting = host(self).acting
        if acting is not None:
            scenario = self.recorder.scenario(path.stem, up_to=acting.taint)
            if await self.ask(plays.write(path, scenario), host(self).gateway.write) is not None:
                self.app.notify(f"written to {path}", markup=False)

    @work(group="dialog")
    async def action_open(self) -> None:
        """Opens a scenario file, to be played step by step on an empty store."""
        path = await self.app.push_screen_wait(AskFile("Play a scenario", "a scenario file; it runs on an empty store"))
        if path is not None:
            await self._play(path)

    def open_file(self, name: str) -> None:
        """Opens a scenario file that was named on the command line."""
        self.run_worker(self._play(Path(name).expanduser()), group="dialog")

    async def _play(self, path: Path) -> None:
        play = await self.ask(plays.begin(path), host(self).gateway.write)
        if play is not None:
            host(self).gateway.adopt(play.store)
            await self.app.push_screen(PlayScenario(play))

    async def copyable(self) -> Copyable | None:
        acting = host(self).acting
        if self._last is None or acting is None:
            return None
        name, given, answer = self._last
        text = json.dumps(answer.payload, ensure_ascii=False, indent=2)
        call = json.dumps({"tool": name, "args": given, "answer": answer.payload}, ensure_ascii=False)
        return Copyable(None, text, call, acting.taint, "answer")
