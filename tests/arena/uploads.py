"""Makes uploads: honest ones, and ones that no honest program makes."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile

BOT = b"""from tournament import Bot


class Keeper(Bot):
    def act(self, view):
        return view.legal_actions()[0]
"""
PROGRAM = {"bot.py": BOT}


def zipped(members, *, modes=None, method=zipfile.ZIP_DEFLATED):
    """Returns a zip; `members` are names with contents, `modes` the modes of some."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            if modes and name in modes:
                info.create_system = 3
                info.external_attr = modes[name] << 16
            archive.writestr(info, content)
    return data.getvalue()


def tarred(members, *, form=tarfile.PAX_FORMAT, **changes):
    """Returns a tar.gz; a member is a name and contents, or a name and attributes of its `TarInfo`."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", format=form) as archive:
        for name, content in members.items() if isinstance(members, dict) else members:
            info = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            else:
                for attribute, value in content.items():
                    setattr(info, attribute, value)
                archive.addfile(info)
    return data.getvalue()


def tar_header(name, size):
    """Returns the header of a tar for a file that states a size, whatever it really is."""
    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT)


def packed(data):
    """Returns data as gzip."""
    return gzip.compress(data, compresslevel=9)


def with_stated_size(data, size):
    """Returns a zip of one member in which its size is stated as another, in both places."""
    local, central = data.index(b"PK\3\4"), data.index(b"PK\1\2")
    changed = bytearray(data)
    changed[local + 22 : local + 26] = struct.pack("<I", size)
    changed[central + 24 : central + 28] = struct.pack("<I", size)
    return bytes(changed)


def with_name(data, old, new):
    """Returns a zip in which a name is written otherwise, in both places; names have equal length."""
    assert len(old) == len(new)
    return data.replace(old, new)


def with_flag(data, flag):
    """Returns a zip of one member with a flag set, in both places."""
    local, central = data.index(b"PK\3\4"), data.index(b"PK\1\2")
    changed = bytearray(data)
    changed[local + 6] |= flag
    changed[central + 8] |= flag
    return bytes(changed)


def with_members_stated(data, members, directory=None):
    """Returns a zip whose end states another number of members, and another size of their list."""
    end = data.rindex(b"PK\5\6")
    changed = bytearray(data)
    changed[end + 8 : end + 12] = struct.pack("<HH", members, members)
    if directory is not None:
        changed[end + 12 : end + 16] = struct.pack("<I", directory)
    return bytes(changed)
