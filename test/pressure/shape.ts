import type { Client } from '../support/client.ts';

/** Something a client may send, at its ugliest. */
export interface Shape {
  readonly name: string;
  /** What must be there first; not measured. `size` as below. */
  prepare?(admin: Client, size: number): Promise<void>;
  /** Sends it, and gives the status of the answer. `size`: 1 for what a body may hold, less for a smaller one. */
  send(admin: Client, size: number): Promise<number>;
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const PODS = '/api/v1/namespaces/default/pods';
export const SERVICES = '/api/v1/namespaces/default/services';
export const DRY = '?dryRun=All';
/** Just below the largest body that is taken. */
export const BODY = 2_900_000;
/** Just below the number of values that a document may have. */
export const VALUES = 49_000;
/** Just below the number of entries that one map may have. */
export const ENTRIES = 9_900;

/** A map of so many entries. */
export const entries = (count: number, value: unknown, key = 'k'): Record<string, unknown> =>
  Object.fromEntries(times(count, (at) => [`${key}${at}`, value]));

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: Math.floor(count) }, (_, at) => make(at));

export const post = (path: string, document: (size: number) => unknown, type = 'application/json') => ({
  send: async (admin: Client, size: number) =>
    (await admin.request('POST', path, document(size), { 'content-type': type })).status,
});

export const patch = (path: string, type: string, document: (size: number) => unknown) => ({
  send: async (admin: Client, size: number) =>
    (await admin.request('PATCH', path, document(size), { 'content-type': type })).status,
});

export const container = { name: 'main', image: 'example/main:1' };
export const pod = (spec: object, metadata: object = {}) => ({
  metadata: { name: 'ugly', ...metadata },
  spec: { containers: [container], ...spec },
});
export const claim = (storage: string) => ({
  metadata: { name: 'ugly' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

export const STRATEGIC = 'application/strategic-merge-patch+json';
export const YAML = 'application/yaml';
export const APPLY = 'application/apply-patch+yaml';

export const owner = (at: number) => ({ apiVersion: 'v1', kind: 'Pod', name: `p${at}`, uid: `uid-${at}` });

export const env = (count: number, value = '') => times(count, (at) => ({ name: `E${at}`, ...(value && { value }) }));
