import { SERVER_USER } from '../api/user.ts';
import { Leadership } from '../client/leading/leadership.ts';
import type { LeaseStore } from '../client/leading/lease.ts';
import type { Lease } from '../kinds/coordination/lease.ts';
import { type ControllerParts, type StartController, servedType } from './controller.ts';

const OPTIONS = { user: SERVER_USER };

/** A Lease of the system namespace, seen from inside of a server. Leadership is not left to webhooks. */
export function storedLease(parts: ControllerParts, name: string): LeaseStore {
  const { coordination } = parts.vocabulary.groups;
  const namespace = parts.vocabulary.namespaces.system;
  const registry = parts.registry.pastAdmission;
  const ref = { type: servedType(parts, coordination, 'leases'), namespace, name, subresource: '' };
  const isThis = ({ metadata }: Lease): boolean => metadata.namespace === namespace && metadata.name === name;
  return {
    name,
    namespace,
    async update(change) {
      await registry.update(ref, (current) => change(current as Lease | undefined), OPTIONS);
    },
    follow: (onChange) =>
      parts.informer.follow(
        { group: coordination, plural: 'leases', name },
        {
          onSet(lease: Lease) {
            if (isThis(lease)) onChange(lease);
          },
          onRemove(lease: Lease) {
            if (isThis(lease)) onChange(undefined);
          },
        },
      ),
  };
}

/** Runs loops on one of the servers over a store, and on another when that one is gone. */
export const leadAmongServers = (
  parts: ControllerParts,
  { name, identity }: { readonly name: string; readonly identity: string },
  loops: readonly StartController[],
): Leadership =>
  new Leadership({
    lease: storedLease(parts, name),
    identity,
    runtime: parts.runtime,
    onError: (error) => parts.onError('leadership', name, error),
    begin: (term) => loops.map((start) => start({ ...parts, term })),
  });
