"""The units with which systemd runs an arena: its site, its referee, and a backup every night."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Final

SECRETS: Final = "/etc/tournament-arena.env"
"""What systemd reads, as root, into the environment of the site. The referee runs bots, and gets none of it."""

SITE: Final = """\
# /etc/systemd/system/tournament-arena-web.service
[Unit]
Description=The site of the arena in {folder}
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
User={user}
# Secrets, a line for each: NAME=VALUE. Without secrets this file need not be there.
EnvironmentFile=-{secrets}
ExecStart={program} arena web {place}
Restart=always
RestartSec=5
TimeoutStopSec=20
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=strict
ReadWritePaths={path}

[Install]
WantedBy=multi-user.target
"""

REFEREE: Final = """\
# /etc/systemd/system/tournament-arena-referee.service
[Unit]
Description=The referee of the arena in {folder}
After=network-online.target postgresql.service
Wants=network-online.target

[Service]
User={user}
ExecStart={program} arena referee {place}
Restart=always
RestartSec=5
# Rounds that are played are interrupted within seconds, and go on later.
TimeoutStopSec=60
KillMode=mixed
UMask=0077
# With control groups of its own the referee limits the memory, the processes and the time of bots.
Delegate=yes

[Install]
WantedBy=multi-user.target
"""

BACKUP: Final = """\
# /etc/systemd/system/tournament-arena-backup.service
[Unit]
Description=A backup of the arena in {folder}

[Service]
Type=oneshot
User={user}
UMask=0077
ExecStart={program} arena backup {place} {backup} --force
"""

TIMER: Final = """\
# /etc/systemd/system/tournament-arena-backup.timer
[Unit]
Description=A backup of the arena in {folder} every night

[Timer]
OnCalendar=*-*-* 04:00:00
Persistent=yes

[Install]
WantedBy=timers.target
"""


def format_units(folder: Path, *, user: str, backup: Path) -> str:
    """Returns all units as one text; each begins with a comment that says which file it is."""
    values = {
        "folder": _plain(str(folder)),
        "path": _plain(shlex.quote(str(folder))),
        "place": _word(str(folder)),
        "backup": _word(str(backup)),
        "user": user,
        "secrets": SECRETS,
        "program": f"{_word(sys.executable)} -m tournament",
    }
    return "\n".join(unit.format(**values) for unit in (SITE, REFEREE, BACKUP, TIMER))


def _word(text: str) -> str:
    """Returns a word of a command line of systemd, where `%` and `$` mean something."""
    return _plain(shlex.quote(text)).replace("$", "$$")


def _plain(text: str) -> str:
    """Returns a value of a unit in which `%` stands for itself."""
    return text.replace("%", "%%")
