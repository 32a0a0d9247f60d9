import { ProblemError } from './problem.js';
import { lines } from './lines.js';

/** An event of a stream: an answer so far, or the last one. */
export interface Progress<Answer> {
  kind: 'progress' | 'result';
  answer: Answer;
}

/** The server-sent events of an answer. A problem is thrown. */
export async function* events<Answer>(response: Response): AsyncGenerator<Progress<Answer>> {
  let kind = '';
  for await (const line of lines(response)) {
    if (line.startsWith('event: ')) kind = line.slice('event: '.length);
    if (!line.startsWith('data: ')) continue;
    const data = JSON.parse(line.slice('data: '.length));
    if (kind === 'problem') throw new ProblemError(data.status, data);
    if (kind === 'progress' || kind === 'result') yield { kind, answer: data };
    if (kind === 'result') return;
  }
  throw new ProblemError(response.status);
}
