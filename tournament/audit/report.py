"""A report in words, for the terminal."""

from __future__ import annotations

from collections import Counter
from typing import Final

from tournament.audit.model import AuditReport, Finding
from tournament.text import format_count

SHOWN: Final = 100
"""How many findings are shown one by one when nothing else is said."""


def format_finding(finding: Finding) -> str:
    """Returns one finding as a line: where, code, sentence, expected and found."""
    return f"{finding.where}: {finding.code}: {finding.message} Expected {finding.expected}; found {finding.found}."


def format_findings(report: AuditReport, *, limit: int | None = SHOWN) -> str:
    """Returns the findings a line each, notes, and a summary as the last line; `limit` None shows all of them."""
    shown = report.findings[:limit]
    lines = [format_finding(finding) for finding in shown]
    hidden = len(report.findings) - len(shown)
    if hidden:
        lines.append(f"... and {hidden} more; --json gives all of them.")
    lines += [f"Not checked: {sentence}" for sentence in report.unchecked]
    lines += [f"Note: {note}" for note in report.notes]
    return "\n".join([*lines, format_summary(report)])


def format_summary(report: AuditReport) -> str:
    """Returns what was looked at and what came out, as one line."""
    games = ", ".join(f"{group} {count}" for group, count in report.games.items())
    looked = f"{format_count(report.records, 'record', grouped=False)} audited" + (f" ({games})" if games else "")
    if report.clean:
        return (
            f"{looked}: {'not all of it checked; nothing wrong in the rest' if report.unchecked else 'nothing wrong'}."
        )
    codes = Counter(str(finding.code) for finding in report.findings)
    counted = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    return f"{looked}: {format_count(len(report.findings), 'finding', grouped=False)}: {counted}."
