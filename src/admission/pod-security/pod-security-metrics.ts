import type { Recorder } from '../../observe/metrics/recorder.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { Mode, Policy } from './policy.ts';

/** A release that is not out yet counts as this one: the number is anyone's invention. */
const FUTURE = 'future';

/** Counts what pods and templates are held to, and what comes of it. */
export class PodSecurityMetrics {
  readonly #recorder: Recorder;
  readonly #newestMinor: number;

  constructor(recorder: Recorder, newestMinor: number) {
    this.#recorder = recorder;
    this.#newestMinor = newestMinor;
  }

  evaluated(request: AdmissionRequest, mode: Mode, { level, version }: Policy, isAllowed: boolean): void {
    const shown = version === 'latest' ? version : version > this.#newestMinor ? FUTURE : `v1.${version}`;
    const labels = [isAllowed ? 'allow' : 'deny', level, shown, mode, ...targetOf(request)];
    this.#recorder.number('pod_security_evaluations_total', labels).value++;
  }

  exempted(request: AdmissionRequest): void {
    this.#recorder.number('pod_security_exemptions_total', targetOf(request)).value++;
  }
}

/** Everything but a pod is a controller that makes some. */
const targetOf = ({ type, operation, subresource }: AdmissionRequest): string[] => [
  operation.toLowerCase(),
  type.kind === 'Pod' ? 'pod' : 'controller',
  subresource,
];
