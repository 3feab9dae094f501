import { unless } from '../client/plane-client.ts';
import { unlessGoing } from './going-namespace.ts';
import { type Loop, type LoopPlane, servedKind } from './loop.ts';

const NAMESPACES = { group: '', plural: 'namespaces' };
const ACCOUNTS = { group: '', plural: 'serviceaccounts' };
const DEFAULT = 'default';

/** Every namespace has the account that pods run as which name no other: when it is new, and again when it was deleted. */
export const defaultAccount: Loop = {
  name: 'serviceaccount',
  account: 'service-account-controller',
  begin: (plane) => ({
    watches: [
      { ...NAMESPACES, onSet: ({ metadata }) => (metadata.deletionTimestamp ? [] : [metadata.name ?? '']) },
      { ...ACCOUNTS, name: DEFAULT, onRemove: ({ metadata }) => [metadata.namespace ?? ''] },
    ],
    handle: (namespace) => ensure(plane, namespace),
  }),
};

async function ensure(plane: LoopPlane, namespace: string): Promise<void> {
  const { known, client } = plane;
  if (known.get(ACCOUNTS, namespace, DEFAULT)) return;
  if (known.get(NAMESPACES, '', namespace)?.metadata.deletionTimestamp !== undefined) return;
  await client
    .create(servedKind(plane, ACCOUNTS), namespace, { metadata: { name: DEFAULT } })
    .catch(unless('AlreadyExists'))
    .catch(unlessGoing);
}
