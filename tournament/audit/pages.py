"""The report of a run, made again and compared byte by byte."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tournament.audit.differences import first_byte_difference
from tournament.audit.model import FindingCode, Findings, shortened
from tournament.errors import TournamentError
from tournament.records.files import read_regular
from tournament.report.facts import read_facts
from tournament.report.site import MADE_BY_FILE, REPORT_FOLDER, MadeBy, report_files
from tournament.version import __version__


def check_report(folder: Path, findings: Findings) -> None:
    """Notes where a report is not what the run gives.

    One that another version made, or that shows analyses, which do not lie in the run, is left unchecked. Ask only
    when results and `run.json` are as they should be. Cost: that of making the report.
    """
    report = folder / REPORT_FOLDER
    if not report.is_dir():
        return
    findings.move_to(str(report))
    try:
        made_by = msgspec.json.decode(read_regular(report / MADE_BY_FILE), type=MadeBy)
    except (OSError, msgspec.DecodeError):
        findings.leave("the report does not say which version made it. `tournament report` makes it anew.")
        return
    if made_by.tournament != __version__:
        findings.leave(
            f"the report was made by tournament {shortened(made_by.tournament, 40)}, and this is {__version__}. "
            "`tournament report` makes it anew."
        )
        return
    if made_by.analyses:
        findings.leave("the report shows analyses, which are no part of the run.")
        return
    try:
        wanted = dict(report_files(read_facts(folder)))
    except TournamentError as error:
        findings.add(
            FindingCode.REPORT, "The report cannot be made again.", expected="a report of this run", found=error
        )
        return
    found = {path.relative_to(report).as_posix(): path for path in sorted(report.rglob("*")) if not path.is_dir()}
    for name in sorted(wanted.keys() | found.keys()):
        findings.move_to(str(report / name))
        if name not in wanted:
            findings.add(FindingCode.REPORT, "The report has no such file.", expected="no file", found=name)
        elif name not in found:
            findings.add(FindingCode.REPORT, "A file of the report is missing.", expected=name, found="nothing")
        else:
            _compare(wanted[name], found[name], findings)


def _compare(wanted: bytes, path: Path, findings: Findings) -> None:
    try:
        found = read_regular(path)
    except OSError as error:
        findings.add(FindingCode.REPORT, "The page cannot be read.", expected="a file", found=error.strerror)
        return
    if found == wanted:
        return
    difference = first_byte_difference(wanted, found)
    findings.add(
        FindingCode.REPORT,
        f"The page is not what the run gives, from byte {difference.at} on.",
        expected=difference.expected,
        found=difference.found,
    )
