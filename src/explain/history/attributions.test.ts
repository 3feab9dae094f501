import { describe, expect, it } from 'vitest';
import type { Write } from '../../registry/write.ts';
import { Attributions } from './attributions.ts';

const UUID = '0f9a3c1e-55aa-4b6c-8d7e-0123456789ab';

/** As much of a write as is remembered. */
const write = (user: string, more: { auditId?: string; verb?: string; fieldManager?: string } = {}): Write =>
  ({ options: { user: { name: user }, ...more }, ref: { subresource: '' } }) as Partial<Write> as Write;

const kept = (oldest = 0, capacity?: number): Attributions =>
  new Attributions({ oldest: () => oldest, ...(capacity === undefined ? {} : { capacity }) });

describe('attributions', () => {
  it('give back who made a revision and by which request', () => {
    const attributions = kept();
    attributions.committed(7, write('alice', { auditId: UUID, verb: 'patch', fieldManager: 'kubectl' }));
    attributions.committed(8, write('bob', { auditId: 'my-own.id', verb: 'update' }));
    attributions.committed(9, write('server'));
    expect(attributions.of(7)).toEqual({
      user: 'alice',
      verb: 'patch',
      subresource: '',
      fieldManager: 'kubectl',
      applied: false,
      auditId: UUID,
    });
    expect(attributions.of(8)).toMatchObject({ user: 'bob', auditId: 'my-own.id' });
    expect(attributions.of(9)).toMatchObject({ user: 'server', verb: '', auditId: '' });
    expect(attributions.of(6)).toBeUndefined();
  });

  it('take ids for UUIDs only in their usual spelling', () => {
    const attributions = kept();
    const odd = [UUID.toUpperCase(), UUID.replaceAll('-', '.'), `${UUID.slice(0, -1)}g`, UUID.slice(1)];
    odd.forEach((auditId, at) => void attributions.committed(at + 1, write('alice', { auditId })));
    expect(odd.map((_, at) => attributions.of(at + 1)?.auditId)).toEqual(odd);
  });

  it('lose the oldest when there is no more room, whatever the texts are', () => {
    const capacity = 512 * 1024;
    const attributions = kept(0, capacity);
    const writes = 30_000;
    let most = 0;
    for (let revision = 1; revision <= writes; revision++) {
      const user = revision % 3 === 0 ? `user-${revision}-${'x'.repeat(revision % 900)}` : 'alice';
      attributions.committed(revision, write(user, { auditId: revision % 2 ? UUID : `id-${revision}` }));
      most = Math.max(most, attributions.bytes);
    }
    expect(most).toBeLessThan(capacity + 128 * 1024);
    expect(attributions.of(1)).toBeUndefined();
    expect(attributions.of(writes)?.auditId).toBe(`id-${writes}`);
    let first = writes;
    while (attributions.of(first - 1)) first--;
    expect(first).toBeGreaterThan(1);
    for (let revision = 1; revision < first; revision += 97) expect(attributions.of(revision)).toBeUndefined();
  });

  it('forget what can no longer be read', () => {
    let oldest = 0;
    const attributions = new Attributions({ oldest: () => oldest });
    for (let revision = 1; revision <= 5000; revision++) attributions.committed(revision, write('alice'));
    oldest = 4000;
    attributions.age();
    expect(attributions.of(1000)).toBeUndefined();
    expect(attributions.of(4500)).toBeDefined();
    oldest = 6000;
    attributions.age();
    expect(attributions.bytes).toBe(0);
  });
});
