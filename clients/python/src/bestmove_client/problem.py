"""What a client raises."""

from __future__ import annotations

import json
from http.client import HTTPResponse
from typing import cast

from .contract import Problem


class UnreachableError(ConnectionError):
    """The service was not reached: no connection, an answer that broke off, or silence beyond the timeout."""


class ProblemError(Exception):
    """The service has refused a request, or what stands before it has."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem["detail"])
        #: What is wrong. Its `type` is `about:blank` where a proxy answers without a problem.
        self.problem = problem
        #: The status of the answer.
        self.status: int = problem["status"]
        #: The kind of the problem, such as `/problems/illegal-move`.
        self.type: str = problem["type"]

    @classmethod
    def of(cls, response: HTTPResponse) -> ProblemError:
        """The problem of an answer."""
        body = response.read()
        if response.headers.get_content_type() == "application/problem+json":
            return cls(json.loads(body))
        status = f"status {response.status}"
        told = {"type": "about:blank", "title": response.reason, "status": response.status, "detail": status}
        return cls(cast(Problem, told | {"request_id": response.headers.get("x-request-id", "")}))
