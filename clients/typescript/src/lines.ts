import { UnreachableError } from './problem.js';

/** How long an answer is waited for. */
export interface Patience {
  /** The milliseconds of silence after which a request ends. */
  timeout: number;
  /** Ends the request, and with it the search. */
  signal?: AbortSignal | undefined;
}

/** What a promise gives, or an `UnreachableError`. A caller who ends the request gets the reason. */
export async function reached<Value>(promise: Promise<Value>, { timeout, signal }: Patience): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const end = () => reject(new DOMException(`silent for ${timeout} ms`, 'TimeoutError'));
    timer = setTimeout(end, Math.min(timeout, 2 ** 31 - 1));
  });
  try {
    return await Promise.race([promise, silence]);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UnreachableError(`the service is not reached: ${(error as Error).cause ?? error}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The lines of an answer, as they arrive, without their ends. */
export async function* lines(response: Response, patience: Patience): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reached(reader.read(), patience);
      if (done) break;
      const parts = (rest + value).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
    if (rest) yield rest;
  } finally {
    // Who stops reading ends the search.
    await reader.cancel().catch(() => undefined);
  }
}
