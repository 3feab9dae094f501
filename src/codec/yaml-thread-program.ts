import { parentPort } from 'node:worker_threads';
import { ApiError } from '../api/errors.ts';
import { readYaml, type YamlLimits } from './yaml-text.ts';
import type { Answer, Question } from './yaml-thread.ts';

/** The other side of `YamlThread`: reads one document after the other, each as JSON text. */
parentPort?.on('message', ({ text, limits }: Question) => {
  void answer(text, limits).then((reply) => parentPort?.postMessage(reply));
});

async function answer(text: string, limits: YamlLimits): Promise<Answer> {
  try {
    const { value, repeated } = await readYaml(text, limits);
    return { json: JSON.stringify(value), repeated };
  } catch (error) {
    if (error instanceof ApiError) return { reason: error.reason, message: error.message };
    throw error;
  }
}
