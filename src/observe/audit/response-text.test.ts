import { describe, expect, it } from 'vitest';
import { responseText } from './response-text.ts';

const reader = { protobuf: 'application/x', schemaOf: () => undefined };
const headers = ['Content-Type', 'application/json'];

const item = (at: number) => ({ metadata: { name: `n${at}`, managedFields: [{ manager: 'm' }] }, data: { k: 'v' } });
const list = (count: number) => ({
  kind: 'List',
  metadata: {},
  items: Array.from({ length: count }, (_, at) => item(at)),
});
const withoutOwners = (text: string): string => text.replaceAll(',"managedFields":[{"manager":"m"}]', '');

/** How often there could be a rest, and the text. */
async function told(body: string, omitManagedFields: boolean): Promise<{ text: string | undefined; rests: number }> {
  let rests = 0;
  const rest = (): undefined => {
    rests++;
  };
  return { text: await responseText(reader, headers, Buffer.from(body), omitManagedFields, rest), rests };
}

describe('the object of an answer', () => {
  it('is the answer itself, without the end of its line', async () => {
    const json = JSON.stringify(list(3));
    expect(await told(`${json}\n`, false)).toEqual({ text: json, rests: 0 });
  });

  it('is told without owners, or on one line, where that is not how it was sent', async () => {
    const json = JSON.stringify(list(3));
    expect(await told(`${json}\n`, true)).toEqual({ text: withoutOwners(json), rests: 0 });
    expect(await told(JSON.stringify(list(3), null, 2), false)).toEqual({ text: json, rests: 0 });
  });

  it('is read and written with rests when it is long', async () => {
    const json = JSON.stringify(list(5_000));
    const { text, rests } = await told(`${json}\n`, true);
    expect(text === withoutOwners(json)).toBe(true);
    expect(rests).toBeGreaterThan(20);
  });
});
