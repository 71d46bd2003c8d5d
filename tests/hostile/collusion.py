"""Bots that tell a second copy of themselves what they hold, each through one channel.

Each copy says `cards` where the other may find it when a game begins, and looks for what the other said at its first
decision. Nothing of ours stands between them but the level of isolation.
"""

from __future__ import annotations

from tournament.lab.hostile.kit import Attack, Expectation
from tournament.players.linux.launcher import LANDLOCK_SIGNALS

SETTING = """
import fcntl
name = "cards-of-" + os.environ["RUNNER"] + "-"
libc = ctypes.CDLL(None, use_errno=True)
add_key, keyctl = (217, 219) if os.uname().machine == "aarch64" else (248, 250)
of_processes = lambda file: [
    attempt(lambda: open("/proc/" + one + "/" + file).read()) for one in os.listdir("/proc") if one.isdecimal()
]
number = 4 * int(os.environ["RUNNER"])
if kind == "start":
    seat = request["seat"]
    mine, other = name + str(seat), name + str(1 - seat)
"""


def tells(name, *, tell, look, log, in_sandbox, forget="", **settings):
    """A bot that tells its twin something when a game begins; `look` is what it finds out at its first decision."""
    trouble = SETTING
    for when, what in (("kind == 'start'", tell), ("moves == 1 and kind == 'act'", look), ("kind == 'quit'", forget)):
        if what:
            lines = "".join(f"        {line}\n" for line in what.splitlines())
            trouble += f"if {when}:\n    try:\n{lines}    except OSError as error: log(type(error).__name__)\n"
    return Attack(
        name=name,
        trouble=trouble,
        expected=Expectation(log=log),
        in_sandbox=Expectation(log=in_sandbox),
        with_twin=True,
        **settings,
    )


def by_file(name, folder, **outcome):
    return tells(
        name,
        tell=f"with open('{folder}/' + mine, 'w') as file: file.write('cards')\nos.chmod('{folder}/' + mine, 0o666)",
        look=f"log(attempt(lambda: open('{folder}/' + other).read()))",
        forget=f"attempt(os.unlink, '{folder}/' + mine)",
        **outcome,
    )


def by_socket(name, address, **outcome):
    tell = f"server = socket.socket(socket.AF_UNIX); attempt(os.unlink, {address} + mine)\n"
    tell += f"server.bind({address} + mine); server.listen(); attempt(os.chmod, {address} + mine, 0o666)"
    look = f"log(attempt(lambda: socket.socket(socket.AF_UNIX).connect({address} + other)) or 'cards')"
    return tells(name, tell=tell, look=look, forget=f"attempt(os.unlink, {address} + mine)", **outcome)


CHANNELS = """
import fcntl
if kind == "start":
    file = open("/bin/sh")
    log(attempt(fcntl.lockf, file, fcntl.LOCK_SH | fcntl.LOCK_NB))
    log(attempt(fcntl.fcntl, file, fcntl.F_GETFD))
    log(attempt(lambda: socket.socket(40, socket.SOCK_STREAM).close()))
    log(attempt(lambda: socket.socket().close()))
    log(ctypes.CDLL(None).inotify_init1(0) >= 0)
"""

COLLUDES = (
    by_file(
        "tells its twin by a file that all may read",
        "/tmp",
        log="PermissionError\nFileNotFoundError\n",
        in_sandbox="FileNotFoundError",
        unconfined=Expectation(log="cards\n"),
    ),
    by_file("tells its twin by a file in shared memory", "/dev/shm", log="cards\n", in_sandbox="FileNotFoundError"),
    by_socket(
        "tells its twin by a socket",
        "'/tmp/'",
        log="PermissionError\nFileNotFoundError\n",
        in_sandbox="FileNotFoundError",
        unconfined=Expectation(log="cards\n"),
    ),
    by_socket(
        "tells its twin by an abstract socket",
        "'\\0'",
        log="PermissionError",
        in_sandbox="ConnectionRefusedError",
        unconfined=Expectation(log="cards\n"),
        confined_from=LANDLOCK_SIGNALS,
    ),
    tells(
        "tells its twin by a segment of shared memory",
        tell="segment = libc.shmget(number + seat, 4096, 0o1666)",
        look="log('cards' if libc.shmget(number + 1 - seat, 4096, 0) >= 0 else 'nothing')",
        forget="libc.shmctl(segment, 0, None)",
        log="cards\n",
        in_sandbox="nothing\n",
    ),
    tells(
        "tells its twin by the name of its process",
        tell="libc.prctl(15, ('cards' + str(seat)).encode(), 0, 0, 0)",
        look="log('cards' if 'cards' + str(1 - seat) in map(str.strip, of_processes('comm')) else 'nothing')",
        log="cards\n",
        in_sandbox="nothing\n",
    ),
    tells(
        "tells its twin by the environment of a helper",
        tell="helper = subprocess.Popen(['sleep', '600'], env={'PATH': os.environ['PATH'], 'CARDS': mine})",
        look="log('cards' if any('CARDS=' + other in one for one in of_processes('environ')) else 'nothing')",
        log="nothing\n",
        in_sandbox="nothing\n",
        unconfined=Expectation(),
    ),
    tells(
        "tells its twin by a key of its user",
        tell="libc.syscall(add_key, b'user', mine.encode(), b'cards', 5, -4)",
        look="log('cards' if libc.syscall(keyctl, 10, -4, b'user', other.encode(), 0) > 0 else 'nothing')",
        log="nothing\n",
        in_sandbox="nothing\n",
    ),
    tells(
        "tells its twin by a lock on a file that both read",
        tell="file = open(sys.argv[0]); log(attempt(fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB))",
        look="",
        log="BlockingIOError\n",
        in_sandbox="PermissionError\n",
    ),
    tells(
        "tells its twin by what is in memory of the file that both are",
        tell="file = os.open(sys.argv[0], os.O_RDONLY); os.pread(file, 1, 0)\n"
        "if seat: os.fsync(file); os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)",
        look="try: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT); log('nothing')\n"
        "except BlockingIOError: log('cards')\nexcept OSError as error: log(errno.errorcode[error.errno])",
        log="",
        in_sandbox="ENOTSUP\n",
    ),
    tells(
        "tells its twin by the time that a file takes to read",
        tell="file = os.open(sys.argv[0], os.O_RDONLY); os.pread(file, 1, 0)\n"
        "if seat: os.fsync(file); os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)",
        look="before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt\n"
        "place = mmap.mmap(file, 1, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ); place[0]\n"
        "log(resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before)",
        log="",
        in_sandbox="0\n0\n",
    ),
    Attack(
        name="asks the kernel for ways to be heard elsewhere",
        trouble=CHANNELS,
        expected=Expectation(log="None\n1\n"),
        in_sandbox=Expectation(log="PermissionError\n1\nPermissionError\nNone\nFalse\n"),
    ),
)
"""What works at level process works on purpose: it is for bots of friends (docs/isolation.md)."""
