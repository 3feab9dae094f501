import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../meta/dependents.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** What usually takes the finalizers away that everybody has, by their names. */
export function knownFinalizers({ finalizers }: Vocabulary): ReadonlyMap<string, string> {
  return new Map([
    [FOREGROUND_FINALIZER, 'the garbage collector takes it away once no dependent is left that blocks the deletion'],
    [ORPHAN_FINALIZER, 'the garbage collector takes it away once no dependent names the object as its owner'],
    [finalizers.namespace, 'the namespace loop takes it away once the namespace is empty'],
    [finalizers.pvcProtection, 'the claim protection loop takes it away once no pod uses the claim'],
    [finalizers.pvProtection, 'the volume protection loop takes it away once no claim is bound to the volume'],
    [finalizers.jobTracking, 'the job controller takes it away once it has counted the pod'],
    [finalizers.customResourceCleanup, 'the server takes it away once all objects of the kind are gone'],
    [finalizers.loadBalancerCleanup, 'the service controller takes it away once the load balancer is gone'],
    [finalizers.externalProvisioner, 'the volume provisioner takes it away once the volume is gone from its storage'],
  ]);
}

export const UNKNOWN_FINALIZER = 'whoever set it is expected to take it away; no part of this server does';
