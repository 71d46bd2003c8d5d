"""Attacks by bots that reach for what is not theirs: root's rights, kernel settings, others' files and memory."""

from __future__ import annotations

from typing import Final

from tournament.lab.hostile.kit import Attack, Expectation
from tournament.players.linux.launcher import LANDLOCK_SIGNALS

CACHED: Final = """
libc = ctypes.CDLL(None, use_errno=True)
arm = os.uname().machine == "aarch64"
if kind == "start":
    place = mmap.mmap(os.open("/bin/sh", os.O_RDONLY), 4096, flags=mmap.MAP_PRIVATE)
    start = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(place)))
    said = lambda answer: log("done" if answer == 0 else errno.errorcode[ctypes.get_errno()])
"""


def _asks(
    name: str,
    trouble: str,
    *,
    in_sandbox: str,
    log: str | None = None,
    setting: str = "",
    unconfined: Expectation | None = None,
) -> Attack:
    """Returns a bot that tries something when a game begins, and plays on."""
    lines = "".join(f"    {line}\n" for line in trouble.splitlines())
    return Attack(
        name=name,
        trouble=f"{setting}\nif kind == 'start':\n{lines}",
        expected=Expectation(log=log),
        in_sandbox=Expectation(log=in_sandbox),
        unconfined=unconfined,
    )


IS_ROOT: Final = (
    _asks(
        "looks whether it is root",
        "users = open('/proc/self/status').read()\n"
        "log([name for name in ('Uid', 'Gid') if '0' in users.split(name + ':')[1].split('\\n')[0].split()])",
        log="[]\n",
        in_sandbox="[]\n",
    ),
    _asks(
        "looks for rights of root",
        "status = open('/proc/self/status').read().splitlines()\n"
        "log({line.split()[1].strip('0') for line in status if line.startswith(('CapPrm', 'CapEff', 'CapAmb'))})",
        log="{''}\n",
        in_sandbox="{''}\n",
    ),
    _asks(
        "writes the kernel's settings",
        "log(attempt(open, '/proc/sys/kernel/core_pattern', 'a'))",
        log="PermissionError\n",
        in_sandbox="Error\n",
    ),
    _asks(
        "reads what the kernel's settings allow", "log(os.statvfs('/proc/sys').f_flag & os.ST_RDONLY)", in_sandbox="1\n"
    ),
    _asks(
        "reads the passwords of the machine",
        "log(attempt(open, '/etc/shadow'))",
        log="PermissionError\n",
        in_sandbox="FileNotFoundError\n",
    ),
    _asks(
        "makes a device of its own",
        "log(attempt(os.mknod, 'disk', 0o60600, os.makedev(8, 0)))",
        log="PermissionError\n",
        in_sandbox="PermissionError\n",
    ),
)

