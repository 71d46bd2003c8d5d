"""`tournament serve` behind the nginx and the Caddy of Debian, set up as the page on it shows them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from made_runs import small_run
from needs import need_module
from proxies import ShownProxies, started

from tournament.paths import data_folder

httpx = need_module("httpx", extra="test")
need_module("cryptography", extra="arena")
need_module("starlette", extra="serve")

pytestmark = pytest.mark.long

PAGE = data_folder("schemas").parent / "docs" / "how-to" / "serve-behind-a-proxy.md"
NAME = "scores.example.org"
PROXIES = ShownProxies(PAGE, name=NAME, listens="127.0.0.1:8000", served_as=NAME)


@pytest.fixture(scope="module", params=[PROXIES.nginx, PROXIES.caddy], ids=["nginx", "caddy"])
def behind(request, tmp_path_factory):
    """Asks for pages of runs behind a proxy, under the name of the page, which the command allows."""
    from arena.commands import free_port

    folder = tmp_path_factory.mktemp("proxy")
    small_run(folder)
    port = free_port()
    words = [sys.executable, "-m", "tournament", "serve", folder, "--port", "0", "--allow-host", NAME]
    own = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=own) as server:
        try:
            line = server.stdout.readline()
            site = int(line.rpartition("/ (")[0].rpartition(":")[2])
            with (
                started(request.param(folder, port=port, site=site), folder, port=port),
                httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=False, headers={"Host": NAME}) as client,
            ):
                yield lambda path: client.get(path, extensions={"sni_hostname": NAME})
        finally:
            server.terminate()


@pytest.mark.parametrize(
    "address", ["/", "/runs/made-run/", "/runs/made-run/bots/1.html", "/runs/made-run/games/scout-3p.0.000000.1.html"]
)
def test_pages_pass_a_proxy_with_their_headers(behind, address):
    answer = behind(address)

    assert (200, "no-store", "DENY") == (
        answer.status_code,
        answer.headers["cache-control"],
        answer.headers["x-frame-options"],
    )


def test_what_is_no_page_is_none_behind_a_proxy_either(behind):
    assert [404, 404] == [behind(path).status_code for path in ("/runs/none/", "/runs/made-run/run.json")]
