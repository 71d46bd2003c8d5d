"""Storage at length: which records are kept, compression, the window of blocks in flight."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import Future

import pytest

from tournament import read_records, run_tournament
from tournament.blocks import Job, PlayedBlock
from tournament.errors import RecordError
from tournament.records.settings import is_keep, is_kept
from tournament.run.crews import WorkerKilledError, WorkerLostError, play_in_order
from tournament.schedule.formats import Block
from tournament.store.compression import frames


@pytest.mark.parametrize(("keep", "expected"), [("all", True), ("none", False), ("faults", False)])
def test_a_game_without_faults_is_kept_or_not(keep, expected):
    """--keep all|faults|none."""
    assert expected == is_kept(keep, record_id="scout-3p.0.000000.0", has_faults=False)


def test_faults_are_kept_with_faults():
    """--keep faults."""
    assert is_kept("faults", record_id="scout-3p.0.000000.0", has_faults=True)


def test_a_sample_has_about_its_share_and_depends_on_ids_alone():
    """--keep sample:1%: the same games whatever played them."""
    ids = [f"scout-3p.0.{number:06d}.0" for number in range(20_000)]
    kept = sum(is_kept("sample:1%", record_id=one, has_faults=False) for one in ids)

    assert 150 < kept < 250


@pytest.mark.parametrize("text", ["sample:100%", "sample:1", "some", "all\n", "sample:-1%"])
def test_other_words_are_no_choice_of_records(text):
    """all, faults, sample:1%, none."""
    assert not is_keep(text)


def test_compressed_records_are_the_same_records_a_frame_a_block(configure, tmp_path):
    """--compress: read everywhere, block by block."""
    plain = run_tournament(configure(), out=tmp_path / "plain")
    small = run_tournament(configure(compress=True), out=tmp_path / "small")
    blocks = list(frames(small / "games.jsonl.zst"))

    assert list(read_records(plain)) == list(read_records(small))
    assert (plain / "games.jsonl").read_bytes() == b"".join(frame.text for frame in blocks)
    assert 18 == len(blocks)


def test_a_damaged_compressed_file_is_told(configure, tmp_path):
    """A clear sentence, no traceback."""
    path = run_tournament(configure(compress=True), out=tmp_path / "run") / "games.jsonl.zst"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)

    with pytest.raises(RecordError):
        list(read_records(path))


class ScriptedCrew:
    """Ends jobs when the script says so: `later` keeps the first job waiting for that many others."""

    window = 6

    def __init__(self, *, killed: dict[int, int] | None = None, later: int = 0) -> None:
        self.killed = killed or {}
        self.later = later
        self.given: list[int] = []
        self._first: Future[PlayedBlock] | None = None

    def has_room(self) -> bool:
        return True

    def submit(self, job: Job) -> Future[PlayedBlock]:
        number = job.block.number
        self.given.append(number)
        future: Future[PlayedBlock] = Future()
        if self.killed.get(number, 0) > 0:
            self.killed[number] -= 1
            future.set_exception(WorkerKilledError())
        elif self.killed.get(number, 0) < 0:
            self.killed[number] += 1
            future.set_exception(WorkerLostError())
        elif number == 0 and self.later:
            self._first = future
        else:
            future.set_result(played(job))
        if self._first is not None and len(self.given) > self.later:
            self._first.set_result(played(job))
            self._first = None
        return future

    def wait(self, futures: Collection[Future[PlayedBlock]], *, is_stopping: Callable[[], bool]) -> None:
        assert any(future.done() for future in futures), "the script ends no job that is waited for"

    def check(self, future: Future[PlayedBlock]) -> PlayedBlock:
        return future.result()

    def close(self, *, at_once: bool = False) -> None:
        """Has nothing to let go of."""


def job(number: int) -> Job:
    """Returns a job that only has its number."""
    block = Block(group="scout-3p", segment=0, number=number, order=("a", "b", "c"))
    return Job(block=block, game="scout", players=3, options={}, seed="")


def played(one: Job) -> PlayedBlock:
    """Returns an empty block."""
    return PlayedBlock(block=one.block, records=(), lines=(), results=(), clocks=(), faults=(), logs=())


def play(crew: ScriptedCrew, jobs: int) -> list[tuple[int, bool]]:
    """Returns what comes out of the window: numbers, and whether they were played."""
    numbers = iter(range(jobs))
    outcomes = play_in_order(
        crew,
        lambda: next(map(job, numbers), None),
        is_stopping=lambda: False,
        on_kill=lambda _: None,
    )
    return [(outcome.job.block.number, outcome.played is not None) for outcome in outcomes]


def test_blocks_come_out_in_the_order_of_the_schedule_when_the_first_is_slow():
    """Written in schedule order from the window."""
    crew = ScriptedCrew(later=4)

    assert [(number, True) for number in range(20)] == play(crew, 20)


def test_a_job_that_killed_one_worker_is_played_again():
    """The blocks go again."""
    crew = ScriptedCrew(killed={3: 1})

    assert [(number, True) for number in range(8)] == play(crew, 8)
    assert 2 == crew.given.count(3)


def test_a_job_that_killed_two_workers_is_void_and_not_given_again():
    """A block that kills twice is void, never a loop."""
    crew = ScriptedCrew(killed={3: 9})

    assert [(number, number != 3) for number in range(8)] == play(crew, 8)
    assert 2 == crew.given.count(3)


def test_a_job_whose_worker_was_lost_by_another_is_no_culprit():
    """Only the job that was played when its worker died is blamed."""
    crew = ScriptedCrew(killed={3: -5})

    assert [(number, True) for number in range(8)] == play(crew, 8)
