import { type Client, ConfigMap, fromKey, isRefusal, Service, watching } from 'platform-apiserver/client';
import { Website } from './website.ts';

/** The owner of the fields that this operator applies. */
const OPERATOR = { fieldManager: 'website-operator', force: true } as const;

/** Gives each website a config map with its pages and a service, and puts back what others change or delete of them. */
export async function runReconciler(client: Client, onError: (key: string, error: unknown) => void = console.error) {
  const websites = await client.of(Website).informer();
  const owned = { labelSelector: 'website' };
  const maps = await client.of(ConfigMap).informer(owned);
  const services = await client.of(Service).informer(owned);

  async function reconcile(key: string): Promise<void> {
    const { namespace, name } = fromKey(key);
    const website = websites.store.get(name, namespace);
    // What belongs to a website that is gone is deleted by the plane's garbage collector.
    if (!website || website.metadata.deletionTimestamp) return;
    const { metadata, spec } = website;
    const ours = {
      name,
      labels: { website: name },
      ownerReferences: [{ apiVersion: website.apiVersion, kind: website.kind, name, uid: metadata.uid ?? '' }],
    };
    await client.of(ConfigMap).inNamespace(namespace).apply({ metadata: ours, data: spec.pages }, OPERATOR);
    const ports = [{ port: 80, name: 'http', protocol: 'TCP' as const }];
    const service = { metadata: ours, spec: { selector: { website: name }, ports } };
    await client.of(Service).inNamespace(namespace).apply(service, OPERATOR);
    const status = { observedGeneration: metadata.generation ?? 0, pages: Object.keys(spec.pages).length };
    await client.of(Website).inNamespace(namespace).status.patch(name, { merge: { status } });
  }

  const byLabel = ({ metadata: { namespace, labels } }: ConfigMap | Service) => [`${namespace}/${labels?.website}`];
  const controller = client.runController({
    watches: [watching(websites), watching(maps, byLabel), watching(services, byLabel)],
    workers: 2,
    reconcile: (key) => reconcile(key).catch(unlessGone),
    onError,
  });
  return {
    async close(): Promise<void> {
      await controller.close();
      for (const informer of [websites, maps, services]) informer.close();
    },
  };
}

/** The website, or its namespace with it, was deleted meanwhile: there is nothing left to do. */
function unlessGone(error: unknown): void {
  if (!isRefusal(error, 'NotFound')) throw error;
}
