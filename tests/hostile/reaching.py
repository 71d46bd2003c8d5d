"""Bots that reach for what is not theirs: root's rights, the kernel's settings, what is in memory of a file."""

from __future__ import annotations

from collusion import tells

from tournament.lab.hostile import Attack, Expected
from tournament.players.launcher import LANDLOCK_SIGNALS

CACHED = """
libc = ctypes.CDLL(None, use_errno=True)
arm = os.uname().machine == "aarch64"
if kind == "start":
    place = mmap.mmap(os.open("/bin/sh", os.O_RDONLY), 4096, flags=mmap.MAP_PRIVATE)
    start = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(place)))
    said = lambda answer: log("done" if answer == 0 else errno.errorcode[ctypes.get_errno()])
"""


def asks(name, trouble, *, in_sandbox, log=None, setting="", **settings):
    """A bot that tries something when a game begins and plays on."""
    lines = "".join(f"    {line}\n" for line in trouble.splitlines())
    return Attack(
        name=name,
        trouble=f"{setting}\nif kind == 'start':\n{lines}",
        expected=Expected(log=log),
        in_sandbox=Expected(log=in_sandbox),
        **settings,
    )


IS_ROOT = (
    asks(
        "counts who it is",
        "users = open('/proc/self/status').read()\n"
        "log([name for name in ('Uid', 'Gid') if '0' in users.split(name + ':')[1].split('\\n')[0].split()])",
        log="[]\n",
        in_sandbox="[]\n",
    ),
    asks(
        "counts its rights",
        "status = open('/proc/self/status').read().splitlines()\n"
        "log({line.split()[1].strip('0') for line in status if line.startswith(('CapPrm', 'CapEff', 'CapAmb'))})",
        log="{''}\n",
        in_sandbox="{''}\n",
    ),
    asks(
        "writes the kernel's settings",
        "log(attempt(open, '/proc/sys/kernel/core_pattern', 'a'))",
        log="PermissionError\n",
        in_sandbox="Error\n",
    ),
    asks(
        "asks the kernel's settings what they allow",
        "log(os.statvfs('/proc/sys').f_flag & os.ST_RDONLY)",
        in_sandbox="1\n",
    ),
    asks(
        "reads the passwords of the machine",
        "log(attempt(open, '/etc/shadow'))",
        log="PermissionError\n",
        in_sandbox="FileNotFoundError\n",
    ),
    asks(
        "makes a device of its own",
        "log(attempt(os.mknod, 'disk', 0o60600, os.makedev(8, 0)))",
        log="PermissionError\n",
        in_sandbox="PermissionError\n",
    ),
)

