import { distinct, formatted, named, oneOf, required, seenBefore, unchanged } from '../../../meta/field-rules.ts';
import { qualifiedName } from '../../../meta/formats.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import { comparableText, sameValue } from '../../../schema/same-value.ts';
import type { TopologySelectorTerm } from '../../core/topology.ts';
import type { StorageClass } from './storage-class.ts';

const ROOT = Path.of('');
const TOPOLOGIES = Path.of('allowedTopologies');
const MOST_PARAMETERS = 512;
const LARGEST_PARAMETERS = 256 * 1024;
const RECLAIM_POLICIES = ['Delete', 'Retain'];
const BINDING_MODES = ['Immediate', 'WaitForFirstConsumer'];

export function validateStorageClass(storageClass: StorageClass, problems: Problems): void {
  const { provisioner, parameters = {}, reclaimPolicy, volumeBindingMode, allowedTopologies } = storageClass;
  named(problems, ROOT, 'provisioner', provisioner, (name) => qualifiedName(name.toLowerCase()));
  validateParameters(parameters, problems);
  oneOf(problems, ROOT, 'reclaimPolicy', reclaimPolicy, RECLAIM_POLICIES);
  oneOf(problems, ROOT, 'volumeBindingMode', volumeBindingMode, BINDING_MODES);
  const isRepeated = seenBefore();
  allowedTopologies?.forEach((term, at) => {
    validateTerm(term, TOPOLOGIES.index(at), problems);
    if (isRepeated(comparableText(term))) {
      problems.duplicate(TOPOLOGIES.index(at).child('matchLabelExpressions'), '');
    }
  });
}

function validateParameters(parameters: Readonly<Record<string, string>>, problems: Problems): void {
  const entries = Object.entries(parameters);
  if (entries.length > MOST_PARAMETERS) {
    problems.tooLong('parameters', MOST_PARAMETERS);
    return;
  }
  let size = 0;
  for (const [key, value] of entries) {
    if (key === '') problems.invalid('parameters', key, 'field can not be empty.');
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (size > LARGEST_PARAMETERS) problems.tooLong('parameters', LARGEST_PARAMETERS);
}

function validateTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: Path, problems: Problems): void {
  const expressions = path.child('matchLabelExpressions');
  const keys = matchLabelExpressions.map(({ key }) => key);
  matchLabelExpressions.forEach(({ key, values }, at) => {
    const place = expressions.index(at);
    required(problems, place, 'values', values);
    distinct(problems, place.child('values'), '', values ?? []);
    formatted(problems, place, 'key', key, qualifiedName);
  });
  distinct(problems, expressions, 'key', keys);
}

/** Volumes are made as their class said at the time. */
export function validateStorageClassUpdate(storageClass: StorageClass, old: StorageClass, problems: Problems): void {
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy'] as const) {
    if (!sameValue(storageClass[field], old[field])) {
      problems.forbidden(field, `updates to ${field} are forbidden.`);
    }
  }
  unchanged(problems, ROOT, 'volumeBindingMode', storageClass.volumeBindingMode, old.volumeBindingMode);
}
