import type { PersistentVolumeClaim } from '../../kinds/core/volume/persistent-volume-claim.ts';
import { parseQuantity, type Quantity } from '../../schema/quantity.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { countOf } from './count-evaluator.ts';
import type { Evaluator } from './evaluator.ts';
import { ONE, type Usage } from './usage.ts';

const COUNT = countOf('', 'persistentvolumeclaims');
const CLAIMS = 'persistentvolumeclaims';
const STORAGE = 'requests.storage';

/** Claims and what they ask for: of all storage, and of each class of it. */
export function claimEvaluator({ annotations, resourceNames }: Vocabulary): Evaluator<PersistentVolumeClaim> {
  const { storageClassClaimsSuffix, storageClassRequestsSuffix } = resourceNames;
  const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
    metadata.annotations?.[annotations.betaStorageClass] ?? spec.storageClassName ?? '';
  const usage = (claim: PersistentVolumeClaim): Usage => {
    const storageClass = classOf(claim);
    const used = new Map([COUNT, CLAIMS].map((name) => [name, ONE]));
    if (storageClass !== '') used.set(`${storageClass}.${storageClassClaimsSuffix}`, ONE);
    const storage = bytesOf(claim.spec.resources.requests?.storage);
    if (!storage) return used;
    used.set(STORAGE, storage);
    if (storageClass !== '') used.set(`${storageClass}.${storageClassRequestsSuffix}`, storage);
    return used;
  };
  const ofClasses = [`.${storageClassClaimsSuffix}`, `.${storageClassRequestsSuffix}`];
  return {
    changes: true,
    counts: (resource) =>
      [COUNT, CLAIMS, STORAGE].includes(resource) || ofClasses.some((suffix) => resource.endsWith(suffix)),
    usage,
  };
}

/** There are no parts of bytes. */
function bytesOf(amount: string | undefined): Quantity | undefined {
  const asked = amount === undefined ? undefined : parseQuantity(amount);
  if (!asked) return undefined;
  const rest = asked.nanos % ONE.nanos;
  return rest === 0n ? asked : { ...asked, nanos: asked.nanos - rest + ONE.nanos };
}
