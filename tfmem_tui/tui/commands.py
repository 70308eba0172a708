"""What can be done now, as commands: found in the registry along the focus, and carried out by whoever offers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.dom import DOMNode
from textual.fuzzy import Matcher

from tfmem_tui.tui.actions import Action
from tfmem_tui.tui.host import Allowing, host, setting_of

NOT_TYPED = ("lists.down", "lists.up", "app.back", "app.command", "app.palette", "app.next_pane")


@dataclass(frozen=True, slots=True)
class Command:
    """An action that is allowed now, and the widget that carries it out."""

    action: Action
    node: DOMNode

    @property
    def words(self) -> str:
        """Name and, in capitals, what may follow it."""
        return f"{self.action.name} {self.action.takes}".strip()


def offered(focus: DOMNode) -> list[Command]:
    """The commands from ``focus`` outwards, in the registry's order; the innermost of a name counts."""
    found: dict[str, Command] = {}
    keymap = setting_of(focus).keymap
    for node in focus.ancestors_with_self:
        if isinstance(node, Allowing):
            for action in keymap.of(*node.SCOPES):
                if action.id not in NOT_TYPED and node.allows(action.allowed):
                    found.setdefault(action.name, Command(action, node))
    order = {action.id: place for place, action in enumerate(keymap.actions)}
    return sorted(found.values(), key=lambda command: order[command.action.id])


def completions(commands: Sequence[Command], typed: str) -> list[Command]:
    """The commands whose name begins with the first word typed; an exact name stands first."""
    name = typed.strip().partition(" ")[0]
    held = [one for one in commands if one.action.name.startswith(name)]
    return sorted(held, key=lambda one: one.action.name != name)


def matches(commands: Sequence[Command], typed: str) -> list[Command]:
    """The commands whose words hold the letters typed in their order, best first."""
    if not typed.strip():
        return list(commands)
    matcher = Matcher(typed.strip())
    scored = [(matcher.match(f"{one.action.label} {one.action.help} {one.action.name}"), one) for one in commands]
    return [one for score, one in sorted(scored, key=lambda pair: -pair[0]) if score > 0]


async def carry_out(command: Command, argument: str) -> None:
    """Does it, with what was typed after its name."""
    action, node = command.action, command.node
    if argument and not action.given:
        host(node).notify(f"{action.name} takes nothing after it", severity="warning", markup=False)
    elif argument:
        getattr(node, action.given)(argument)
    else:
        await host(node).run_action(action.handler, node)
