"""Workers of a cluster that come, go, differ and are left."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from needs import need_module
from small_clusters import HOLDING, Following, SmallCluster, bots_of, has_results, stop_twice
from small_runs import KILLER, command, kill, wait_until, write_configuration

from tournament import Run, run_tournament
from tournament.errors import BotError, ConfigurationError, Interrupted, RunError
from tournament.records.results import RESULTS_FILE
from tournament.records.run import ClusterPlay
from tournament.records.settings import TimeControl
from tournament.run import cluster, cluster_sides
from tournament.store.folder import read_run

need_module("distributed", extra="cluster")
need_module("cryptography", extra="cluster")
pytestmark = [
    pytest.mark.long,  # workers of a cluster are started and killed
    pytest.mark.filterwarnings("default"),  # Dask's own sockets and files are not ours to close
    pytest.mark.skipif(sys.platform != "linux", reason="bots of workers are found by /proc"),
]
PATIENT = TimeControl(move_ms=1000, bank_ms=600_000)


@pytest.fixture
def small_cluster(tmp_path: Path) -> Iterator[SmallCluster]:
    """Returns a scheduler without workers."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    one = SmallCluster(folder)
    yield one
    one.close()


def data(folder: Path) -> bytes:
    """Returns records and results."""
    return (folder / "games.jsonl").read_bytes() + (folder / RESULTS_FILE).read_bytes()


def hold(bots: Path) -> None:
    """Makes all bots wait at their first decision until the file `go` is there."""
    for path in bots.glob("*.py"):
        path.write_text(HOLDING)


def test_no_bot_is_left_on_a_worker_after_complete_runs(configure, small_cluster, tmp_path):
    """The bots of a run end with it, on the workers of others, too."""
    worker = small_cluster.worker()
    bots = tuple({"bot": f"bots/{name}.py", "isolation": "process"} for name in ("ada", "bea", "cia"))
    runs = [run_tournament(configure(bots=bots), out=tmp_path / "whole")]
    left = []
    for name in ("first", "second"):
        configuration = configure(bots=bots)
        runs.append(run_tournament(configuration, out=tmp_path / name, cluster=small_cluster.address))
        left.append(bots_of(worker))

    assert [[], []] == left
    assert 1 == len({data(run) for run in runs})


@pytest.mark.parametrize("stop", [stop_twice, kill])
def test_no_bot_is_left_on_a_worker_when_the_runner_was_stopped(bots, small_cluster, tmp_path, stop):
    """The scheduler lets go of what a client held that is gone, and the worker then of the bots."""
    worker = small_cluster.worker()
    configuration = write_configuration(tmp_path, "budget: {deals: 400}\n")
    entries = ", ".join(f"{{bot: bots/{name}.py, isolation: process}}" for name in ("ada", "bea", "cia"))
    configuration.write_text(configuration.read_text().replace("bots: [bots]", f"bots: [{entries}]"))
    folder = tmp_path / "run"
    words = ("--out", folder, "-q", "--cluster", small_cluster.address)
    process = command("run", configuration, *words)
    wait_until(lambda: has_results(folder), process)
    lived = len(bots_of(worker))
    stop(process)
    process.communicate(timeout=60)

    assert lived > 0
    wait_until(lambda: not bots_of(worker))
    assert worker.poll() is None


def test_a_scheduler_that_goes_is_told_with_the_command_that_goes_on(bots, small_cluster, tmp_path):
    """A sentence and the exit code of a run that cannot go on; what was played is kept."""
    small_cluster.worker()
    configuration = write_configuration(tmp_path, "budget: {deals: 400}\n")
    folder = tmp_path / "run"
    process = command("run", configuration, "--out", folder, "-q", "--cluster", small_cluster.address)
    wait_until(lambda: has_results(folder), process)
    small_cluster.scheduler.kill()
    _, errors = process.communicate(timeout=60)
    Run.open(folder).play()
    whole = run_tournament(configuration, out=tmp_path / "whole")

    assert RunError.exit_code == process.returncode, errors
    assert f"The scheduler at {small_cluster.address} is gone" in errors
    assert f"tournament resume {folder}" in errors
    assert "Traceback" not in errors
    assert ClusterPlay(workers=1, lost_workers=0, lost_blocks=0) == read_run(folder).segments[0].cluster
    assert data(whole) == data(folder)


