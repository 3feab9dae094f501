import { parseAllDocuments } from 'yaml';
import { readServedResources } from '../../src/cli/platformctl/resources/read-served-resources.ts';
import { HttpTransport } from '../../src/client/http-transport.ts';
import { ConfiguredIdentity } from '../../src/client/identity.ts';
import { type AnyObject, PlaneClient, unless } from '../../src/client/plane-client.ts';
import type { Target } from '../../src/client/served-kind.ts';
import { loadClientConfig } from '../../src/outbound/config.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';

/**
 * Creates objects with the states that they are written with, as controllers would leave them behind, in the order of the
 * text. The last one that was created before an object is its owner where it says `OWNER`. Gives what removes them again, so
 * that the next run has room for the same.
 */
export async function createObjects(configFile: string, yaml: string, namespace: string): Promise<() => Promise<void>> {
  if (yaml === '') return async () => {};
  const connection = await loadClientConfig(configFile);
  const transport = new HttpTransport(connection, systemRuntime, 'objects-of-tests');
  const send = transport.sendAs(new ConfiguredIdentity(connection, systemRuntime));
  const resources = await readServedResources(send);
  const client = new PlaneClient(send, resources.vocabulary.groups.meta);
  const removed: Target[] = [];
  let owner = '';
  for (const document of parseAllDocuments(yaml.replaceAll('NAMESPACE', namespace))) {
    const text = JSON.stringify(document.toJS()).replaceAll('OWNER', owner);
    const { status, ...object } = JSON.parse(text) as AnyObject & { readonly status?: object };
    const kind = resources.ofKind(object.apiVersion, object.kind);
    const within = kind.namespaced ? (object.metadata.namespace ?? namespace) : '';
    const created = await client.create<AnyObject>(kind, within, object);
    const target = { kind, namespace: within, name: created.metadata.name ?? '' };
    removed.unshift(target);
    if (status) await client.mergePatch({ ...target, subresource: 'status' }, { status });
    if (!object.metadata.ownerReferences) owner = created.metadata.uid ?? '';
  }
  return async () => {
    for (const target of removed) {
      // No controller is there that would let them go.
      await client.mergePatch(target, { metadata: { finalizers: null } }).catch(unless('NotFound'));
      await client.deleteIfThere(target, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
    }
    transport.close();
  };
}
