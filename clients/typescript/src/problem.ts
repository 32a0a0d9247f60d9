import type { Problem } from './contract.js';

/** The service was not reached: no connection, an answer that broke off, or silence beyond the timeout. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/** The service has refused a request, or what stands before it has. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    /** What is wrong. Its `type` is `about:blank` where a proxy answers without a problem. */
    readonly problem: Problem,
  ) {
    super(problem.detail);
  }

  /** The status of the answer. */
  get status(): number {
    return this.problem.status;
  }

  /** The kind of the problem. */
  get type(): Problem['type'] {
    return this.problem.type;
  }

  /** The problem of an answer with this body. */
  static of({ status, statusText, headers }: Response, body: string): ProblemError {
    if (headers.get('content-type')?.startsWith('application/problem+json')) return new ProblemError(JSON.parse(body));
    const told = { type: 'about:blank', title: statusText, status, detail: `status ${status}` };
    return new ProblemError({ ...told, request_id: headers.get('x-request-id') ?? '' } as unknown as Problem);
  }
}