def test_a_scheduler_without_workers_is_told_with_the_command_that_starts_one(
    configure, small_cluster, tmp_path, monkeypatch
):
    """A clear refusal, and no folder is left behind."""
    monkeypatch.setattr(cluster, "FIRST_SECONDS", 0.0)

    with pytest.raises(RunError, match=rf"No worker is at .*\n  dask worker {small_cluster.address} --nthreads 1"):
        run_tournament(configure(), out=tmp_path / "run", cluster=small_cluster.address)
    assert not (tmp_path / "run").exists()


def test_a_worker_that_cannot_import_the_project_is_named(configure, small_cluster, tmp_path):
    """Its Python may be another: which worker, and what to install there. It lives on."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text('import sys\nsys.modules["tournament"] = None\n')
    worker = small_cluster.worker(environment={"PYTHONPATH": str(other)})

    with pytest.raises(RunError, match=r"The worker tcp://127.0.0.1:\d+ cannot .*cannot load the project.*pip install"):
        run_tournament(configure(), out=tmp_path / "run", cluster=small_cluster.address)
    assert worker.poll() is None


def test_a_bot_that_ends_workers_while_they_load_it_is_told(configure, bots, small_cluster, tmp_path):
    """Workers that came again and again would die again and again."""
    (bots / "ada.py").write_text("import os\n\nos._exit(5)\n" + (bots / "ada.py").read_text())
    for _ in range(2):
        small_cluster.worker()

    with pytest.raises(BotError, match="A worker died while it loaded the bots"):
        run_tournament(configure(), out=tmp_path / "run", cluster=small_cluster.address)
    assert not (tmp_path / "run").exists()


def test_a_block_that_kills_two_workers_of_a_cluster_is_void_and_the_rest_is_played(configure, bots, tmp_path):
    """As with workers of our own; Dask starts another in the place of each."""
    (bots / "dora.py").write_text(KILLER.format(condition='view.players == 2 and view.hand[0] == "5H"'))
    apart = read_run(run_tournament(configure(workers=2), out=tmp_path / "apart"))
    folder = run_tournament(configure(workers=2), out=tmp_path / "run", cluster="local")

    assert {one.block for one in apart.void} == {one.block for one in read_run(folder).void} != set()
    assert data(tmp_path / "apart") == data(folder)


@pytest.mark.parametrize(
    ("differs", "said"), [("threads", "it has 2 threads"), ("bots", "its bots have other fingerprints")]
)
def test_a_worker_that_comes_later_and_differs_is_named_and_not_used(
    configure, bots, small_cluster, tmp_path, differs, said
):
    """One that differs is refused, and the run goes on without it."""
    hold(bots)
    (tmp_path / "go").touch()
    whole = run_tournament(configure(clock=PATIENT), out=tmp_path / "whole")
    (tmp_path / "go").unlink()
    small_cluster.worker()

    def start_another() -> None:
        if differs == "bots":
            (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# another\n")
        small_cluster.worker(threads=2 if differs == "threads" else 1)

    following = Following(
        on_start=start_another, on_note=lambda text: "is not used" in text and (tmp_path / "go").touch()
    )
    folder = run_tournament(
        configure(clock=PATIENT), out=tmp_path / "run", cluster=small_cluster.address, observer=following
    )
    refused = [note for note in following.notes if "is not used" in note]

    assert 1 == len(refused)
    assert refused[0].startswith("The worker tcp://127.0.0.1:")
    assert said in refused[0]
    assert data(whole) == data(folder)


def test_a_run_that_has_no_worker_left_says_so_once_and_goes_on_with_the_next(configure, bots, small_cluster, tmp_path):
    """It waits, and says for what."""
    hold(bots)
    (tmp_path / "go").touch()
    whole = run_tournament(configure(clock=PATIENT), out=tmp_path / "whole")
    (tmp_path / "go").unlink()
    first = small_cluster.worker()

    def start_another(text: str) -> None:
        if "No worker is left" in text:
            (tmp_path / "go").touch()
            small_cluster.worker()

    following = Following(on_start=first.kill, on_note=start_another)
    folder = run_tournament(
        configure(clock=PATIENT), out=tmp_path / "run", cluster=small_cluster.address, observer=following
    )
    said = [note for note in following.notes if "worker is left" in note or "goes on" in note]

    assert 2 == len(said)
    assert said[0].startswith(f"No worker is left at {small_cluster.address}; waiting for one.")
    assert "has come; the run goes on." in said[1]
    assert data(whole) == data(folder)


def test_a_run_that_has_no_worker_left_can_be_stopped(configure, bots, small_cluster, tmp_path):
    """Ctrl-C once is enough: no block in flight will be played to its end."""
    hold(bots)
    worker = small_cluster.worker()

    def interrupt(text: str) -> None:
        if "No worker is left" in text:
            signal.raise_signal(signal.SIGINT)

    following = Following(on_start=worker.kill, on_note=interrupt)
    with pytest.raises(Interrupted, match="tournament resume"):
        run_tournament(
            configure(clock=PATIENT), out=tmp_path / "run", cluster=small_cluster.address, observer=following
        )


@pytest.mark.parametrize("address", ["", "foo", "127.0.0.1", "tcp://127.0.0.1", "http://127.0.0.1:80", "tcp://a:b"])
def test_what_is_no_address_is_told_before_anything_is_asked(configure, tmp_path, address):
    """What was given, and what an address looks like; no folder is left behind."""
    with pytest.raises(ConfigurationError, match=f'`cluster` "{address}": expected the address of a Dask scheduler'):
        run_tournament(configure(), out=tmp_path / "run", cluster=address)
    assert not (tmp_path / "run").exists()


def test_what_listens_and_is_no_scheduler_is_told(configure, tmp_path, monkeypatch):
    """Something that takes a connection and says nothing, as a web server that waits for its request."""
    monkeypatch.setattr(cluster_sides, "CONNECT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(RunError, match=f"No Dask scheduler answers at {address}: "):
            run_tournament(configure(), out=tmp_path / "run", cluster=address)


def test_a_cluster_of_our_own_listens_on_loopback_only_and_shows_no_page(configure, tmp_path):
    """Dask's dashboard is for whoever asks for it; a port 8787 that is taken is nothing to warn of."""
    import psutil
    from distributed import LocalCluster

    found: list[tuple[str, int]] = []
    answers: list[int] = []

    def look() -> None:
        (own,) = [one for one in LocalCluster._instances if one.status.name == "running"]
        for pid in (psutil.Process().pid, *(nanny.pid for nanny in own.workers.values())):
            connections = psutil.Process(pid).net_connections("inet")
            found.extend(one.laddr for one in connections if one.status == psutil.CONN_LISTEN)
        for page in ("", "status", "health", "info/main/workers.html"):
            with pytest.raises(HTTPError) as refused:
                urlopen(f"http://127.0.0.1:{own.scheduler.http_server.port}/{page}")
            answers.append(refused.value.code)
            refused.value.close()

    run_tournament(configure(), out=tmp_path / "run", cluster="local", observer=Following(on_start=look))

    assert {"127.0.0.1"} == {host for host, _ in found}
    assert 8787 not in {port for _, port in found}
    assert [404] * 4 == answers
