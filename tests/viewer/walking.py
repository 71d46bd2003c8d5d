"""Runs the terminal viewer with Textual's pilot, and reads its screen."""

from __future__ import annotations

import asyncio
import io

from rich.console import Console


def walk(app, script, *, size=(80, 24)):
    """Runs a script with the pilot of a viewer."""

    async def go():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot)

    asyncio.run(go())


def screen_text(app):
    """Returns the screen as text, a line a row."""
    width, height = app.size
    console = Console(
        width=width, height=height, file=io.StringIO(), force_terminal=True, record=True, legacy_windows=False
    )
    console.print(app.screen._compositor.render_update(full=True, screen_stack=app._background_screens))
    return "\n".join(line.rstrip() for line in console.export_text().splitlines()) + "\n"
