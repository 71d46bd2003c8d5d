"""How servers are asked at which people sign in: no answer takes long, fills the memory or leads away."""

from __future__ import annotations

from io import BytesIO
from time import monotonic
from typing import Any, Final

import requests
from urllib3.exceptions import HTTPError

from tournament.arena.settings import SIGN_IN_SECONDS

MOST_ANSWER_BYTES: Final = 1_000_000
"""No answer of OpenID Connect is nearly as long."""

_PIECE_BYTES: Final = 1 << 16


class CarefulSession(requests.Session):
    """Asks for answers that come whole within `SIGN_IN_SECONDS`, not packed; they may not lead to another address."""

    def request(self, method: str, url: str, **options: Any) -> requests.Response:  # type: ignore[override]
        """Returns the answer, read to its end. Raises `RequestException` for one that takes too long or is too long."""
        ends = monotonic() + SIGN_IN_SECONDS
        own = {"timeout": SIGN_IN_SECONDS, "allow_redirects": False, "stream": True}
        self.headers["Accept-Encoding"] = "identity"  # a few packed bytes may become gigabytes
        answer = super().request(method, url, **(options | own))
        with answer:
            if answer.is_redirect:  # what is sent is meant for this address alone: the secret, a token
                raise requests.TooManyRedirects("The answer leads to another address.")
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise requests.exceptions.ContentDecodingError("The answer is packed.")
            whole = _read_all(answer, ends=ends)
        answer.raw = BytesIO(whole)  # from which its caller reads, as from the network
        return answer


def _read_all(answer: requests.Response, *, ends: float) -> bytes:
    data = bytearray()
    try:
        while piece := answer.raw.read1(_PIECE_BYTES):
            data += piece
            if len(data) > MOST_ANSWER_BYTES:
                raise requests.exceptions.ContentDecodingError("The answer is too long.")
            if monotonic() > ends:
                raise requests.ReadTimeout("The answer takes too long.")
    except HTTPError as error:
        raise requests.ConnectionError(error) from None
    return bytes(data)
