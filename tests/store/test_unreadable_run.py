"""What is said of a `run.json` that cannot be read."""

from __future__ import annotations

import pytest

from tournament.errors import RunError
from tournament.store.folder import read_run


def test_a_folder_in_place_of_run_json_is_told_in_words(tmp_path):
    (tmp_path / "run.json").mkdir()

    with pytest.raises(RunError, match=r"run\.json cannot be read: .*\. Check the path and its permissions\.$") as told:
        read_run(tmp_path)
    assert "Errno" not in str(told.value)
