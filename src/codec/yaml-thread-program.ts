import { parentPort } from 'node:worker_threads';
import { ApiError } from '../api/errors.ts';
import { readYaml, type YamlLimits } from './yaml-text.ts';
import type { Answer, Question } from './yaml-thread.ts';
import { writeYaml } from './yaml-writing.ts';

/** The other side of `YamlThread`: one document after the other. */
parentPort?.on('message', (question: Question) => {
  const answering = 'json' in question ? written(question.json) : read(question.text, question.limits);
  void answering.then((answer) => parentPort?.postMessage(answer));
});

const written = async (json: string): Promise<Answer> => ({ yaml: await writeYaml(JSON.parse(json)) });

async function read(text: string, limits: YamlLimits): Promise<Answer> {
  try {
    const { value, repeated } = await readYaml(text, limits);
    return { json: JSON.stringify(value), repeated };
  } catch (error) {
    if (error instanceof ApiError) return { reason: error.reason, message: error.message };
    throw error;
  }
}
