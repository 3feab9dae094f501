import { parentPort } from 'node:worker_threads';
import { ApiError } from '../errors.ts';
import { readYaml } from './yaml-text.ts';
import type { Answer, Question } from './yaml-thread.ts';

/** The other side of `YamlThread`: reads one document after the other, each as JSON text. */
parentPort?.on('message', ({ text, deepest }: Question) => {
  void answer(text, deepest).then((reply) => parentPort?.postMessage(reply));
});

async function answer(text: string, deepest: number): Promise<Answer> {
  try {
    const { value, repeated } = await readYaml(text, deepest);
    return { json: JSON.stringify(value), repeated };
  } catch (error) {
    if (error instanceof ApiError) return { reason: error.reason, message: error.message };
    throw error;
  }
}
