"""What frames every screen and dialog: the level's banner above and below, the tabs, the keys."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.content import Content
from textual.dom import DOMNode
from textual.reactive import reactive
from textual.widget import Widget

from tfmem_tui.core.level import Level, readable
from tfmem_tui.tui import actions, safe_text
from tfmem_tui.tui.acting import Acting, Health, Setting
from tfmem_tui.tui.actions import Action, Scope, shown_key
from tfmem_tui.tui.host import Allowing, host, setting_of
from tfmem_tui.tui.signs import level_class

TABS = ("memories", "inspector", "audit", "simulator")
NAMED_KEYS = ("enter", "escape", "tab")  # these mean the same inside a text field


def reach(acting: Acting, dot: str, *, short: bool = False) -> Content:
    """What the acting session reads and writes, in words; ``short`` with the levels' initials."""
    names = [level.name[0] if short else level.name for level in readable(acting.taint)]
    span = names[0] if len(names) == 1 else f"{names[0]}..{names[-1]}"
    return Content(f"  reads {span} {dot} writes {names[-1] if acting.writes else 'nothing'}  ")


def takes_text(widget: Widget | None) -> bool:
    """Whether letters that are typed now are text of a field."""
    return widget is not None and widget.check_consume_key("a", "a")


class LevelWidget(Widget):
    """A line in the colour of the acting session's level."""

    def on_mount(self) -> None:
        self.watch(self.app, "acting", self._acting_changed)
        self.watch(self.app, "health", self._health_changed)

    def _acting_changed(self, acting: Acting | None) -> None:
        for level in Level:
            self.set_class(acting is not None and acting.taint is level, level_class(level))
        self.refresh()

    def _health_changed(self, health: Health) -> None:
        self.set_class(health in (Health.ENDED, Health.LOST, Health.FAILED), "-unwell")
        self.refresh()


class Banner(LevelWidget):
    """On top of everything: level, what it reaches, whose memory, as whom, and how the store is doing."""

    def render(self) -> Content:
        app, setting = host(self), setting_of(self)
        width = self.size.width
        right = f"{_health(app.health, setting)} "
        if app.acting is None:
            left = Content(" tfmem ")
            return _spread([left, safe_text.line(setting.agent, 30)], Content(right), width)
        level, dot = Content(f" {setting.signs.level(app.acting.taint)} "), setting.signs.dot
        name = safe_text.line(app.acting.name, 28)
        full = safe_text.line(setting.agent, 24) + Content(f" {dot} ") + name
        long, short = reach(app.acting, dot), reach(app.acting, dot, short=True)
        ways = ([level, long, full], [level, long, name], [level, short, full], [level, short, name], [level])
        room = width - cell_len(right) - 1
        parts = next((way for way in ways if sum(part.cell_length for part in way) <= room), [level])
        return _spread(parts, Content(right), width)


class LevelBar(LevelWidget):
    """Below everything: the level once more."""

    def render(self) -> Content:
        app, setting = host(self), setting_of(self)
        return Content("" if app.acting is None else f" {setting.signs.level(app.acting.taint)}")


class TabBar(Widget):
    """The views with their keys, and where in the view one is."""

    current: reactive[str] = reactive("memories")
    path: reactive[Content] = reactive(Content(""))

    def render(self) -> Content:
        setting = setting_of(self)
        titles = [(name, key_of(action, setting), action.label) for name, action in _tabs(setting)]
        tabs = Content.assemble(
            " ",
            *(
                (f"[{key} {title}] ", "bold $key-text") if name == self.current else (f" {key} {title}  ", "$quiet")
                for name, key, title in titles
            ),
        )
        room = self.size.width - tabs.cell_length - 1
        path = self.path.truncate(max(0, room), ellipsis=True) if room > 8 else Content("")
        return tabs + Content(" " * max(0, room - path.cell_length)) + path.stylize("$quiet")


def _tabs(setting: Setting) -> list[tuple[str, Action]]:
    found = {action.id: action for action in setting.keymap.actions}
    return [(name, found[f"app.{name}"]) for name in TABS]


class KeyBar(Widget):
    """The keys of the focused pane and those that hold everywhere, as the registry has them."""

    def on_mount(self) -> None:
        self.watch(self.screen, "focused", self.refresh_keys)
        self.watch(self.app, "acting", self.refresh_keys)

    def refresh_keys(self, _: Any = None) -> None:
        """Draws the keys anew, after what is allowed has changed."""
        self.refresh()

    def render(self) -> Content:
        shown = self.offered()
        setting = setting_of(self)
        while shown and self._width(shown, setting) > self.size.width:
            shown.remove(min(shown, key=lambda action: action.weight))
        parts: list[str | tuple[str, str]] = [" "]
        for action in shown:
            parts += [(key_of(action, setting), "bold $key-text"), (f" {action.label}  ", "$quiet")]
        return Content.assemble(*parts)

    @staticmethod
    def _width(shown: list[Action], setting: Setting) -> int:
        return 1 + sum(cell_len(key_of(action, setting)) + len(action.label) + 3 for action in shown)

    def offered(self) -> list[Action]:
        """What can be done now, and is important enough for the footer."""
        focused = self.screen.focused
        chain: list[DOMNode] = [*focused.ancestors_with_self] if focused is not None else [self.screen, self.app]
        typing = takes_text(focused)
        keymap = setting_of(self).keymap
        found: list[Action] = [] if not typing else keymap.of(Scope.TEXT)
        taken: set[str] = {key for action in found for key in action.keys}
        for node in chain:
            if not isinstance(node, Allowing):
                continue
            for action in keymap.of(*node.SCOPES):
                usable = bool(action.keys) and (action.keys[0] in NAMED_KEYS or not typing)
                if usable and action.keys[0] not in taken and node.allows(action.allowed):
                    taken.update(action.keys)
                    found.append(action)
        order = {action.id: place for place, action in enumerate(actions.REGISTRY)}
        return sorted((action for action in found if action.weight), key=lambda action: order[action.id])


def key_of(action: Action, setting: Setting) -> str:
    """A key as this terminal shows it; the four levels as one range that ends at the clearance."""
    if action.id == "app.act1":
        last = shown_key(setting.keymap.keys(f"app.act{int(setting.clearance)}")[0])
        return action.key if setting.clearance is Level.PUBLIC else f"{action.key}-{last}"
    return action.key.replace("⏎", setting.signs.enter)


def _health(health: Health, setting: Setting) -> str:
    words = "read-only" if setting.read_only and health is Health.LIVE else str(health)
    return f"{setting.signs.live if health is Health.LIVE else setting.signs.no} {words}"


def _spread(parts: list[Content], right: Content, width: int) -> Content:
    """The last part in the middle of what is left over, the right one at the edge."""
    left = Content("").join(parts[:-1]) if len(parts) > 1 else parts[0]
    middle = parts[-1] if len(parts) > 1 else Content("")
    free = max(0, width - left.cell_length - middle.cell_length - right.cell_length)
    return left + Content(" " * (free // 2)) + middle + Content(" " * (free - free // 2)) + right
