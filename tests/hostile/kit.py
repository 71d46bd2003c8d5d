"""The hostile kit: bots that misbehave, each in one way, with how each attack ends at each level.

The first of the table are `tournament.lab.hostile.selftest.SAFE`; these are the others. Moves: the first request
for a decision comes after 0 moves, the second after 2.
"""

from __future__ import annotations

from collusion import COLLUDES
from msgspec.structs import replace

from tournament.lab.hostile.crowds import CROWDS
from tournament.lab.hostile.kit import PATIENT, Attack, Expectation
from tournament.lab.hostile.reaches import REACHES
from tournament.lab.hostile.selftest import HURRY, SAFE
from tournament.players.linux.child import CLOSED, MEMORY, NO_NEWLINE, NOTHING_CAME, TOO_LONG
from tournament.players.protocol import NO_ANSWER, WRONG_ID
from tournament.records.settings import Limits

DUE = "while an answer was due"
NO_JSON, NO_ACTION, NOT_OK = "the answer is not JSON", NO_ANSWER["action"], NO_ANSWER["ok"]
QUICK_START = replace(PATIENT, start_ms=3000)
QUICK_GAME = replace(PATIENT, newgame_ms=500)
SECONDS = replace(PATIENT, move_ms=2000)
"""For bots that have to do something first, also on a machine under load."""


def honest(name, trouble, *, log=None, in_sandbox=None, **settings):
    """A bot that misbehaves and still plays."""
    other = None if in_sandbox is None else Expectation(log=in_sandbox)
    return Attack(name=name, trouble=trouble, expected=Expectation(log=log), in_sandbox=other, **settings)


def start(name, trouble, detail, **settings):
    """A bot that does not start."""
    return Attack(name=name, trouble=trouble, expected=Expectation(kind="start", at=0, detail=detail), **settings)


def says(name, text, detail, kind="malformed", answer=None):
    """A bot whose second answer is an expression: a text, or bytes."""
    written = f"text = {text}\n    sys.stdout.buffer.write(text if type(text) is bytes else text.encode())"
    trouble = f"if moves == 2:\n    {written}\n    sys.stdout.flush()\n    continue"
    return Attack(name=name, trouble=trouble, expected=Expectation(kind=kind, at=2, detail=detail, answer=answer))


def acts(name, action, kind, detail, answer):
    """A bot whose second action is what it should not be."""
    line = f'\'{{"type":"action","id":%d,"action":{action}}}\\n\' % id'
    return says(name, line, detail, kind, answer)


def at_second(name, trouble, kind, detail, in_sandbox=None, **settings):
    """A bot that does something else at its second request."""
    trouble = "if moves == 2:\n" + "".join(f"    {line}\n" for line in trouble.splitlines())
    expected = Expectation(kind=kind, at=2, detail=detail)
    return Attack(name=name, trouble=trouble, expected=expected, in_sandbox=in_sandbox, **settings)


def hangs(name, trouble, detail=NOTHING_CAME, clock=HURRY, **settings):
    """A bot that gives no answer to its first request."""
    trouble = "if kind == 'act':\n" + "".join(f"    {line}\n" for line in trouble.splitlines())
    return Attack(
        name=name, trouble=trouble, expected=Expectation(kind="timeout", at=0, detail=detail), clock=clock, **settings
    )


