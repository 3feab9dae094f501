import { distinct, formatted, IMMUTABLE, nonNegative, oneOf, required, unchanged } from '../../../meta/field-rules.ts';
import { dns1123Subdomain, NEGATIVE, qualifiedName } from '../../../meta/formats.ts';
import { validateLabelSelector } from '../../../meta/label-selector-validation.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { sameValue } from '../../../schema/same-value.ts';
import { isNegative } from '../../core/resource-validation.ts';
import { validateTokenLife } from '../../core/volume/projected-volume-validation.ts';
import { validateDriverName } from '../../core/volume/volume-sources-validation.ts';
import type { CSIDriver, TokenRequest } from './csi-driver.ts';
import type { CSINode, CSINodeDriver } from './csi-node.ts';
import type { CSIStorageCapacity } from './csi-storage-capacity.ts';

const ROOT = Path.of('');
const SPEC = Path.of('spec');

const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLE_MODES = ['Ephemeral', 'Persistent'];

export function validateCSIDriver({ spec }: CSIDriver, problems: Problems): void {
  oneOf(problems, SPEC, 'fsGroupPolicy', spec.fsGroupPolicy, GROUP_POLICIES);
  if (spec.tokenRequests) validateTokenRequests(spec.tokenRequests, SPEC.child('tokenRequests'), problems);
  for (const mode of spec.volumeLifecycleModes ?? []) {
    oneOf(problems, SPEC, 'volumeLifecycleModes', mode, LIFECYCLE_MODES);
  }
}

/** One request for each audience; the server's own may go without a name. */
function validateTokenRequests(requests: readonly TokenRequest[], path: Path, problems: Problems): void {
  const seen = new Set<string>();
  requests.forEach(({ audience, expirationSeconds }, at) => {
    const place = path.index(at);
    if (seen.has(audience)) problems.duplicate(place.child('audience'), audience);
    else if (expirationSeconds !== undefined) validateTokenLife(expirationSeconds, place, problems);
    seen.add(audience);
  });
}

/** Clients know the path of the first by this spelling. */
export function validateCSIDriverUpdate({ spec }: CSIDriver, { spec: old }: CSIDriver, problems: Problems): void {
  unchanged(problems, SPEC, 'attachedRequired', spec.attachRequired, old.attachRequired);
  unchanged(problems, SPEC, 'fsGroupPolicy', spec.fsGroupPolicy, old.fsGroupPolicy);
  unchanged(problems, SPEC, 'podInfoOnMount', spec.podInfoOnMount, old.podInfoOnMount);
  unchanged(problems, SPEC, 'volumeLifecycleModes', spec.volumeLifecycleModes, old.volumeLifecycleModes);
}

const LONGEST_NODE_ID = 256;

export function validateCSINode({ spec }: CSINode, problems: Problems): void {
  const path = SPEC.child('drivers');
  const names = spec.drivers?.map(({ name }) => name) ?? [];
  distinct(problems, path, 'name', names);
  spec.drivers?.forEach((driver, at) => {
    validateNodeDriver(driver, path.index(at), problems);
  });
}

function validateNodeDriver(
  { name, nodeID, allocatable, topologyKeys }: CSINodeDriver,
  path: Path,
  problems: Problems,
): void {
  validateDriverName(name, path, 'name', problems);
  required(problems, path, 'nodeID', nodeID);
  if (nodeID.length > LONGEST_NODE_ID) {
    problems.invalid(path.child('nodeID'), nodeID, `must be ${LONGEST_NODE_ID} characters or less`);
  }
  nonNegative(problems, path.child('allocatable'), 'count', allocatable?.count);
  const seen = new Set<string>();
  // Problems of keys are noted at the driver, as clients know them.
  for (const key of topologyKeys ?? []) {
    if (key === '') problems.required(path);
    if (seen.has(key)) problems.duplicate(path, key);
    seen.add(key);
    const problem = qualifiedName(key);
    if (problem !== undefined) problems.invalid(path, key, problem);
  }
}

/** Drivers come and go; what one says of itself stays while it is there. */
export function validateCSINodeUpdate({ spec }: CSINode, old: CSINode, problems: Problems): void {
  const drivers = new Map(old.spec.drivers?.map((driver) => [driver.name, driver]));
  for (const driver of spec.drivers ?? []) {
    const before = drivers.get(driver.name);
    if (before && !sameValue(before, driver)) problems.invalid('CSINodeDriver', driver, IMMUTABLE);
  }
}

export function validateCSIStorageCapacity(room: CSIStorageCapacity, problems: Problems): void {
  validateLabelSelector(room.nodeTopology, ROOT.child('nodeTopology'), problems);
  formatted(problems, ROOT, 'storageClassName', room.storageClassName, dns1123Subdomain);
  if (room.capacity !== undefined && isNegative(room.capacity)) problems.invalid('capacity', room.capacity, NEGATIVE);
}

export function validateCSIStorageCapacityUpdate(
  room: CSIStorageCapacity,
  old: CSIStorageCapacity,
  problems: Problems,
): void {
  unchanged(problems, ROOT, 'nodeTopology', room.nodeTopology, old.nodeTopology);
  unchanged(problems, ROOT, 'storageClassName', room.storageClassName, old.storageClassName);
}
