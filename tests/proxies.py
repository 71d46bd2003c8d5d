"""The nginx and the Caddy of Debian, started as a page shows them, with a certificate of their own."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from needs import PACKAGES, missing, need_programs

_AROUND_NGINX = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{server}
}}
"""
_AROUND_CADDY = """\
{{
	admin off
	auto_https disable_redirects
	default_bind 127.0.0.1
	storage file_system {folder}/storage
	log {{
		output discard
	}}
}}
"""


class ShownProxies:
    """The configurations of proxies on a page, for the site that it names as an example."""

    def __init__(self, page: Path, *, name: str, listens: str, served_as: str = "localhost") -> None:
        """Takes the name of the example, where the page has it listen on loopback, and the name to serve it under."""
        self._served_as = served_as
        self._page = page
        self._name = name
        self._listens = listens

    def _shown(self, beginning: str, changes: dict[str, str]) -> str:
        """Returns the configuration that begins so, with what is the test's own in place of the example's."""
        blocks = re.findall(r"```\w+\n(.*?)```", self._page.read_text(encoding="utf-8"), re.DOTALL)
        [text] = [block for block in blocks if block.startswith(beginning)]
        for example, own in changes.items():
            assert example in text
            text = text.replace(example, own)
        return text

    def nginx(self, folder: Path, *, port: int, site: int) -> list[str | Path]:
        """Returns the command that starts nginx as the page shows it."""
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            missing("nginx", f"Debian: apt-get install {PACKAGES['nginx']}")
        changes = {
            "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
            f"server_name {self._name};": f"server_name {self._served_as};",
            f"/etc/letsencrypt/live/{self._name}/fullchain.pem": str(folder / "certificate.pem"),
            f"/etc/letsencrypt/live/{self._name}/privkey.pem": str(folder / "key.pem"),
            f"http://{self._listens}": f"http://127.0.0.1:{site}",
        }
        user = "user root;" if os.geteuid() == 0 else ""
        text = _AROUND_NGINX.format(user=user, folder=folder, server=self._shown("server {", changes))
        (folder / "nginx.conf").write_text(text)
        return [program, "-c", folder / "nginx.conf", "-p", folder]

    def caddy(self, folder: Path, *, port: int, site: int) -> list[str | Path]:
        """Returns the command that starts Caddy as the page shows it, but that it asks nobody for a certificate."""
        need_programs("caddy")
        own = f"https://{self._served_as}:{port} {{\n\ttls {folder / 'certificate.pem'} {folder / 'key.pem'}"
        changes = {f"{self._name} {{": own, self._listens: f"127.0.0.1:{site}"}
        text = _AROUND_CADDY.format(folder=folder) + self._shown(f"{self._name} {{", changes)
        (folder / "Caddyfile").write_text(text)
        return ["caddy", "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"]


@contextmanager
def started(command: list[str | Path], folder: Path, *, port: int) -> Iterator[None]:
    """Starts a proxy, waits until it listens, and ends it."""
    write_certificate(folder)
    own = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | own) as proxy:
        try:
            _wait_for(proxy, port)
            yield
        finally:
            proxy.terminate()


def write_certificate(folder: Path) -> None:
    """Writes a certificate for localhost, signed by itself, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    plain = serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))


def _wait_for(process: subprocess.Popen, port: int) -> None:
    """Waits until a port of loopback is listened on."""
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.05)
    pytest.fail("the proxy ended")
