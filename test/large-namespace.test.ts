import { expect, it, onTestFinished } from 'vitest';
import { eventually } from './support/audit.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer } from './support/test-server.ts';

/** `NAMESPACE_OBJECTS=10000` makes so many, of 30 kinds, and tells how long it takes. */
const OBJECTS = Number(process.env.NAMESPACE_OBJECTS ?? 120);
const CUSTOM_KINDS = process.env.NAMESPACE_OBJECTS ? 20 : 2;
const BUILT_IN: Readonly<Record<string, object>> = {
  'api/v1 configmaps': {},
  'api/v1 secrets': {},
  'api/v1 serviceaccounts': {},
  'api/v1 limitranges': { spec: { limits: [] } },
  'api/v1 endpoints': {},
  'api/v1 podtemplates': { template: { spec: { containers: [{ name: 'a', image: 'i' }] } } },
  'api/v1 pods': { spec: { containers: [{ name: 'a', image: 'i' }] } },
  'apis/coordination.platform.io/v1 leases': { spec: {} },
  'apis/rbac.authorization.platform.io/v1 roles': { rules: [] },
  'apis/networking.platform.io/v1 networkpolicies': { spec: { podSelector: {} } },
};

it('a namespace with many objects of many kinds is emptied, and none is forgotten', { timeout: 600_000 }, async () => {
  const dataDir = await temporaryDirectory();
  const { admin, server, close } = await startTestServer({ store: 'lmdb', dataDir, freezeObjects: false });
  onTestFinished(close);
  const schema = { openAPIV3Schema: { type: 'object', 'x-platform-preserve-unknown-fields': true } };
  const plurals = Array.from({ length: CUSTOM_KINDS }, (_, at) => `kind${at}s`);
  for (const plural of plurals) {
    const names = { plural, kind: plural.toUpperCase() };
    const versions = [{ name: 'v1', served: true, storage: true, schema }];
    const definition = {
      metadata: { name: `${plural}.example.com` },
      spec: { group: 'example.com', scope: 'Namespaced', names, versions },
    };
    const made = await admin.request(
      'POST',
      '/apis/apiextensions.platform.io/v1/customresourcedefinitions',
      definition,
    );
    expect(made.status, made.text).toBe(201);
  }
  await eventually(async () => {
    const { status } = await admin.request('GET', `/apis/example.com/v1/${plurals.at(-1)}`);
    return status === 200 ? true : undefined;
  });
  await admin.request('POST', '/api/v1/namespaces', { metadata: { name: 'large' } });
  const kinds: [string, object][] = [
    ...Object.entries(BUILT_IN),
    ...plurals.map((plural): [string, object] => [
      `apis/example.com/v1 ${plural}`,
      { apiVersion: 'example.com/v1', kind: plural.toUpperCase() },
    ]),
  ];
  const make = async (at: number): Promise<void> => {
    const [where = '', body] = kinds[at % kinds.length] ?? [];
    const [version, plural] = where.split(' ');
    const target = `/${version}/namespaces/large/${plural}`;
    const text = JSON.stringify({ ...body, metadata: { name: `object-${at}` } });
    const { status, body: answer } = await server.inject({
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.adminToken}` },
      body: text,
    });
    expect(status, String(answer)).toBe(201);
  };
  for (let at = 0; at < OBJECTS; at += 100) {
    await Promise.all(Array.from({ length: Math.min(100, OBJECTS - at) }, (_, more) => make(at + more)));
  }
  const begun = performance.now();
  await admin.request('DELETE', '/api/v1/namespaces/large');
  const gets: number[] = [];
  await eventually(async () => {
    const asked = performance.now();
    const { status } = await admin.request('GET', '/api/v1/namespaces/large');
    gets.push(performance.now() - asked);
    return status === 404 ? true : undefined;
  });
  if (process.env.NAMESPACE_OBJECTS) {
    const slowest = gets.sort((a, b) => a - b).at(Math.floor(gets.length * 0.99)) ?? 0;
    console.info(
      `${OBJECTS} objects gone after ${Math.round(performance.now() - begun)} ms; p99 of ${gets.length} GETs ${slowest.toFixed(1)} ms`,
    );
  }
  for (const [where] of kinds) {
    const [, group = '', plural = ''] = /^(?:api|apis\/(.*))\/v1 (.*)$/.exec(where) ?? [];
    expect(server.objects.count({ group, plural }, 'large'), where).toBe(0);
  }
});
