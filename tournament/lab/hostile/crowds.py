"""Attacks by bots that use several processes, or take from others: their time, uncounted memory, other cores.

Where processes are counted in control groups, the kernel stops most of these; elsewhere the runner finds them.
"""

from __future__ import annotations

import textwrap
from typing import Final

from tournament.lab.hostile.kit import Attack, Expectation, tries
from tournament.players.linux.child import MEMORY
from tournament.players.linux.launcher import LANDLOCK_SIGNALS

PONDERING: Final = """
def spin(seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end: pass

def fork(what):
    pid = os.fork()
    if pid == 0:
        try: what()
        finally: os._exit(0)
    return pid

def used():
    return sum(attempt(time.clock_gettime, (~pid << 3) | 2) if pid != os.getpid() else 0.0 for pid in helpers)

def daemon(what):
    reading, writing = os.pipe()
    def first():
        os.setsid()
        os.write(writing, b"%d\\n" % fork(what))
    os.waitpid(fork(first), 0)
    return int(os.read(reading, 100))

if kind == "act" and moves == 1:
    helpers = []
@HELPERS@
if kind == "act":
    if moves in (3, 4):
        if measure() - before >= @SPARE@:
            sys.exit(f"pondered for {measure() - before:.2f} s")
        log("stopped")
    time.sleep(@PAUSE@ if 1 < moves < 5 else 0)
    if moves > 1:
        before = measure()
"""
"""Each copy takes a while for three turns, and ends with a fault when helpers worked in the turns of the other."""


def _ponders(name: str, helpers: str, measure: str = "used()", spare: float = 0.1) -> Attack:
    """Returns a bot whose helpers go on working while its twin thinks.

    `spare` is the processor time, in seconds, that they may use until the runner has seen the answer. The twin thinks
    more than twice as long, so that helpers which are not stopped use more.
    """
    pause = 2.5 * spare
    helpers = textwrap.indent(textwrap.dedent(helpers).strip() + f"\nmeasure = lambda: {measure}", " " * 4)
    return Attack(
        name=name,
        trouble=PONDERING.replace("@HELPERS@", helpers).replace("@SPARE@", str(spare)).replace("@PAUSE@", str(pause)),
        expected=Expectation(log="stopped\nstopped\n"),
        with_twin=True,
    )


def _hoards(name: str, trouble: str) -> Attack:
    """Returns a bot that holds more memory than it may, in a way that its own process does not show."""
    return Attack(
        name=name,
        trouble="if moves == 2 and kind == 'act':\n" + textwrap.indent(trouble, "    "),
        expected=Expectation(kind="memory", at=2, detail=MEMORY),
    )


