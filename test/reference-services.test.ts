import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SERVER_USER } from '../src/api/user.ts';
import { ServiceRegistry } from './support/service-registry.ts';

/** Services as they were sent, and as a server of this interface answered them, addresses and ports included. */

const REFERENCE = join(import.meta.dirname, '../../shared/reference/defaults.json');
const GENERATED = '<generated>';

interface Pair {
  readonly id: string;
  readonly post: { readonly kind: string; readonly metadata: { readonly name: string } };
  readonly result: { readonly spec: unknown; readonly status: unknown };
}

const all: readonly Pair[] = existsSync(REFERENCE) ? JSON.parse(readFileSync(REFERENCE, 'utf8')) : [];
const pairs = all.filter(({ post }) => post.kind === 'Service');

type Json = { [key: string]: unknown };
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was generated there is taken for generated here, if there is something. */
function masked(ours: unknown, theirs: unknown): unknown {
  if (theirs === GENERATED && ours) return GENERATED;
  if (Array.isArray(ours) && Array.isArray(theirs)) return ours.map((item, at) => masked(item, theirs[at]));
  if (!isJson(ours) || !isJson(theirs)) return ours;
  return Object.fromEntries(Object.entries(ours).map(([key, value]) => [key, masked(value, theirs[key])]));
}

describe.skipIf(pairs.length === 0)('new services, against the reference (skipped where there is none)', () => {
  it.each(pairs)('$id', async ({ post, result }) => {
    const services = await ServiceRegistry.open();
    onTestFinished(() => services.close());
    await services.registry.create(services.type, 'default', post, { user: SERVER_USER });
    const { spec, status } = services.stored()[0] ?? expect.unreachable();
    const ours = masked({ spec, status }, result);
    expect(JSON.stringify(ours, null, 1)).toBe(JSON.stringify({ spec: result.spec, status: result.status }, null, 1));
  });
});
