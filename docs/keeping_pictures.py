"""Keeps the pictures of the documentation: of Chromium, and so small that nobody waits for them."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MOST_BYTES = 98_000
COLOURS = (256, 192, 128, 96, 64, 48, 32)
"""Of a palette, the most first: a page has few, and the first that makes a picture small enough is taken."""


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """Gives Debian's Chromium until the end of the block."""
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


def keep_picture(name: str, screenshot: bytes, *, colours: tuple[int, ...] = COLOURS) -> None:
    """Writes a picture with as many colours as its size allows; raises `ValueError` where the fewest are too many."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB")
    for count in colours:
        packed = io.BytesIO()
        picture.quantize(count, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
        if packed.tell() <= MOST_BYTES:
            (PICTURES / f"{name}.png").write_bytes(packed.getvalue())
            return
    raise ValueError(f"{name}.png would have {packed.tell():,} bytes: show less of the page.")