IN_MEMORY: Final = (
    _asks(
        "asks by mincore which part of a file is in memory",
        "said(libc.mincore(start, ctypes.c_size_t(4096), ctypes.create_string_buffer(1)))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
    _asks(
        "asks by cachestat which part of a file is in memory",
        "file = os.open(sys.argv[0], os.O_RDONLY)\n"
        "said(libc.syscall(451, file, (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)(), 0))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
    _asks(
        "reads only what is in memory",
        "try: os.preadv(os.open('/bin/sh', os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT)\n"
        "except OSError as error: log(errno.errorcode[error.errno])\nelse: log('read')",
        log="read\n",
        in_sandbox="ENOTSUP\n",
    ),
    _asks(
        "reads in vain by asynchronous requests that do not wait",
        "said(libc.syscall(0 if arm else 206, 1, ctypes.byref(ctypes.c_ulong())))",
        setting=CACHED,
        log="done\n",
        in_sandbox="EPERM\n",
    ),
    _asks(
        "moves a file out of memory by its mapping",
        "said(libc.madvise(start, ctypes.c_size_t(4096), 21))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
    _asks(
        "has another process move a file out of memory",
        "said(libc.syscall(440, os.pidfd_open(os.getpid()), (ctypes.c_size_t * 2)(0, 0), 1, 21, 0))",
        setting=CACHED,
        in_sandbox="EPERM\n",
    ),
)
"""What tells which pages of a file are in memory, or changes that: refused in a sandbox, where files are copies."""


def _leaves(name: str, what: str, *, log: str = "PermissionError", in_sandbox: str = "None") -> Attack:
    """Returns a bot that tries to leave something where all may add files; `path` is its name there."""
    setting = "def path(folder): return folder + '/tournament-left-' + os.environ['RUNNER']\n"
    return _asks(
        name, f"log(attempt({what}))", setting=setting, log=log, in_sandbox=in_sandbox, unconfined=Expectation()
    )


LEAVES: Final = (
    _leaves("leaves a folder for temporary files", "os.mkdir, path('/tmp')"),
    _leaves("leaves a file for longer", "lambda: open(path('/var/tmp'), 'w').close()", in_sandbox="Error"),
    _leaves(
        "leaves a lock of a program", "lambda: open(path('/run/lock'), 'w').close()", log="Error", in_sandbox="Error"
    ),
    _leaves("leaves a link to what is not its own", "os.symlink, '/etc', path('/tmp')"),
    _leaves("leaves a pipe for others", "os.mkfifo, path('/tmp')"),
    _leaves(
        "moves a file out of its folder",
        "lambda: (open('mine', 'w').close(), os.rename('mine', path('/tmp')))[1]",
        log="Error",
    ),
    _leaves(
        "links a file of its own to elsewhere",
        "lambda: (open('mine', 'w').close(), os.link('mine', path('/tmp')))[1]",
        log="Error",
    ),
    _asks(
        "moves files about in its own folder",
        "os.makedirs('a/b'); open('a/b/c', 'w').close(); os.rename('a/b/c', 'c'); log(sorted(os.listdir()))",
        log="['a', 'c']\n",
        in_sandbox="'c'",
    ),
    _asks(
        "works with several processes",
        "import multiprocessing\nwith multiprocessing.Pool(2) as pool: log(sum(pool.map(abs, range(-9, 1))))",
        log="45\n",
        in_sandbox="45\n",
    ),
)
"""The last two are honest: what they need stays."""

TWIN: Final = """
def twin():
    for one in filter(str.isdecimal, os.listdir("/proc")):
        words = open("/proc/" + one + "/cmdline").read().split("\\0")
        if int(one) != os.getpid() and words[0] == sys.executable and sys.argv[0] in words:
            return int(one)
    raise LookupError
"""


def _looks_at(name: str, what: str, log: str = "PermissionError") -> Attack:
    """Returns a bot that reaches for a copy of itself at its first decision."""
    return Attack(
        name=name,
        trouble=f"{TWIN}\nif kind == 'act' and moves == 1: log(attempt(lambda: {what}))",
        expected=Expectation(log=log),
        in_sandbox=Expectation(log="LookupError"),
        unconfined=Expectation(),
        confined_from=LANDLOCK_SIGNALS,
        with_twin=True,
    )


TWINS: Final = (
    _looks_at("reads the memory of its twin", "open(f'/proc/{twin()}/mem', 'rb')"),
    _looks_at("reads the environment of its twin", "open(f'/proc/{twin()}/environ').read()"),
    _looks_at("speaks in the place of its twin", "open(f'/proc/{twin()}/fd/1', 'w').close()"),
    _looks_at("enters the folder in which its twin works", "os.listdir(f'/proc/{twin()}/cwd/')"),
    _looks_at("stops its twin", "os.kill(twin(), signal.SIGSTOP)"),
    _looks_at("traces its twin", "ctypes.CDLL(None).ptrace(0x4206, twin(), 0, 0)", log="-1"),
    _looks_at(
        "copies a descriptor of its twin", "ctypes.CDLL(None).syscall(438, os.pidfd_open(twin()), 0, 0)", log="-1"
    ),
    _looks_at(
        "writes to the memory of its twin",
        "ctypes.CDLL(None).process_vm_writev(twin(), *2 * ((ctypes.c_size_t * 2)(1, 1), 1), 0)",
        log="-1",
    ),
)
"""As root another user; for an ordinary user the kernel keeps them from each other (Landlock)."""

REACHES: Final = (*IS_ROOT, *IN_MEMORY, *LEAVES, *TWINS)
