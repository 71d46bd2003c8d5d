"""What pages show of commands: each with the lines that it should print."""

from __future__ import annotations

import re


def steps_of(block: str) -> list[tuple[str, list[str]]]:
    """Returns the commands of a block, each with the lines it should print."""
    steps: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps:
            steps[-1][1].append(line)
    return steps


def pattern_of(expected: list[str]) -> re.Pattern[str]:
    parts = []
    for line in expected:
        text = r".*\.\.\." if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*")
        parts.append(r"(?:[^\n]*\n)*?" if line.strip() == "..." else rf"{text}[ ]*\n")
    return re.compile("".join(parts) + r"\n*\Z")
