import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Event } from '../../src/kinds/audit/event.ts';
import { PATIENCE_MS } from './patience.ts';

/** As much of an event as tests look at. */
export type RecordedEvent = Event & {
  requestObject?: Record<string, unknown> & { metadata?: Record<string, unknown> };
  responseObject?: Record<string, unknown> & { metadata?: Record<string, unknown>; items?: unknown[] };
};

/** Writes a policy into a directory; gives its path. */
export async function policyFile(directory: string, rules: readonly object[], more: object = {}): Promise<string> {
  const file = join(directory, 'policy.json');
  await writeFile(file, JSON.stringify({ apiVersion: 'audit.platform.io/v1', kind: 'Policy', rules, ...more }));
  return file;
}

/** What follows the last line break is still being written. */
export const linesIn = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).split('\n').slice(0, -1);

/** The events of one request, in order. */
export async function eventsOf(file: string, auditId: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = (await linesIn(file)).map((line) => JSON.parse(line));
  return events.filter(({ auditID }) => auditID === auditId);
}

/** Waits until something is so, which happens soon or not at all. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
