"""The files of the site itself: a few dozen kilobytes, each sent whole."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise ships no types
    """Middleware that sends a file in one piece: under ASGI an answer that reads it bit by bit would block the loop."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """Returns the answer with a file, or that it has not changed."""
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file:
                content = found.file.read()
        return HttpResponse(content, status=int(found.status), headers=dict(found.headers))
