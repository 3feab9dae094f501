import type { Problems } from '../../../schema/problems.ts';
import type { PodLogOptions } from './pod-options.ts';

const POSITIVE = 'must be greater than 0';

/** Every problem of what someone wants to see of a log. */
export function validatePodLogOptions(options: PodLogOptions, problems: Problems): void {
  const { tailLines, limitBytes, sinceSeconds, sinceTime } = options;
  if (tailLines !== undefined && tailLines < 0) {
    problems.invalid('tailLines', tailLines, 'must be greater than or equal to 0');
  }
  if (limitBytes !== undefined && limitBytes < 1) problems.invalid('limitBytes', limitBytes, POSITIVE);
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    problems.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    problems.invalid('sinceSeconds', sinceSeconds, POSITIVE);
  }
}
