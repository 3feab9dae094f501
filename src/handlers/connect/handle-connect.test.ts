import { expect, it } from 'vitest';
import { badRequest, forbidden } from '../../api/errors.ts';
import { SERVER_USER } from '../../api/user.ts';
import { Negotiator } from '../../codec/negotiation.ts';
import { DEFAULT_FEATURES } from '../../features/features.ts';
import { builtInCatalogue } from '../../kinds/built-in.ts';
import { PodExecOptions, PodLogOptions } from '../../kinds/core/pod/pod-options.ts';
import { PodProxyOptions } from '../../kinds/core/proxy-options.ts';
import type { Admission, AdmissionRequest } from '../../registry/admission.ts';
import { Encoder } from '../../registry/encoding.ts';
import { FieldsOfNew } from '../../registry/fields-of-new.ts';
import { LiveObjects } from '../../registry/live-objects.ts';
import { Objects } from '../../registry/objects.ts';
import { Registry } from '../../registry/registry.ts';
import { systemRuntime as runtime } from '../../runtime/runtime.ts';
import { MemoryBackend } from '../../storage/backends/memory/memory-backend.ts';
import { VersionLog } from '../../storage/log/version-log.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { dispatch } from '../dispatch.ts';
import type { Service } from '../service.ts';
import { contextFor } from '../test-context.ts';
import { OpenWatches } from '../watch/open-watches.ts';
import { type Connector, connectorTable } from './connector.ts';
import { NO_REMOTE_VERSIONS } from './remote-proxy.ts';

const vocabulary = vocabularies.platform;
const pods = { group: '', plural: 'pods' } as const;

const asked: { kind: string; options: object }[] = [];
const note: Connector['connect'] = async ({ options }) => {
  asked.push({ kind: options.kind, options });
  return { status: 299, headers: [], body: [] };
};

const connectors: readonly Connector[] = [
  {
    ...pods,
    subresource: 'exec',
    options: { version: 'v1', kind: 'PodExecOptions', schema: PodExecOptions },
    connect: note,
  },
  {
    ...{ ...pods, subresource: 'log', admission: false, connect: note },
    options: { version: 'v1', kind: 'PodLogOptions', schema: PodLogOptions },
  },
  {
    ...{ ...pods, subresource: 'proxy', takesPath: true, connect: note },
    options: { version: 'v1', kind: 'PodProxyOptions', schema: PodProxyOptions },
  },
];

async function serviceWith(admission: Admission): Promise<Service> {
  const catalogue = builtInCatalogue(vocabulary);
  const log = await VersionLog.open(new MemoryBackend({ runtime }), { runtime, retentionMs: 1_000, onError() {} });
  const objects = new Objects({ log, catalogue, runtime, vocabulary, freezes: true });
  const own = { encoder: new Encoder(runtime), fieldsOfNew: new FieldsOfNew(), live: new LiveObjects(objects) };
  const registry = new Registry({
    log,
    runtime,
    vocabulary,
    features: DEFAULT_FEATURES,
    admission,
    ...own,
    servedAs: () => undefined,
    kindOf: () => undefined,
  });
  return {
    ...{
      catalogue,
      objects,
      registry,
      runtime,
      vocabulary,
      features: DEFAULT_FEATURES,
      negotiator: new Negotiator(vocabulary),
    },
    ...{ actions: new Map(), virtual: new Map(), connectors: connectorTable(connectors) },
    demandCreation: async () => {},
    onDeprecated() {},
    watches: new OpenWatches(catalogue),
    remotes: NO_REMOTE_VERSIONS,
    listMeter: () => ({ read() {} }),
    watchMeter: () => ({ sent() {} }),
    limits: { bodyBytes: 0, leastWatchSeconds: 0 },
  };
}

const ask = async (admission: Admission, method: string, target: string) => {
  const service = await serviceWith(admission);
  return dispatch(service, [], contextFor(method, `/api/v1/namespaces/n/pods/p/${target}`), SERVER_USER);
};

it('asks admission about the options, and goes by what admission makes of them', async () => {
  const seen: AdmissionRequest[] = [];
  const admission: Admission = {
    mutate(request) {
      Object.assign(request.connection ?? {}, { container: 'other' });
    },
    validate: (request) => void seen.push({ ...request }),
  };
  const reply = await ask(admission, 'POST', 'exec?command=a&command=b&tty=true&stdin=false&unknown=1');
  expect(reply.status).toBe(299);
  const options = { kind: 'PodExecOptions', apiVersion: 'v1', tty: true, container: 'other', command: ['a', 'b'] };
  expect(asked.pop()?.options).toEqual(options);
  expect(seen).toMatchObject([
    { operation: 'CONNECT', subresource: 'exec', namespace: 'n', name: 'p', object: undefined, connection: options },
  ]);
});

it('connects to nothing that admission refuses, and does not ask it about reads', async () => {
  const refusal = forbidden({ group: '', resource: 'pods' }, 'p', 'no');
  const admission: Admission = {
    mutate() {},
    validate() {
      throw refusal;
    },
  };
  asked.length = 0;
  await expect(ask(admission, 'GET', 'proxy/x')).rejects.toBe(refusal);
  expect(asked).toEqual([]);
  await ask(admission, 'GET', 'log?tailLines=5&sinceTime=2030-01-01T00:00:00.5Z&follow');
  expect(asked.pop()?.options).toEqual({
    ...{ kind: 'PodLogOptions', apiVersion: 'v1', tailLines: 5, sinceTime: '2030-01-01T00:00:00Z', follow: true },
  });
});

const ANYONE: Admission = { mutate() {}, validate() {} };

it('takes the path from the path, whatever the query says, and every method', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    await ask(ANYONE, method, 'proxy/a/b%2Fc//d/?path=elsewhere&watch=true');
    expect(asked.pop()?.options).toMatchObject({ path: 'a/b/c//d' });
  }
});

it.each([
  ['GET', 'log?tailLines=many', badRequest('').code],
  ['GET', 'log?sinceTime=yesterday', badRequest('').code],
  ['POST', 'log', 405],
  ['OPTIONS', 'exec', 405],
  ['DELETE', 'exec', 405],
  ['GET', 'exec/more', 404],
  ['GET', 'log/more', 404],
  ['GET', 'binding', 405],
  ['GET', 'eviction', 405],
])('refuses %s of %s', async (method, target, code) => {
  await expect(ask(ANYONE, method, target)).rejects.toMatchObject({ code });
  expect(asked).toEqual([]);
});
