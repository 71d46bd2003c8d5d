"""Turns through the slides of a projector and measures each."""

from __future__ import annotations

from browser.pages import wait_until
from layout_of_pages import SIZES, faults_of_layout, faults_of_page

SCREENS = ((1366, 768), (1920, 1080))
LEAST_PIXELS = 28
"""Of text that is read in the last row."""


def slide_of(page) -> str:
    """Returns which slide is shown."""
    return page.get_attribute(".slide.on", "data-slide")


def game_is_there(page) -> None:
    """Waits until the game may come: its frame has said that it is there."""
    wait_until(page, lambda: len(page.frames) > 1 and page.frames[-1].locator("html.projected[data-unpacked]").count())


def turned_through(page) -> list[str]:
    """Turns once around by hand, and returns the slides in their order."""
    found = []
    while slide_of(page) not in found:
        found.append(slide_of(page))
        page.keyboard.press("ArrowRight")
    return found


def faults_of_slides(page, name: str, *, axe: bool = True) -> dict[str, list[str]]:
    """Returns the faults of each slide that has some: on two screens, light and dark, and on a phone and a tablet.

    On the screens text is so large that the last row can read it; the others, on which one looks it up, show all of it.
    """
    page.set_viewport_size(dict(zip(("width", "height"), SCREENS[0], strict=True)))
    game_is_there(page)
    page.keyboard.press(" ")
    found, seen = {}, []
    while (slide := slide_of(page)) not in seen:
        seen.append(slide)
        faults = faults_of_page(page, f"{name}-{slide}", sizes=SCREENS, least_text=LEAST_PIXELS, fits=True, axe=axe)
        for width, height in SIZES[:2]:
            page.set_viewport_size({"width": width, "height": height})
            faults += [f"{width} px: {fault}" for fault in faults_of_layout(page, width=width, fits=True)]
        if faults:
            found[slide] = faults
        page.keyboard.press("ArrowRight")
    return found
