"""Measures pages: what is too wide, cut off, too small, hard to touch or over other text, and what axe finds.

    faults = faults_at(page, address, "ladder")

It keeps pictures, too. Every page of ours is measured here by the same rules, and each frame like a page:

- All text has twelve pixels or more. On cards only the digits of the hand of who acted or is next must: the others give
  way to them in a small window, and a label says in words which cards lie there.
- Boxes that scroll by themselves may hold more than they show. What is there only for screen readers is passed over.
- A text may end in an ellipsis where a `title` has the whole: a mouse shows it, and screen readers read the text, which
  is never shortened for them. On a phone such a name is a link to its page, or stands whole elsewhere on this one.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from axe_of_pages import faults_of_axe, faults_of_contrast

from tournament.languages import Language

SIZES = ((360, 640), (768, 1024), (1366, 768))
"""Width and height in pixels of a phone, a tablet and a laptop."""

LANGUAGES = (Language.ENGLISH, pytest.param(Language.GERMAN, marks=pytest.mark.long))
"""German has the longest words; what it says is measured with the tests that are long by nature."""

LEAST_TEXT_PIXELS = 12
LEAST_TARGET_PIXELS = 24

_MEASURE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_UNFOLD = """() => {
    const folded = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
    return folded.length;
}"""


def faults_of_layout(page, *, width: int | None = None, least_text: float = LEAST_TEXT_PIXELS, fits: bool = False):
    """Returns what is wrong with the layout of a page as it is drawn now and of what its frames show, each fault once.

    A page that `fits` has all of its text within the height of the window.
    """
    rules = {"leastText": least_text, "leastTarget": LEAST_TARGET_PIXELS, "fits": fits}
    found = page.evaluate(_MEASURE, rules | {"width": width})
    for frame in page.frames:
        if frame != page.main_frame and frame.frame_element().is_visible():
            found += [f"in the frame: {fault}" for fault in frame.evaluate(_MEASURE, rules | {"width": None})]
    return found


def faults_of_page(page, name: str, *, sizes=SIZES, axe: bool = True, **rules) -> list[str]:
    """Returns the faults of a page as it stands: at each size, first so and then with every fold open, in both schemes.

    Colours are all that differs between the schemes, so in the dark axe looks at contrast alone. Where pictures are
    kept there are two of a page: as it stands on the largest screen, and with every fold open on the smallest, dark.
    """
    found = []

    def look(state: str) -> None:
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            faults = faults_of_layout(page, width=width, **rules)
            found.extend(f"{width} px, {state}: {fault}" for fault in faults)

    page.emulate_media(color_scheme="light")
    look("light")
    keep_picture(page, name)
    if page.evaluate(_UNFOLD):
        look("light, all open")
    if axe:
        found.extend(f"axe: {fault}" for fault in faults_of_axe(page))
    page.emulate_media(color_scheme="dark")
    look("dark, all open")
    if axe:
        found.extend(f"axe in the dark: {fault}" for fault in faults_of_contrast(page))
    page.set_viewport_size(dict(zip(("width", "height"), sizes[0], strict=True)))
    keep_picture(page, name)
    return found


def faults_at(page, address: str, name: str, *, ready=lambda page: None, **rules) -> list[str]:
    """Returns the faults of the page at an address, as `faults_of_page` does; `ready` waits until it is drawn."""
    page.emulate_media(color_scheme="light")
    page.goto(address)
    ready(page)
    return faults_of_page(page, name, **rules)


def folder_of_pictures() -> Path | None:
    """Returns where pictures are kept: where `TOURNAMENT_PICTURES` says, or in `build/pictures` with `CI=true`."""
    if named := os.environ.get("TOURNAMENT_PICTURES"):
        return Path(named)
    return Path(__file__).parents[1] / "build" / "pictures" if os.environ.get("CI") == "true" else None


def keep_picture(page, name: str) -> None:
    """Keeps a picture of a whole page where pictures are kept, under its name, language, width and scheme."""
    folder = folder_of_pictures()
    if folder is None:
        return
    language = page.get_attribute("html", "lang")
    scheme = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'")
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.{language}.{page.viewport_size['width']}.{scheme}.png", full_page=True)
