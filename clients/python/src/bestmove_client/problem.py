"""What a client raises."""

from __future__ import annotations

import json
from http.client import HTTPResponse

from .contract import Problem


class ProblemError(Exception):
    """The service has refused a request, or what stands before it has."""

    def __init__(self, status: int, problem: Problem | None = None) -> None:
        super().__init__(problem["detail"] if problem else f"status {status}")
        #: The status of the answer; 200 where a stream broke off.
        self.status = status
        #: What is wrong. A proxy may answer without it.
        self.problem = problem

    @property
    def type(self) -> str | None:
        """The kind of the problem, such as `/problems/illegal-move`."""
        return self.problem["type"] if self.problem else None

    @classmethod
    def of(cls, response: HTTPResponse) -> ProblemError:
        """The problem of an answer."""
        body = response.read()
        if response.headers.get_content_type() != "application/problem+json":
            return cls(response.status)
        return cls(response.status, json.loads(body))
