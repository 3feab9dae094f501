import { describe, expect, it, onTestFinished } from 'vitest';
import { adminConfigOf } from '../src/server/admin-config.ts';
import { openListener } from '../src/server/listener.ts';
import { planPlane } from '../src/server/plan.ts';
import { assemblePlane } from '../src/server/plane.ts';
import { type EmbeddedPlane, type StartOptions, startPlane } from '../src/server/server.ts';
import { openStorage } from '../src/server/storage.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { connectionOf, http1Client } from './support/client.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const maps = '/api/v1/namespaces/default/configmaps';

async function started(options: StartOptions): Promise<EmbeddedPlane> {
  const plane = await startPlane(options);
  onTestFinished(() => plane.close());
  return plane;
}

async function ask(plane: EmbeddedPlane, method: string, target: string, document?: object) {
  const body = document && JSON.stringify(document);
  const headers = { 'content-type': 'application/json' };
  const answer = await plane.inject({ method, target, as: 'admin', headers, ...(body !== undefined && { body }) });
  return { status: answer.status, text: answer.body.toString() };
}

describe('a plane without a listener', () => {
  it('is one call, is ready, and answers as a server does', async () => {
    const plane = await started({ store: 'memory' });
    expect(await ask(plane, 'GET', '/readyz')).toEqual({ status: 200, text: 'ok' });
    expect((await ask(plane, 'POST', maps, { metadata: { name: 'a' } })).status).toBe(201);
    expect((await ask(plane, 'GET', `${maps}/a`)).status).toBe(200);
    expect((await plane.inject({ target: maps })).status).toBe(403);
  });

  it('has its service, which leads nowhere', async () => {
    const plane = await started({ store: 'memory' });
    const read = async (plural: string) =>
      JSON.parse((await ask(plane, 'GET', `/api/v1/namespaces/default/${plural}/platform`)).text);
    expect((await read('services')).spec.clusterIP).toBe('10.0.0.1');
    expect((await read('endpoints')).subsets).toBeUndefined();
  });

  it('takes no more requests once it is closed', async () => {
    const plane = await startPlane({ store: 'memory' });
    await plane.close();
    await plane.close();
    await expect(plane.inject({ target: '/version' })).rejects.toThrow('closed');
  });

  it('keeps what it stores', async () => {
    const dataDir = await temporaryDirectory();
    const first = await startPlane({ dataDir });
    expect((await ask(first, 'POST', maps, { metadata: { name: 'kept' } })).status).toBe(201);
    await first.close();
    const second = await started({ dataDir });
    expect((await ask(second, 'GET', `${maps}/kept`)).status).toBe(200);
  });
});

describe('two planes in one process', () => {
  it('have nothing in common, not even their names', async () => {
    const [one, other] = await Promise.all([
      started({ store: 'memory' }),
      started({ store: 'memory', vocabulary: 'kubernetes' }),
    ]);
    expect((await ask(one, 'POST', maps, { metadata: { name: 'a' } })).status).toBe(201);
    expect((await ask(other, 'GET', `${maps}/a`)).status).toBe(404);
    const [{ rbac }, { rbac: theirs }] = [vocabularies.platform.groups, vocabularies.kubernetes.groups];
    expect((await ask(one, 'GET', `/apis/${rbac}/v1`)).status).toBe(200);
    expect((await ask(one, 'GET', `/apis/${theirs}/v1`)).status).toBe(404);
    expect((await ask(other, 'GET', `/apis/${theirs}/v1`)).status).toBe(200);
    const asOther = { authorization: `Bearer ${other.adminToken}` };
    expect((await one.inject({ target: maps, headers: asOther })).status).toBe(401);
  });
});

describe('the parts of a server', () => {
  it('are assembled one after the other: a plan, a store, a plane, and as many listeners as wanted', async () => {
    const plan = await planPlane({ store: 'memory', port: 0 });
    onTestFinished(() => plan.close());
    const log = await openStorage(plan);
    onTestFinished(() => log.close());
    const plane = await assemblePlane(log, plan);
    onTestFinished(() => plane.close());
    const options = { ...plan, graceMs: 1_000 };
    const listeners = [await openListener(plane, options), await openListener(plane, options)];
    for (const listener of listeners) onTestFinished(() => listener.close());
    const published = await plane.publish({ address: '192.0.2.1', port: 1 });
    onTestFinished(() => published.close());
    await expect(plane.publish({ address: '192.0.2.1', port: 2 })).rejects.toThrow('published at one place');
    for (const { url, address } of listeners) {
      const { text } = adminConfigOf({ ...plan, server: url });
      const client = http1Client(await connectionOf(text));
      onTestFinished(() => client.close());
      expect((await client.request('GET', '/readyz')).status).toBe(200);
      const { body } = await client.request('GET', '/api');
      expect(body).toMatchObject({
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
      });
      expect(new URL(url).host).toBe(address);
    }
  });

  it('can be wrong in the plan before there is a store, and a plane that cannot be leaves its store to others', async () => {
    await expect(planPlane({ store: 'memory', authorizationMode: ['Magic'] })).rejects.toThrow('Magic');
    const dataDir = await temporaryDirectory();
    await expect(startPlane({ dataDir, tokenAuthFile: dataDir })).rejects.toThrow('EISDIR');
    await started({ dataDir });
  });
});