IN_MEMORY = (
    asks(
        "asks what is in memory of a file by mincore",
        "said(libc.mincore(start, ctypes.c_size_t(4096), ctypes.create_string_buffer(1)))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
    asks(
        "asks what is in memory of a file by cachestat",
        "file = os.open(sys.argv[0], os.O_RDONLY)\n"
        "said(libc.syscall(451, file, (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)(), 0))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
    asks(
        "reads what is in memory and nothing else",
        "try: os.preadv(os.open('/bin/sh', os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT)\n"
        "except OSError as error: log(errno.errorcode[error.errno])\nelse: log('read')",
        log="read\n",
        in_sandbox="ENOTSUP\n",
    ),
    asks(
        "reads in vain by asynchronous requests that do not wait",
        "said(libc.syscall(0 if arm else 206, 1, ctypes.byref(ctypes.c_ulong())))",
        setting=CACHED,
        log="done\n",
        in_sandbox="EPERM\n",
    ),
    asks(
        "moves a file out of memory by its mapping",
        "said(libc.madvise(start, ctypes.c_size_t(4096), 21))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
    asks(
        "has another process move a file out of memory",
        "said(libc.syscall(440, os.pidfd_open(os.getpid()), (ctypes.c_size_t * 2)(0, 0), 1, 21, 0))",
        setting=CACHED,
        in_sandbox="EPERM\n",
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
)
"""What tells which pages of a file are in memory, or changes that: refused in a sandbox, where files are copies."""


def leaves(name, what, *, log="PermissionError", in_sandbox="None", unconfined=None):
    """A bot that tries to leave something where all may add files; `path` is its name there."""
    setting = "def path(folder): return folder + '/tournament-left-' + str(os.getpid())\n"
    return asks(
        name,
        f"log(attempt({what}))",
        setting=setting,
        log=log,
        in_sandbox=in_sandbox,
        unconfined=Expected() if unconfined is None else unconfined,
    )


LEAVES = (
    leaves("leaves a folder for temporary files", "os.mkdir, path('/tmp')"),
    leaves(
        "leaves a file for longer",
        "lambda: open(path('/var/tmp'), 'w').close()",
        in_sandbox="Error",
    ),
    leaves(
        "leaves a lock of a program", "lambda: open(path('/run/lock'), 'w').close()", log="Error", in_sandbox="Error"
    ),
    leaves("leaves a link to what is not its own", "os.symlink, '/etc', path('/tmp')"),
    leaves("leaves a pipe for others", "os.mkfifo, path('/tmp')"),
    leaves(
        "moves a file out of its folder",
        "lambda: (open('mine', 'w').close(), os.rename('mine', path('/tmp')))[1]",
        log="Error",
    ),
    leaves(
        "links a file of its own to elsewhere",
        "lambda: (open('mine', 'w').close(), os.link('mine', path('/tmp')))[1]",
        log="Error",
    ),
    asks(
        "moves files about in its own folder",
        "os.makedirs('a/b'); open('a/b/c', 'w').close(); os.rename('a/b/c', 'c'); log(sorted(os.listdir()))",
        log="['a', 'c']\n",
        in_sandbox="'c'",
    ),
    asks(
        "works with several processes",
        "import multiprocessing\nwith multiprocessing.Pool(2) as pool: log(sum(pool.map(abs, range(-9, 1))))",
        log="45\n",
        in_sandbox="45\n",
    ),
)
"""The last two are honest: what they need stays."""

TWIN = """
def twin():
    for one in filter(str.isdecimal, os.listdir("/proc")):
        words = open("/proc/" + one + "/cmdline").read().split("\\0")
        if int(one) != os.getpid() and words[0] == sys.executable and sys.argv[0] in words:
            return int(one)
    raise LookupError
"""


def looks_at(name, what, log="PermissionError"):
    """A bot that reaches for a copy of itself at its first decision."""
    return Attack(
        name=name,
        trouble=f"{TWIN}\nif kind == 'act' and moves == 1: log(attempt(lambda: {what}))",
        expected=Expected(log=log),
        in_sandbox=Expected(log="LookupError"),
        unconfined=Expected(),
        confined_from=LANDLOCK_SIGNALS,
        with_twin=True,
    )


TWINS = (
    looks_at("reads the memory of its twin", "open(f'/proc/{twin()}/mem', 'rb')"),
    looks_at("reads the environment of its twin", "open(f'/proc/{twin()}/environ').read()"),
    looks_at("speaks in the place of its twin", "open(f'/proc/{twin()}/fd/1', 'w').close()"),
    looks_at("goes where its twin works", "os.listdir(f'/proc/{twin()}/cwd/')"),
    looks_at("stops its twin", "os.kill(twin(), signal.SIGSTOP)"),
    looks_at("traces its twin", "ctypes.CDLL(None).ptrace(0x4206, twin(), 0, 0)", log="-1"),
    looks_at(
        "copies a descriptor of its twin",
        "ctypes.CDLL(None).syscall(438, os.pidfd_open(twin()), 0, 0)",
        log="-1",
    ),
    looks_at(
        "writes to the memory of its twin",
        "ctypes.CDLL(None).process_vm_writev(twin(), *2 * ((ctypes.c_size_t * 2)(1, 1), 1), 0)",
        log="-1",
    ),
)
"""As root another user; for an ordinary user the kernel keeps them from each other (Landlock)."""

REACHES = (*IS_ROOT, *IN_MEMORY, *LEAVES, *TWINS)