PLAYS_ON = (
    honest(
        "carriage returns",
        "if kind == 'act': say(json.dumps({'type': 'action', 'id': id, "
        "'action': request['legal'][0]}) + ' \\r\\n'); continue",
    ),
    honest(
        "fields nobody knows",
        "if kind == 'act': answer(type='action', action=request['legal'][0], "
        "because=[1.5, None, {'deep': [[]]}]); continue",
    ),
    honest("talks to stderr", "if kind == 'act': sys.stderr.write('x' * 10_000)", log="x" * 10_000),
    honest("starts slowly", "if kind == 'hello': time.sleep(0.4)"),
    honest(
        "ponders in a thread",
        "if moves == 1: threading.Thread(target=exec, args=('while True: pass',), daemon=True).start()",
    ),
    honest("ignores quit", "if kind == 'quit': time.sleep(600)"),
    honest(
        "ignores quit and signals",
        "if kind == 'hello': [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]\n"
        "if kind == 'quit': time.sleep(600)",
    ),
    honest("dies after the end", "if kind == 'end': os.kill(os.getpid(), signal.SIGKILL)"),
    honest("speaks after the end", "if kind == 'end': say('good game\\n' * 3)", blocks=2),
    honest("says goodbye without a newline", "if kind == 'end': say('goodbye')", blocks=2),
    honest("says goodbye at great length", "if kind == 'end': say('x' * 70_000 + '\\n')", blocks=2),
    honest("says goodbye 2000 times", "if kind == 'end': say('goodbye\\n' * 2000)", blocks=2),
    honest("closes stdout after the end", "if kind == 'end': os.close(1)", blocks=2),
    honest(
        "hides memory in files without a name",
        "if kind == 'start': files = [attempt(os.memfd_create, 'x') for _ in range(20)]; "
        "log([attempt(os.write, one, b'x' * (4 << 20)) for one in files][19])",
        log="4194304\n",
        in_sandbox="TypeError\n",
        in_groups=Expectation(kind="memory", at=0, detail=MEMORY),
    ),
    honest(
        "hides memory in segments",
        "if kind == 'start': log(ctypes.CDLL(None).shmget(0, 80 << 20, 0o1600) >= 0)\nif kind == 'quit':\n"
        "    for line in open('/proc/sysvipc/shm').read().splitlines()[1:]: "
        "ctypes.CDLL(None).shmctl(int(line.split()[1]), 0, None)",
        log="True\n",
        in_sandbox="False\n",
    ),
    honest(
        "makes a world of its own",
        "if kind == 'start': log(ctypes.CDLL(None).unshare(0x10000000))",
        in_sandbox="-1\n",
    ),
    honest(
        "opens all descriptors",
        "if kind == 'start': files = []; log(attempt(lambda: [files.append("
        "open('/dev/null')) for _ in range(3000)])); log(len(files)); files.clear()",
        log="OSError\n61\n",
    ),
    honest("many files", "if kind == 'start':\n    for n in range(500): open(str(n), 'w').write('x' * 100)"),
    honest(
        "a mess in scratch",
        "if kind == 'start': os.makedirs('a/b', exist_ok=True); os.symlink('/etc', 'link'); "
        "open('a/b/c', 'w').close(); os.chmod('a/b', 0); os.chmod('a', 0)",
    ),
    honest("deep folders", "if kind == 'start':\n    for _ in range(300): os.mkdir('d'); os.chdir('d')"),
    honest(
        "a storm of signals",
        "if kind == 'start': signal.signal(signal.SIGALRM, lambda *_: None); "
        "signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)",
    ),
    honest(
        "a helper in a session of its own",
        "if moves == 1 and kind == 'act' and os.fork() == 0:\n    os.setsid()\n    while True: time.sleep(0.01)",
    ),
    honest(
        "sets the clock",
        "if kind == 'start': log(attempt(time.clock_settime, time.CLOCK_REALTIME, time.time()))",
        log="PermissionError",
    ),
    honest("mounts", "if kind == 'start': log(ctypes.CDLL(None).mount(b'none', b'.', b'tmpfs', 0, None))", log="-1"),
    honest(
        "raises its limits",
        "if kind == 'start': log(attempt(resource.setrlimit, resource.RLIMIT_NOFILE, (9999, 9999)))",
        log="Error",
    ),
    honest(
        "traces the tournament",
        "if kind == 'start': log(ctypes.CDLL(None).ptrace(16, int(os.environ['RUNNER']), 0, 0))",
        log="-1",
    ),
    honest(
        "changes its own file",
        "if kind == 'start': log(attempt(lambda: open(sys.argv[0], 'a').close()))",
        log="PermissionError",
        in_sandbox="Error",
    ),
    honest(
        "reads byte by byte",
        """
if kind == 'hello':
    answer(type='ready')
    line = b''
    while not line.endswith(b'"quit"}\\n'):
        byte = os.read(0, 1)
        line = byte if line.endswith(b'\\n') else line + byte
        if byte == b'\\n':
            request = json.loads(line)
            kind, id = request['type'], request.get('id')
            if kind == 'start': answer(type='ok')
            elif kind == 'act': answer(type='action', action=request['legal'][0])
    sys.exit(0)
""",
    ),
)
DOES_NOT_START = (
    start("sleeps at hello", "if kind == 'hello': time.sleep(600)", NOTHING_CAME, clock=QUICK_START),
    start("exits at hello", "if kind == 'hello': sys.exit(0)", f"exited with code 0 {DUE}"),
    start("cannot be imported", "raise ImportError('no such thing')", f"exited with code 1 {DUE}"),
    start("greets people", "if kind == 'hello': say('Welcome!\\n')", NO_JSON),
    start(
        "speaks protocol 99",
        "if kind == 'hello': answer(type='ready', protocol=99, games='all'); continue",
        NO_ANSWER["ready"],
    ),
    start(
        "plays another game",
        "if kind == 'hello': answer(type='ready', games=['chess']); continue",
        "ready says that it does not play scout",
    ),
    start("is ready twice", "if kind == 'hello': answer(type='ready')", NOT_OK),
    start("answers start with ready", "if kind == 'start': answer(type='ready'); continue", NOT_OK),
    start("answers start with another id", "if kind == 'start': id += 1", WRONG_ID),
    start("exits during start", "if kind == 'start': sys.exit(0)", f"exited with code 0 {DUE}"),
    start("sleeps during start", "if kind == 'start': time.sleep(600)", NOTHING_CAME, clock=QUICK_GAME),
    start("a line without end at hello", "if kind == 'hello':\n    while True: say('x' * 65536)", TOO_LONG),
)
HANGS = (
    hangs("spins", "while True: pass"),
    hangs(
        "spins and minds no signal and no exception",
        "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]\nwhile True:\n    try:\n        while True: pass\n"
        "    except BaseException: pass",
    ),
    hangs("drips", "while True: say('{'); time.sleep(0.03)", NO_NEWLINE, clock=SECONDS),
    hangs("never flushes", "sys.stdout.write('{}\\n')\ntime.sleep(600)"),
    hangs("stops itself", "os.kill(os.getpid(), signal.SIGSTOP)"),
    hangs("waits for a lock for ever", "lock = threading.Lock(); lock.acquire(); lock.acquire()"),
    hangs(
        "a fork bomb",
        "for _ in range(5): attempt(os.fork)\ntime.sleep(600)",
        limits=Limits(memory_mb=300, processes=24),
    ),
    Attack(
        name="reads nothing more",
        trouble="if kind == 'start': answer(type='ok'); time.sleep(600)",
        expected=Expectation(kind="timeout", at=0, detail=NOTHING_CAME),
        clock=HURRY,
    ),
    Attack(
        name="spends its bank",
        trouble="if kind == 'act': time.sleep(0.3)",
        expected=Expectation(kind="timeout", detail=NOTHING_CAME),
        clock=replace(PATIENT, move_ms=100, bank_ms=500),
    ),
    Attack(
        name="hoards memory in a thread when its first has ended",
        trouble="if kind == 'act':\n"
        "    def hoard():\n"
        "        hoard = mmap.mmap(-1, 120 << 20); [hoard.write(b'x' * 4096) for _ in range(30 << 10)]\n"
        "        time.sleep(600)\n"
        "    threading.Thread(target=hoard).start()\n"
        "    ctypes.CDLL(None).syscall({'x86_64': 60}.get(os.uname().machine, 93), 0)",
        expected=Expectation(kind="memory", at=0, detail=MEMORY),
        limits=Limits(memory_mb=64),
    ),
    Attack(
        name="closes stdout and lives on",
        trouble="if kind == 'act': os.close(1); time.sleep(600)",
        expected=Expectation(kind="crash", at=0, detail=CLOSED),
        clock=SECONDS,
        in_sandbox=Expectation(kind="timeout", at=0, detail=NOTHING_CAME),
    ),
    Attack(
        name="is fast for four moves, then hangs",
        trouble="if kind == 'act' and moves == 5: time.sleep(600)",
        expected=Expectation(kind="timeout", detail=NOTHING_CAME),
        clock=SECONDS,
    ),
)
CRASHES = (
    at_second("an exception", "1 / 0", "crash", f"exited with code 1 {DUE}"),
    at_second("exits as if all were well", "os._exit(0)", "crash", f"exited with code 0 {DUE}"),
    at_second("exits with 137", "os._exit(77)", "crash", f"exited with code 77 {DUE}"),
    at_second("aborts", "os.abort()", "crash", f"was ended by SIGABRT {DUE}"),
    at_second("kills itself", "os.kill(os.getpid(), signal.SIGKILL)", "crash", f"was ended by SIGKILL {DUE}"),
    at_second("kills its group", "os.killpg(0, signal.SIGKILL)", "crash", f"was ended by SIGKILL {DUE}"),
    at_second(
        "the main process exits, a child holds the pipe",
        "if os.fork(): os._exit(0)\ntime.sleep(600)",
        "crash",
        f"exited with code 0 {DUE}",
    ),
    Attack(
        name="answers and exits",
        trouble="if moves == 1 and kind == 'act': answer(type='action', action=request['legal'][0]); os._exit(0)",
        expected=Expectation(kind="crash", at=2),
    ),
    Attack(
        name="leaks",
        trouble="if kind == 'act': hogs = [*globals().get('hogs', ()), bytearray(20 << 20)]",
        expected=Expectation(kind="crash", detail=f"exited with code 1 {DUE}"),
    ),
)
SPEAKS_NONSENSE = (
    says("an empty line", "'\\n'", NO_JSON),
    says("an array", "'[1]\\n'", NO_ACTION, answer="[1]"),
    says("null", "'null\\n'", NO_ACTION, answer="null"),
    says("a byte order mark", "b'\\xef\\xbb\\xbf{}\\n'", NO_JSON),
    says("zero bytes", "b'\\0\\0\\n'", NO_JSON),
    says("no UTF-8", "b'\\xff\\xfe\\n'", "the answer is not UTF-8", answer="\\xff\\xfe"),
    says("nested too deeply", "'{\"x\":' + '[' * 30000 + ']' * 30000 + '}\\n'", "the answer is nested too deeply"),
    says("a line of 70,000 bytes", "'x' * 70_000 + '\\n'", TOO_LONG, answer="xxxx"),
    at_second("a line without end", "while True: say('x' * 65536)", "malformed", TOO_LONG),
    says("an unknown type", "json.dumps({'type': 'resign', 'id': id}) + '\\n'", NO_ACTION),
    says("no action", "json.dumps({'type': 'action', 'id': id}) + '\\n'", NO_ACTION),
    says("another id", "json.dumps({'type': 'action', 'id': id + 1, 'action': {'do': 'keep'}}) + '\\n'", WRONG_ID),
    says("two ids", '\'{"type":"action","id":%d,"id":1,"action":{"do":"keep"}}\\n\' % id', WRONG_ID),
    says("an id of 70 bits", "json.dumps({'type': 'action', 'id': 2**70, 'action': {'do': 'keep'}}) + '\\n'", WRONG_ID),
    Attack(
        name="answers twice",
        trouble="if moves == 1 and kind == 'act': answer(type='action', action=request['legal'][0])",
        expected=Expectation(kind="malformed", at=2, detail=WRONG_ID),
    ),
    Attack(
        name="sends 39 answers ahead",
        trouble="if moves == 1 and kind == 'act': answer(type='action', "
        'action=request[\'legal\'][0]); [say(\'{"type":"action","id":%d,"action":{"do":"keep"}}\\n\' % n) '
        "for n in range(39)]; continue",
        expected=Expectation(kind="malformed", at=2, detail=WRONG_ID),
    ),
    Attack(
        name="floods answers",
        trouble="if moves == 1 and kind == 'act':\n    while True: answer(type='action', action=request['legal'][0])",
        expected=Expectation(kind="malformed", at=2, detail=WRONG_ID),
    ),
    acts("NaN", '{"do":"play","at":NaN,"count":1}', "malformed", NO_JSON, "{"),
    acts("true for a number", '{"do":"play","at":true,"count":1}', "malformed", NO_ACTION, "{"),
    acts("0.0 for a number", '{"do":"play","at":0.0,"count":1}', "malformed", NO_ACTION, "{"),
    acts("a text for a number", '{"do":"play","at":"0","count":1}', "malformed", NO_ACTION, "{"),
    acts("an action of another game", '{"do":"discard","card":"9S"}', "malformed", NO_ACTION, "{"),
    acts("index 99", '{"do":"play","at":99,"count":1}', "illegal", None, '{"at":99,"count":1,"do":"play"}'),
    acts("index -1", '{"do":"play","at":-1,"count":1}', "malformed", NO_ACTION, "{"),
    acts("an index of 70 bits", f'{{"do":"play","at":{2**70},"count":1}}', "illegal", None, '{"at":'),
)

KIT = (*SAFE, *PLAYS_ON, *DOES_NOT_START, *HANGS, *CRASHES, *SPEAKS_NONSENSE, *COLLUDES, *REACHES, *CROWDS)

WITHOUT_A_USER = {
    "changes its own file": Expectation(log="None"),
    "tells its twin by a key of its user": Expectation(log="cards\n"),
}
"""What works at level process for an ordinary user, whose bots are the same user (docs/isolation.md)."""
