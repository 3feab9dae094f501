import { readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { expect, it } from 'vitest';
import { fromKey, keyOf } from '../../src/client/controlling/keys.ts';
import { type ControllerOptions, runController, watching } from '../../src/client/controlling/run-controller.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { ConfiguredIdentity } from '../../src/client/identity.ts';
import { Informer, type InformerOptions } from '../../src/client/informing/informer.ts';
import { type LeadOptions, lead } from '../../src/client/leading/lead.ts';
import { type AnyObject, PlaneClient } from '../../src/client/plane-client.ts';
import type { ServedKind } from '../../src/client/served-kind.ts';
import type { Connection } from '../../src/outbound/config.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import { examplesOf } from '../support/readme.ts';
import { startTestServer } from '../support/test-server.ts';

const page = readFileSync(new URL('../../docs/informers.md', import.meta.url), 'utf8');
const examples = examplesOf(page).filter(({ language }) => language === 'ts');

const ConfigMap: ServedKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  verbs: [],
};

/** The client of the examples, of as much as they use. */
function clientOf(connection: Connection) {
  const vocabulary = vocabularies.platform;
  const transport = new HttpTransport(connection, systemRuntime, 'page');
  const identity = new ConfiguredIdentity(connection, systemRuntime);
  const client = new PlaneClient(transport.sendAs(identity), vocabulary.groups.meta);
  const plane = { runtime: systemRuntime, client, openStream: transport.streamAs(identity), vocabulary };
  const inNamespace = (kind: ServedKind, namespace: string) => ({
    informer: async (options: Omit<InformerOptions<AnyObject, string>, 'kind'>) =>
      new Informer(plane, { ...options, kind, namespace }),
    create: (object: object) => client.create(kind, namespace, object),
    patch: (name: string, { merge }: { readonly merge: object }) => client.mergePatch({ kind, namespace, name }, merge),
  });
  return {
    of: (kind: ServedKind) => ({ inNamespace: (namespace: string) => inNamespace(kind, namespace) }),
    runController: (options: Omit<ControllerOptions, 'runtime'>) =>
      runController({ ...options, runtime: systemRuntime }),
    lead: (options: Omit<LeadOptions, 'runtime' | 'client' | 'vocabulary'>) =>
      lead({ ...options, runtime: systemRuntime, client, vocabulary }),
    close: () => transport.close(),
  };
}

it('every example of the page does what it says', async () => {
  expect(examples.length).toBe(5);
  const server = await startTestServer();
  const client = clientOf(server.connection);
  for (const [name, menu] of Object.entries({ soup: 'hot', salad: 'cold' })) {
    const maps = '/api/v1/namespaces/default/configmaps';
    await server.admin.request('POST', maps, { metadata: { name, labels: { menu } } });
  }
  const printed: string[] = [];
  const console = {
    log: (...values: unknown[]) => void printed.push(values.map((value) => `${value}`).join(' ')),
    error: (...values: unknown[]) => void printed.push(`failed: ${values.join(' ')}`),
  };
  const given = { client, ConfigMap, watching, fromKey, keyOf, console };
  const source = [...examples.map(({ text }) => text), 'return { informer, leadership };'].join('\n');
  const { code } = await transform(`export async function run() {${source}}`, { loader: 'ts', target: 'node20' });
  const body = code.replace('export async function run', 'return async function run');
  const run = new Function(...Object.keys(given), body)(...Object.values(given)) as () => Promise<{
    informer: Informer;
    leadership: ReturnType<typeof lead>;
  }>;
  const { informer, leadership } = await run();
  await expect.poll(() => printed).toContain('leading');
  await leadership.close();
  informer.close();
  client.close();
  await server.close();
  expect(printed[0]).toBe('2 soup');
  expect(printed.slice(1)).toEqual([
    'tea is ready',
    ...['salad', 'soup', 'tea'].map((name) => `added ${name}`),
    ...['salad', 'soup', 'tea'].map((name) => `added ${name}`),
    'leading',
  ]);
});