PONDERS: Final = (
    _ponders("ponders in a helper", "helpers.append(fork(spin))"),
    _ponders("ponders in a helper of a session of its own", "helpers.append(fork(lambda: (os.setsid(), spin())))"),
    _ponders("ponders in a helper of a group of its own", "helpers.append(fork(lambda: (os.setpgid(0, 0), spin())))"),
    # Daemons are found among orphans, which takes longer while others work: six keep the runner from the cores itself.
    _ponders("ponders in a daemon", "helpers.append(daemon(spin))", spare=0.2),
    _ponders("ponders in six daemons", "helpers += [daemon(spin) for _ in range(6)]", spare=0.6),
    _ponders(
        "ponders in a main process that leaves its group",
        """
        pid = fork(lambda: (os.setpgid(0, 0), time.sleep(60)))
        time.sleep(0.1)
        attempt(os.setpgid, 0, pid)
        threading.Thread(target=spin, daemon=True).start()
        """,
        "time.process_time()",
    ),
    _ponders(
        "ponders while a helper wakes it",
        """
        def wakes():
            os.setsid()
            for _ in range(6000):
                os.kill(main, signal.SIGCONT)
                time.sleep(0.01)
        main = os.getpid()
        fork(wakes)
        threading.Thread(target=spin, daemon=True).start()
        """,
        "time.process_time()",
    ),
    _ponders(
        "ponders in helpers that each live for a moment",
        """
        def link():
            for _ in range(500):
                spin(0.02)
                counter.seek(0); counter.write_byte(min(255, counter[0] + 1))
                if os.fork(): os._exit(0)
        counter = mmap.mmap(-1, 1)
        helpers.append(daemon(link))
        """,
        "counter[0] * 0.02",
        spare=0.2,
    ),
)
HOARDS: Final = (
    _hoards(
        "hoards in daemons",
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0: hoard = bytearray(b'x') * (40 << 20); time.sleep(60)\n"
        "        os._exit(0)\n"
        "time.sleep(60)",
    ),
    _hoards(
        "hides memory that it shares with nobody",
        "hoards = [mmap.mmap(-1, 20 << 20) for _ in range(8)]\n"
        "for one in hoards:\n"
        "    for _ in range(20 << 8): one.write(b'x' * 4096)\n"
        "    one.madvise(mmap.MADV_DONTNEED)\n"
        "time.sleep(60)",
    ),
    _hoards(
        "hides memory that helpers share with nobody",
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        hoard = mmap.mmap(-1, 40 << 20)\n"
        "        for _ in range(40 << 8): hoard.write(b'x' * 4096)\n"
        "        hoard.madvise(mmap.MADV_DONTNEED); time.sleep(60)\n"
        "time.sleep(60)",
    ),
    Attack(
        name="leaks shared memory by quick answers",
        trouble="if kind == 'act':\n"
        "    hoards = [*globals().get('hoards', ()), mmap.mmap(-1, 12 << 20)]\n"
        "    for _ in range(12 << 8): hoards[-1].write(b'x' * 4096)\n"
        "    time.sleep(0.02)",
        expected=Expectation(kind="memory", detail=MEMORY),
    ),
    Attack(
        name="makes files without end",
        trouble="if moves == 2 and kind == 'act':\n"
        "    for number in range(45_000 if os.getcwd() == '/tmp' else 500): open(str(number), 'w').close()\n"
        "    time.sleep(0.2)",
        expected=Expectation(),
        in_sandbox=Expectation(kind="memory", at=2, detail=MEMORY),
    ),
)
FORKS: Final = (
    tries(
        "starts threads without end",
        "[attempt(threading.Thread(target=time.sleep, args=(0.3,)).start) for _ in range(40)][-1]",
        "RuntimeError\n",
    ),
    Attack(
        name="starts a chain of daemons, each the child of the last",
        trouble="if moves == 1 and kind == 'act' and os.fork() == 0:\n"
        "    for _ in range(2000):\n"
        "        os.setsid(); time.sleep(0.005)\n"
        "        if os.fork(): os._exit(0)\n"
        "    os._exit(0)",
        expected=Expectation(),
    ),
    Attack(
        name="starts a daemon before its first request",
        trouble="if kind == 'hello' and os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(60)\n"
        "    os._exit(0)",
        expected=Expectation(),
    ),
    Attack(
        name="starts a helper for each decision",
        trouble="if kind == 'act': log(subprocess.run(['true']).returncode)",
        expected=Expectation(log="0\n0\n0\n"),
    ),
    Attack(
        name="becomes another program",
        trouble="if moves == 2: os.execv('/bin/true', ['true'])",
        expected=Expectation(kind="crash", at=2, detail="exited with code 0 while an answer was due"),
    ),
)
REFUSED: Final = (
    tries("moves to other cores", "attempt(os.sched_setaffinity, 0, range(os.cpu_count()))", "PermissionError"),
    tries("lowers its priority", "attempt(os.nice, 5)", "PermissionError"),
    tries(
        "asks for another schedule",
        "attempt(os.sched_setscheduler, 0, os.SCHED_BATCH, os.sched_param(0))",
        "Permission",
    ),
    tries("asks not to end with the tournament", "ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)", "-1"),
    tries("asks not to be looked into", "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)", "-1"),
    tries("asks not to adopt what it leaves behind", "ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)", "-1"),
    tries("asks to be traced by the tournament", "ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "-1"),
    tries("signals everybody at once", "attempt(os.kill, -1, 0)", "PermissionError"),
    tries(
        "signals whom it can see",
        "sum(attempt(os.kill, int(pid), 0) is None for pid in os.listdir('/proc') if pid.isdecimal()"
        " and int(pid) not in (1, os.getpid()))",
        "0\n",
        unconfined=Expectation(),
        confined_from=LANDLOCK_SIGNALS,
    ),
    tries(
        "leaves its control group",
        "attempt(lambda: [open('/sys/fs/cgroup' + one, 'a').write('0') for one in ("
        "'/unified/cgroup.procs', '/freezer/cgroup.procs', '/cgroup.procs') if os.path.exists('/sys/fs/cgroup' + one)]"
        " or 1 / 0)",
        "Error",
        in_sandbox="ZeroDivisionError",
    ),
    tries(
        "asks never to be ended for memory",
        "attempt(lambda: open('/proc/self/oom_score_adj', 'w', 1).write('-1000\\n'))",
        "Error",
    ),
    tries("reserves memory without end", "attempt(mmap.mmap, -1, 10 << 30)", "OSError"),
)

CROWDS: Final = (*PONDERS, *HOARDS, *FORKS, *REFUSED)
