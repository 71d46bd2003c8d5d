"""What axe-core finds in pages and in their frames: whether people who hear, zoom or press keys can use them."""

from __future__ import annotations

from typing import Any

_OF_WHOLE_PAGES = ("page-has-heading-one", "landmark-one-main")
"""What a page has and its frames need not."""

_CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def faults_of_axe(page, options: dict[str, Any] | None = None) -> list[str]:
    """Returns every fault that axe finds in a page and in the frames it shows."""
    from axe_playwright_python.sync_playwright import Axe

    words = {"resultTypes": ["violations"], "iframes": False} | (options or {})
    found = Axe().run(page, options=words).response["violations"]
    for frame in page.frames:
        if frame != page.main_frame and frame.frame_element().is_visible():
            inner = Axe().run(frame, options=words).response["violations"]
            found += [fault for fault in inner if fault["id"] not in _OF_WHOLE_PAGES]
    return [f"{fault['id']}: {node['html'][:200]}" for fault in found for node in fault["nodes"]]


def faults_of_contrast(page) -> list[str]:
    """Returns where text is too faint to be read, as axe says."""
    return faults_of_axe(page, _CONTRAST)
