import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, http1Client } from './support/client.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

const CLIENTS = 50;
/** Each makes the object larger, and the next one dearer: a thousand take a minute on a busy machine. */
const PATCHES = Number(process.env.CONCURRENT_PATCHES ?? 250);
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('many clients that change one object at a time', () => {
  let plane: TestServer;
  const clients: Client[] = [];

  beforeAll(async () => {
    plane = await startTestServer();
    for (let count = 0; count < CLIENTS; count++) clients.push(http1Client(plane.connection));
  });

  afterAll(async () => {
    for (const client of clients) client.close();
    await plane.close();
  });

  it('all succeed, and nothing that one of them wrote is lost', async () => {
    await plane.admin.request('POST', CONFIG_MAPS, { metadata: { name: 'sum' } });
    const codes = new Map<number, number>();
    const versions = new Set<string>();
    let next = 0;
    const work = async (client: Client): Promise<void> => {
      for (let at = next++; at < PATCHES; at = next++) {
        const { status, body } = await client.request('PATCH', `${CONFIG_MAPS}/sum`, { data: { [`key-${at}`]: 'x' } });
        codes.set(status, (codes.get(status) ?? 0) + 1);
        versions.add(body.metadata.resourceVersion);
      }
    };
    await Promise.all(clients.map(work));
    expect(Object.fromEntries(codes)).toEqual({ 200: PATCHES });
    expect(versions.size).toBe(PATCHES);
    const { body } = await plane.admin.request('GET', `${CONFIG_MAPS}/sum`);
    expect(Object.keys(body.data ?? {})).toHaveLength(PATCHES);
  });
});
