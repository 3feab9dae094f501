import type { MetricSpec } from './metric-spec.ts';

/** `coming`: of a later release. `hidden` metrics are shown on request only, `deleted` ones no longer. */
export type MetricState = 'coming' | 'current' | 'deprecated' | 'hidden' | 'deleted';

/** For how many releases after the one that deprecates it a metric is still shown. */
const GRACE_RELEASES = 3;

/** Hidden in the release after the grace, deleted in the one after that. */
export function stateOf(
  { addedIn, deprecatedIn }: Pick<MetricSpec, 'addedIn' | 'deprecatedIn'>,
  release: string,
): MetricState {
  if (addedIn !== undefined && minorOf(release) < minorOf(addedIn)) return 'coming';
  if (deprecatedIn === undefined) return 'current';
  const age = minorOf(release) - minorOf(deprecatedIn);
  if (age < 0) return 'current';
  if (age <= GRACE_RELEASES) return 'deprecated';
  return age === GRACE_RELEASES + 1 ? 'hidden' : 'deleted';
}

/** Whether the metric is served. `showHidden`: what hides since this release is shown once more. */
export function isShown(spec: MetricSpec, release: string, showHidden: boolean): boolean {
  const state = stateOf(spec, release);
  if (state === 'hidden') return showHidden;
  return state !== 'deleted' && state !== 'coming';
}

/** The description as served: how stable the metric is, and whether it is on its way out. */
export function helpOf(spec: MetricSpec, release: string): string {
  const stability = spec.stability === 'UNSTATED' ? '' : `[${spec.stability}] `;
  const notice = stateOf(spec, release) === 'current' ? '' : `(Deprecated since ${spec.deprecatedIn}.0) `;
  return `${stability}${notice}${spec.help}`;
}

/**
 * Reads `--show-hidden-metrics-for-version`. Only the previous release can be named: it is the last that showed what
 * hides now, and nobody should come to rely on it for longer.
 */
export function showsHidden(version: string | undefined, release: string): boolean {
  if (version === undefined || version === '') return false;
  const [major] = release.split('.');
  const previous = `${major}.${minorOf(release) - 1}`;
  if (version !== previous) throw new Error(`hidden metrics can be shown for version ${previous} only, not ${version}`);
  return true;
}

const minorOf = (release: string): number => Number(release.split('.')[1]);
