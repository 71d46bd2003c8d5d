"""A server at which people sign in by OpenID Connect, on loopback, for tests: whoever comes is `person` at once."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENTS, SECRET = ("arena", "arena-of-the-club"), "told by the server"


class OpenIdServer(ThreadingHTTPServer):
    """Says of everybody that they are `person`; None: they do not sign in."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.person: dict[str, Any] | None = None
        self.is_broken = False
        self.told_besides: Callable[[dict[str, Any]], Any] | None = None
        """Makes another answer of the right one to a code."""

        self.odd_answers: dict[str, Callable[[BaseHTTPRequestHandler], None]] = {}
        """By path: what answers there instead."""

        self.told_of_itself: dict[str, Any] = {}
        """What it says of itself besides, or otherwise."""

        self.claims: dict[str, Any] = {}
        """What id_tokens say besides, or otherwise; None: nothing of it."""

        self.algorithm = "RS256"
        """How id_tokens are signed."""

        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.asked: dict[str, tuple[dict[str, Any], dict[str, str]]] = {}
        """By code: who that is, and what was asked for."""

        self.people: dict[str, dict[str, Any]] = {}
        """By token of access."""

        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def told(self) -> dict[str, Any]:
        paths = {"authorization_endpoint": "authorize", "token_endpoint": "token", "userinfo_endpoint": "userinfo"}
        return (
            {
                "issuer": self.issuer,
                "jwks_uri": f"{self.issuer}/keys",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            }
            | {name: f"{self.issuer}/{path}" for name, path in paths.items()}
            | self.told_of_itself
        )

    def code_for(self, asked: dict[str, str]) -> str:
        code = secrets.token_urlsafe(8)
        assert self.person is not None
        self.asked[code] = (self.person, asked)
        return code

    def tokens_for(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Returns the answer to a code; None where something is not as it was agreed."""
        person, asked = self.asked.pop(form["code"], (None, {}))
        proof = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=")
        is_agreed = (
            form.get("client_id") in CLIENTS
            and form.get("client_secret") == SECRET
            and proof.decode() == asked.get("code_challenge")
            and form.get("redirect_uri") == asked.get("redirect_uri")
        )
        if person is None or not is_agreed:
            return None
        access = secrets.token_urlsafe(8)
        self.people[access] = person
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": form["client_id"], "sub": person.get("sub"), "iat": now, "exp": now + 60}
        claims["nonce"] = asked.get("nonce")
        claims = {name: value for name, value in (claims | self.claims).items() if value is not None}
        key = {"RS": self.key, "HS": SECRET * 3, "no": None}[self.algorithm[:2]]
        identity = jwt.encode(claims, key, algorithm=self.algorithm, headers={"kid": "one"})
        tokens = {"access_token": access, "token_type": "Bearer", "expires_in": 60, "id_token": identity}
        return tokens if self.told_besides is None else self.told_besides(tokens)


class _Answers(BaseHTTPRequestHandler):
    server: OpenIdServer

    def log_message(self, *_) -> None:
        pass

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path in self.server.odd_answers:
            self.server.odd_answers[url.path](self)
        elif self.server.is_broken:
            self._send(500, b"broken")
        elif url.path == "/.well-known/openid-configuration":
            self._send(200, self.server.told())
        elif url.path == "/authorize":
            given = {"error": "access_denied"} if self.server.person is None else {"code": self.server.code_for(asked)}
            self._send(302, b"", location=f"{asked['redirect_uri']}?{urlencode({**given, 'state': asked['state']})}")
        elif url.path == "/userinfo":
            self._send(200, self.server.people[self.headers["Authorization"].removeprefix("Bearer ")])
        else:
            self._send(404, b"")

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        tokens = self.server.tokens_for({name: values[0] for name, values in form.items()})
        self._send(400 if tokens is None else 200, tokens or {"error": "invalid_grant"})

    def _send(self, status: int, body: Any, *, location: str | None = None) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Type", "application/json")
        if location is not None:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(data)
