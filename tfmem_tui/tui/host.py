"""How a widget reaches what the app holds, without knowing the app: setting, gateway and who it acts as."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.dom import DOMNode

from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import Scope

if TYPE_CHECKING:
    from tfmem_tui.tui.acting import Setting
    from tfmem_tui.tui.app import TfmemApp


def host(node: DOMNode) -> TfmemApp:
    """The app as what it is."""
    return cast("TfmemApp", node.app)


def setting_of(node: DOMNode) -> Setting:
    """What stays the same while the screen is open."""
    return host(node).setting


class Allowing:
    """Mixed into a widget that carries out actions of some scopes and says whether they are allowed now.

    It is no DOM node itself: Textual looks for inherited styles along the first DOM base alone.
    """

    SCOPES: ClassVar[tuple[Scope, ...]] = ()

    def allows(self, predicate: str) -> bool:
        """Whether a predicate of the registry holds."""
        if predicate == "may_write":
            app = host(cast("DOMNode", self))
            setting, acting = app.setting, app.acting
            return not setting.read_only and acting is not None and acting.writes
        return predicate == "always"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Asks the registry's predicate for an action of these scopes; any other is allowed."""
        words = ", ".join(repr(value) for value in parameters)
        found = actions.by_handler(self.SCOPES, f"{action}({words})" if parameters else action)
        return True if found is None else self.allows(found.allowed)
