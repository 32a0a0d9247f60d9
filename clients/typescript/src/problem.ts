import type { Problem } from './contract.js';

/** The service has refused a request, or what stands before it has. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    /** The status of the answer; 200 where a stream broke off. */
    readonly status: number,
    /** What is wrong. A proxy may answer without it. */
    readonly problem?: Problem,
  ) {
    super(problem?.detail ?? `status ${status}`);
  }

  /** The kind of the problem. */
  get type(): Problem['type'] | undefined {
    return this.problem?.type;
  }

  /** The problem of an answer. */
  static async of(response: Response): Promise<ProblemError> {
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    const problem = isProblem ? await response.json().catch(() => undefined) as Problem | undefined : undefined;
    return new ProblemError(response.status, problem);
  }
}
