import { nonNegative, positive, required } from '../../../meta/field-rules.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { Binding } from '../binding.ts';
import type { PodLogOptions } from './pod-options.ts';

const ROOT = Path.of('');
const TARGET = Path.of('target');
/** What clients know as the path of a problem that is about all of an object. */
const WHOLE = '[]';

/** Where a pod is to run. */
export function validatePodBinding({ target }: Binding, problems: Problems): void {
  if (target.kind && target.kind !== 'Node') {
    problems.notSupported(TARGET.child('kind'), target.kind, ['Node', '<empty>']);
  }
  required(problems, TARGET, 'name', target.name);
}

/** Which part of a log is wanted. */
export function validatePodLogOptions(options: PodLogOptions, problems: Problems): void {
  nonNegative(problems, ROOT, 'tailLines', options.tailLines);
  positive(problems, ROOT, 'limitBytes', options.limitBytes);
  if (options.sinceSeconds !== undefined && options.sinceTime) {
    problems.forbidden(WHOLE, 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  } else positive(problems, ROOT, 'sinceSeconds', options.sinceSeconds);
}
