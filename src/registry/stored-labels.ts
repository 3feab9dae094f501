import { BoundedCache, textBytes } from '../bounds/bounded-cache.ts';
import { ownText } from '../bounds/own-memory.ts';
import { stringEnd } from '../codec/json-text.ts';
import type { Labels } from '../selectors/label-selector.ts';

/** So much of an object is looked at; what stands before its labels is short. */
const HEAD_BYTES = 1024;
const METADATA = '"metadata":{';

/**
 * The labels of a stored object, read off the head of its bytes: after a restart a selector asks every object for them,
 * and to parse each as a whole would keep others waiting. `unclear`: they cannot be told from there.
 */
export function storedLabels(bytes: Buffer): Labels | 'unclear' {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const metadata = head.indexOf(METADATA);
  if (metadata < 0) return 'unclear';
  for (let at = metadata + METADATA.length; head[at] === '"'; at++) {
    const colon = head.indexOf('":', at + 1);
    const value = colon + 2;
    const first = head[value];
    if (first === '{' && head.slice(at + 1, colon) === 'labels') return labelsAt(head, value);
    // By its canonical form an object has them before any other pairs or lists, if at all.
    if (first === '{' || first === '[') return bytes.includes('"labels":{') ? 'unclear' : undefined;
    at = first === '"' ? stringEnd(head, value) : scalarEnd(head, value);
    if (head[at] === '}') return undefined;
  }
  return 'unclear';
}

function scalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== ',' && text[at] !== '}') at++;
  return at;
}

/** Labels of many objects are the same, and are then held once. */
const known = new BoundedCache<string, NonNullable<Labels>>({
  name: 'labels',
  capacity: 4 << 20,
  // The pairs take more than their text, each a little.
  sizeOf: (json) => 4 * textBytes(json),
});

function labelsAt(text: string, start: number): Labels | 'unclear' {
  const end = text.indexOf('}', start);
  if (end < 0) return 'unclear';
  const json = text.slice(start, end + 1);
  const held = known.get(json);
  if (held) return held;
  const labels = parseLabels(json);
  if (!labels) return 'unclear';
  known.set(ownText(json), labels);
  return labels;
}

function parseLabels(json: string): NonNullable<Labels> | undefined {
  // Labels are plain words; if ever one is not, where it ends and what it says is not clear from here.
  return /^[\w./\-":,{}]*$/.test(json) ? JSON.parse(json) : undefined;
}
