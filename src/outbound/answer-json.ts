import { parseJsonInSteps } from '../codec/json-reading.ts';
import { survey } from '../codec/json-text.ts';
import type { Steps } from '../runtime/pacing.ts';
import { DEEPEST } from '../schema/document-limits.ts';

/** What is around a document in an answer nests, too. */
const AROUND = 10;
/** Shorter texts are parsed in one call. */
const SHORT = 16 << 10;

/** An answer that is no JSON, or too much of it; the message can be shown. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

/** Reads what somebody else answered, in steps. It may be long, and has at most `most` values. Throws UnreadableAnswer. */
export function* readAnswer(text: string, most: number): Steps<unknown> {
  if (text.length > SHORT) {
    const { values, depth } = survey(text, { values: most, depth: DEEPEST + AROUND });
    if (values > most) throw new UnreadableAnswer(`the answer has more than ${most} values`);
    if (depth > DEEPEST + AROUND) throw new UnreadableAnswer(`the answer nests deeper than ${DEEPEST} levels`);
    yield;
  }
  try {
    return text.length > SHORT ? yield* parseJsonInSteps(text) : JSON.parse(text);
  } catch {
    throw new UnreadableAnswer('the answer is not JSON');
  }
}
