"""Sums of matrices by one thread, whoever asks: several add up in another order, and the last digits change."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")


def in_one_thread(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Returns a function that does the same while the libraries of linear algebra use one thread.

    A call takes a millisecond more. The command has them load with one thread, for that takes no time.
    """

    @wraps(function)
    def called(*arguments: Parameters.args, **named: Parameters.kwargs) -> Returned:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(limits=1, user_api="blas"):
            return function(*arguments, **named)

    return called
