import { isObject, type Json, type JsonObject } from './json.ts';
import { send } from './request.ts';

/** Documents that follow each other, one a line, as the server writes them. */
export async function* documentsFrom(path: string, accept: string, signal: AbortSignal): AsyncGenerator<JsonObject> {
  for await (const line of linesFrom(path, accept, signal)) {
    if (line === '') continue;
    const value: Json = JSON.parse(line);
    if (isObject(value)) yield value;
  }
}

/** Lines of an answer that goes on. */
export async function* linesFrom(path: string, accept: string, signal: AbortSignal): AsyncGenerator<string> {
  const { body } = await send(path, { accept, signal });
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
