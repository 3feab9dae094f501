import { formatted, unchanged } from '../../meta/field-rules.ts';
import { dns1123Label } from '../../meta/formats.ts';
import { validateLabels } from '../../meta/labels-validation.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import { validateTolerations } from '../core/pod/scheduling-validation.ts';
import { validateOverhead } from '../core/resource-validation.ts';
import type { RuntimeClass, Scheduling } from './runtime-class.ts';

const ROOT = Path.of('');
const SCHEDULING = Path.of('scheduling');

export function validateRuntimeClass(
  { handler, overhead, scheduling }: RuntimeClass,
  problems: Problems,
  context: HookContext,
): void {
  formatted(problems, ROOT, 'handler', handler, dns1123Label);
  if (overhead?.podFixed) validateOverhead(overhead.podFixed, ROOT.child('overhead'), problems, context);
  if (scheduling) validateScheduling(scheduling, problems);
}

function validateScheduling({ nodeSelector, tolerations = [] }: Scheduling, problems: Problems): void {
  validateLabels(nodeSelector, SCHEDULING.child('nodeSelector'), problems);
  const path = SCHEDULING.child('tolerations');
  // Clients know the path of a single toleration with the word twice.
  validateTolerations(tolerations, path.child('tolerations'), problems);
  const seen = new Set<string>();
  tolerations.forEach((toleration, at) => {
    const { key, operator, value, effect } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (seen.has(identity)) problems.duplicate(path.index(at), toleration);
    seen.add(identity);
  });
}

export function validateRuntimeClassUpdate({ handler }: RuntimeClass, old: RuntimeClass, problems: Problems): void {
  unchanged(problems, ROOT, 'handler', handler, old.handler);
}
