import { ProblemError, UnreachableError } from './problem.js';

/** An event of a stream: an answer so far, or the last one. */
export interface Progress<Answer> {
  kind: 'progress' | 'result';
  answer: Answer;
}

/** The server-sent events of an answer's lines. A problem is thrown. */
export async function* events<Answer>(lines: AsyncGenerator<string>): AsyncGenerator<Progress<Answer>> {
  let kind = '';
  for await (const line of lines) {
    if (line.startsWith('event: ')) kind = line.slice('event: '.length);
    if (!line.startsWith('data: ')) continue;
    const data = JSON.parse(line.slice('data: '.length));
    if (kind === 'problem') throw new ProblemError(data);
    if (kind === 'progress' || kind === 'result') yield { kind, answer: data };
    if (kind === 'result') return;
  }
  throw new UnreachableError('the stream ended before its result');
}
