import { Cluster } from './cluster.ts';
import type { EtcdBackendOptions } from './etcd-backend.ts';
import { identify } from './identity.ts';
import { layoutBelow } from './layout.ts';

/** What all servers over one etcd have in common beside the objects, as one text. */
export interface SharedDocument {
  read(): Promise<string | undefined>;
  /** Replaces what `read` gave last; false when another server was faster. */
  write(text: string): Promise<boolean>;
}

/** Works with the document while the connection is open for it alone. Rejects with `StorageUnavailable` or `StorageRefused`. */
export async function withSharedDocument<T>(
  options: EtcdBackendOptions,
  work: (document: SharedDocument) => Promise<T>,
): Promise<T> {
  const cluster = new Cluster(options);
  const layout = layoutBelow(options.prefix);
  const { authority: key } = layout;
  let revision = 0;
  try {
    await identify(cluster, layout, options.vocabulary);
    return await work({
      async read() {
        const [entry] = (await cluster.range({ key })).entries;
        revision = entry?.revision ?? 0;
        return entry?.value.toString();
      },
      async write(text) {
        const success = [{ put: key, value: Buffer.from(text) }];
        return (await cluster.txn({ compare: [{ key, revision }], success, failure: [] })).succeeded;
      },
    });
  } finally {
    cluster.close();
  }
}
